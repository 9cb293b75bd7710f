/*
 * order_keys.c - see order_keys.h.
 *
 * Method      Both texts are bound, without tables. Keys are compared as keys
 *             of clauses.h: columns by name and, where both say of which table
 *             they are, by that table.
 */
#include "relation/order_keys.h"

#include "relation/clauses.h"
#include "relation/relation_select.h"
#include "schema/bind_text.h"
#include "sql/template.h"

// A query with what its keys may name.
typedef struct sorted {
    const ast *keys;
    const binding *b;
    const bound_block *first;
} sorted;

static const schema no_schema;

static bool same_key(const sorted *a,
                     const ast *x,
                     const sorted *b,
                     const ast *y,
                     arena scratch)
{
    str full[] = {clause_key(&scratch, a->b, a->first, x, CLAUSE_KEY_TABLES),
                  clause_key(&scratch, b->b, b->first, y, CLAUSE_KEY_TABLES)};
    str bare[] = {clause_key(&scratch, a->b, a->first, x, CLAUSE_KEY_NAMES),
                  clause_key(&scratch, b->b, b->first, y, CLAUSE_KEY_NAMES)};
    return str_equal(bare[0], bare[1])
           && (str_equal(full[0], full[1]) || str_equal(full[0], bare[0])
               || str_equal(full[1], bare[1]));
}

// ORDER BY 9: nobody knows what it is of.
static bool is_known(const sorted *q, const ast *key)
{
    const ast *expr = key->kid[SORT_EXPR];
    const bound_ref *ref = bind_ref(q->b, expr);
    return expr->kind != AST_NUMBER
           || (ref && q->first && ref->output < q->first->n_outputs);
}

static bool same_keys(const sorted *a, const sorted *b, arena scratch)
{
    const ast *x = a->keys;
    const ast *y = b->keys;
    bool is_same = x && y;
    for (; x && y && is_same; x = x->next, y = y->next) {
        is_same =
            is_known(a, x) && is_known(b, y) && same_key(a, x, b, y, scratch);
    }
    return is_same && !x && !y;
}

typedef vec_of(sorted) sorted_list;

static sorted_list variants_of(const str *golds,
                               ptrdiff_t n,
                               dialect d,
                               arena *a,
                               arena scratch)
{
    sorted_list out = {0};
    template_variants texts = template_queries(
        a, golds, n, (template_options){.dialect = d}, scratch);
    for (ptrdiff_t i = 0; i < texts.n; i++) {
        const binding *b = bind_text(a, texts.sql[i], &no_schema, d, scratch);
        if (b) {
            *vec_push(a, &out) = (sorted){
                .keys = select_parts_of(b->query->node).order,
                .b = b,
                .first = bind_leftmost(b->query),
            };
        }
    }
    return out;
}

bool order_keys_same(const str *golds,
                     ptrdiff_t n_golds,
                     const str *others,
                     ptrdiff_t n_others,
                     dialect d,
                     arena scratch)
{
    arena a = arena_half(&scratch);
    sorted_list left = variants_of(golds, n_golds, d, &a, scratch);
    sorted_list right = variants_of(others, n_others, d, &a, scratch);
    bool found = false;
    for (ptrdiff_t i = 0; i < left.len && !found; i++) {
        for (ptrdiff_t k = 0; k < right.len && !found; k++) {
            found = same_keys(&left.ptr[i], &right.ptr[k], scratch);
        }
    }
    return found;
}
