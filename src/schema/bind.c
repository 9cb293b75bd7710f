/*
 * bind.c - numbers the nodes of a query, binds it, and answers for each node.
 *
 * Method      Every node gets a number, depth first; what is found out about a
 *             node lies in arrays by that number. A view is bound on a copy of
 *             its query, whose nodes get the next numbers, and the arrays grow.
 *
 * Invariants  (1) Numbers begin at 1: a node that no binding has seen has id 0
 *                 and so no answer.
 *             (2) Problems are sorted by their place in the text, at the end.
 *
 * Cost        Linear in the tree times the columns that can be seen; tables of
 *             the schema are looked at only when a query names them.
 */
#include "schema/bind_internal.h"

#include <assert.h>

static void number(void *context, ast *n)
{
    int32_t *next = context;
    n->id = (*next)++;
}

void bind_number(binder *b, ast *n)
{
    binding *made = b->b;
    int32_t n_old = made->n_nodes;
    int32_t next = n_old > 0 ? n_old : 1;
    ast_each(n, number, &next);
    made->refs = arena_copy(b->a, made->refs, n_old, next - n_old);
    made->queries = arena_copy(b->a, made->queries, n_old, next - n_old);
    made->sources = arena_copy(b->a, made->sources, n_old, next - n_old);
    made->n_nodes = next;
    assert(next > n_old && n->id > 0);
}

// Few and nearly in order.
static void sort_problems(binding *b)
{
    for (ptrdiff_t i = 1; i < b->problems.len; i++) {
        bind_problem p = b->problems.ptr[i];
        ptrdiff_t at = i;
        for (; at > 0 && b->problems.ptr[at - 1].pos > p.pos; at--) {
            b->problems.ptr[at] = b->problems.ptr[at - 1];
        }
        b->problems.ptr[at] = p;
    }
}

binding *bind_query(arena *a,
                    ast *query,
                    const schema *s,
                    dialect d,
                    arena scratch)
{
    assert(query && s && d < DIALECT_COUNT);
    binding *made = arena_new(a, binding, 1);
    made->schema = s;
    made->dialect = d;
    binder b = {.a = a,
                .scratch = &scratch,
                .b = made,
                .call_level = -1,
                .call_deepest = -1};
    bind_number(&b, query);
    made->query = bind_form(&b, query, (bind_place){0});
    assert(b.quiet == 0 && b.height == 0);
    sort_problems(made);
    return made;
}

static bool is_known(const binding *b, const ast *node)
{
    return node && node->id > 0 && node->id < b->n_nodes;
}

const bound_ref *bind_ref(const binding *b, const ast *node)
{
    return is_known(b, node) ? b->refs[node->id] : NULL;
}

const bound_query *bind_query_at(const binding *b, const ast *node)
{
    return is_known(b, node) ? b->queries[node->id] : NULL;
}

const bound_block *bind_block_at(const binding *b, const ast *node)
{
    const bound_query *q = bind_query_at(b, node);
    return q ? q->block : NULL;
}

const bound_column *bind_item(const binding *b, const ast *name)
{
    const bound_ref *ref = bind_ref(b, name);
    return ref && ref->of ? &ref->of->outputs[ref->output] : NULL;
}

const bound_block *bind_leftmost(const bound_query *q)
{
    while (q && !q->block) {
        q = q->left ? q->left : q->body;
    }
    return q ? q->block : NULL;
}

const bound_source *bind_source_at(const binding *b, const ast *node)
{
    return is_known(b, node) ? b->sources[node->id] : NULL;
}

bound_place bind_stored(const bound_source *source, int32_t column)
{
    enum {
        STEPS_MAX = 10,  // a recursive CTE leads back to itself
    };
    for (int step = 0; source && step < STEPS_MAX; step++) {
        if (source->kind == SOURCE_TABLE) {
            return (bound_place){source->table, column};
        }
        if (!source->columns || column < 0 || column >= source->n_columns) {
            break;
        }
        const bound_column *c = &source->columns[column];
        source = c->source;
        column = c->column;
    }
    return (bound_place){-1, -1};
}

bound_place bind_stored_at(const binding *b, const ast *name)
{
    const bound_ref *ref = name ? bind_ref(b, name) : NULL;
    bool is_column = ref && ref->kind == REF_COLUMN && ref->column >= 0;
    return is_column ? bind_stored(ref->source, ref->column)
                     : (bound_place){-1, -1};
}
