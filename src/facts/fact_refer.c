/*
 * fact_refer.c - see fact_refer.h.
 *
 * Why         That all values of a column occur in another one proves little:
 *             numbers from 1 on occur in every key. What tells a reference from
 *             that is that somebody named the column after what it refers to.
 *
 * Method      A name is a list of words, cut at what is no letter and where a
 *             capital follows a small letter; the last word in the singular. A
 *             column is called after a table when its words, without a last one
 *             that only says "key", end with the table's words, or with the
 *             last of them: maker, maker_id, chief_maker and car_makers. Home
 *             games in the plural are counted, not referred to.
 */
#include "facts/fact_refer.h"

enum {
    WORDS_MOST = 8,
    WORD_BYTES = 64,
};

typedef struct name_words {
    char text[WORDS_MOST][WORD_BYTES];
    ptrdiff_t n;
    bool is_plural;  // the last word
} name_words;

static const char key_words[] = "id uid code key no nr num number ref fk pk";
static const char common_words[] =
    "id uid code key no nr num number ref fk pk name title type date year time "
    "status value rank order index count amount description";

static void add_letter(name_words *w, char c, bool is_first)
{
    w->n += is_first;
    char *word = w->text[w->n - 1];
    ptrdiff_t len = str_from(word).len;
    if (len < WORD_BYTES - 1) {
        word[len] = to_lower(c);
    }
}

// countries: country; classes: class; airlines: airline.
static bool make_singular(char *word)
{
    str w = str_from(word);
    ptrdiff_t len = w.len;
    if (w.len > 4 && str_ends(w, S("ies"))) {
        word[w.len - 3] = 'y';
        word[w.len - 2] = '\0';
    } else if (w.len > 4 && (str_ends(w, S("sses")) || str_ends(w, S("xes")))) {
        word[w.len - 2] = '\0';
    } else if (w.len > 2 && str_ends(w, S("s")) && !str_ends(w, S("ss"))) {
        word[w.len - 1] = '\0';
    }
    return str_from(word).len < len;
}

static name_words words_of(str name)
{
    name_words w = {0};
    bool is_cut = true;
    for (ptrdiff_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool is_capital = c != to_lower(c);
        char before = i > 0 ? name.ptr[i - 1] : ' ';
        is_cut |= is_capital && is_alpha(before) && before == to_lower(before);
        if (!is_alpha(c) && (unsigned char)c < 0x80) {
            is_cut = true;
            continue;
        }
        if (is_cut && w.n == WORDS_MOST) {
            return (name_words){0};
        }
        add_letter(&w, c, is_cut);
        is_cut = false;
    }
    for (ptrdiff_t i = 0; i < w.n; i++) {
        w.is_plural = make_singular(w.text[i]);
    }
    return w;
}

static bool is_word(const name_words *w, ptrdiff_t i, const char *list)
{
    return i >= 0 && i < w->n && str_among(str_from(w->text[i]), list);
}

// The words of one name end with those of the other from `from` on.
static bool ends_with(const name_words *w,
                      const name_words *end,
                      ptrdiff_t from)
{
    ptrdiff_t n = end->n - from;
    bool same = n > 0 && n <= w->n;
    for (ptrdiff_t i = 0; same && i < n; i++) {
        same = str_equal(str_from(w->text[w->n - n + i]),
                         str_from(end->text[from + i]));
    }
    return same;
}

static bool is_called_after(const name_words *column, str table)
{
    name_words t = words_of(table);
    name_words c = *column;
    bool has_key = c.n > 1 && is_word(&c, c.n - 1, key_words);
    c.n -= has_key;
    return (has_key || !c.is_plural) && !is_word(&c, c.n - 1, common_words)
           && (ends_with(&c, &t, 0) || ends_with(&c, &t, t.n - 1));
}

// The same name, and not one of those that say nothing.
static bool is_same_name(const name_words *a, str name, const char *nothing)
{
    name_words b = words_of(name);
    bool is_common = a->n == 1 && is_word(a, 0, nothing);
    return !is_common && a->n == b.n && ends_with(a, &b, 0);
}

// Of a table without a declared key: what is called like one.
static int32_t key_by_name(const schema_table *t, const name_words *child)
{
    for (int32_t c = 0; c < t->n_columns; c++) {
        name_words w = words_of(t->columns[c].name);
        bool is_key = is_word(&w, w.n - 1, key_words)
                      && (w.n == 1 || is_called_after(&w, t->name));
        if (is_key || is_same_name(child, t->columns[c].name, common_words)) {
            return c;
        }
    }
    return -1;
}

int32_t fact_named_target(const schema *s,
                          int32_t child,
                          int32_t column,
                          int32_t parent)
{
    const schema_table *t = &s->tables[parent];
    name_words w = words_of(s->tables[child].columns[column].name);
    const schema_unique *key = schema_primary(t);
    bool has_one = key && key->n == 1;
    if (parent == child || t->view || w.n == 0 || (key && !has_one)) {
        return -1;
    }
    int32_t target = has_one ? key->columns[0] : key_by_name(t, &w);
    bool is_meant =
        target >= 0
        && (is_called_after(&w, t->name)
            || is_same_name(&w, t->columns[target].name, key_words));
    return is_meant ? target : -1;
}
