// relation_ranking.c - rows in an order; see relation_ranking.h.
#include "relation/relation_ranking.h"

#include "relation/normal.h"
#include "relation/relation_told.h"

#include <assert.h>

ranking ranking_of_window(prover *p, const block *b, const term *window)
{
    assert(window->kind == TERM_WINDOW);
    const term *keys = window->args[2];
    ranking r = {.rows = b, .by = term_list_of_args(p, window->args[1])};
    for (int32_t i = 0; i + 1 < keys->n; i += 2) {
        int64_t flags = keys->args[i + 1]->number;
        sort_term key = {.term = keys->args[i], .is_descending = flags & 1};
        key.nulls_last =
            sort_puts_nulls_last(p, key.is_descending) != (flags > 1);
        *vec_push(p->a, &r.keys) = key;
    }
    return r;
}

ranking ranking_of_order(const block *b)
{
    return (ranking){.rows = b, .keys = b->order};
}

bool ranking_is_total(prover *p, const ranking *r)
{
    term_list known = term_list_copy(p, &r->by);
    for (ptrdiff_t i = 0; i < r->keys.len; i++) {
        term_list_push(p, &known, r->keys.ptr[i].term);
    }
    return know_tells_rows(p, r->rows, &known);
}

const term *ranking_key(prover *p, const ranking *r)
{
    const term *key = r->keys.len == 1 ? r->keys.ptr[0].term : NULL;
    return key && know_not_null(p, r->rows, key) ? key : NULL;
}

str ranking_extreme(const ranking *r)
{
    return r->keys.ptr[0].is_descending ? S("max") : S("min");
}

block *rows_showing(prover *p, const block *b, const term_list *shown)
{
    const block rows = {
        .sources = b->sources, .where = b->where, .select = *shown};
    block *copy = block_copy(p, &rows);
    // Nowhere in the text: no length, so that its steps are not taken for b's.
    copy->pos = b->pos;
    return copy;
}

block *rows_with_keys(prover *p,
                      const block *b,
                      const term_list *keys,
                      const term_list *values,
                      bool is_linked,
                      const term_list *shown)
{
    term_list all = term_list_copy(p, keys);
    term_list_push_all(p, &all, shown);
    block *copy = rows_showing(p, b, &all);
    for (ptrdiff_t i = 0; i < keys->len; i++) {
        const term *key = copy->select.ptr[0];
        bool is_there = is_linked || know_not_null(p, b, keys->ptr[i]);
        term_conjoin(p, &copy->where,
                     is_there ? term_compare(p, TERM_EQUAL, key, values->ptr[i])
                              : term_is(p, key, values->ptr[i]));
        term_list_remove(&copy->select, 0);
    }
    return copy;
}

block *ranking_rows(prover *p,
                    const ranking *r,
                    term_kind which,
                    const term_list *shown)
{
    const sort_term *key = &r->keys.ptr[0];
    term_list all = {0};
    term_list_push(p, &all, key->term);
    term_list_push_all(p, &all, shown);
    block *rows = rows_with_keys(p, r->rows, &r->by, &r->by, false, &all);
    if (which != TERM_NULL) {
        term_kind kind = key->is_descending ? term_turned(which) : which;
        term_conjoin(p, &rows->where,
                     term_compare(p, kind, rows->select.ptr[0], key->term));
    }
    term_list_remove(&rows->select, 0);
    return rows;
}
