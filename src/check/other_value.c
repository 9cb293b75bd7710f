/*
 * other_value.c - what values mean elsewhere: converted, computed, united; see
 * other_meaning.h.
 */
#include "base/clock.h"
#include "check/other_internal.h"
#include "check/spell.h"
#include "sample/type_value.h"

#include <math.h>

// A text that is computed with is a number where values convert.
static bool is_converted(const other_look *l, const ast *n)
{
    const ast *left = n->kid[BINARY_LEFT];
    const ast *right = n->kid[BINARY_RIGHT];
    return l->means.values == VALUES_CONVERTS && other_computes(n->form) && left
           && right && left->kind != AST_INTERVAL && right->kind != AST_INTERVAL
           && (bind_type(l->b, left).kind == KIND_TEXT
               || bind_type(l->b, right).kind == KIND_TEXT);
}

schema_kind other_kind(const other_look *l, const ast *n)
{
    schema_kind kind = bind_type(l->b, n).kind;
    bool is_number =
        kind == KIND_ANY && n->kind == AST_BINARY && is_converted(l, n);
    return is_number ? KIND_REAL : kind;
}

bool other_is_fraction(schema_kind k)
{
    return k == KIND_REAL || k == KIND_DECIMAL;
}

bool other_is_time(schema_kind k)
{
    return k == KIND_DATE || k == KIND_TIME || k == KIND_TIMESTAMP;
}

static bool is_to_text(const ast *cast)
{
    const ast *type = cast->kid[CAST_TYPE];
    return type && schema_kind_of(type->text) == KIND_TEXT;
}

static void look_at_cast(other_look *l, const ast *n)
{
    const ast *type = n->kid[CAST_TYPE];
    schema_kind from = other_kind(l, n->kid[CAST_EXPR]);
    if (other_is_single(l, n)) {
        other_add(l, OTHER_SINGLE, n);
    }
    if (type && l->means.cast_rounds && other_is_fraction(from)
        && schema_kind_of(type->text) == KIND_INTEGER) {
        other_add(l, "a fraction that becomes whole", n);
    }
    schema_kind to = type ? schema_kind_of(type->text) : KIND_ANY;
    bool is_literal = n->kid[CAST_EXPR]->kind == AST_STRING;
    // An error where it is none, as a division by 0 is, or read more freely.
    if (from == KIND_TEXT && to != KIND_TEXT
        && (other_is_time(to)
                ? !is_literal || !other_is_dashed(n->kid[CAST_EXPR])
                : !is_literal && l->means.zero_is_other)) {
        other_add(l, "a text that becomes something else", n);
    }
    if (is_to_text(n)) {
        bound_column of = bind_type(l->b, n->kid[CAST_EXPR]);
        other_padded(l, n, &of);
        if (other_is_fraction(from)) {
            other_add(l, "a REAL as text", n);
        }
    }
}

void other_condition(other_look *l, const ast *n)
{
    if (n && schema_kind_is_number(other_kind(l, n))) {
        other_add_strict(l, "a number as a condition", n);
    }
}

// A literal takes the type that is asked for.
static void look_at_operand(other_look *l, const ast *n, const ast *operand)
{
    schema_kind kind = other_kind(l, operand);
    if (other_is_single(l, operand)) {
        other_add(l, OTHER_SINGLE, n);
    }
    if (other_is_time(kind)) {
        other_add(l, "a time in a computation", n);
    } else if (kind == KIND_BOOLEAN
               || (kind == KIND_TEXT && operand->kind != AST_STRING
                   && l->d != DIALECT_TSQL)) {
        other_add_strict(l, "what is computed of no numbers", n);
    }
}

bool other_computes(int op)
{
    return op == OPERATOR_ADD || op == OPERATOR_SUBTRACT
           || op == OPERATOR_MULTIPLY || op == OPERATOR_DIVIDE
           || op == OPERATOR_REMAINDER || op == OPERATOR_DIV
           || op == OPERATOR_BAR || op == OPERATOR_AMPERSAND
           || op == OPERATOR_CARET || op == OPERATOR_SHIFT_LEFT
           || op == OPERATOR_SHIFT_RIGHT || op == OPERATOR_NEGATE
           || op == OPERATOR_INVERT;
}

// Of a number that is not negative, & leaves the bits that both kinds have.
static void look_at_bits(other_look *l,
                         const ast *n,
                         const ast *left,
                         const ast *right)
{
    bool keeps = n->form == OPERATOR_AMPERSAND
                 && (left->kind == AST_NUMBER || right->kind == AST_NUMBER);
    bool shifts =
        n->form == OPERATOR_SHIFT_LEFT || n->form == OPERATOR_SHIFT_RIGHT;
    bool is_bits = n->form == OPERATOR_AMPERSAND || n->form == OPERATOR_BAR
                   || n->form == OPERATOR_INVERT;
    bool is_whole = other_kind(l, left) == KIND_INTEGER
                    && (!right || other_kind(l, right) == KIND_INTEGER);
    if (shifts) {
        other_add(l, "bits that are shifted", n);
    } else if (is_bits
               && (!is_whole || (l->means.bits_are_unsigned && !keeps))) {
        other_add(l, "bits of a number", n);
    }
}

// The translator adds to '2020-01-31', DATE '2020-01-31', DATE('2020-01-31').
static bool is_literal_day(const ast *n)
{
    const ast *of = n->kind == AST_CALL && str_equal_fold(n->text, S("date"))
                        ? n->kid[CALL_ARGS]
                    : n->kind == AST_CAST  ? n->kid[CAST_EXPR]
                    : n->kind == AST_TYPED ? n->kid[TYPED_VALUE]
                                           : n;
    return of && of->kind == AST_STRING;
}

// INTERVAL 3 HOUR, INTERVAL '3 hours'
static bool has_hours(const ast *span)
{
    static const str units[] = {S_INIT("hour"), S_INIT("min"), S_INIT("sec")};
    const ast *of = span->kid[INTERVAL_VALUE];
    bool found = false;
    for (int i = 0; i < countof(units); i++) {
        found |= str_starts_fold(span->text, units[i])
                 || (of && str_find_fold(of->text, units[i], 0) >= 0);
    }
    return found;
}

// The translator adds to a day, and gives one, or a moment in another spelling.
static void look_at_span(other_look *l,
                         const ast *n,
                         const ast *of,
                         const ast *span)
{
    schema_kind kind = other_kind(l, of);
    bool is_short = has_hours(span);
    bool is_known = kind == KIND_TIMESTAMP ? is_short && l->is_plain
                                           : kind == KIND_DATE && !is_short;
    if (is_literal_day(of)) {
        l->computed = span;
    } else if (!is_known && (kind != KIND_ANY || is_short)) {
        other_add(l, "a moment that is computed", n);
    }
}

static void look_at_operands(other_look *l,
                             const ast *n,
                             const ast *left,
                             const ast *right)
{
    schema_kind one = other_kind(l, left);
    schema_kind other = other_kind(l, right);
    if (n->form == OPERATOR_AND || n->form == OPERATOR_OR) {
        other_condition(l, left);
        other_condition(l, right);
    } else if (n->form == OPERATOR_CONCAT && schema_kind_is_number(one)
               && schema_kind_is_number(other)) {
        other_add_strict(l, "numbers that are joined", n);
    } else if (right->kind == AST_INTERVAL || left->kind == AST_INTERVAL) {
        bool is_first = left->kind == AST_INTERVAL;
        look_at_span(l, n, is_first ? right : left, is_first ? left : right);
    } else if (l->d == DIALECT_TSQL && n->form == OPERATOR_ADD
               && (one == KIND_TEXT) != (other == KIND_TEXT)
               && left->kind != AST_NULL && right->kind != AST_NULL) {
        // A sum, unless the other is a text, too.
        other_add_open(l, "a text that something is added to", n);
    } else if (other_computes(n->form)) {
        look_at_operand(l, n, left);
        look_at_operand(l, n, right);
    }
}

// SQLite keeps 1 of a DECIMAL(10, 2) as whole, and divides it so.
static void look_at_quotient(other_look *l, const ast *n)
{
    if (!l->means.division_is_real
        && bind_type(l->b, n).whole & WHOLE_PERHAPS) {
        other_add(l, "a quotient of decimals", n);
    }
}

static void look_at_column(other_look *l,
                           const ast *n,
                           const ast *sought,
                           const bound_column *column);

// x > ANY (SELECT ...)
static void look_at_quantified(other_look *l,
                               const ast *n,
                               const ast *left,
                               const ast *right)
{
    const bound_query *of =
        right->kind == AST_QUANTIFIED
            ? bind_query_at(l->b, right->kid[QUANTIFIED_EXPR])
            : NULL;
    if (of && of->n_outputs == 1) {
        look_at_column(l, n, left, &of->outputs[0]);
    }
}

static void look_at_binary(other_look *l, const ast *n)
{
    const ast *left = n->kid[BINARY_LEFT];
    const ast *right = n->kid[BINARY_RIGHT];
    if (!left || !right) {
        return;
    }
    look_at_quantified(l, n, left, right);
    look_at_operands(l, n, left, right);
    look_at_bits(l, n, left, right);
    bool has_fraction = other_is_fraction(other_kind(l, left))
                        || other_is_fraction(other_kind(l, right));
    if (operator_weighs(n->form)) {
        other_compared(l, n, left, right);
    } else if (!l->is_plain
               && (n->form == OPERATOR_ILIKE
                   || (n->form == OPERATOR_LIKE
                       && l->means.texts_are_folded))) {
        other_add(l, "a pattern of other letters than A to Z", n);
    } else if (n->form == OPERATOR_DIVIDE) {
        look_at_quotient(l, n);
    } else if (n->form == OPERATOR_REMAINDER && has_fraction) {
        other_add(l, "a fraction under %", n);
    } else if (n->form == OPERATOR_CONCAT) {
        other_as_text(l, n, left);
        other_as_text(l, n, right);
    }
}

// What is of a type of its own there, where values have none; of unknown types
// it is not known that the rules take one for another of its type.
void other_united(other_look *l, const ast *n, const ast *one, const ast *other)
{
    if (!one || !other || one->kind == AST_NULL || other->kind == AST_NULL) {
        return;
    }
    schema_kind a = other_kind(l, one);
    schema_kind b = other_kind(l, other);
    bool is_open = a == KIND_ANY || b == KIND_ANY;
    if (other_has_fewer_digits(l, one, other)) {
        other_add_pair(l, OTHER_SINGLE, one, other);
    }
    if (other_is_mixed(l, a, b)) {
        other_add_open(l, "a text beside a number", n);
    } else if (!is_open && a != b && (other_is_time(a) || other_is_time(b))) {
        other_add_open(l, "values of unlike types that are united", n);
    } else if (is_open && a != b && l->means.values == VALUES_CONVERTS) {
        other_add_shown(l, "values of unknown types that are united", n);
    }
}

static void look_at_case(other_look *l, const ast *n)
{
    const ast *first = n->kid[CASE_WHENS];
    const ast *then = first ? first->kid[WHEN_THEN] : NULL;
    for (const ast *w = first; w; w = w->next) {
        if (n->kid[CASE_EXPR]) {
            other_compared(l, n, n->kid[CASE_EXPR], w->kid[WHEN_IF]);
        } else {
            other_condition(l, w->kid[WHEN_IF]);
        }
        other_united(l, n, then, w->kid[WHEN_THEN]);
    }
    other_united(l, n, then, n->kid[CASE_ELSE]);
}

// Whole numbers among fractions, or a fraction among them.
static void look_at_item(other_look *l,
                         const ast *n,
                         schema_kind one,
                         schema_kind other)
{
    if ((one == KIND_INTEGER && other_is_fraction(other))
        || (n->kid[IN_SOURCE] && other == KIND_INTEGER
            && other_is_fraction(one))) {
        other_add_rounded(l, n);
    }
}

// What is looked for in the column of a subquery.
static void look_at_column(other_look *l,
                           const ast *n,
                           const ast *sought,
                           const bound_column *column)
{
    bound_column type = bind_type(l->b, sought);
    schema_kind one = other_kind(l, sought);
    schema_kind other = column->kind;
    look_at_item(l, n, one, other);
    if (other_is_mixed(l, one, other)) {
        other_add_open(l, "a text beside a number", n);
    }
    bool is_moment = other_times(l, n, one, other);
    if (is_moment || sought->kind == AST_COLUMN) {
        l->out.is_absent |= other_equals_unlike(l->d, &type, column);
    }
    if (!is_moment
        && ((other_is_time(one) && other == KIND_TEXT)
            || (other_is_time(other) && one == KIND_TEXT))) {
        other_add_open(l, "a time beside a text", n);
    }
}

static void look_at_list(other_look *l, const ast *n)
{
    schema_kind one = other_kind(l, n->kid[IN_EXPR]);
    for (const ast *i = n->kid[IN_LIST]; i; i = i->next) {
        other_compared(l, n, n->kid[IN_EXPR], i);
        look_at_item(l, n, one, other_kind(l, i));
    }
    const bound_query *in =
        n->kid[IN_SOURCE] ? bind_query_at(l->b, n->kid[IN_SOURCE]) : NULL;
    const ast *sought = n->kid[IN_EXPR];
    bool is_row = sought->kind == AST_ROW;
    sought = is_row ? sought->kid[ROW_ITEMS] : sought;
    for (ptrdiff_t i = 0; in && sought && i < in->n_outputs; i++) {
        look_at_column(l, n, sought, &in->outputs[i]);
        sought = is_row ? sought->next : NULL;
    }
}

// Columns of a union have one type, where values have none of their own.
static void look_at_union(other_look *l, const ast *n)
{
    const bound_query *left = bind_query_at(l->b, n->kid[SETOP_LEFT]);
    const bound_query *right = bind_query_at(l->b, n->kid[SETOP_RIGHT]);
    for (ptrdiff_t i = 0;
         left && right && i < left->n_outputs && i < right->n_outputs; i++) {
        schema_kind one = left->outputs[i].kind;
        schema_kind other = right->outputs[i].kind;
        bool is_unlike = (other_is_time(one) || other_is_time(other))
                         && one != other && one != KIND_ANY
                         && other != KIND_ANY;
        if (other_is_mixed(l, one, other) || is_unlike) {
            other_add_open(l, "columns of unlike types that are united", n);
        }
        l->out.is_absent |=
            other_equals_unlike(l->d, &left->outputs[i], &right->outputs[i]);
    }
}

void other_value(other_look *l, const ast *n)
{
    switch ((int)n->kind) {
    case AST_BINARY: look_at_binary(l, n); break;
    case AST_UNARY:
        if (other_computes(n->form)) {
            look_at_operand(l, n, n->kid[UNARY_EXPR]);
            look_at_bits(l, n, n->kid[UNARY_EXPR], NULL);
        }
        break;
    case AST_CAST: look_at_cast(l, n); break;
    case AST_SORT: other_sorted(l, n, n->kid[SORT_EXPR]); break;
    case AST_JOIN: other_condition(l, n->kid[JOIN_ON]); break;
    case AST_CASE: look_at_case(l, n); break;
    case AST_IN: look_at_list(l, n); break;
    case AST_SETOP: look_at_union(l, n); break;
    case AST_INTERVAL:
        if (n != l->computed && str_among_fold(n->text, "month year quarter")) {
            other_add(l, "a span of months", n);
        }
        break;
    case AST_BETWEEN:
        other_compared(l, n, n->kid[BETWEEN_EXPR], n->kid[BETWEEN_LOW]);
        other_compared(l, n, n->kid[BETWEEN_EXPR], n->kid[BETWEEN_HIGH]);
        break;
    default: break;
    }
}
