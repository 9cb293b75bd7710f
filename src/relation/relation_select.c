// relation_select.c - see relation_select.h.
#include "relation/relation_select.h"

select_parts select_parts_of(const ast *query)
{
    select_parts p = {.order = ast_query_has(query, QUERY_ORDER),
                      .limit = ast_query_has(query, QUERY_LIMIT)};
    if (query->kind == AST_SELECT) {
        p.from = query->kid[SELECT_FROM];
        p.items = query->kid[SELECT_ITEMS];
        p.where = query->kid[SELECT_WHERE];
        p.group = query->kid[SELECT_GROUP];
        p.having = query->kid[SELECT_HAVING];
        p.is_distinct = (query->flags & AST_FLAG_DISTINCT) != 0;
    }
    return p;
}

const ast *select_source_below(const ast *source)
{
    const ast *n = source;
    while (n) {
        if (n->kind == AST_ALIAS) {
            n = n->kid[ALIAS_EXPR];
        } else if (n->kind == AST_SAMPLE) {
            n = n->kid[SAMPLE_SOURCE];
        } else if (n->kind == AST_LATERAL) {
            n = n->kid[LATERAL_SOURCE];
        } else {
            break;
        }
    }
    return n;
}

void select_each_join(const ast *from, join_visit *visit, void *context)
{
    from = select_source_below(from);
    if (from && from->kind == AST_RESTRICTED) {
        select_each_join(from->kid[RESTRICTED_SOURCE], visit, context);
        visit(context, from, from->kid[RESTRICTED_ON]);
    } else if (from && from->kind == AST_JOIN) {
        select_each_join(from->kid[JOIN_LEFT], visit, context);
        select_each_join(from->kid[JOIN_RIGHT], visit, context);
        visit(context, from, from->kid[JOIN_ON]);
    }
}

bool join_is_outer(const ast *join)
{
    return join->kind == AST_JOIN
           && (join->form == JOIN_FORM_LEFT || join->form == JOIN_FORM_RIGHT
               || join->form == JOIN_FORM_FULL);
}
