/*
 * pragmatic_cue.c - see pragmatic_cue.h: a few words, and the names of columns.
 *
 * Method      A column is asked for where a word of its name stands, unless the
 *             word is the measure of a choice ("with the largest population"),
 *             or the column is the name of a thing of which only the thing is
 *             spoken of ("club leaders", for club_name).
 */
#include "metric/pragmatic_cue.h"

static bool is_word(const str_list *q, ptrdiff_t i, const char *word)
{
    return i >= 0 && i < q->len && str_equal(q->ptr[i], str_from(word));
}

static bool is_one_of(const str_list *q,
                      ptrdiff_t i,
                      const char *const *words,
                      ptrdiff_t n)
{
    bool found = false;
    for (ptrdiff_t k = 0; k < n && !found; k++) {
        found = is_word(q, i, words[k]);
    }
    return found;
}

static bool has_any(const str_list *q, const char *const *words, ptrdiff_t n)
{
    bool found = false;
    for (ptrdiff_t i = 0; i < q->len && !found; i++) {
        found = is_one_of(q, i, words, n);
    }
    return found;
}

// Is the word at i this one, or its plural?
static bool is_form(const str_list *q, ptrdiff_t i, str word)
{
    return i >= 0 && i < q->len && str_starts_fold(q->ptr[i], word)
           && q->ptr[i].len <= word.len + 2;
}

// The next place of the word, or of its plural; -1: there is none.
static ptrdiff_t find_form(const str_list *q, str word, ptrdiff_t from)
{
    while (from < q->len && !is_form(q, from, word)) {
        from++;
    }
    return from < q->len ? from : -1;
}

/* Names. */

static str column_name(const schema *s, const intent_output *o)
{
    return s->tables[o->table].columns[o->column].name;
}

static bool is_name(const schema *s, const intent_output *o)
{
    return o->table >= 0 && str_find_fold(column_name(s, o), S("name"), 0) >= 0;
}

// "institution id": the last word of institution_id, which institution_name has
// not.
static bool asks_for_other(const str_list *q, str pred, str gold)
{
    ptrdiff_t from = pred.len;
    while (from > 0 && is_alpha(pred.ptr[from - 1])) {
        from--;
    }
    str last = str_skip(pred, from);
    return last.len > 1 && str_find_fold(gold, last, 0) < 0
           && find_form(q, last, 0) >= 0;
}

bool cue_wants_name(const str_list *q,
                    const schema *s,
                    const intent_output *gold,
                    const intent_output *pred)
{
    return is_name(s, gold) && !is_name(s, pred)
           && (find_form(q, S("name"), 0) >= 0
               || find_form(q, S("who"), 0) >= 0)
           && !asks_for_other(q, column_name(s, pred), column_name(s, gold));
}

/* What is shown. */

static bool asks_for_number(const str_list *q)
{
    static const str words[] = {
        S_INIT("many"),  S_INIT("number"), S_INIT("count"), S_INIT("total"),
        S_INIT("often"), S_INIT("times"),  S_INIT("much")};
    bool found = false;
    for (ptrdiff_t i = 0; !found && i < countof(words); i++) {
        found = find_form(q, words[i], 0) >= 0;
    }
    return found;
}

static const char *const highest[] = {
    "most",    "highest", "largest", "biggest", "greatest", "longest",
    "maximum", "max",     "oldest",  "tallest", "heaviest", "top"};
static const char *const lowest[] = {"least",  "lowest",   "smallest",
                                     "fewest", "shortest", "minimum",
                                     "min",    "youngest", "lightest"};

static bool is_measure_word(const str_list *q, ptrdiff_t i)
{
    static const char *const articles[] = {"the",   "a",      "an",     "of",
                                           "total", "number", "average"};
    return is_one_of(q, i, articles, countof(articles))
           || is_one_of(q, i, highest, countof(highest))
           || is_one_of(q, i, lowest, countof(lowest));
}

// "with the largest population", "have a rating", "by the most people".
static bool is_measure(const str_list *q, ptrdiff_t at)
{
    static const char *const heads[] = {"with", "having", "have", "has",
                                        "had",  "by",     "whose"};
    ptrdiff_t i = at - 1;
    while (i >= 0 && is_measure_word(q, i)) {
        i--;
    }
    return i < at - 1 && is_one_of(q, i, heads, countof(heads));
}

// Does the noun at i end what is named: "names of clubs that", not "of club
// leaders"?
static bool ends_phrase(const str_list *q, ptrdiff_t i)
{
    static const char *const words[] = {
        "that",  "who",  "which", "whose", "with", "without", "in",   "of",
        "and",   "or",   "for",   "on",    "at",   "from",    "to",   "having",
        "where", "when", "is",    "are",   "was",  "were",    "have", "has",
        "had",   "do",   "does",  "did",   "by",   "along",   "as",   "whom"};
    return i + 1 >= q->len || is_one_of(q, i + 1, words, countof(words));
}

// The thing at i, of which a column is the name (or the id): is it that which
// is asked for? "club name", "names of the clubs", "which club", "and the
// club".
static bool is_named(const str_list *q, ptrdiff_t at, str generic)
{
    enum {
        NEAR = 4
    };
    static const char *const picks[] = {"which", "what", "each", "every",
                                        "per",   "and",  "list"};
    static const char *const links[] = {"the", "all",  "each", "every",
                                        "of",  "for",  "any",  "their",
                                        "its", "this", "that", "those"};
    for (ptrdiff_t i = at + 1; i <= at + NEAR; i++) {
        if (is_form(q, i, generic)) {
            return true;
        }
    }
    ptrdiff_t i = at - 1;
    while (i > 0 && is_one_of(q, i, links, countof(links))) {
        i--;
    }
    return ends_phrase(q, at)
           && (is_form(q, i, generic)
               || is_one_of(q, i, picks, countof(picks)));
}

static bool is_generic(str word)
{
    static const char *const words[] = {"name", "id", "code", "title"};
    bool found = false;
    for (ptrdiff_t i = 0; i < countof(words) && !found; i++) {
        found = str_equal(word, str_from(words[i]));
    }
    return found;
}

// Does the question ask for a column of this name?
static bool asks_for_column(const str_list *q, str name, arena scratch)
{
    str_list parts = asked_words_of(&scratch, name);
    str last = parts.len > 0 ? parts.ptr[parts.len - 1] : (str){0};
    bool is_compound =
        parts.len > 1 && is_generic(last) && find_form(q, last, 0) >= 0;
    bool found = false;
    for (ptrdiff_t k = 0; k < parts.len - is_compound && !found; k++) {
        for (ptrdiff_t i = find_form(q, parts.ptr[k], 0); i >= 0 && !found;
             i = find_form(q, parts.ptr[k], i + 1)) {
            found = is_compound ? is_named(q, i, last) : !is_measure(q, i);
        }
    }
    return found;
}

bool cue_asks_for(const str_list *q,
                  const schema *s,
                  const intent_output *shown,
                  arena scratch)
{
    static const char *const all[] = {
        "all",         "every",  "everything", "detail",  "details",
        "information", "info",   "record",     "records", "rows",
        "columns",     "fields", "content",    "data"};
    if (q->len == 0) {
        return true;
    }
    if (shown->is_of_star) {
        return has_any(q, all, countof(all));
    }
    return shown->table >= 0
               ? asks_for_column(q, column_name(s, shown), scratch)
               : !str_equal(shown->text, S("count")) || asks_for_number(q);
}

/* What is kept. */

bool cue_bounds(const str_list *q, str relation, str value, arena scratch)
{
    str_list words = asked_words_of(&scratch, value);
    bool is_bound =
        relation.len > 0 && (relation.ptr[0] == '<' || relation.ptr[0] == '>');
    asked_bound want = relation.len > 1 ? BOUND_INCLUSIVE : BOUND_STRICT;
    return is_bound
           && asked_words_bound(q, &words, relation.ptr[0] == '<') == want;
}

bool cue_wants_both(const str_list *q)
{
    static const char *const words[] = {"or", "either", "any", "one"};
    return q->len > 0 && !has_any(q, words, countof(words));
}

/* Ranks and groups. */

static bool has_end(const str_list *q)
{
    return has_any(q, highest, countof(highest))
           || has_any(q, lowest, countof(lowest));
}

bool cue_ranks_nothing(const str_list *q)
{
    static const char *const words[] = {
        "first", "last",   "best",     "worst", "more",    "main",   "single",
        "less",  "one",    "popular",  "major", "only",    "common", "any",
        "next",  "recent", "favorite", "once",  "majority"};
    bool found = has_end(q) || has_any(q, words, countof(words));
    for (ptrdiff_t i = 0; i < q->len && !found; i++) {
        // Any other superlative, "mainly"; a number may be one of rows.
        str word = q->ptr[i];
        bool is_long = word.len > 4;
        found =
            (is_long && (str_ends(word, S("est")) || str_ends(word, S("ly"))))
            || is_digit(word.ptr[0]);
    }
    return q->len > 0 && !found;
}

cue_which_end cue_end(const str_list *q, str ranked)
{
    static const char *const ages[] = {"oldest", "youngest"};
    bool is_high = has_any(q, highest, countof(highest));
    bool is_low = has_any(q, lowest, countof(lowest));
    // The oldest have the highest age, and the lowest date of birth; the
    // highest rank is 1.
    bool is_age = str_find(ranked, S("age"), 0) >= 0;
    bool is_turned = str_find(ranked, S("rank"), 0) >= 0
                     || str_find(ranked, S("position"), 0) >= 0
                     || (has_any(q, ages, countof(ages)) && !is_age);
    return is_high == is_low || is_turned ? CUE_END_OPEN
           : is_high                      ? CUE_END_HIGHEST
                                          : CUE_END_LOWEST;
}

bool cue_wants_one_number(const str_list *q)
{
    return asked_words_counted(q) >= 0 && !asked_words_each(q) && !has_end(q);
}

bool cue_wants_each(const str_list *q, str group, arena scratch)
{
    static const char *const words[] = {"each", "every", "per"};
    str_list parts = asked_words_of(&scratch, group);
    for (ptrdiff_t i = 0; i < q->len; i++) {
        if (!is_one_of(q, i, words, countof(words))) {
            continue;
        }
        for (ptrdiff_t k = 0; k < parts.len; k++) {
            if (is_form(q, i + 1, parts.ptr[k])) {
                return true;
            }
        }
    }
    return false;
}
