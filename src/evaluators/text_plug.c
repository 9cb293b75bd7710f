/*
 * text_plug.c - see text_plug.h. [definitions/spider.md#plugged-values]
 *
 * Method      Both texts are normalised: their sqlparse tokens, joined by
 *             blanks; strings, decimal numbers and what looks like an integer
 *             become slots, the other words are lower-cased. What a slot held
 *             in the gold is a value. The variants are counted through like
 *             the digits of a number, the last slot fastest; nothing but the
 *             next one is ever built.
 *
 *             While a text is normalised a slot is one byte, MARK, which no
 *             UTF-8 text holds. A slot glued to other characters (a string
 *             whose text occurs within another) is no word, hence no slot, and
 *             stands in the variants as "_".
 *
 * Cost        Normalising: strings times length at worst. A variant: its
 *             length.
 */
#include "evaluators/text_plug.h"

#include "base/buf.h"
#include "base/map.h"
#include "base/utf8.h"
#include "evaluators/sqlparse_lex.h"

#include <assert.h>
#include <string.h>

static const str MARK = S_INIT("\xFF");

enum {
    MOST_STRINGS = 1000  // different ones in a text; each is looked for in it
};

// A text that only ever gets shorter.
typedef struct plug_text {
    char *ptr;
    ptrdiff_t len;
} plug_text;

static str text_of(plug_text t)
{
    return (str){t.ptr, t.len};
}

static bool is_mark(str word)
{
    return str_equal(word, MARK);
}

/* --- steps of the normal form ----------------------------------------- */

// `from` becomes `to`, which is not longer, everywhere.
static void replace(plug_text *t, str from, str to, arena scratch)
{
    const str done = buf_replaced(&scratch, text_of(*t), from, to);
    memmove(t->ptr, done.ptr, (size_t)done.len);
    t->len = done.len;
}

static str join(const str_list *words, arena *a)
{
    buf b = buf_new(a);
    for (ptrdiff_t i = 0; i < words->len; i++) {
        buf_add(&b, i > 0 ? S(" ") : S(""));
        buf_add(&b, words->ptr[i]);
    }
    return buf_str(&b);
}

// Without `;` there is one statement only.
static plug_text join_tokens(str sql, arena *scratch)
{
    static const str stars[] = {
        S_INIT("t1.*"), S_INIT("t2.*"), S_INIT("t3.*"),
        S_INIT("T1.*"), S_INIT("T2.*"), S_INIT("T3.*"),
    };
    sql = utf8_drop_invalid(scratch, sql);
    sql = buf_replaced(scratch, sql, S(";"), S(""));
    sql = buf_replaced(scratch, sql, S("\t"), S(""));
    str_list tokens = {0};
    sqlparse_lexer l = sqlparse_lex(sql);
    sqlparse_token t = {0};
    while (sqlparse_next(&l, &t)) {
        if (t.class != SQLPARSE_BLANK) {
            *vec_push(scratch, &tokens) = t.text;
        }
    }
    const str joined = join(&tokens, scratch);
    plug_text text = {arena_cstr(scratch, joined), joined.len};
    for (ptrdiff_t i = 0; i < countof(stars); i++) {
        replace(&text, stars[i], S("*"), *scratch);
    }
    return text;
}

// False when there are more different strings than anybody would write.
static bool mark_strings(plug_text *text, map *values, arena *a, arena scratch)
{
    sqlparse_lexer l = sqlparse_lex(arena_str(&scratch, text_of(*text)));
    sqlparse_token t = {0};
    while (sqlparse_next(&l, &t)) {
        const ptrdiff_t n = map_count(values);
        if ((t.class == SQLPARSE_STRING || t.class == SQLPARSE_SYMBOL)
            && map_add(values, a, t.text) == n) {
            if (n == MOST_STRINGS) {
                return false;
            }
            replace(text, t.text, MARK, scratch);
        }
    }
    return true;
}

static str_list split(str text, arena *scratch)
{
    str_list words = {0};
    for (str word = utf8_cut_word(&text); word.len > 0;
         word = utf8_cut_word(&text)) {
        *vec_push(scratch, &words) = word;
    }
    return words;
}

static bool is_decimal(str word)
{
    ptrdiff_t i = word.len > 0 && (word.ptr[0] == '-' || word.ptr[0] == '+');
    i = utf8_run_end(word, i, utf8_is_digit);
    return i + 1 < word.len && word.ptr[i] == '.'
           && utf8_run_end(word, i + 1, utf8_is_digit) == word.len;
}

// What counts as an integer: every match, from the left, of one character
// other than t and digits, without blanks.
static map find_integers(str text, arena *scratch)
{
    map found = {0};
    ptrdiff_t size = 1;
    for (ptrdiff_t i = 0; i < text.len; i += size) {
        const int32_t c = utf8_char_at(text, i, &size);
        const ptrdiff_t end = utf8_run_end(text, i + size, utf8_is_digit);
        if (c != 't' && c != 'T' && end > i + size) {
            map_add(&found, scratch, str_trim(str_sub(text, i, end)));
            size = end - i;
        }
    }
    return found;
}

static void mark_numbers(str_list *words, map *values, arena *a, arena scratch)
{
    for (ptrdiff_t i = 0; i < words->len; i++) {
        if (is_decimal(words->ptr[i])) {
            map_add(values, a, words->ptr[i]);
            words->ptr[i] = MARK;
        }
    }
    const map integers = find_integers(join(words, &scratch), &scratch);
    for (ptrdiff_t i = 0; i < words->len; i++) {
        if (map_find(&integers, words->ptr[i]) >= 0) {
            map_add(values, a, words->ptr[i]);
            words->ptr[i] = MARK;
        }
    }
}

// Takes a text apart into words, MARK for its slots; what these held is in
// `values`, in `a`. False when there are too many strings.
static bool normalise(str_list *words,
                      str sql,
                      map *values,
                      arena *a,
                      arena *scratch)
{
    plug_text text = join_tokens(sql, scratch);
    if (!mark_strings(&text, values, a, *scratch)) {
        return false;
    }
    *words = split(text_of(text), scratch);
    mark_numbers(words, values, a, *scratch);
    return true;
}

/* --- variants --------------------------------------------------------- */

static str plain_word(str word, arena *a)
{
    return utf8_lower(a, buf_replaced(a, word, MARK, S("_")));
}

static int64_t count_variants(ptrdiff_t n_values, ptrdiff_t n_slots)
{
    int64_t n = 1;
    for (ptrdiff_t i = 0; i < n_slots && n > 0 && n_values != 1; i++) {
        n = n_values > 0 && n > INT64_MAX / n_values ? INT64_MAX : n * n_values;
        if (n == INT64_MAX) {
            return n;
        }
    }
    return n;
}

const text_family *text_plug_family(void)
{
    return &family_spider;
}

text_plug text_plug_of(arena *a,
                       str gold,
                       str pred,
                       int64_t most,
                       arena scratch)
{
    text_plug p = {.pred = pred, .n_most = most};
    map of_gold = {0};
    map of_pred = {0};
    str_list gold_words = {0};
    str_list found = {0};
    if (!normalise(&gold_words, gold, &of_gold, a, &scratch)
        || !normalise(&found, pred, &of_pred, a, &scratch)) {
        p.n_variants = INT64_MAX;
        p.n_most = 0;
        return p;
    }
    str *words = arena_new(a, str, found.len);
    for (ptrdiff_t i = 0; i < found.len; i++) {
        if (is_mark(found.ptr[i])) {
            p.n_slots++;
        } else {
            words[i] = plain_word(found.ptr[i], a);
        }
    }
    p.n_values = map_count(&of_gold);
    str *values = arena_new(a, str, p.n_values);
    for (ptrdiff_t i = 0; i < p.n_values; i++) {
        values[i] = map_key_at(&of_gold, i);
    }
    p.words = words;
    p.n_words = found.len;
    p.values = values;
    p.chosen = arena_new(a, int32_t, p.n_slots);
    p.n_variants = count_variants(p.n_values, p.n_slots);
    return p;
}

static str build(const text_plug *p, arena *a)
{
    buf b = buf_new(a);
    ptrdiff_t slot = 0;
    for (ptrdiff_t i = 0; i < p->n_words; i++) {
        assert(p->words[i].ptr || slot < p->n_slots);
        buf_add(&b, i > 0 ? S(" ") : S(""));
        buf_add(&b,
                p->words[i].ptr ? p->words[i] : p->values[p->chosen[slot++]]);
    }
    return buf_str(&b);
}

static void advance(text_plug *p)
{
    for (ptrdiff_t slot = p->n_slots - 1; slot >= 0; slot--) {
        if (++p->chosen[slot] < p->n_values) {
            return;
        }
        p->chosen[slot] = 0;
    }
}

bool text_plug_next(text_plug *p, arena *a, str *out)
{
    if (!p->gave_pred) {
        p->gave_pred = true;
        *out = p->pred;
        return true;
    }
    if (p->n_given >= p->n_variants || p->n_given >= p->n_most) {
        return false;
    }
    *out = build(p, a);
    advance(p);
    p->n_given++;
    return true;
}

bool text_plug_is_cut(const text_plug *p)
{
    return p->n_variants > p->n_most;
}
