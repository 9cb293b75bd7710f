// query_text.c - see query_text.h.
#include "sql/query_text.h"

query_text query_text_of(arena *a, str sql, dialect d, arena scratch)
{
    query_text t = {.parsed = parse_sql(a, sql, d, scratch)};
    ast *first = t.parsed.statements;
    if (t.parsed.errors.len > 0) {
        t.error = t.parsed.errors.ptr[0];
        t.obstacle = t.error.is_depth ? QUERY_TOO_DEEP : QUERY_BROKEN;
    } else if (!first || (!first->next && !ast_is_query(first))) {
        t.error =
            (parse_error){first ? first->pos : 0, 0, S("not a query"), false};
        t.obstacle = QUERY_NONE;
    } else if (first->next) {
        t.error = (parse_error){first->next->pos, first->next->len,
                                S("more than one statement"), false};
        t.obstacle = QUERY_SEVERAL;
    } else {
        t.tree = first;
    }
    return t;
}

ast *expression_text_of(arena *a, str text, dialect d, arena scratch)
{
    str sql = arena_printf(a, "SELECT %.*s", STR_ARG(text));
    const ast *q = query_text_of(a, sql, d, scratch).tree;
    ast *item = q && q->kind == AST_SELECT ? q->kid[SELECT_ITEMS] : NULL;
    return item && !item->next ? item : NULL;
}
