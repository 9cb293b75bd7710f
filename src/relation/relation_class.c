/*
 * relation_class.c - equal columns and NULL; see relation_class.h.
 */
#include "relation/relation_class.h"

#include "relation/known.h"
#include "relation/relation_type.h"
#include "sql/function.h"

#include <assert.h>

static schema_affinity merge_whole(schema_affinity a)
{
    return a == AFFINITY_NUMERIC ? AFFINITY_INTEGER : a;
}

/* PostgreSQL and DuckDB: what is equal need not be the same. */

static bool is_whole(const schema_column *c)
{
    return c->kind == KIND_INTEGER && known_one_form(c);
}

// Without the blanks that pad char(n).
static bool is_plain_text(const schema_column *c)
{
    return c->kind == KIND_TEXT && known_one_form(c)
           && !schema_type_is_char(c->type);
}

static bool have_one_form(const term *a, const term *b)
{
    const schema_column *l = term_stored(a);
    const schema_column *r = term_stored(b);
    if (!l || !r) {
        return false;
    }
    return (is_whole(l) && is_whole(r))
           || (is_plain_text(l) && is_plain_text(r))
           || (str_equal_fold(l->type, r->type) && known_one_form(l));
}

bool know_reads_number(const term *t, str text)
{
    enum {
        EXACT_DIGITS = 15  // that a double keeps
    };
    const schema_column *c = term_stored(t);
    int64_t n = 0;
    if (c && is_whole(c)) {
        // In the least of these types.
        return str_to_int(text, &n) && n >= INT8_MIN && n <= INT8_MAX;
    }
    bool is_float =
        c && c->kind == KIND_REAL && str_among_fold(c->type, "double float8");
    return c && text.len <= EXACT_DIGITS
           && (c->kind == KIND_DECIMAL || is_float
               || str_equal_fold(c->type, S("double precision")));
}

bool know_reads_text(const term *t)
{
    const schema_column *c = term_stored(t);
    return c
           && (str_equal_fold(c->type, S("text"))
               || str_starts_fold(c->type, S("varchar"))
               || str_starts_fold(c->type, S("character varying")))
           && is_plain_text(c);
}

static bool is_inner_column(const term *t)
{
    return t->kind == TERM_COLUMN && !t->source->is_outer;
}

static bool equates_columns(const term *t)
{
    return t->kind == TERM_EQUAL && is_inner_column(t->args[0])
           && is_inner_column(t->args[1]);
}

// A moment that is computed, which has one form as a column of them has.
static bool is_moment(prover *p, const term *t)
{
    return t->kind == TERM_CALL && str_equal(t->text, S("date_trunc"))
           && prover_is_typed(p) && type_looks_alike(p, t);
}

static exact_kind exact_of(prover *p, const term *t, known_kind kind)
{
    const schema_column *c = term_stored(t);
    switch ((int)kind) {
    case KNOWN_NULL: return EXACT_NULL;
    case KNOWN_INTEGER:
    case KNOWN_KEPT: return EXACT_WHOLE;
    // Elsewhere it has a -0.0, or is a decimal of any scale.
    case KNOWN_REAL:
    case KNOWN_KEPT_REAL:
        return prover_is_typed(p) && t->kind != TERM_REAL ? EXACT_NOT
                                                          : EXACT_REAL;
    // A month and 30 days are known as texts, and are equal.
    case KNOWN_TEXT:
        return !prover_is_typed(p) || (c && known_one_form(c))
                       || type_looks_alike(p, t)
                   ? EXACT_TEXT
                   : EXACT_NOT;
    default: return is_moment(p, t) ? EXACT_WHOLE : EXACT_NOT;
    }
}

// Without types if that will do.
exact_kind know_exact(prover *p, const term *t)
{
    unsigned assume = p->assume;
    if (!term_is_binary(t)) {
        return EXACT_NOT;
    }
    p->assume &= ~(unsigned)ASSUME_TYPES;
    exact_kind kind = exact_of(p, t, known_kind_of(p, t));
    p->assume = assume;
    return kind ? kind : exact_of(p, t, known_kind_of(p, t));
}

// Whether equality of these columns is identity of their values.
static bool is_identity(prover *p, const term *a, const term *b)
{
    exact_kind kind = know_exact(p, a);
    return kind && kind == know_exact(p, b)
           && (!prover_is_typed(p) || have_one_form(a, b));
}

bool know_equates(prover *p, const term *t)
{
    return equates_columns(t) && is_identity(p, t->args[0], t->args[1]);
}

exact_kind know_exact_output(prover *p, const block *b, int32_t column)
{
    if (!b->set) {
        assert(column >= 0 && column < b->select.len);
        return know_exact(p, b->select.ptr[column]);
    }
    exact_kind left = know_exact_output(p, b->left, column);
    exact_kind right = know_exact_output(p, b->right, column);
    return left == right || right == EXACT_NULL ? left
           : left == EXACT_NULL                 ? right
                                                : EXACT_NOT;
}

bool know_exact_rows(prover *p, const block *b)
{
    for (ptrdiff_t i = 0; i < block_outputs(b); i++) {
        if (!know_exact_output(p, b, (int32_t)i)) {
            return false;
        }
    }
    return true;
}

// Whether the columns compare alike with any other value.
static bool same_types(const prover *p, const term *a, const term *b)
{
    term_type left = term_type_of(a);
    term_type right = term_type_of(b);
    left.affinity = merge_whole(left.affinity);
    right.affinity = merge_whole(right.affinity);
    if (!p->has_collations) {
        right.has_collation = left.has_collation;
    }
    return term_types_equal(left, right);
}

bool know_identifies(prover *p, const block *b, const term *t)
{
    (void)b;
    return know_equates(p, t) && same_types(p, t->args[0], t->args[1])
           && type_same(p, t->args[0], t->args[1]);
}

static ptrdiff_t class_with(const class_list *l, const term *t)
{
    ptrdiff_t i = 0;
    while (i < l->len && !term_list_has(&l->ptr[i].members, t)) {
        i++;
    }
    return i;
}

const term_list *know_class_of(const class_list *l, const term *t)
{
    static const term_list none;
    ptrdiff_t at = class_with(l, t);
    return at < l->len ? &l->ptr[at].members : &none;
}

// The class of a term, which is alone in a new one.
static ptrdiff_t class_of(prover *p, class_list *l, const term *t)
{
    ptrdiff_t at = class_with(l, t);
    if (at == l->len) {
        term_list_add(p, &vec_push(p->a, l)->members, t);
    }
    return at;
}

static void join_classes(prover *p, class_list *l, const term *a, const term *b)
{
    ptrdiff_t left = class_of(p, l, a);
    ptrdiff_t right = class_of(p, l, b);
    if (left != right) {
        term_list_push_all(p, &l->ptr[left].members, &l->ptr[right].members);
        l->ptr[right] = l->ptr[--l->len];
    }
}

class_list know_classes(prover *p, const block *b)
{
    class_list list = {0};
    for (ptrdiff_t i = 0; i < b->where.len; i++) {
        const term *t = b->where.ptr[i];
        if (know_identifies(p, b, t)) {
            join_classes(p, &list, t->args[0], t->args[1]);
        }
    }
    return list;
}

bool know_same_class(prover *p,
                     const block *b,
                     const term *one,
                     const term *other)
{
    term_list same = {0};
    term_list_push(p, &same, one);
    for (ptrdiff_t i = 0; i < same.len && !term_list_has(&same, other); i++) {
        for (ptrdiff_t k = 0; k < b->where.len; k++) {
            const term *t = b->where.ptr[k];
            bool leads_on =
                t->kind == TERM_EQUAL
                && (t->args[0] == same.ptr[i] || t->args[1] == same.ptr[i]);
            if (leads_on && know_identifies(p, b, t)) {
                term_list_add(p, &same, t->args[0]);
                term_list_add(p, &same, t->args[1]);
            }
        }
    }
    return term_list_has(&same, other);
}

bool know_is_strict(const term *t)
{
    return t->kind == TERM_CALL
           && (function_of(t->text)->is_strict
               || str_starts(t->text, S("cast ")));
}

static bool any_null(const term *t,
                     int32_t n,
                     const term *column,
                     const instance *source)
{
    for (int32_t i = 0; i < n; i++) {
        if (know_null_when(t->args[i], column, source)) {
            return true;
        }
    }
    return false;
}

// Whichever branch is taken: it is NULL, or is not taken.
static bool null_in_each(const term *t,
                         const term *column,
                         const instance *source)
{
    for (int32_t i = 0; i + 1 < t->n; i += 2) {
        if (!know_rejects(t->args[i], column, source)
            && !know_null_when(t->args[i + 1], column, source)) {
            return false;
        }
    }
    return t->n % 2 == 0 || know_null_when(t->args[t->n - 1], column, source);
}

bool know_null_when(const term *t, const term *column, const instance *source)
{
    if (t == column) {
        return true;
    }
    switch (t->kind) {
    case TERM_CASE: return null_in_each(t, column, source);
    case TERM_EQUAL:
    case TERM_UNEQUAL:
    case TERM_LESS:
    case TERM_LESS_EQUAL:
    case TERM_GREATER:
    case TERM_GREATER_EQUAL:
    case TERM_NOT:
    case TERM_ADD:
    case TERM_SUBTRACT:
    case TERM_MULTIPLY:
    case TERM_DIVIDE:
    case TERM_REMAINDER:
    case TERM_CONCAT:
    case TERM_NEGATE:
    case TERM_AS:
    case TERM_CAST: return any_null(t, t->n, column, source);
    case TERM_IN_LIST: return any_null(t, 1, column, source);
    case TERM_CALL:
        return know_is_strict(t) && any_null(t, t->n, column, source);
    case TERM_AGGREGATE:
        // Of NULL only: nothing is summed.
        return t->n == 1 && str_among(t->text, "sum min max")
               && know_null_when(t->args[0], column, source);
    default: return source && t->source == source;
    }
}

// In all parts of an OR, in one of an AND.
static bool rejects_in_parts(const term *t,
                             const term *column,
                             const instance *source)
{
    bool is_all = t->kind == TERM_OR;
    bool rejects = is_all;
    for (int32_t i = 0; rejects == is_all && i < t->n; i++) {
        rejects = know_rejects(t->args[i], column, source);
    }
    return rejects && t->n > 0;
}

// Of EXISTS: has the block no row then?
static bool has_no_row(const block *b,
                       const term *column,
                       const instance *source)
{
    bool rejects = false;
    bool may = !b->set && !block_is_one_group(b);
    for (ptrdiff_t i = 0; may && !rejects && i < b->where.len; i++) {
        rejects = know_rejects(b->where.ptr[i], column, source);
    }
    return rejects;
}

bool know_rejects(const term *t, const term *column, const instance *source)
{
    switch (t->kind) {
    case TERM_EXISTS: return has_no_row(t->block, column, source);
    case TERM_AND:
    case TERM_OR: return rejects_in_parts(t, column, source);
    case TERM_IN: {
        const term *x = t->args[0];
        return x->kind == TERM_ROW ? any_null(x, x->n, column, source)
                                   : know_null_when(x, column, source);
    }
    case TERM_IS:
        return term_is_literal(t->args[1])
               && know_null_when(t->args[0], column, source);
    case TERM_NOT: {
        const term *x = term_tested_not_null(t);
        return know_null_when(x ? x : t->args[0], column, source);
    }
    default: return know_null_when(t, column, source);
    }
}

static bool output_not_null(prover *p, const block *b, int32_t column)
{
    if (b->set) {
        return output_not_null(p, b->left, column)
               && (b->set != SET_UNION || output_not_null(p, b->right, column));
    }
    // The one row of a block without GROUP BY may stand for none.
    assert(column >= 0 && column < b->select.len);
    const term *t = b->select.ptr[column];
    return !(block_is_one_group(b) && term_is_bare(b, t))
           && know_not_null(p, b, t);
}

bool know_never_null(prover *p, const schema_table *t, int32_t column)
{
    const schema_column *c = &t->columns[column];
    return (schema_never_null(t, column) && prover_assumes(p, ASSUME_NOT_NULL))
           || ((c->is_not_null || c->is_rowid)
               && prover_assumes(p, ASSUME_ENFORCED));
}

bool know_declared_not_null(prover *p, const term *t)
{
    assert(t->kind == TERM_COLUMN);
    const instance *source = t->source;
    if (source->is_outer) {
        return false;
    }
    if (source->body) {
        return output_not_null(p, source->body, t->column);
    }
    return t->column < 0 || know_never_null(p, source->columns_of, t->column);
}

// A comparison, or what is made of such: NULL only of NULL.
static bool is_truth_of(const term *t)
{
    return term_compares(t) || t->kind == TERM_AND || t->kind == TERM_OR
           || t->kind == TERM_NOT;
}

static bool args_not_null(prover *p,
                          const block *b,
                          const term *t,
                          const term *except)
{
    bool all = true;
    for (int32_t i = 0; all && i < t->n; i++) {
        all = know_not_null_but(p, b, t->args[i], except);
    }
    return all;
}

// None of what a CASE with ELSE gives, whatever it asks.
static bool branches_not_null(prover *p,
                              const block *b,
                              const term *t,
                              const term *except)
{
    bool all = t->n % 2 == 1;
    for (int32_t i = 0; all && i < t->n; i++) {
        all = term_is_test(t, i) || know_not_null_but(p, b, t->args[i], except);
    }
    return all;
}

// What is computed of values that are not NULL is none: of infinite ones alone
// SQLite gives NULL, too. A group has a row.
static bool computed_not_null(prover *p,
                              const block *b,
                              const term *t,
                              const term *except)
{
    switch (t->kind) {
    case TERM_AS: return know_not_null_but(p, b, t->args[0], except);
    case TERM_ADD:
    case TERM_SUBTRACT:
    case TERM_MULTIPLY:
        return know_not_null_but(p, b, t->args[0], except)
               && know_not_null_but(p, b, t->args[1], except)
               && prover_assumes(p, ASSUME_NO_OVERFLOW);
    case TERM_AGGREGATE:
        return str_equal(t->text, S("count"))
               || (t->n == 1 && b->has_group
                   && str_among(t->text, "sum min max")
                   && know_not_null_but(p, b, t->args[0], except)
                   && (!str_equal(t->text, S("sum"))
                       || prover_assumes(p, ASSUME_NO_OVERFLOW)));
    case TERM_CALL:
        return str_equal(t->text, S("coalesce"))
               && know_not_null_but(p, b, t->args[t->n - 1], except);
    case TERM_CASE: return branches_not_null(p, b, t, except);
    default:
        return term_is_literal(t)
               || ((is_truth_of(t) || t->kind == TERM_CONCAT)
                   && args_not_null(p, b, t, except));
    }
}

bool know_not_null_but(prover *p,
                       const block *b,
                       const term *t,
                       const term *except)
{
    if (t->kind != TERM_COLUMN) {
        return computed_not_null(p, b, t, except);
    }
    for (ptrdiff_t i = 0; i < b->where.len; i++) {
        if (b->where.ptr[i] != except
            && know_rejects(b->where.ptr[i], t, NULL)) {
            return true;
        }
    }
    return know_declared_not_null(p, t);
}

bool know_not_null(prover *p, const block *b, const term *t)
{
    return know_not_null_but(p, b, t, NULL);
}
