/*
 * neighbor_value.c - neighbors of constants: other numbers, strings, patterns.
 *
 * Method      A number becomes its neighbors, some drawn near its size, ten
 *             times and a tenth of it; one in a LIMIT stays positive, and one
 *             of 2^40 or more is an identifier, not a quantity, and stays. A
 *             string is cut at several places (never inside of a UTF-8
 *             character), its words stand alone, its case changes, letters are
 *             added; a pattern of LIKE loses and gains wildcards. Random ones
 *             come from the seed: the same query has the same neighbors.
 */
#include "sql/lex.h"
#include "suite/neighbor_change.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
    OTHER_NUMBERS = 10,
    OTHER_STRINGS = 3,
    PARTS = 8,  // of a string
    RANDOM_LETTERS = 5,
};

static void put_int(changer *c, neighbor_kind kind, const site *s, int64_t v)
{
    str text = arena_printf(&c->trees, "%" PRId64, v);
    changer_put(c, kind, s->slot, changer_number(c, text));
}

static void put_double(changer *c, neighbor_kind kind, const site *s, double v)
{
    buf text = buf_new(&c->trees);
    buf_double(&text, v);
    if (isfinite(v)) {
        changer_put(c, kind, s->slot, changer_number(c, buf_str(&text)));
    }
}

static void change_int(changer *c, const site *s, int64_t v)
{
    const int64_t far = (int64_t)1 << 40;
    assert(v >= 0);  // a sign is an operator
    if (v >= far || (s->in_limit && s->is_scalar)) {
        return;  // an identifier rather than a quantity, and close to overflow
    }
    put_int(c, NEIGHBOR_NUMBER_NEAR, s, v + 1);
    if (v > 0 || !s->in_limit) {
        put_int(c, NEIGHBOR_NUMBER_NEAR, s, v - 1);
    }
    if (s->in_limit) {
        for (int i = 0; i < 3; i++) {
            int64_t more = 1 + rng_below(&c->rng, 9);
            put_int(c, NEIGHBOR_NUMBER_OTHER, s, v + more);
        }
        return;
    }
    for (int i = 0; i < OTHER_NUMBERS; i++) {
        int64_t other = rng_below(&c->rng, 2 * v + 3) - v - 1;
        put_int(c, NEIGHBOR_NUMBER_OTHER, s, other);
    }
    put_int(c, NEIGHBOR_NUMBER_OTHER, s, 10 * v);
    if (v >= 10 && v % 10 == 0) {
        put_int(c, NEIGHBOR_NUMBER_OTHER, s, v / 10);
    }
}

static void change_double(changer *c, const site *s, double v)
{
    const double near[] = {v + 0.001, v - 0.001, nextafter(v, INFINITY),
                           nextafter(v, -INFINITY)};
    for (ptrdiff_t i = 0; i < countof(near); i++) {
        put_double(c, NEIGHBOR_NUMBER_NEAR, s, near[i]);
    }
    put_double(c, NEIGHBOR_NUMBER_OTHER, s, trunc(v));
    for (int i = 0; i < OTHER_NUMBERS; i++) {
        double part = (double)rng_below(&c->rng, 2000) / 1000 - 1;
        put_double(c, NEIGHBOR_NUMBER_OTHER, s, v * part);
    }
}

// A number that stands for a place (ORDER BY 2) has changes of its own sort.
static bool is_place(const site *s)
{
    return s->parent
           && (s->parent->kind == AST_SORT
               || (s->parent->kind == AST_SELECT && s->kid == SELECT_GROUP));
}

void change_number(changer *c, const site *s, ast *n)
{
    int64_t whole = 0;
    double real = 0;
    if (is_place(s)) {
        return;
    }
    if (str_to_int(n->text, &whole)) {
        change_int(c, s, whole);
    } else if (str_to_double(n->text, &real) && isfinite(real)) {
        change_double(c, s, real);
    }
}

void changer_text(changer *c, neighbor_kind kind, const site *s, str text)
{
    arena keep = c->trees;
    changer_put(c, kind, s->slot, changer_string(c, text));
    c->trees = keep;
}

static str random_letters(changer *c)
{
    char *text = arena_new(&c->trees, char, RANDOM_LETTERS);
    for (int i = 0; i < RANDOM_LETTERS; i++) {
        text[i] = (char)('a' + rng_below(&c->rng, 26));
    }
    return (str){text, RANDOM_LETTERS};
}

// The end of the character that begins before `at`.
static ptrdiff_t character_end(str s, ptrdiff_t at)
{
    while (at > 0 && at < s.len && ((unsigned char)s.ptr[at] & 0xc0) == 0x80) {
        at++;
    }
    return at;
}

static ptrdiff_t character_begin(str s, ptrdiff_t at)
{
    while (at > 0 && ((unsigned char)s.ptr[at] & 0xc0) == 0x80) {
        at--;
    }
    return at;
}

// Without some characters at the start, the end, both, in the middle.
static void put_parts(changer *c, const site *s, str text)
{
    ptrdiff_t first = character_end(text, 1);
    ptrdiff_t last = character_begin(text, text.len - 1);
    changer_text(c, NEIGHBOR_STRING_PART, s, str_skip(text, first));
    changer_text(c, NEIGHBOR_STRING_PART, s, str_sub(text, 0, last));
    if (text.len <= 3) {
        return;
    }
    changer_text(c, NEIGHBOR_STRING_PART, s, str_sub(text, first, last));
    for (ptrdiff_t part = 1; part < PARTS; part++) {
        ptrdiff_t at = character_end(text, part * text.len / PARTS);
        changer_text(c, NEIGHBOR_STRING_PART, s, str_sub(text, 0, at));
        changer_text(c, NEIGHBOR_STRING_PART, s, str_skip(text, at));
        str cut =
            arena_printf(&c->trees, "%.*s%.*s", STR_ARG(str_sub(text, 0, at)),
                         STR_ARG(str_skip(text, character_end(text, at + 1))));
        changer_text(c, NEIGHBOR_STRING_PART, s, cut);
    }
}

// Each word of several.
static void put_words(changer *c, const site *s, str text)
{
    str rest = text;
    while (rest.len > 0 && str_find(text, S(" "), 0) > 0) {
        str word = str_cut(&rest, ' ');
        if (word.len > 0) {
            changer_text(c, NEIGHBOR_STRING_PART, s, word);
        }
    }
}

static void put_cases(changer *c, const site *s, str text)
{
    str lower = arena_lower(&c->trees, text);
    str upper = arena_upper(&c->trees, text);
    changer_text(c, NEIGHBOR_STRING_CASE, s, lower);
    changer_text(c, NEIGHBOR_STRING_CASE, s, upper);
    if (text.len > 0) {
        char *first = arena_new(&c->trees, char, text.len);
        memcpy(first, text.ptr, (size_t)text.len);
        first[0] = text.ptr[0] == upper.ptr[0] ? lower.ptr[0] : upper.ptr[0];
        changer_text(c, NEIGHBOR_STRING_CASE, s, (str){first, text.len});
    }
}

// Something before it and after it.
static void put_around(changer *c,
                       neighbor_kind kind,
                       const site *s,
                       str text,
                       const str (*ends)[2],
                       ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        changer_text(c, kind, s,
                     arena_printf(&c->trees, "%.*s%.*s%.*s",
                                  STR_ARG(ends[i][0]), STR_ARG(text),
                                  STR_ARG(ends[i][1])));
    }
}

static void put_others(changer *c, const site *s, str text)
{
    int64_t number = 0;
    str other = random_letters(c);
    for (int i = 1; i < OTHER_STRINGS; i++) {
        changer_text(c, NEIGHBOR_STRING_OTHER, s, random_letters(c));
    }
    changer_text(c, NEIGHBOR_STRING_OTHER, s, other);
    if (text.len > 0) {
        changer_text(c, NEIGHBOR_STRING_OTHER, s, S(""));
        str letters = str_sub(other, 0, 2);
        const str around[][2] = {
            {S(""), letters}, {letters, S("")}, {letters, letters},
            {S(""), S("s")},  {S(""), S(" ")},
        };
        put_around(c, NEIGHBOR_STRING_LONGER, s, text, around, countof(around));
    }
    if (str_to_int(text, &number) && text.len < 12) {
        for (int step = -1; step <= 1; step += 2) {
            str near = arena_printf(&c->trees, "%" PRId64, number + step);
            changer_text(c, NEIGHBOR_NUMBER_NEAR, s, near);
        }
    }
}

// Wildcards at the ends, at one end, at none; and one character less.
static void put_patterns(changer *c, const site *s, str text)
{
    buf b = buf_new(&c->trees);
    for (ptrdiff_t i = 0; i < text.len; i++) {
        if (text.ptr[i] != '%') {
            buf_char(&b, text.ptr[i]);
        }
    }
    str core = buf_str(&b);
    static const str ends[][2] = {
        {S_INIT(""), S_INIT("")},  {S_INIT("%"), S_INIT("")},
        {S_INIT(""), S_INIT("%")}, {S_INIT("%"), S_INIT("%")},
        {S_INIT("_"), S_INIT("")}, {S_INIT(""), S_INIT("_")},
    };
    put_around(c, NEIGHBOR_WILDCARD, s, core, ends, countof(ends));
    for (int side = 0; side < 2 && core.len > 1; side++) {
        str part = str_sub(core, side == 0 ? 1 : 0, core.len - side);
        str moved = arena_printf(&c->trees, "%%%.*s%%", STR_ARG(part));
        changer_text(c, NEIGHBOR_STRING_PART, s, moved);
    }
    str other = random_letters(c);
    other = arena_printf(&c->trees, "%%%.*s%%", STR_ARG(other));
    changer_text(c, NEIGHBOR_STRING_OTHER, s, other);
}

bool changer_content(changer *c, const ast *n, str *out)
{
    if (n->kind == AST_DOUBT) {
        const bound_ref *ref = bind_ref(c->binding, n);
        *out = n->text;
        return !ref || ref->kind == REF_STRING;
    }
    if (n->kind != AST_STRING) {
        return false;
    }
    lexer l = lex_begin(n->text, c->options->dialect);
    token t = lex_next_solid(&l);
    *out = token_content(&c->trees, n->text, t, c->options->dialect);
    return t.kind == TOKEN_STRING && t.len == n->text.len;
}

void change_string(changer *c, const site *s, ast *n)
{
    str text;
    if (changer_content(c, n, &text)) {
        if (change_time(c, s, text)) {
            // Nothing else is a near miss of it.
        } else if (s->is_pattern) {
            put_patterns(c, s, text);
        } else {
            put_others(c, s, text);
            put_cases(c, s, text);
            if (text.len > 1) {
                put_parts(c, s, text);
                put_words(c, s, text);
            }
        }
    }
}
