/*
 * known.c - which kinds of values a term has; see known.h.
 */
#include "relation/known.h"

#include "relation/relation_type.h"

#include <assert.h>

bool known_number(known_kind k)
{
    return k == KNOWN_INTEGER || k == KNOWN_REAL || k == KNOWN_NUMBER;
}

bool known_identity(known_kind a, known_kind b)
{
    return a == KNOWN_NULL || b == KNOWN_NULL
           || (a == b
               && (a == KNOWN_INTEGER || a == KNOWN_REAL || a == KNOWN_TEXT
                   || a == KNOWN_KEPT || a == KNOWN_KEPT_REAL));
}

// Of a value that is of either kind.
known_kind known_join(known_kind a, known_kind b)
{
    return a == b                               ? a
           : a == KNOWN_NULL                    ? b
           : b == KNOWN_NULL                    ? a
           : known_number(a) && known_number(b) ? KNOWN_NUMBER
                                                : KNOWN_NOTHING;
}

// By its words: the letters of interval, point and int4range hold an `int`.
static bool is_whole_type(const schema_column *c)
{
    return c->kind == KIND_INTEGER
           && str_among_fold(c->type,
                             "smallint integer int bigint int1 int2 int4 int8 "
                             "serial bigserial smallserial serial2 serial4 "
                             "serial8 tinyint hugeint utinyint usmallint "
                             "uinteger ubigint");
}

// Arrays may hold what has several forms.
static bool is_spelt_one_way(const schema_column *c)
{
    return c->kind == KIND_TEXT && !str_ends(c->type, S("]"))
           && !str_among_fold(c->type,
                              "citext interval json jsonb xml point inet");
}

// numeric(10,2) has, numeric has 1.0 and 1.00, interval a month and 30 days.
bool known_one_form(const schema_column *c)
{
    switch (c->kind) {
    case KIND_INTEGER: return is_whole_type(c);
    case KIND_BOOLEAN:
    case KIND_DATE:
    case KIND_TIMESTAMP:
    case KIND_BYTES: return true;
    case KIND_TEXT: return is_spelt_one_way(c);
    case KIND_DECIMAL: return str_find(c->type, S("("), 0) >= 0;
    case KIND_REAL:  // 0.0 and -0.0
    case KIND_ANY:
    case KIND_TIME: break;
    }
    return false;
}

static known_kind of_table_column(prover *p, const term *t)
{
    if (t->column < 0) {
        return KNOWN_INTEGER;
    }
    assert(t->column < t->source->columns_of->n_columns);
    const schema_column *c = &t->source->columns_of->columns[t->column];
    if (c->affinity == AFFINITY_TEXT) {
        return KNOWN_TEXT;
    }
    bool is_integer =
        c->affinity == AFFINITY_INTEGER && c->kind == KIND_INTEGER;
    bool is_real = c->affinity == AFFINITY_REAL && c->kind == KIND_REAL;
    if ((is_integer || is_real) && prover_assumes_type(p, c)) {
        return is_integer ? KNOWN_INTEGER : KNOWN_REAL;
    }
    return c->affinity == AFFINITY_BLOB
                   || (prover_is_typed(p) && !known_one_form(c))
               ? KNOWN_NOTHING
           : c->affinity == AFFINITY_REAL ? KNOWN_KEPT_REAL
                                          : KNOWN_KEPT;
}

static known_kind of_output(prover *p, const block *b, int32_t column)
{
    if (b->set) {
        return known_join(of_output(p, b->left, column),
                          of_output(p, b->right, column));
    }
    assert(column >= 0 && column < b->select.len);
    return known_kind_of(p, b->select.ptr[column]);
}

static known_kind of_aggregate(prover *p, const term *t)
{
    if (str_equal(t->text, S("count"))) {
        return KNOWN_INTEGER;
    }
    if (str_equal(t->text, S("total"))) {
        return KNOWN_REAL;
    }
    known_kind arg = t->n == 1 ? known_kind_of(p, t->args[0]) : KNOWN_NOTHING;
    if (str_equal(t->text, S("sum"))) {
        return arg == KNOWN_INTEGER || arg == KNOWN_REAL || arg == KNOWN_NULL
                   ? arg
                   : KNOWN_NUMBER;
    }
    return str_among(t->text, "min max") ? arg : KNOWN_NOTHING;
}

static known_kind of_call(prover *p, const term *t)
{
    const sql_function *f = type_function_of(p, t);
    if (f->is_firm) {
        return f->result == RESULT_INTEGER || f->result == RESULT_BOOLEAN
                   ? KNOWN_INTEGER
               : f->result == RESULT_FRACTION || f->result == RESULT_REAL
                   ? KNOWN_REAL
                   : KNOWN_TEXT;
    }
    bool is_abs = str_equal(t->text, S("abs")) && t->n == 1;
    if (is_abs && known_kind_of(p, t->args[0]) == KNOWN_INTEGER) {
        return KNOWN_INTEGER;
    }
    known_kind all = KNOWN_NULL;
    for (int32_t i = 0; i < t->n; i++) {
        all = known_join(all, known_kind_of(p, t->args[i]));
    }
    return str_equal(t->text, S("coalesce")) ? all
           : is_abs                          ? KNOWN_NUMBER
                                             : KNOWN_NOTHING;
}

static known_kind of_case(prover *p, const term *t)
{
    known_kind all =
        t->n % 2 ? known_kind_of(p, t->args[t->n - 1]) : KNOWN_NULL;
    for (int32_t i = 1; i < t->n; i += 2) {
        all = known_join(all, known_kind_of(p, t->args[i]));
    }
    return all;
}

static known_kind of_arithmetic(prover *p, const term *t)
{
    if (t->flag) {
        return KNOWN_REAL;
    }
    // Sums and products stay whole: they do not overflow.
    for (int32_t i = 0; i < t->n; i++) {
        if (known_kind_of(p, t->args[i]) != KNOWN_INTEGER) {
            return KNOWN_NUMBER;
        }
    }
    return prover_assumes(p, ASSUME_TYPES | ASSUME_NO_OVERFLOW) ? KNOWN_INTEGER
                                                                : KNOWN_NUMBER;
}

static known_kind of_cast(const term *t)
{
    switch ((schema_affinity)t->column) {
    case AFFINITY_INTEGER: return KNOWN_INTEGER;
    case AFFINITY_REAL: return KNOWN_REAL;
    case AFFINITY_NUMERIC: return KNOWN_NUMBER;
    case AFFINITY_TEXT: return KNOWN_TEXT;
    case AFFINITY_BLOB: break;
    }
    return KNOWN_NOTHING;
}

known_kind known_kind_of(prover *p, const term *t)
{
    if (t->n > 0 && p->work++ > WORK_MAX) {
        prover_stop(p, S("a query that is too large"));
        return KNOWN_NOTHING;
    }
    if (t->kind != TERM_INTEGER && term_is_truth(t)) {
        return KNOWN_INTEGER;
    }
    switch ((int)t->kind) {
    case TERM_NULL: return KNOWN_NULL;
    case TERM_INTEGER: return KNOWN_INTEGER;
    case TERM_REAL: return KNOWN_REAL;
    case TERM_TEXT:
    case TERM_CONCAT: return KNOWN_TEXT;
    case TERM_COLUMN:
        return t->source->body ? of_output(p, t->source->body, t->column)
                               : of_table_column(p, t);
    case TERM_SCALAR: return of_output(p, t->block, 0);
    case TERM_ADD:
    case TERM_SUBTRACT:
    case TERM_MULTIPLY:
    case TERM_DIVIDE:
    case TERM_REMAINDER:
    case TERM_NEGATE: return of_arithmetic(p, t);
    case TERM_AS: return known_kind_of(p, t->args[0]);
    case TERM_CAST: return of_cast(t);
    case TERM_CASE: return of_case(p, t);
    case TERM_CALL: return of_call(p, t);
    case TERM_AGGREGATE: return of_aggregate(p, t);
    default: return KNOWN_NOTHING;
    }
}

bool known_is(prover *p, const term *t, known_kind kind, unsigned may)
{
    unsigned assume = p->assume;
    unsigned touched = p->touched;
    p->assume &= may;
    bool is = known_kind_of(p, t) == kind;
    p->assume = assume;
    p->touched = is ? p->touched : touched;
    return is;
}

// A value that one of its parts has, as CASE and COALESCE give it?
static bool is_choice(const term *t)
{
    return t->kind == TERM_CASE
           || (t->kind == TERM_CALL && str_equal(t->text, S("coalesce")));
}

static bool is_counted(prover *p, const term *t)
{
    const schema_column *c = term_stored(t);
    bool is = is_choice(t);
    for (int32_t i = 0; is && i < t->n; i++) {
        is = term_is_test(t, i) || is_counted(p, t->args[i]);
    }
    bool is_decimal =
        c && c->kind == KIND_DECIMAL && schema_affinity_is_number(c->affinity);
    return is || (is_decimal && prover_assumes_type(p, c))
           || known_kind_of(p, t) == KNOWN_NULL
           || known_number(known_kind_of(p, t));
}

bool known_counts(prover *p, const term *t)
{
    unsigned touched = p->touched;
    return is_counted(p, t) && prover_takes_types(p, touched);
}

// Text that no conversion takes for a number.
static bool is_no_number(str s)
{
    for (ptrdiff_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        bool may_be = is_digit(c) || c == '+' || c == '.' || c == 'e'
                      || c == 'E' || (c >= '\t' && c <= '\r') || c == ' '
                      || (c == '-' && (i == 0 || !is_digit(s.ptr[i - 1])));
        if (!may_be) {
            return true;
        }
    }
    return s.len == 0;
}

bool known_stays(prover *p,
                 const term *t,
                 schema_affinity own,
                 schema_affinity other)
{
    known_kind k = known_kind_of(p, t);
    if (schema_affinity_is_number(other) && !schema_affinity_is_number(own)) {
        return known_number(k) || k == KNOWN_NULL
               || (t->kind == TERM_TEXT && is_no_number(t->text))
               || (t->kind == TERM_CALL && str_equal(t->text, S("date")));
    }
    if (other == AFFINITY_TEXT && own == AFFINITY_BLOB) {
        return k == KNOWN_TEXT || k == KNOWN_NULL;
    }
    return true;
}

/* What SQLite stores of a column. */

// All affinities that the sides of a column have, as bits.
static unsigned affinities_of(const block *b, int32_t column)
{
    if (b->set) {
        return affinities_of(b->left, column) | affinities_of(b->right, column);
    }
    const term *t = b->select.ptr[column];
    if (t->kind == TERM_COLUMN && t->source->body) {
        return affinities_of(t->source->body, t->column);
    }
    term_type type = term_type_of(t);
    return type.has_affinity ? 1u << type.affinity : 0;
}

// Whether one of the affinities makes another value of a value of the term.
static bool is_converted(prover *p, const term *t, unsigned affinities)
{
    const unsigned whole = 1u << AFFINITY_INTEGER | 1u << AFFINITY_NUMERIC;
    const unsigned numbers = whole | 1u << AFFINITY_REAL;
    term_type type = term_type_of(t);
    unsigned own = type.has_affinity ? 1u << type.affinity : 0;
    own |= own & whole ? whole : 0;
    affinities &= ~(own | 1u << AFFINITY_BLOB);
    if (affinities == 0) {
        return false;
    }
    switch ((int)known_kind_of(p, t)) {
    case KNOWN_NULL: return false;
    case KNOWN_INTEGER: return (affinities & ~whole) != 0;
    case KNOWN_REAL: return (affinities & ~(1u << AFFINITY_REAL)) != 0;
    case KNOWN_TEXT: return (affinities & numbers) != 0;
    default: return true;
    }
}

static bool converts(prover *p, const block *b, int32_t column, unsigned all)
{
    if (b->set) {
        return converts(p, b->left, column, all)
               || converts(p, b->right, column, all);
    }
    const term *t = b->select.ptr[column];
    return t->kind == TERM_COLUMN && t->source->body
               ? converts(p, t->source->body, t->column, all)
               : is_converted(p, t, all);
}

bool known_converts(prover *p, const term *column)
{
    const instance *s = column->source;
    return !prover_is_typed(p) && s->body
           && converts(p, s->body, column->column,
                       affinities_of(s->body, column->column));
}
