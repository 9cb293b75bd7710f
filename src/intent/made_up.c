/*
 * made_up.c - see made_up.h.
 *
 * Method      A query reads a table when one of its sources is stored. Then the
 *             items of each SELECT that a set operation is made of are looked
 *             at; what they are computed from lies below them.
 *
 * Cost        Linear in the nodes.
 */
#include "intent/made_up.h"

typedef struct search {
    const binding *b;
    bool is_found;
} search;

static bool names_table(const binding *b, const ast *n)
{
    return schema_find_table(b->schema, n->text) >= 0;
}

static bool find_table(void *context, const ast *n)
{
    search *s = context;
    const bound_source *source = bind_source_at(s->b, n);
    bool is_with_name = source && source->kind == SOURCE_QUERY;
    s->is_found |= (n->kind == AST_TABLE && !is_with_name)
                   || ((n->kind == AST_TABLE || n->kind == AST_CALL)
                       && names_table(s->b, n));
    return !s->is_found;
}

// count(1) and sum(1) tell how many rows there are, max(12) tells nothing.
static bool reads_rows(const ast *call, dialect d)
{
    return call->kid[CALL_OVER]
           || (bind_is_aggregate(call, d)
               && !str_among_fold(call->text, "min max avg"));
}

static bool reads_column(const binding *b, const ast *doubt)
{
    const bound_ref *r = bind_ref(b, doubt);
    return (r && r->kind != REF_STRING) || names_table(b, doubt);
}

static bool find_reading(void *context, const ast *n)
{
    search *s = context;
    s->is_found |= n->kind == AST_COLUMN || n->kind == AST_STAR
                   || n->kind == AST_TABLE
                   || (n->kind == AST_DOUBT && reads_column(s->b, n))
                   || (n->kind == AST_CALL && reads_rows(n, s->b->dialect));
    return !s->is_found;
}

// Is one of the items a constant?
static bool has_constant(const binding *b, const ast *select)
{
    for (const ast *item = select->kid[SELECT_ITEMS]; item; item = item->next) {
        search s = {.b = b};
        ast_walk(ast_unaliased(item), find_reading, &s);
        if (!s.is_found) {
            return true;
        }
    }
    return false;
}

static bool returns_constant(const binding *b, const ast *query)
{
    switch ((int)query->kind) {
    case AST_SELECT: return has_constant(b, query);
    case AST_VALUES: return true;
    case AST_NESTED: return returns_constant(b, query->kid[NESTED_BODY]);
    case AST_SETOP:
        return returns_constant(b, query->kid[SETOP_LEFT])
               || returns_constant(b, query->kid[SETOP_RIGHT]);
    default: return false;
    }
}

bool makes_up_column(const binding *b)
{
    search s = {.b = b};
    ast_walk(b->query->node, find_table, &s);
    return !s.is_found || returns_constant(b, b->query->node);
}

static bool is_read(const ast *n)
{
    return n->kind == AST_COLUMN || n->kind == AST_STAR;
}

// A column, or an aggregate or window of columns alone.
static bool is_plain_item(const ast *item, dialect d)
{
    const ast *n = item->kind == AST_ALIAS ? item->kid[ALIAS_EXPR] : item;
    bool is_plain = is_read(n)
                    || (n->kind == AST_CALL
                        && (n->kid[CALL_OVER] || bind_is_aggregate(n, d)));
    const ast *arg = n->kind == AST_CALL ? n->kid[CALL_ARGS] : NULL;
    for (; is_plain && arg; arg = arg->next) {
        is_plain = is_read(arg);
    }
    return is_plain;
}

static bool find_computed(void *context, const ast *n)
{
    search *s = context;
    s->is_found |= n->kind == AST_VALUES;
    const ast *item = n->kind == AST_SELECT ? n->kid[SELECT_ITEMS] : NULL;
    for (; item; item = item->next) {
        s->is_found |= !is_plain_item(item, s->b->dialect);
    }
    return !s->is_found;
}

bool computes_column(const binding *b)
{
    search s = {.b = b};
    ast_walk(b->query->node, find_computed, &s);
    return s.is_found;
}
