/*
 * template_build.c - from the pieces of a statement to its variants.
 *
 * Method      A choice of a group is a bit set of its items; a variant is one
 *             choice for each group, counted like the digits of a number with
 *             the last group as the lowest digit.
 *
 * Invariants  All limits are checked on counts, before the first variant is
 *             built (invariant 1 of template.c).
 *
 * Cost        2^n choices for a group of n items; the bytes of the variants.
 */
#include "base/buf.h"
#include "sql/template_parts.h"

#include <assert.h>

static uint64_t bits_of(const ptrdiff_t *picked, ptrdiff_t size)
{
    uint64_t set = 0;
    for (ptrdiff_t i = 0; i < size; i++) {
        set |= (uint64_t)1 << picked[i];
    }
    return set;
}

// Moves the rightmost pick that can still move up; those after it follow
// closely. False after the last combination.
static bool next_combination(ptrdiff_t *picked, ptrdiff_t size, ptrdiff_t n)
{
    assert(size > 0 && size <= n);
    ptrdiff_t last = size - 1;
    while (last >= 0 && picked[last] == n - size + last) {
        last--;
    }
    if (last < 0) {
        return false;
    }
    picked[last]++;
    for (ptrdiff_t i = last + 1; i < size; i++) {
        picked[i] = picked[i - 1] + 1;
    }
    return true;
}

uint64_t *template_choices(arena *a, ptrdiff_t n)
{
    assert(n > 0 && n <= TEMPLATE_MAX_ITEMS);
    uint64_t *choices = arena_new(a, uint64_t, ((ptrdiff_t)1 << n) - 1);
    ptrdiff_t filled = 0;
    for (ptrdiff_t size = 1; size <= n; size++) {
        ptrdiff_t picked[TEMPLATE_MAX_ITEMS];
        for (ptrdiff_t i = 0; i < size; i++) {
            picked[i] = i;
        }
        do {
            choices[filled++] = bits_of(picked, size);
        } while (next_combination(picked, size, n));
    }
    assert(filled == ((ptrdiff_t)1 << n) - 1);
    return choices;
}

// The bytes of the longest variant, at most.
static ptrdiff_t longest_variant(const template_statement *s)
{
    ptrdiff_t bytes = 0;
    for (ptrdiff_t i = 0; i < s->pieces.len; i++) {
        const template_piece *p = &s->pieces.ptr[i];
        bytes += p->text.len + 1;
        if (p->kind == PIECE_TEXT) {
            continue;
        }
        const template_group *g = &s->groups.ptr[p->group];
        for (ptrdiff_t k = 0; k < g->items.len; k++) {
            bytes += g->items.ptr[k].text.len + 2;
        }
    }
    return bytes;
}

// How many variants the statement has; 0 with a message when they are too many
// for a list that has room for `room`.
static ptrdiff_t count_variants(const template_reader *r,
                                const template_statement *s,
                                ptrdiff_t room)
{
    ptrdiff_t max = r->options.max;
    if (room < 1) {
        template_too_many(r->d, r->gold, s->pos, max);
        return 0;
    }
    ptrdiff_t n = 1;
    for (ptrdiff_t i = 0; i < s->groups.len; i++) {
        const template_group *g = &s->groups.ptr[i];
        assert(g->items.len > 0 && g->items.len <= TEMPLATE_MAX_ITEMS);
        ptrdiff_t choices = ((ptrdiff_t)1 << g->items.len) - 1;
        if (g->overflows || choices > room / n) {
            template_too_many(r->d, r->gold, g->pos, max);
            return 0;
        }
        n *= choices;
    }
    if (s->groups.len > 0 && longest_variant(s) > TEMPLATE_MAX_BYTES / n) {
        template_too_big(r->d, r->gold, s->pos);
        return 0;
    }
    return n;
}

static bool is_word_like(char c)
{
    return is_alpha(c) || is_digit(c) || (unsigned char)c >= 0x80 || c == '_'
           || c == '$' || c == '@' || c == '#' || c == '\'' || c == '"'
           || c == '`';
}

static bool is_sign_like(char c)
{
    return str_find(S("+-*/<>=~!%^&|:?."), (str){&c, 1}, 0) >= 0;
}

// Adds a piece; a blank keeps its first token apart from the last one.
static void add_apart(buf *b, str piece)
{
    if (b->len > 0 && piece.len > 0) {
        char left = b->ptr[b->len - 1];
        char right = piece.ptr[0];
        if ((is_word_like(left) && is_word_like(right))
            || (is_sign_like(left) && is_sign_like(right))) {
            buf_char(b, ' ');
        }
    }
    buf_add(b, piece);
}

static void add_choice(buf *b,
                       const template_group *g,
                       uint64_t choice,
                       bool bare)
{
    bool is_first = true;
    for (ptrdiff_t i = 0; i < g->items.len; i++) {
        if (!(choice >> i & 1)) {
            continue;
        }
        const template_item *item = &g->items.ptr[i];
        if (!is_first) {
            buf_add(b, S(", "));
        }
        add_apart(b, bare ? item->bare : item->text);
        is_first = false;
    }
}

// Moves on to the next variant: the last group first.
static void next_choice(const template_statement *s, ptrdiff_t *choice)
{
    for (ptrdiff_t i = s->groups.len - 1; i >= 0; i--) {
        choice[i]++;
        if (choice[i] < ((ptrdiff_t)1 << s->groups.ptr[i].items.len) - 1) {
            return;
        }
        choice[i] = 0;
    }
}

bool template_build(str_list *out,
                    arena *a,
                    const template_reader *r,
                    const template_statement *s,
                    arena scratch)
{
    assert(r->options.max > 0);
    ptrdiff_t n = count_variants(r, s, r->options.max - out->len);
    if (n == 0) {
        return false;
    }
    if (s->groups.len == 0) {
        assert(s->pieces.len == 1);  // a statement with a token has a text
        *vec_push(a, out) = s->pieces.ptr[0].text;
        return true;
    }
    uint64_t **choices = arena_new(&scratch, uint64_t *, s->groups.len);
    for (ptrdiff_t i = 0; i < s->groups.len; i++) {
        choices[i] = template_choices(&scratch, s->groups.ptr[i].items.len);
    }
    ptrdiff_t *choice = arena_new(&scratch, ptrdiff_t, s->groups.len);
    buf b = buf_new(&scratch);
    for (ptrdiff_t v = 0; v < n; v++) {
        b.len = 0;
        for (ptrdiff_t i = 0; i < s->pieces.len; i++) {
            const template_piece *p = &s->pieces.ptr[i];
            if (p->kind == PIECE_TEXT) {
                add_apart(&b, p->text);
            } else {
                assert(p->group >= 0 && p->group < s->groups.len);
                add_choice(&b, &s->groups.ptr[p->group],
                           choices[p->group][choice[p->group]], p->drops_alias);
            }
        }
        str sql = arena_str(a, buf_str(&b));
        *vec_push(a, out) = sql;
        next_choice(s, choice);
    }
    return true;
}
