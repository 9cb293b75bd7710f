/*
 * order_keys.c - see order_keys.h.
 *
 * Method      Both texts are bound, without tables. Keys are compared as trees
 *             after places and aliases were replaced by what they stand for;
 *             columns by name and, where both say of which table they are, by
 *             the table behind its alias.
 */
#include "intent/order_keys.h"

#include "schema/bind.h"
#include "sql/parse.h"
#include "sql/template.h"

// A query with what its keys may name.
typedef struct sorted {
    const ast *keys;
    const binding *b;
    const bound_block *first;
} sorted;

static const schema no_schema;

// The table that a qualified name is of; empty: it has no qualifier.
static str table_of(const sorted *in, const ast *column)
{
    const ast *last = column->kid[COLUMN_PATH];
    while (last && last->next) {
        last = last->next;
    }
    const bound_ref *ref = last ? bind_ref(in->b, column) : NULL;
    const ast *table = ref && ref->source ? ref->source->node : NULL;
    return table && table->kind == AST_TABLE ? table->text
           : last                            ? last->text
                                             : (str){0};
}

static bool same_column(const sorted *a,
                        const ast *x,
                        const sorted *b,
                        const ast *y)
{
    str of_x = table_of(a, x);
    str of_y = table_of(b, y);
    return str_equal_fold(x->text, y->text)
           && (of_x.len == 0 || of_y.len == 0 || str_equal_fold(of_x, of_y));
}

static bool same_expr(const sorted *a,
                      const ast *x,
                      const sorted *b,
                      const ast *y)
{
    if (!x || !y) {
        return x == y;
    }
    if (x->kind != y->kind) {
        return false;
    }
    if (x->kind == AST_COLUMN) {
        return same_column(a, x, b, y);
    }
    bool is_same =
        x->form == y->form && x->flags == y->flags
        && (x->kind == AST_STRING ? str_equal(x->text, y->text)
                                  : str_equal_fold(x->text, y->text));
    int kids = ast_kid_count((ast_kind)x->kind);
    for (int i = 0; i < kids && is_same; i++) {
        const ast *l = x->kid[i];
        const ast *r = y->kid[i];
        for (; l && r && is_same; l = l->next, r = r->next) {
            is_same = same_expr(a, l, b, r);
        }
        is_same = is_same && !l && !r;
    }
    return is_same;
}

// ASC is what is meant where nothing is written.
static bool is_downwards(const ast *key)
{
    return key->form == SORT_FORM_DESC;
}

// The item at a place or under an alias, or the key itself. NULL: nobody knows.
static const ast *meaning_of(const sorted *q, const ast *key)
{
    const ast *expr = key->kid[SORT_EXPR];
    const bound_ref *ref = bind_ref(q->b, expr);
    bool is_item =
        ref && (ref->kind == REF_OUTPUT || ref->kind == REF_POSITION);
    if (is_item && q->first && ref->output < q->first->n_outputs) {
        return q->first->outputs[ref->output].expr;
    }
    return expr->kind == AST_NUMBER ? NULL : expr;
}

static bool same_keys(const sorted *a, const sorted *b)
{
    const ast *x = a->keys;
    const ast *y = b->keys;
    bool is_same = x && y;
    for (; x && y && is_same; x = x->next, y = y->next) {
        const ast *of_x = meaning_of(a, x);
        const ast *of_y = meaning_of(b, y);
        is_same = of_x && of_y && is_downwards(x) == is_downwards(y)
                  && x->flags == y->flags && same_expr(a, of_x, b, of_y);
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
    template_variants texts = {0};
    diag ignored = diag_new(a);
    if (!template_expand(&texts, a, golds, n, (template_options){.dialect = d},
                         &ignored, scratch)) {
        return out;
    }
    for (ptrdiff_t i = 0; i < texts.n; i++) {
        parse_result r = parse_sql(a, texts.sql[i], d, scratch);
        if (r.errors.len == 0 && r.statements && ast_is_query(r.statements)) {
            const binding *b =
                bind_query(a, r.statements, &no_schema, d, scratch);
            *vec_push(a, &out) = (sorted){
                .keys = *ast_query_part(r.statements, QUERY_ORDER),
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
            found = same_keys(&left.ptr[i], &right.ptr[k]);
        }
    }
    return found;
}
