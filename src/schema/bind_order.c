/*
 * bind_order.c - ORDER BY and GROUP BY: columns of the result by number and by
 * alias, and what ORDER BY may name after a set operation.
 *
 * Method      A key is a place, then an alias of the select list, then an
 *             expression of the block. After a set operation it must be a
 *             column of the result; SQLite also takes an expression that is an
 *             item of one of the branches, tried from the left with problems
 *             kept quiet.
 *
 * Cost        Linear in the keys times the columns of the result; after a set
 *             operation times its branches, of which LEAVES_MAX are looked at.
 */
#include "schema/bind_internal.h"

#include <assert.h>

// The key below COLLATE, which does not change what it means.
static const ast *plain_key(const ast *key)
{
    while (key && key->kind == AST_COLLATE) {
        key = key->kid[COLLATE_EXPR];
    }
    return key;
}

static void bind_place_of(binder *b,
                          const ast *key,
                          int64_t place,
                          ptrdiff_t n_outputs,
                          const bound_block *of,
                          bool is_open)
{
    if (place >= 1 && place <= n_outputs) {
        bind_set_ref(b, key,
                     (bound_ref){.kind = REF_POSITION,
                                 .output = (int32_t)place - 1,
                                 .of = of});
    } else if (!is_open) {
        bind_set_ref(b, key, (bound_ref){.kind = REF_NONE});
        bind_problem_add(b, BIND_NO_POSITION, key,
                         "there is no column %lld among the %td selected",
                         (long long)place, n_outputs);
    }
}

static bool has_places(const binder *b, bind_clause clause)
{
    return clause == CLAUSE_ORDER || b->b->dialect != DIALECT_TSQL;
}

static void bind_alias(binder *b, bind_scope *s, const ast *key, int32_t output)
{
    assert(output >= 0 && output < s->block.n_outputs);
    const bound_column *c = &s->block.outputs[output];
    bound_ref ref = {.kind = REF_OUTPUT, .output = output, .of = &s->block};
    if (!c->expr && c->source) {
        ref = (bound_ref){
            .kind = REF_COLUMN, .source = c->source, .column = c->column};
    }
    bind_set_ref(b, key, ref);
}

static void bind_key(binder *b, bind_scope *s, const ast *expr)
{
    const ast *key = plain_key(expr);
    int64_t place;
    if (!key) {
        return;
    }
    if (has_places(b, s->clause) && ast_whole(key, &place)) {
        bind_place_of(b, key, place, s->block.n_outputs, &s->block, s->is_open);
        return;
    }
    bool is_bare = key->kind == AST_DOUBT
                   || (key->kind == AST_COLUMN && !key->kid[COLUMN_PATH]);
    int32_t output =
        is_bare && s->clause == CLAUSE_ORDER ? bind_find_output(b, s, key) : -1;
    if (output >= 0) {
        bind_alias(b, s, key, output);
        return;
    }
    s->key = key;
    bind_expr(b, s, expr);
    s->key = NULL;
}

static void bind_grouping(binder *b, bind_scope *s, const ast *n)
{
    bool is_list = n->kind == AST_GROUPING;
    if (is_list) {
        for (n = n->kid[GROUPING_SETS]; n; n = n->next) {
            bind_expr(b, s, n);
        }
        return;
    }
    bind_key(b, s, n);
}

void bind_keys(binder *b, bind_scope *s, const ast *keys, bind_clause clause)
{
    assert(clause == CLAUSE_ORDER || clause == CLAUSE_GROUP);
    s->clause = clause;
    for (; keys; keys = keys->next) {
        if (keys->kind == AST_SORT) {
            bind_key(b, s, keys->kid[SORT_EXPR]);
        } else {
            bind_grouping(b, s, keys);
        }
    }
}

// The blocks of a set operation, from the left.
typedef vec_of(bind_scope *) leaf_list;

static void list_leaves(binder *b, const bound_query *q, leaf_list *leaves)
{
    enum {
        LEAVES_MAX = 100
    };
    while (q && q->body) {
        q = q->body;
    }
    if (!q || leaves->len >= LEAVES_MAX) {
        return;
    }
    if (q->block) {
        bind_scope **leaf = vec_push(b->a, leaves);
        *leaf = bind_scope_of(q->block);
        return;
    }
    list_leaves(b, q->left, leaves);
    list_leaves(b, q->right, leaves);
}

// The output of a block that the key is; -1: none. SQLite takes any expression
// that an item of one of the blocks is.
static int32_t find_in_leaf(binder *b, bind_scope *s, const ast *key)
{
    bool is_bare = key->kind == AST_DOUBT
                   || (key->kind == AST_COLUMN && !key->kid[COLUMN_PATH]);
    int32_t output = is_bare ? bind_find_output(b, s, key) : -1;
    if (output >= 0 || !bind_is_sqlite(b) || !s->is_alias) {
        return output;
    }
    bool was_grouped = s->block.is_grouped;
    s->clause = CLAUSE_ORDER;
    b->quiet++;
    bind_expr(b, s, key);
    b->quiet--;
    s->block.is_grouped = was_grouped;
    for (ptrdiff_t i = 0; i < s->block.n_outputs; i++) {
        const bound_column *c = &s->block.outputs[i];
        const bound_ref *ref = b->b->refs[key->id];
        bool is_same = c->expr ? bind_same_expr(b->b, key, c->expr, *b->scratch)
                               : ref && ref->kind == REF_COLUMN
                                     && ref->source == c->source
                                     && ref->column == c->column;
        if (is_same) {
            return (int32_t)i;
        }
    }
    return -1;
}

static void bind_set_key(binder *b,
                         const bound_query *q,
                         const leaf_list *leaves,
                         const ast *expr)
{
    const ast *key = plain_key(expr);
    int64_t place;
    if (!key) {
        return;
    }
    if (ast_whole(key, &place)) {
        bind_place_of(b, key, place, q->n_outputs, NULL, q->is_open);
        return;
    }
    bool is_name = key->kind == AST_COLUMN || key->kind == AST_DOUBT;
    for (ptrdiff_t i = 0; i < leaves->len; i++) {
        int32_t output = find_in_leaf(b, leaves->ptr[i], key);
        if (output >= 0 && is_name) {
            bind_set_ref(b, key,
                         (bound_ref){.kind = REF_OUTPUT, .output = output});
        }
        if (output >= 0) {
            return;
        }
    }
    if (!bind_is_sqlite(b) && !is_name && leaves->len > 0) {
        bind_scope *s = leaves->ptr[0];
        s->clause = CLAUSE_ORDER;
        bind_expr(b, s, expr);
    } else if (!q->is_open) {
        bind_set_ref(b, key, (bound_ref){.kind = REF_NONE});
        bind_problem_add(b, BIND_NO_COLUMN, key,
                         "ORDER BY names no column of the result");
    }
}

void bind_set_order(binder *b, const bound_query *q, const ast *order)
{
    if (!order) {
        return;
    }
    leaf_list leaves = {0};
    list_leaves(b, q, &leaves);
    for (; order; order = order->next) {
        bind_set_key(b, q, &leaves, order->kid[SORT_EXPR]);
    }
}
