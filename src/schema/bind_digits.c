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

// Of values of which one is taken.
static wholeness either(wholeness a, wholeness b)
{
    return a == b ? a : WHOLE_PERHAPS;
}

// Of values that are computed with.
static wholeness both(wholeness a, wholeness b)
{
    return a == WHOLE_NEVER || b == WHOLE_NEVER ? WHOLE_NEVER : a > b ? a : b;
}

typedef struct whole_reader {
    const binding *b;
    bool is_added;  // to something, or something to it
} whole_reader;

static wholeness whole_at(const whole_reader *r, const ast *n, int depth);

static wholeness whole_of_kind(schema_kind kind, bool is_stored)
{
    return kind == KIND_ANY       ? WHOLE_PERHAPS
           : kind == KIND_DECIMAL ? is_stored ? WHOLE_PERHAPS : WHOLE_NEVER
           : kind == KIND_REAL    ? WHOLE_NEVER
                                  : WHOLE_ALWAYS;
}

static wholeness whole_of_query(const whole_reader *r,
                                const bound_query *q,
                                ptrdiff_t column,
                                int depth)
{
    if (!q || ++depth > DEPTH_MAX || column >= q->n_outputs) {
        return WHOLE_PERHAPS;
    }
    if (q->left && q->right) {
        return either(whole_of_query(r, q->left, column, depth),
                      whole_of_query(r, q->right, column, depth));
    }
    const bound_column *out = &q->outputs[column];
    return q->body     ? whole_of_query(r, q->body, column, depth)
           : out->expr ? whole_at(r, out->expr, depth)
                       : whole_of_kind(out->kind, true);
}

static wholeness whole_of_column(const whole_reader *r, const ast *n, int depth)
{
    const bound_ref *ref = bind_ref(r->b, n);
    bool is_derived = ref && ref->kind == REF_COLUMN && ref->column >= 0
                      && ref->source->kind == SOURCE_QUERY
                      && !ref->source->is_recursive;
    return is_derived
               ? whole_of_query(r, ref->source->query, ref->column, depth)
               : whole_of_kind(bind_type(r->b, n).kind, true);
}

// What rounds gives a float of whole numbers on PostgreSQL.
static wholeness whole_of_call(const whole_reader *r, const ast *n, int depth)
{
    const ast *first = n->kid[CALL_ARGS];
    bool asks = first && str_among_fold(n->text, "if iif");
    bool chooses =
        asks
        || str_among_fold(n->text, "coalesce ifnull nullif greatest least");
    first = asks ? first->next : first;
    bool passes = str_among_fold(n->text, "sum min max abs lag lead "
                                          "first_value last_value");
    if (!first || (!chooses && !passes)) {
        bool rounds = str_among_fold(n->text, "sign floor ceil ceiling");
        return rounds ? WHOLE_PERHAPS
                      : whole_of_kind(bind_type(r->b, n).kind, false);
    }
    wholeness all = whole_at(r, first, depth);
    for (const ast *arg = first->next; chooses && arg; arg = arg->next) {
        all = either(all, whole_at(r, arg, depth));
    }
    return all;
}

// What says nothing: NULL, and 0 where it is divided, not added to.
static bool is_neutral(const whole_reader *r, const ast *n)
{
    return !n || n->kind == AST_NULL
           || (n->kind == AST_NUMBER && !r->is_added
               && str_equal(n->text, S("0")));
}

static wholeness whole_of_case(const whole_reader *r, const ast *n, int depth)
{
    const ast *last = n->kid[CASE_ELSE];
    bool is_first = is_neutral(r, last);
    wholeness all = is_first ? WHOLE_ALWAYS : whole_at(r, last, depth);
    for (const ast *w = n->kid[CASE_WHENS]; w; w = w->next) {
        const ast *then = w->kid[WHEN_THEN];
        if (!is_neutral(r, then)) {
            wholeness one = whole_at(r, then, depth);
            all = is_first ? one : either(all, one);
            is_first = false;
        }
    }
    return all;
}

static wholeness whole_of_binary(const whole_reader *r, const ast *n, int depth)
{
    whole_reader inner = *r;
    inner.is_added |=
        n->form != OPERATOR_MULTIPLY && n->form != OPERATOR_DIVIDE;
    return !n->kid[BINARY_RIGHT]
               ? WHOLE_ALWAYS
               : both(whole_at(&inner, n->kid[BINARY_LEFT], depth),
                      whole_at(&inner, n->kid[BINARY_RIGHT], depth));
}

static wholeness whole_at(const whole_reader *r, const ast *n, int depth)
{
    schema_kind kind = bind_type(r->b, n).kind;
    if (++depth > DEPTH_MAX) {
        return WHOLE_PERHAPS;
    }
    switch ((int)n->kind) {
    case AST_NULL: return WHOLE_ALWAYS;
    case AST_COLUMN:
    case AST_DOUBT: return whole_of_column(r, n, depth);
    case AST_UNARY: return whole_at(r, n->kid[UNARY_EXPR], depth);
    case AST_CASE: return whole_of_case(r, n, depth);
    case AST_CALL: return whole_of_call(r, n, depth);
    case AST_SUBQUERY:
        return whole_of_query(r, bind_query_at(r->b, n->kid[SUBQUERY_QUERY]), 0,
                              depth);
    case AST_BINARY:
        return kind == KIND_BOOLEAN ? WHOLE_ALWAYS
                                    : whole_of_binary(r, n, depth);
    default: return whole_of_kind(kind, false);
    }
}

wholeness bind_wholeness(const binding *b, const ast *n)
{
    whole_reader r = {.b = b};
    return whole_at(&r, n, 0);
}
