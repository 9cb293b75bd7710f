/*
 * order_keys.c - see order_keys.h.
 *
 * Method      Both texts are parsed. Keys are compared as trees after places
 *             and aliases were replaced by what they stand for; columns by
 *             name and, where both say of which table they are, by the table
 *             behind its alias.
 */
#include "intent/order_keys.h"

#include "sql/parse.h"
#include "sql/sort_keys.h"
#include "sql/template.h"

// A query with the items that its keys may refer to.
typedef struct sorted {
    ast *query;
    const ast *select;  // its first
} sorted;

static sorted sorted_of(ast *query)
{
    const ast *first = query;
    while (first && (first->kind == AST_SETOP || first->kind == AST_NESTED)) {
        first = first->kind == AST_SETOP ? first->kid[SETOP_LEFT]
                                         : first->kid[NESTED_BODY];
    }
    bool has_items = first && first->kind == AST_SELECT;
    return (sorted){query, has_items ? first : NULL};
}

typedef struct search {
    str alias;
    str table;
} search;

static bool find_alias(void *context, const ast *n)
{
    search *s = context;
    const ast *table = n->kind == AST_ALIAS ? n->kid[ALIAS_EXPR] : NULL;
    if (table && table->kind == AST_TABLE
        && str_equal_fold(n->text, s->alias)) {
        s->table = table->text;
    }
    return s->table.len == 0 && !ast_is_query(n);
}

// The table that a qualifier means.
static str table_of(const sorted *in, str qualifier)
{
    search s = {.alias = qualifier};
    const ast *from = in->select ? in->select->kid[SELECT_FROM] : NULL;
    for (; from && s.table.len == 0; from = from->next) {
        ast_walk(from, find_alias, &s);
    }
    return s.table.len > 0 ? s.table : qualifier;
}

static const ast *last_of(const ast *path)
{
    while (path && path->next) {
        path = path->next;
    }
    return path;
}

static bool same_column(const sorted *a,
                        const ast *x,
                        const sorted *b,
                        const ast *y)
{
    const ast *of_x = last_of(x->kid[COLUMN_PATH]);
    const ast *of_y = last_of(y->kid[COLUMN_PATH]);
    return str_equal_fold(x->text, y->text)
           && (!of_x || !of_y
               || str_equal_fold(table_of(a, of_x->text),
                                 table_of(b, of_y->text)));
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

static const ast *keys_of(const sorted *q)
{
    return *ast_query_part(q->query, QUERY_ORDER);
}

static const ast *meaning_of(const sorted *q, const ast *key)
{
    const ast *expr = key->kid[SORT_EXPR];
    return q->select ? sort_key_meaning(q->select->kid[SELECT_ITEMS], expr)
                     : expr;
}

static bool same_keys(const sorted *a, const sorted *b)
{
    const ast *x = keys_of(a);
    const ast *y = keys_of(b);
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
            *vec_push(a, &out) = sorted_of(r.statements);
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
