/*
 * schema_check.c - which checks, indexes, generated columns and views mean the
 * same to SQLite as to the system that wrote them.
 *
 * Method      Two passes. schema_simplify rewrites what has an equal in
 *             SQLite's words (x::t, = ANY (ARRAY[...]), ~~). schema_is_portable
 *             then lets pass only kinds of nodes, operators and functions that
 *             are listed; what is not listed is left out of the schema's CREATE
 *             statements. For views the list is of what does not pass, since a
 *             view that fails costs only itself.
 *
 * Cost        Linear in the expression, times the functions listed for a call.
 */
#include "schema/schema_build.h"
#include "sql/ast_rewrite.h"
#include "sql/function.h"

#include <assert.h>

static bool is_function(const ast *call)
{
    bool is_plain = !call->kid[CALL_PATH] && !call->kid[CALL_ORDER]
                    && !call->kid[CALL_LIMIT] && !call->kid[CALL_WITHIN]
                    && !call->kid[CALL_FILTER] && !call->kid[CALL_OVER];
    return is_plain && function_may_run(call->text, "S");
}

static bool is_operator(int form)
{
    switch (form) {
    case OPERATOR_AND:
    case OPERATOR_OR:
    case OPERATOR_NOT:
    case OPERATOR_IS:
    case OPERATOR_IS_DISTINCT:
    case OPERATOR_LIKE:
    case OPERATOR_GLOB:
    case OPERATOR_ADD:
    case OPERATOR_SUBTRACT:
    case OPERATOR_MULTIPLY:
    case OPERATOR_DIVIDE:
    case OPERATOR_REMAINDER:
    case OPERATOR_CONCAT:
    case OPERATOR_NEGATE:
    case OPERATOR_POSITIVE: return true;
    default: return operator_compares(form);
    }
}

static bool is_foreign(const void *about, const ast *n)
{
    (void)about;
    bool ok = false;
    switch ((int)n->kind) {
    case AST_COLUMN:
    case AST_DOUBT:
    case AST_NAME:
    case AST_NUMBER:
    case AST_NULL:
    case AST_TRUE:
    case AST_FALSE:
    case AST_BETWEEN:
    case AST_CASE:
    case AST_WHEN:
    case AST_COLLATE:
    case AST_TYPE: ok = true; break;
    case AST_STRING: ok = n->text.len > 0 && n->text.ptr[0] == '\''; break;
    case AST_UNARY:
    case AST_BINARY: ok = is_operator(n->form); break;
    case AST_IN: ok = !n->kid[IN_SOURCE]; break;
    case AST_CAST: ok = n->form == CAST_FORM_CAST; break;
    case AST_CALL: ok = is_function(n); break;
    default: break;
    }
    return !ok;
}

bool schema_is_portable(const ast *expr)
{
    return !ast_find(expr, is_foreign, NULL);
}

static bool is_other_name(const void *table, const ast *n)
{
    bool is_qualified = n->kind == AST_COLUMN && n->kid[COLUMN_PATH];
    return (n->kind == AST_COLUMN || n->kind == AST_DOUBT)
           && (is_qualified || schema_find_column(table, n->text) < 0);
}

bool schema_is_portable_on(const schema_table *t, const ast *expr)
{
    return !ast_find(expr, is_other_name, t) && schema_is_portable(expr);
}

bool schema_is_portable_index(const schema_table *t,
                              const schema_unique_index *u)
{
    assert(u->keys);
    bool ok = !u->where || schema_is_portable_on(t, u->where);
    for (const ast *key = u->keys; ok && key; key = key->next) {
        ok = key->kind == AST_SORT
             && schema_is_portable_on(t, key->kid[SORT_EXPR]);
    }
    return ok;
}

// x = ANY (ARRAY[...]) and x <> ALL (ARRAY[...])
static ast *to_in(arena *a, ast *n)
{
    ast *right = n->kid[BINARY_RIGHT];
    bool any = n->form == OPERATOR_EQUAL;
    bool all =
        n->form == OPERATOR_LESS_GREATER || n->form == OPERATOR_BANG_EQUAL;
    if (!right || right->kind != AST_QUANTIFIED || (!any && !all)
        || (right->form == QUANTIFIED_FORM_ALL) != all
        || right->kid[QUANTIFIED_EXPR]->kind != AST_ARRAY) {
        return n;
    }
    ast *in = ast_new(a, AST_IN);
    in->pos = n->pos;
    in->len = n->len;
    in->flags = all ? AST_FLAG_NOT : 0;
    in->kid[IN_EXPR] = n->kid[BINARY_LEFT];
    in->kid[IN_LIST] = right->kid[QUANTIFIED_EXPR]->kid[ARRAY_ITEMS];
    return in;
}

static ast *rewrite(arena *a, ast *n)
{
    switch ((int)n->kind) {
    case AST_CAST: return n->form == CAST_FORM_COLONS ? n->kid[CAST_EXPR] : n;
    case AST_TYPED: return n->kid[TYPED_VALUE] ? n->kid[TYPED_VALUE] : n;
    case AST_BINARY:
        n->form = n->form == OPERATOR_TILDES ? OPERATOR_LIKE : n->form;
        return to_in(a, n);
    default: return n;
    }
}

static ast *simplify(void *a, ast *n)
{
    ast_replace_kids(n, simplify, a);
    return rewrite(a, n);
}

ast *schema_simplify(arena *a, ast *expr)
{
    return simplify(a, expr);
}

typedef struct quoted_look {
    const schema_table *t;
    arena *a;
} quoted_look;

static bool has_special(str s)
{
    bool found = s.len == 0;
    for (ptrdiff_t i = 0; i < s.len; i++) {
        found |= s.ptr[i] == '\'' || s.ptr[i] == '"' || s.ptr[i] == '\\';
    }
    return found;
}

static void read_quoted(void *context, ast *n)
{
    const quoted_look *l = context;
    str inner =
        n->kind == AST_STRING ? str_sub(n->text, 1, n->text.len - 1) : (str){0};
    if (has_special(inner) || n->text.ptr[0] != '"') {
        return;
    }
    bool is_name = schema_find_column(l->t, inner) >= 0;
    n->kind = is_name ? AST_DOUBT : AST_STRING;
    n->form = is_name ? QUOTE_DOUBLE : n->form;
    n->text = is_name ? inner : arena_printf(l->a, "'%.*s'", STR_ARG(inner));
}

void schema_read_quoted(arena *a, const schema_table *t, const ast *check)
{
    quoted_look look = {t, a};
    ast_each((ast *)(uintptr_t)check, read_quoted, &look);  // the schema's own
}

schema_unique_index schema_index_in(arena *a, ast *create, dialect d)
{
    assert(create->kind == AST_CREATE_INDEX);
    ast *where = create->kid[CREATE_INDEX_WHERE];
    ast *keys = create->kid[CREATE_INDEX_COLUMNS];
    for (ast *key = d == DIALECT_SQLITE ? NULL : keys; key; key = key->next) {
        schema_simplify(a, key);
    }
    if (where && d != DIALECT_SQLITE) {
        where = schema_simplify(a, where);
    }
    return (schema_unique_index){keys, where};
}

static bool is_foreign_of_query(const void *about, const ast *n)
{
    (void)about;
    bool ok = true;
    switch ((int)n->kind) {
    case AST_ERROR:
    case AST_INTERVAL:
    case AST_ARRAY:
    case AST_QUANTIFIED:
    case AST_LATERAL:
    case AST_SAMPLE:
    case AST_TAGGED:
    case AST_SUBSCRIPT:
    case AST_MEMBER:
    case AST_GROUPING:
    case AST_TYPED:
    case AST_PARAMETER: ok = false; break;
    case AST_SELECT:
        ok = !n->kid[SELECT_ON] && !n->kid[SELECT_TOP]
             && !n->kid[SELECT_QUALIFY] && !n->kid[SELECT_LOCK];
        break;
    case AST_JOIN: ok = n->form < JOIN_FORM_SEMI; break;
    case AST_CAST: ok = n->form == CAST_FORM_CAST; break;
    default: break;
    }
    return !ok;
}

bool schema_is_portable_query(const ast *query)
{
    assert(ast_is_query(query));
    return !ast_find(query, is_foreign_of_query, NULL);
}

static void simplify_node(void *context, ast *n)
{
    (void)context;
    if (n->kind == AST_CAST && n->form == CAST_FORM_COLONS) {
        n->form = CAST_FORM_CAST;
    }
    if (n->kind == AST_TABLE) {
        n->kid[TABLE_PATH] = NULL;
    }
}

void schema_simplify_query(ast *query)
{
    ast_each(query, simplify_node, NULL);
}
