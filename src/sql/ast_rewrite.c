/*
 * ast_rewrite.c - see ast_rewrite.h.
 *
 * Method      Every node is copied, or what `replace` makes of it. An
 *             expression is parsed, and its parameters replaced.
 *
 * Cost        Linear in the tree and in what is put into it.
 */
#include "sql/ast_rewrite.h"

#include "sql/parse.h"

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

static ast *in_quotes(arena *a, ast_kind kind, str name)
{
    ast *n = ast_new(a, kind);
    n->text = name;
    n->form = QUOTE_BACK;
    return n;
}

ast *ast_column(arena *a, str name, str table)
{
    ast *n = in_quotes(a, AST_COLUMN, name);
    n->kid[COLUMN_PATH] = table.len > 0 ? in_quotes(a, AST_NAME, table) : NULL;
    return n;
}

ast *ast_named(arena *a, ast *expr, str name)
{
    ast *n = in_quotes(a, AST_ALIAS, name);
    n->kid[ALIAS_EXPR] = expr;
    return n;
}

ast *ast_both(arena *a, ast *one, ast *other, arena scratch)
{
    return one && other ? ast_expression(a, S("?1 AND ?2"), DIALECT_SQLITE,
                                         (const ast *[]){one, other}, scratch)
                        : (one ? one : other);
}

void ast_replace_kids(ast *n,
                      ast *(*replace)(void *context, ast *kid),
                      void *context)
{
    for (int i = 0; i < ast_kid_count((ast_kind)n->kind); i++) {
        for (ast **at = &n->kid[i]; *at; at = &(*at)->next) {
            ast *next = (*at)->next;
            *at = replace(context, *at);
            (*at)->next = next;
        }
    }
}

typedef struct filling {
    arena *a;
    const ast *const *args;
} filling;

static const ast *argument(const filling *f, const ast *n)
{
    int64_t no = 0;
    bool is = f->args && n && n->kind == AST_PARAMETER
              && str_to_int(str_skip(n->text, 1), &no);
    assert(no >= 0);
    return is ? f->args[no - 1] : NULL;
}

static ast *filled_in(void *context, const ast *n)
{
    const filling *f = context;
    const ast *of = argument(f, n);
    if (n->kind == AST_SELECT && !n->kid[SELECT_FROM]) {
        const ast *query = argument(f, n->kid[SELECT_ITEMS]);
        of = query && ast_is_query(query) ? query : NULL;
    }
    return of ? ast_copy(f->a, of) : NULL;
}

ast *ast_fill(arena *a, const ast *n, const ast *const *args)
{
    filling f = {a, args};
    return ast_rewrite(a, n, filled_in, &f);
}

ast *ast_expression(arena *a,
                    str text,
                    dialect d,
                    const ast *const *args,
                    arena scratch)
{
    str sql = arena_printf(a, "SELECT %.*s", STR_ARG(text));
    parse_result r = parse_sql(a, sql, d, scratch);
    assert(r.errors.len == 0 && r.statements);  // the texts are ours
    return ast_fill(a, r.statements->kid[SELECT_ITEMS], args);
}
