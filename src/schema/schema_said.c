/*
 * schema_said.c - see schema_said.h.
 *
 * Method      What another system wrote is translated as its queries are. Then
 *             only kinds of nodes, operators and functions that are listed
 *             pass; what does not is no part of the schema.
 *
 * Cost        Linear in the expression, times the functions listed for a call.
 */
#include "schema/schema_said.h"

#include "sql/ast_rewrite.h"
#include "sql/function.h"
#include "sql/translate.h"

#include <assert.h>

static bool is_function(const ast *call, dialect home)
{
    static const char *const systems[DIALECT_COUNT] = {
        [DIALECT_SQLITE] = "S",
        [DIALECT_POSTGRES] = "P",
        [DIALECT_DUCKDB] = "D",
    };
    bool is_plain = !call->kid[CALL_PATH] && !call->kid[CALL_ORDER]
                    && !call->kid[CALL_LIMIT] && !call->kid[CALL_WITHIN]
                    && !call->kid[CALL_FILTER] && !call->kid[CALL_OVER];
    return is_plain && systems[home]
           && function_may_run(call->text, systems[home]);
}

// Of SQLite, but for those that call a function.
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
    dialect home = *(const dialect *)about;
    bool is_own = home != DIALECT_SQLITE;
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
    case AST_SORT:
    case AST_COLLATE: ok = true; break;
    case AST_TYPE: ok = !is_own || schema_type_is_known(n->text); break;
    case AST_ARRAY:
    case AST_QUANTIFIED: ok = is_own; break;
    case AST_STRING: ok = n->text.len > 0 && n->text.ptr[0] == '\''; break;
    case AST_UNARY:
    case AST_BINARY: ok = is_own || is_operator(n->form); break;
    case AST_IN: ok = !n->kid[IN_SOURCE]; break;
    case AST_CAST: ok = is_own || n->form == CAST_FORM_CAST; break;
    case AST_CALL: ok = is_function(n, home); break;
    default: break;
    }
    return !ok;
}

typedef struct column_look {
    arena *a;
    const schema_table *t;
} column_look;

// Of a type that keeps what it is given of its kind, as text, varchar and
// bigint; KIND_ANY: it may cut it off, pad it or round it. `is_array`: of its
// items.
static schema_kind kept_by(const ast *type, bool is_array)
{
    bool varies = false;
    bool ok = type->kind == AST_TYPE && !type->kid[TYPE_ARGS];
    for (const ast *word = type->kid[TYPE_AFTER]; ok && word;
         word = word->next) {
        bool is_bracket = str_starts(word->text, S("["));
        varies |= str_equal_fold(word->text, S("varying"));
        ok = is_bracket == is_array;
        is_array &= !is_bracket;
    }
    schema_kind kind = schema_kind_of(type->text);
    bool is_kept = kind == KIND_TEXT
                       ? varies || !schema_type_is_char(type->text)
                       : kind == KIND_INTEGER
                             && !str_equal_fold(type->text, S("unsigned"));
    return ok && !is_array && is_kept ? kind : KIND_ANY;
}

// Of the value, or of all items of an array; of a cast only if it changes
// nothing. KIND_ANY: not known.
static schema_kind kind_of(const schema_table *t, const ast *n)
{
    const ast *type = n->kind == AST_CAST ? n->kid[CAST_TYPE] : NULL;
    if (type) {
        const ast *of = n->kid[CAST_EXPR];
        schema_kind kind = kept_by(type, of->kind == AST_ARRAY);
        return kind != KIND_ANY && kind_of(t, of) == kind ? kind : KIND_ANY;
    }
    if (n->kind == AST_ARRAY && n->kid[ARRAY_ITEMS]) {
        const ast *item = n->kid[ARRAY_ITEMS];
        schema_kind kind = kind_of(t, item);
        while (item && kind_of(t, item) == kind) {
            item = item->next;
        }
        return item ? KIND_ANY : kind;
    }
    int32_t c = schema_column_named(t, n);
    int64_t whole;
    return n->kind == AST_STRING                                  ? KIND_TEXT
           : n->kind == AST_NUMBER && str_to_int(n->text, &whole) ? KIND_INTEGER
           : c >= 0 && !schema_type_is_char(t->columns[c].type)
               ? t->columns[c].kind
               : KIND_ANY;
}

// Without the casts that change nothing, which pg_dump writes everywhere.
static ast *uncast(void *context, const ast *n)
{
    const column_look *l = context;
    bool is_idle = n->kind == AST_CAST && kind_of(l->t, n) != KIND_ANY;
    return is_idle ? ast_rewrite(l->a, n->kid[CAST_EXPR], uncast, context)
                   : NULL;
}

// To a whole number, which SQLite cuts off, or to one of single precision,
// which it has not.
static bool is_rounded(const void *dialect_of, const ast *n)
{
    const ast *type = n->kind == AST_CAST ? n->kid[CAST_TYPE] : NULL;
    return type
           && (schema_kind_of(type->text) == KIND_INTEGER
               || schema_cast_is_single(type, *(const dialect *)dialect_of));
}

const ast *schema_said(arena *a,
                       const schema_table *t,
                       const ast *expr,
                       dialect from,
                       dialect home,
                       arena scratch)
{
    str why;
    const ast *said = expr;
    if (from != home) {
        column_look look = {a, t};
        said = ast_rewrite(a, expr, uncast, &look);
        bool may = home == DIALECT_SQLITE && !ast_find(said, is_rounded, &from);
        said = may ? translate_to_sqlite(a, said, from, &why, scratch) : NULL;
    }
    return said && !ast_find(said, is_foreign, &home) ? said : NULL;
}

static bool is_other_name(const void *table, const ast *n)
{
    bool is_qualified = n->kind == AST_COLUMN && n->kid[COLUMN_PATH];
    return (n->kind == AST_COLUMN || n->kind == AST_DOUBT)
           && (is_qualified || schema_find_column(table, n->text) < 0);
}

bool schema_names_others(const schema_table *t, const ast *expr)
{
    return ast_find(expr, is_other_name, t);
}

bool schema_index_said(schema_unique_index *out,
                       arena *a,
                       const schema_table *t,
                       const ast *create,
                       dialect from,
                       dialect home,
                       arena scratch)
{
    assert(create->kind == AST_CREATE_INDEX);
    const ast *where = create->kid[CREATE_INDEX_WHERE];
    ast *keys = NULL;
    ast **at = &keys;
    bool ok = true;
    for (const ast *key = create->kid[CREATE_INDEX_COLUMNS]; key && ok;
         key = key->next) {
        const ast *said = schema_said(a, t, key, from, home, scratch);
        ok = said && key->kind == AST_SORT && !schema_names_others(t, said);
        *at = ok ? ast_copy(a, said) : NULL;
        at = ok ? &(*at)->next : at;
    }
    if (ok && where) {
        where = schema_said(a, t, where, from, home, scratch);
        ok = where && !schema_names_others(t, where);
    }
    *out = (schema_unique_index){keys, where};
    return ok;
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
