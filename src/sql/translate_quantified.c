/*
 * translate_quantified.c - x = ANY (S) and x >= ALL (S), which SQLite lacks.
 *
 * Method      x = ANY (S) is x IN (S), x <> ALL (S) is x NOT IN (S), wherever
 *             they stand. Of others SQLite has no value, but where only their
 *             truth counts, as a condition of WHERE and of ON or a part of such
 *             under AND, x >= ANY (S) asks for a row of S, and x >= ALL (S) for
 *             none of which it is not true.
 *
 * Not here    Arrays; a query whose column another name of it may mean.
 */
#include "sql/ast_rewrite.h"
#include "sql/translate_internal.h"

#define ROWS   "_quantified"
#define COLUMN "_value"

static const ast *quantified_query(const ast *n)
{
    const ast *right = n->kind == AST_BINARY && operator_compares(n->form)
                           ? n->kid[BINARY_RIGHT]
                           : NULL;
    const ast *of = right && right->kind == AST_QUANTIFIED
                        ? right->kid[QUANTIFIED_EXPR]
                        : NULL;
    return of && ast_is_query(of) && !of->next ? of : NULL;
}

static bool asks_all(const ast *n)
{
    return n->kid[BINARY_RIGHT]->form == QUANTIFIED_FORM_ALL;
}

// The IN that it is; NULL: it is none.
static ast *membership(translator *t, const ast *n)
{
    bool is_equal = n->form == OPERATOR_EQUAL;
    bool is_unlike =
        n->form == OPERATOR_LESS_GREATER || n->form == OPERATOR_BANG_EQUAL;
    if (asks_all(n) ? !is_unlike : !is_equal) {
        return NULL;
    }
    ast *in = ast_new(t->a, AST_IN);
    in->flags = asks_all(n) ? AST_FLAG_NOT : 0;
    in->kid[IN_EXPR] = n->kid[BINARY_LEFT];
    in->kid[IN_SOURCE] = n->kid[BINARY_RIGHT]->kid[QUANTIFIED_EXPR];
    return in;
}

// Its only column under our name; false where that is not known.
static bool name_column(translator *t, ast *query)
{
    ast **item = query->kind == AST_SELECT ? &query->kid[SELECT_ITEMS] : NULL;
    bool is_plain = item && *item && !(*item)->next && (*item)->kind != AST_STAR
                    && !*ast_query_part(query, QUERY_ORDER)
                    && !*ast_query_part(query, QUERY_LIMIT);
    bool is_named = is_plain && (*item)->kind == AST_ALIAS;
    if (!is_plain
        || (is_named
            && (query->kid[SELECT_GROUP] || query->kid[SELECT_HAVING]))) {
        return false;
    }
    ast *alias = ast_new(t->a, AST_ALIAS);
    alias->text = S(COLUMN);
    alias->kid[ALIAS_EXPR] = is_named ? (*item)->kid[ALIAS_EXPR] : *item;
    *item = alias;
    return true;
}

// Whether there is a row of it that says so.
static ast *existence(translator *t, const ast *n)
{
    ast *query = n->kid[BINARY_RIGHT]->kid[QUANTIFIED_EXPR];
    if (!name_column(t, query)) {
        return NULL;
    }
    str text =
        arena_printf(t->a,
                     "EXISTS (SELECT 1 FROM (SELECT 1 AS " COLUMN ") AS " ROWS
                     " WHERE (?1 %.*s " ROWS "." COLUMN ")%s)",
                     STR_ARG(operator_text((sql_operator)n->form)),
                     asks_all(n) ? " IS NOT TRUE" : "");
    ast *exists = translate_expression(t, text, (ast *[]){n->kid[BINARY_LEFT]});
    ast *from = exists->kid[EXISTS_QUERY]->kid[SELECT_FROM];
    from->kid[ALIAS_EXPR]->kid[SUBQUERY_QUERY] = query;
    return asks_all(n) ? translate_expression(t, S("NOT ?1"), &exists) : exists;
}

// A condition of which only the truth counts, and its parts under AND.
static ast *truth(translator *t, ast *n)
{
    if (n->kind == AST_BINARY && n->form == OPERATOR_AND) {
        n->kid[BINARY_LEFT] = truth(t, n->kid[BINARY_LEFT]);
        n->kid[BINARY_RIGHT] = truth(t, n->kid[BINARY_RIGHT]);
        return n;
    }
    ast *out = quantified_query(n) ? existence(t, n) : NULL;
    return out ? out : n;
}

static ast *quantified(void *context, ast *n)
{
    translator *t = context;
    ast_replace_kids(n, quantified, t);
    ast **condition = n->kind == AST_SELECT ? &n->kid[SELECT_WHERE]
                      : n->kind == AST_JOIN ? &n->kid[JOIN_ON]
                                            : NULL;
    if (condition && *condition) {
        *condition = truth(t, *condition);
    }
    ast *in = quantified_query(n) ? membership(t, n) : NULL;
    return in ? in : n;
}

ast *translate_quantified(translator *t, ast *n)
{
    return quantified(t, n);
}
