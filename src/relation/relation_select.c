/*
 * relation_select.c - see relation_select.h.
 *
 * Method      Fields of the tree are given names; numbers are read as they are
 *             written, with a minus before them.
 *
 * Cost        Constant; of joins, linear in them.
 */
#include "relation/relation_select.h"

row_range row_range_of(const ast *limit)
{
    row_range r = {.count = -1, .is_known = true};
    const ast *rows = limit ? limit->kid[LIMIT_COUNT] : NULL;
    const ast *skip = limit ? limit->kid[LIMIT_OFFSET] : NULL;
    r.is_known = !limit || !(limit->flags & (AST_FLAG_PERCENT | AST_FLAG_TIES));
    r.is_known &= !rows || ast_whole(rows, &r.count);
    r.is_known &= !skip || ast_whole(skip, &r.offset);
    r.count = r.count < 0 ? -1 : r.count;
    r.offset = r.offset < 0 ? 0 : r.offset;
    return r;
}

select_parts select_parts_of(const ast *query)
{
    select_parts p = {0};
    if (!query) {
        return p;
    }
    p.order = ast_query_has(query, QUERY_ORDER);
    p.limit = ast_query_has(query, QUERY_LIMIT);
    if (p.limit && p.limit->kind == AST_LIMIT) {
        p.count = p.limit->kid[LIMIT_COUNT];
        p.offset = p.limit->kid[LIMIT_OFFSET];
    }
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

const ast *select_window(const ast *select, const ast *over)
{
    const ast *w = select ? select->kid[SELECT_WINDOWS] : NULL;
    while (w && !str_equal_fold(w->text, over->text)) {
        w = w->next;
    }
    return over->kind == AST_WINDOW ? over : w;
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

static void add_joins(arena *a, const ast *from, join_list *out)
{
    from = select_source_below(from);
    bool is_join = from && from->kind == AST_JOIN;
    if (is_join) {
        add_joins(a, from->kid[JOIN_LEFT], out);
        add_joins(a, from->kid[JOIN_RIGHT], out);
    } else if (from && from->kind == AST_RESTRICTED) {
        add_joins(a, from->kid[RESTRICTED_SOURCE], out);
        is_join = true;
    }
    if (is_join) {
        *vec_push(a, out) = from;
    }
}

join_list select_joins_of(arena *a, const ast *from)
{
    join_list out = {0};
    add_joins(a, from, &out);
    return out;
}

const ast *join_condition(const ast *join)
{
    return join->kid[join->kind == AST_JOIN ? JOIN_ON : RESTRICTED_ON];
}

bool join_is_outer(const ast *join)
{
    return join->kind == AST_JOIN
           && (join->form == JOIN_FORM_LEFT || join->form == JOIN_FORM_RIGHT
               || join->form == JOIN_FORM_FULL);
}
