/*
 * template_reference.c - a gold expanded as Defog's program does it, faults
 * included (definitions/gold.md#expansion-by-defog).
 * Only for --rules defog.
 *
 * Method      Bytes, no lexer: parts between `;`, the first `{` and the first
 *             `}` after it, items between commas as typed. Only the literal
 *             `GROUP BY {}` right of the group is filled. The program runs
 *             equal variants again; that changes no verdict, so here too they
 *             are kept once.
 */
#include "base/buf.h"
#include "sql/template_parts.h"

#include <assert.h>

static const str REPEAT = {"GROUP BY {}", 11};

// `right` with the choice filled in at every REPEAT.
static void add_right(buf *b, str right, str choice)
{
    for (;;) {
        ptrdiff_t hit = str_find(right, REPEAT, 0);
        if (hit < 0) {
            buf_add(b, right);
            return;
        }
        buf_add(b, str_sub(right, 0, hit));
        buf_add(b, S("GROUP BY "));
        buf_add(b, choice);
        right = str_skip(right, hit + REPEAT.len);
    }
}

static str join_items(buf *b,
                      const str *items,
                      ptrdiff_t n_items,
                      uint64_t choice)
{
    b->len = 0;
    bool is_first = true;
    for (ptrdiff_t i = 0; i < n_items; i++) {
        if (choice >> i & 1) {
            buf_add(b, is_first ? S("") : S(", "));
            buf_add(b, items[i]);
            is_first = false;
        }
    }
    return buf_str(b);
}

static ptrdiff_t count_repeats(str right)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t hit = str_find(right, REPEAT, 0); hit >= 0;
         hit = str_find(right, REPEAT, hit + REPEAT.len)) {
        n++;
    }
    return n;
}

// The items between commas, as typed; -1 when they are more than `items` holds.
static ptrdiff_t split_items(str between, str items[TEMPLATE_MAX_ITEMS])
{
    ptrdiff_t n = 0;
    while (between.ptr) {
        if (n == TEMPLATE_MAX_ITEMS) {
            return -1;
        }
        items[n++] = str_cut(&between, ',');
    }
    return n;
}

// The variants of the group at [open, close] in `part`.
static bool expand_group(str_list *out,
                         arena *a,
                         const template_reader *r,
                         str part,
                         const ptrdiff_t span[2],
                         arena scratch)
{
    assert(span[0] < span[1] && span[1] < part.len);
    assert(part.ptr >= r->gold.ptr);
    str left = str_sub(part, 0, span[0]);
    str right = str_skip(part, span[1] + 1);
    ptrdiff_t pos = part.ptr + span[0] - r->gold.ptr;
    str items[TEMPLATE_MAX_ITEMS];
    ptrdiff_t n_items = split_items(str_sub(part, span[0] + 1, span[1]), items);
    ptrdiff_t n = n_items < 0 ? PTRDIFF_MAX : ((ptrdiff_t)1 << n_items) - 1;
    if (n < 1 || n > r->options.max - out->len) {
        return template_too_many(r->d, r->gold, pos, r->options.max);
    }
    ptrdiff_t choice_bytes = span[1] - span[0] + n_items;
    if (part.len + count_repeats(right) * choice_bytes
        > TEMPLATE_MAX_BYTES / n) {
        return template_too_big(r->d, r->gold, pos);
    }
    uint64_t *choices = template_choices(&scratch, n_items);
    buf joined = buf_new(&scratch);
    buf b = buf_new(&scratch);
    for (ptrdiff_t i = 0; i < n; i++) {
        str choice = join_items(&joined, items, n_items, choices[i]);
        b.len = 0;
        buf_add(&b, left);
        buf_add(&b, choice);
        add_right(&b, right, choice);
        str sql = arena_str(a, buf_str(&b));
        *vec_push(a, out) = sql;
    }
    return true;
}

static bool expand_part(str_list *out,
                        arena *a,
                        const template_reader *r,
                        str part,
                        arena scratch)
{
    ptrdiff_t open = str_find(part, S("{"), 0);
    ptrdiff_t close = open < 0 ? -1 : str_find(part, S("}"), open);
    if (close >= 0) {
        const ptrdiff_t span[2] = {open, close};
        return expand_group(out, a, r, part, span, scratch);
    }
    if (out->len >= r->options.max) {
        return template_too_many(r->d, r->gold, part.ptr - r->gold.ptr,
                                 r->options.max);
    }
    *vec_push(a, out) = part;
    return true;
}

bool template_reference(str_list *out,
                        arena *a,
                        const template_reader *r,
                        arena scratch)
{
    str rest = r->gold;
    while (rest.ptr) {
        str part = rest;
        if (r->options.keep_whole) {
            rest = (str){0};
        } else {
            part = str_cut(&rest, ';');
        }
        part = str_trim(part);
        if (part.len > 0 && !expand_part(out, a, r, part, scratch)) {
            return false;
        }
    }
    return true;
}
