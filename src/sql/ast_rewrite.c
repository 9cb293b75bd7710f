// ast_rewrite.c - see ast_rewrite.h.
#include "sql/ast_rewrite.h"

#include <assert.h>

ast *ast_rewrite(arena *a, const ast *n, ast_replace *replace, void *context)
{
    assert(n && replace);
    ast *copy = replace(context, n);
    if (copy) {
        return copy;
    }
    copy = ast_new(a, (ast_kind)n->kind);
    copy->form = n->form;
    copy->flags = n->flags;
    copy->pos = n->pos;
    copy->len = n->len;
    copy->text = n->text;
    int kids = ast_kid_count((ast_kind)n->kind);
    for (int i = 0; i < kids; i++) {
        ast **last = &copy->kid[i];
        for (const ast *kid = n->kid[i]; kid; kid = kid->next) {
            *last = ast_rewrite(a, kid, replace, context);
            last = &(*last)->next;
        }
    }
    return copy;
}
