/*
 * bind_digits.c - see bind_digits.h.
 *
 * Method      From the leaves up: a product has the digits of both factors, a
 *             quotient some more than its dividend, the rest as many as the
 *             operand that has most.
 *
 * Cost        Linear in the expression, down to DEPTH_MAX levels.
 */
#include "schema/bind_digits.h"

typedef struct digit_reader {
    const binding *b;
    semantics_decimals decimals;
} digit_reader;

enum {
    DEPTH_MAX = 50,
};

static int digits_at(const digit_reader *l, const ast *n, int depth);

static int most(int a, int b)
{
    return a == DIGITS_OPEN || b == DIGITS_OPEN ? DIGITS_OPEN : a > b ? a : b;
}

static int digits_of_list(const digit_reader *l, const ast *list, int depth)
{
    int digits = 0;
    for (; list; list = list->next) {
        digits = most(digits, digits_at(l, list, depth));
    }
    return digits;
}

// Of a declared DECIMAL(p, s).
static int digits_of_column(const digit_reader *l, const ast *n, int depth)
{
    bound_place at = bind_stored_at(l->b, n);
    bound_column c = bind_type(l->b, n);
    if (at.table < 0 || at.column < 0) {
        const bound_ref *ref = bind_ref(l->b, n);
        bool is_inner = ref && ref->kind == REF_COLUMN && ref->column >= 0;
        const ast *expr =
            is_inner ? ref->source->columns[ref->column].expr : NULL;
        return expr ? digits_at(l, expr, depth) : DIGITS_OPEN;
    }
    str type = l->b->schema->tables[at.table].columns[at.column].type;
    ptrdiff_t comma = str_find(type, S(","), 0);
    ptrdiff_t end = str_find(type, S(")"), 0);
    int64_t digits = 0;
    bool is_said =
        comma >= 0 && end > comma
        && str_to_int(str_trim(str_sub(type, comma + 1, end)), &digits);
    return c.kind == KIND_INTEGER || is_said || end >= 0 ? (int)digits
                                                         : DIGITS_OPEN;
}

// More than the dividend has.
static int digits_of_quotient(const digit_reader *l,
                              const ast *dividend,
                              int depth)
{
    int digits = digits_at(l, dividend, depth);
    int more = l->decimals == DECIMALS_FOUR  ? 4
               : l->decimals == DECIMALS_SIX ? 6
                                             : DIGITS_OPEN;
    return digits == DIGITS_OPEN || more == DIGITS_OPEN ? DIGITS_OPEN
                                                        : digits + more;
}

static int digits_of_call(const digit_reader *l, const ast *n, int depth)
{
    const ast *first = n->kid[CALL_ARGS];
    int64_t places = 0;
    if (str_equal_fold(n->text, S("round"))) {
        bool is_said = first && first->next && first->next->kind == AST_NUMBER;
        return !first || !first->next
                       || (is_said && str_to_int(first->next->text, &places))
                   ? (int)places
                   : DIGITS_OPEN;
    }
    return str_equal_fold(n->text, S("avg"))
               ? digits_of_quotient(l, first, depth)
           : str_among_fold(n->text, "sum min max abs coalesce ifnull nullif")
               ? digits_of_list(l, first, depth)
           : bind_type(l->b, n).kind == KIND_INTEGER ? 0
                                                     : DIGITS_OPEN;
}

static int digits_of_binary(const digit_reader *l, const ast *n, int depth)
{
    int left = digits_at(l, n->kid[BINARY_LEFT], depth);
    int right = digits_at(l, n->kid[BINARY_RIGHT], depth);
    bool is_open = left == DIGITS_OPEN || right == DIGITS_OPEN;
    return n->form == OPERATOR_DIVIDE
               ? digits_of_quotient(l, n->kid[BINARY_LEFT], depth)
           : is_open                      ? DIGITS_OPEN
           : n->form == OPERATOR_MULTIPLY ? left + right
                                          : most(left, right);
}

static int digits_of_cast(const ast *n)
{
    const ast *size =
        n->kid[CAST_TYPE] ? n->kid[CAST_TYPE]->kid[TYPE_ARGS] : NULL;
    int64_t digits = 0;
    return !size || !size->next || str_to_int(size->next->text, &digits)
               ? (int)digits
               : DIGITS_OPEN;
}

// Of an exact number, behind its point.
static int digits_at(const digit_reader *l, const ast *n, int depth)
{
    if (!n || ++depth > DEPTH_MAX) {
        return DIGITS_OPEN;
    }
    switch ((int)n->kind) {
    case AST_NUMBER: {
        ptrdiff_t point = str_find(n->text, S("."), 0);
        return point < 0 ? 0 : (int)(n->text.len - point - 1);
    }
    case AST_NULL: return 0;
    case AST_CAST: return digits_of_cast(n);
    case AST_COLUMN: return digits_of_column(l, n, depth);
    case AST_UNARY: return digits_at(l, n->kid[UNARY_EXPR], depth);
    case AST_BINARY:
        return bind_type(l->b, n).kind == KIND_BOOLEAN
                   ? 0
                   : digits_of_binary(l, n, depth);
    case AST_CALL: return digits_of_call(l, n, depth);
    case AST_CASE: {
        int digits =
            n->kid[CASE_ELSE] ? digits_at(l, n->kid[CASE_ELSE], depth) : 0;
        for (const ast *w = n->kid[CASE_WHENS]; w; w = w->next) {
            digits = most(digits, digits_at(l, w->kid[WHEN_THEN], depth));
        }
        return digits;
    }
    default:
        return bind_type(l->b, n).kind == KIND_INTEGER
                       || bind_type(l->b, n).kind == KIND_BOOLEAN
                   ? 0
                   : DIGITS_OPEN;
    }
}

int digits_of(const binding *b, semantics_decimals decimals, const ast *n)
{
    digit_reader l = {.b = b, .decimals = decimals};
    return digits_at(&l, n, 0);
}

static bool whole_at(const binding *b, const ast *n, int depth)
{
    schema_kind kind = bind_type(b, n).kind;
    if (depth > DEPTH_MAX || kind != KIND_DECIMAL) {
        return kind == KIND_INTEGER;
    }
    bool passes = n->kind == AST_CALL
                  && str_among_fold(n->text, "sum min max abs coalesce nullif");
    return n->kind == AST_COLUMN
           || (n->kind == AST_BINARY
               && whole_at(b, n->kid[BINARY_LEFT], depth + 1)
               && whole_at(b, n->kid[BINARY_RIGHT], depth + 1))
           || (passes && n->kid[CALL_ARGS]
               && whole_at(b, n->kid[CALL_ARGS], depth + 1));
}

bool may_be_whole(const binding *b, const ast *n)
{
    return whole_at(b, n, 0);
}
