/*
 * bind_type.c - what is known of the values of an expression: affinity and
 * collation as SQLite has them ("Datatypes In SQLite", 3 and 7), and what
 * people mean by it (kind).
 *
 * Method      From the leaves up, on demand. A column that is shown as it is
 *             keeps its affinity and collation; most operators have none.
 *             Function results are a table (function.def).
 *
 * Cost        Linear in the expression down to DEPTH_MAX levels; below them
 *             nothing is known, which is always a safe answer.
 */
#include "schema/bind.h"
#include "sql/semantics.h"

#include <assert.h>

enum {
    KIND_ARGUMENT = -1,  // that of the first argument
    KIND_FRACTION = -2,
    KIND_CHOSEN = -3,  // that of the second and the third
};

static const struct {
    str name;
    int8_t kind;
    bool is_aggregate;
    bool collects;
} functions[] = {
#define AGGREGATE(name, kind, ...) {S_INIT(name), KIND_##kind, true, false},
#define COLLECT(name, kind, ...)   {S_INIT(name), KIND_##kind, true, true},
#define SCALAR(name, kind, ...)    {S_INIT(name), KIND_##kind, false, false},
#include "sql/function.def"
};

// -1: nothing is known of it.
static int find_function(str name)
{
    assert(name.len > 0);
    for (int i = 0; i < countof(functions); i++) {
        if (functions[i].name.len == name.len
            && to_lower(name.ptr[0]) == functions[i].name.ptr[0]
            && str_equal_fold(functions[i].name, name)) {
            return i;
        }
    }
    return -1;
}

bool bind_collects(const ast *call)
{
    int i = call->kind == AST_CALL && call->text.len > 0
                ? find_function(call->text)
                : -1;
    return i >= 0 && functions[i].collects;
}

bool bind_is_aggregate(const ast *call, dialect d)
{
    if (call->kind != AST_CALL || call->kid[CALL_OVER] || call->text.len == 0) {
        return false;
    }
    int i = find_function(call->text);
    const ast *args = call->kid[CALL_ARGS];
    bool is_scalar = d == DIALECT_SQLITE && args && args->next
                     && str_among_fold(call->text, "min max");
    return i >= 0 && functions[i].is_aggregate && !is_scalar;
}

enum {
    DEPTH_MAX = 50,  // of what is looked at; deeper: nothing is known
};

static bound_column type_at(const binding *b, const ast *n, int depth);

// Of an exact number and of whole ones.
static schema_kind fraction_of(const binding *b, schema_kind kind)
{
    bool is_exact =
        kind == KIND_INTEGER || kind == KIND_DECIMAL || kind == KIND_BOOLEAN;
    bool is_decimal =
        is_exact && dialect_semantics(b->dialect).decimals != DECIMALS_FLOATS;
    return is_decimal ? KIND_DECIMAL : KIND_REAL;
}

// Of IF(test, one, other), where both are of one kind.
static schema_kind kind_of_chosen(const binding *b, const ast *test, int depth)
{
    const ast *one = test ? test->next : NULL;
    const ast *other = one ? one->next : NULL;
    if (!other) {
        return KIND_ANY;
    }
    schema_kind kind = type_at(b, one, depth).kind;
    schema_kind beside = type_at(b, other, depth).kind;
    return one->kind == AST_NULL                       ? beside
           : other->kind == AST_NULL || kind == beside ? kind
                                                       : KIND_ANY;
}

static schema_kind kind_of_call(const binding *b, const ast *n, int depth)
{
    int i = n->text.len > 0 ? find_function(n->text) : -1;
    const ast *first = n->kid[CALL_ARGS];
    if (i < 0) {
        return KIND_ANY;
    }
    if (functions[i].kind >= 0) {
        return (schema_kind)functions[i].kind;
    }
    if (functions[i].kind == KIND_CHOSEN) {
        return kind_of_chosen(b, first, depth);
    }
    schema_kind kind = first ? type_at(b, first, depth).kind : KIND_ANY;
    if (functions[i].kind == KIND_FRACTION) {
        return fraction_of(b, kind);
    }
    bool is_sum = str_equal_fold(n->text, S("sum")) && kind == KIND_BOOLEAN;
    return is_sum ? KIND_INTEGER : kind;
}

static schema_kind kind_of_number(const binding *b, str text)
{
    schema_kind kind = KIND_INTEGER;
    for (ptrdiff_t i = 0; i < text.len; i++) {
        char c = to_lower(text.ptr[i]);
        bool is_hex = i == 1 && c == 'x';
        if (is_hex) {
            return KIND_INTEGER;
        }
        if (c == 'e') {
            return KIND_REAL;
        }
        if (c == '.') {
            kind = fraction_of(b, KIND_INTEGER);
        }
    }
    return kind;
}

static bool is_number_kind(schema_kind k)
{
    return k == KIND_INTEGER || k == KIND_REAL || k == KIND_DECIMAL;
}

static schema_kind kind_of_sum(schema_kind left, schema_kind right)
{
    if (!is_number_kind(left) || !is_number_kind(right)) {
        return KIND_ANY;
    }
    return left == right                             ? left
           : left == KIND_REAL || right == KIND_REAL ? KIND_REAL
           : left == KIND_INTEGER                    ? right
                                                     : left;
}

static schema_kind kind_of_binary(const binding *b, const ast *n, int depth)
{
    switch ((int)n->form) {
    case OPERATOR_ADD:
    case OPERATOR_SUBTRACT:
    case OPERATOR_MULTIPLY:
    case OPERATOR_DIVIDE:
    case OPERATOR_REMAINDER: {
        schema_kind kind =
            kind_of_sum(type_at(b, n->kid[BINARY_LEFT], depth).kind,
                        type_at(b, n->kid[BINARY_RIGHT], depth).kind);
        bool is_real = kind == KIND_INTEGER && n->form == OPERATOR_DIVIDE
                       && dialect_semantics(b->dialect).division_is_real;
        return is_real ? fraction_of(b, kind) : kind;
    }
    case OPERATOR_CONCAT:  // MySQL's OR
        return b->dialect == DIALECT_MYSQL ? KIND_BOOLEAN : KIND_TEXT;
    case OPERATOR_ARROW_TEXT: return KIND_TEXT;
    case OPERATOR_BAR:
    case OPERATOR_AMPERSAND:
    case OPERATOR_SHIFT_LEFT:
    case OPERATOR_SHIFT_RIGHT: return KIND_INTEGER;
    case OPERATOR_ARROW: return KIND_ANY;
    default: return KIND_BOOLEAN;
    }
}

static bound_column type_of_ref(const binding *b, const ast *n)
{
    bound_column none = {.column = -1};
    const bound_ref *ref = bind_ref(b, n);
    if (!ref) {
        return none;
    }
    if (ref->kind == REF_STRING) {
        none.kind = KIND_TEXT;
    } else if (ref->kind == REF_ROWID) {
        none.affinity = AFFINITY_INTEGER;
        none.kind = KIND_INTEGER;
    } else if (ref->kind == REF_COLUMN && ref->column >= 0) {
        assert(ref->column < ref->source->n_columns);
        bound_column c = ref->source->columns[ref->column];
        c.name = (str){0};
        c.source = ref->is_merged ? NULL : ref->source;
        c.column = ref->is_merged ? -1 : ref->column;
        return c;
    }
    return none;
}

static bound_column type_of_case(const binding *b, const ast *n, int depth)
{
    bound_column c = {.column = -1};
    for (const ast *when = n->kid[CASE_WHENS]; when && c.kind == KIND_ANY;
         when = when->next) {
        c.kind = type_at(b, when->kid[WHEN_THEN], depth).kind;
    }
    if (c.kind == KIND_ANY) {
        c.kind = type_at(b, n->kid[CASE_ELSE], depth).kind;
    }
    return c;
}

static bound_column type_of_query(const binding *b, const ast *n)
{
    bound_column c = {.column = -1};
    const bound_query *q = n ? bind_query_at(b, n) : NULL;
    if (q && q->n_outputs > 0) {
        c = q->outputs[0];
        c.collation = COLLATION_BINARY;
    }
    return c;
}

static bound_column type_of_cast(const binding *b, const ast *n, int depth)
{
    bound_column c = {.column = -1};
    const ast *type = n->kid[CAST_TYPE];
    c.collation = type_at(b, n->kid[CAST_EXPR], depth).collation;
    if (type && type->kind == AST_TYPE) {
        c.affinity = schema_affinity_of(type->text);
        c.kind = schema_kind_of(type->text);
    }
    return c;
}

// Unary + keeps the collation and drops the affinity.
static bound_column type_of_unary(const binding *b, const ast *n, int depth)
{
    bound_column c = {.column = -1};
    bound_column of = type_at(b, n->kid[UNARY_EXPR], depth);
    c.kind = n->form == OPERATOR_NOT ? KIND_BOOLEAN : of.kind;
    if (n->form == OPERATOR_POSITIVE) {
        c.collation = of.collation;
    }
    return c;
}

static bound_column type_at(const binding *b, const ast *n, int depth)
{
    bound_column c = {.column = -1};
    if (!n || ++depth > DEPTH_MAX) {
        return c;
    }
    switch ((int)n->kind) {
    case AST_COLUMN:
    case AST_DOUBT: return type_of_ref(b, n);
    case AST_COLLATE:
        c = type_at(b, n->kid[COLLATE_EXPR], depth);
        c.collation = schema_collation_of(n->text);
        c.source = NULL;
        c.column = -1;
        return c;
    case AST_CAST: return type_of_cast(b, n, depth);
    case AST_UNARY: return type_of_unary(b, n, depth);
    case AST_CASE: return type_of_case(b, n, depth);
    case AST_SUBQUERY:
        c = type_of_query(b, n->kid[SUBQUERY_QUERY]);
        c.source = NULL;
        c.column = -1;
        return c;
    case AST_CALL: c.kind = kind_of_call(b, n, depth); break;
    case AST_BINARY: c.kind = kind_of_binary(b, n, depth); break;
    case AST_NUMBER: c.kind = kind_of_number(b, n->text); break;
    case AST_STRING: c.kind = KIND_TEXT; break;
    case AST_TYPED: c.kind = schema_kind_of(n->text); break;
    case AST_BETWEEN:
    case AST_IN:
    case AST_EXISTS:
    case AST_TRUE:
    case AST_FALSE: c.kind = KIND_BOOLEAN; break;
    default: break;
    }
    return c;
}

static bool is_single_at(const binding *b, const ast *n, int depth);

static bool any_single(const binding *b, const ast *list, int depth)
{
    bool found = false;
    for (; list && !found; list = list->next) {
        found = is_single_at(b, list, depth);
    }
    return found;
}

// Is a number computed from one of single precision? What only chooses among
// values (WHEN) has no part in them.
static bool is_single_at(const binding *b, const ast *n, int depth)
{
    if (!n || ++depth > DEPTH_MAX) {
        return false;
    }
    switch ((int)n->kind) {
    case AST_COLUMN:
    case AST_DOUBT: return type_of_ref(b, n).is_single;
    case AST_CAST: return is_single_at(b, n->kid[CAST_EXPR], depth);
    case AST_UNARY: return is_single_at(b, n->kid[UNARY_EXPR], depth);
    case AST_CALL: return any_single(b, n->kid[CALL_ARGS], depth);
    case AST_SUBQUERY:
        return type_of_query(b, n->kid[SUBQUERY_QUERY]).is_single;
    case AST_BINARY:
        return is_single_at(b, n->kid[BINARY_LEFT], depth)
               || is_single_at(b, n->kid[BINARY_RIGHT], depth);
    case AST_CASE:
        for (const ast *w = n->kid[CASE_WHENS]; w; w = w->next) {
            if (is_single_at(b, w->kid[WHEN_THEN], depth)) {
                return true;
            }
        }
        return is_single_at(b, n->kid[CASE_ELSE], depth);
    default: return false;
    }
}

bound_column bind_type(const binding *b, const ast *expr)
{
    bound_column c = type_at(b, expr, 0);
    c.is_single = is_single_at(b, expr, 0);
    c.name = (str){0};
    c.expr = expr;
    return c;
}
