/*
 * made_up.c - see made_up.h.
 *
 * Method      A query reads a table when one of its sources is stored. Then the
 *             items of each SELECT that a set operation is made of are looked
 *             at; what they are computed from lies below them.
 *
 * Cost        Linear in the nodes.
 */
#include "relation/made_up.h"

#include "sql/semantics.h"

static bool names_table(const binding *b, const ast *n)
{
    return schema_find_table(b->schema, n->text) >= 0;
}

static bool reads_table(const void *about, const ast *n)
{
    const binding *b = about;
    const bound_source *source = bind_source_at(b, n);
    bool is_with_name = source && source->kind == SOURCE_QUERY;
    return (n->kind == AST_TABLE && !is_with_name)
           || ((n->kind == AST_TABLE || n->kind == AST_CALL)
               && names_table(b, n));
}

// count(1) and sum(1) tell how many rows there are, max(12) tells nothing.
static bool reads_rows(const binding *b, const ast *call)
{
    return call->kid[CALL_OVER]
           || (dialect_aggregates(b->dialect, call)
               && !str_among_fold(call->text, "min max avg"));
}

static bool reads_column(const binding *b, const ast *doubt)
{
    const bound_ref *r = bind_ref(b, doubt);
    return (r && r->kind != REF_STRING) || names_table(b, doubt);
}

static bool reads(const void *about, const ast *n)
{
    const binding *b = about;
    return n->kind == AST_COLUMN || n->kind == AST_STAR || n->kind == AST_TABLE
           || (n->kind == AST_DOUBT && reads_column(b, n))
           || (n->kind == AST_CALL && reads_rows(b, n));
}

static bool is_read(const ast *n)
{
    return n->kind == AST_COLUMN || n->kind == AST_STAR;
}

// A column, or an aggregate or window of columns alone.
static bool is_plain_item(const binding *b, const ast *item)
{
    const ast *n = ast_unaliased(item);
    bool is_plain =
        is_read(n)
        || (n->kind == AST_CALL
            && (n->kid[CALL_OVER] || dialect_aggregates(b->dialect, n)));
    const ast *arg = n->kind == AST_CALL ? n->kid[CALL_ARGS] : NULL;
    for (; is_plain && arg; arg = arg->next) {
        is_plain = is_read(arg);
    }
    return is_plain;
}

static bool computes(const void *about, const ast *n)
{
    const ast *item = n->kind == AST_SELECT ? n->kid[SELECT_ITEMS] : NULL;
    while (item && is_plain_item(about, item)) {
        item = item->next;
    }
    return item || n->kind == AST_VALUES;
}

static bool returns_constant(const binding *b, const ast *query)
{
    const ast *item = NULL;
    switch ((int)query->kind) {
    case AST_SELECT:
        item = query->kid[SELECT_ITEMS];
        while (item && ast_find(ast_unaliased(item), reads, b)) {
            item = item->next;
        }
        return item;
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
    const ast *query = b->query->node;
    return !ast_find(query, reads_table, b) || returns_constant(b, query);
}

bool computes_column(const binding *b)
{
    return ast_find(b->query->node, computes, b);
}
