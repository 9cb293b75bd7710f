/*
 * encode.c - values and conditions; see encode.h.
 */
#include "prove/encode.h"

#include "prove/form.h"
#include "prove/know.h"
#include "prove/normal.h"

#include <math.h>
#include <stdio.h>

enum {
    ENCODED_MAX = 20000,  // terms of a side
    ARGS_MAX = 5,         // of a function whose arguments are looked at
};

// Texts

str encode_name(const encoder *e, const term *t)
{
    for (ptrdiff_t i = 0; i < e->aliases.len; i++) {
        if (e->aliases.ptr[i].term == t) {
            return e->aliases.ptr[i].name;
        }
    }
    return form_term(e->p, t, e->first);
}

static formula *named(encoder *e, formula_sort sort, char what, str name)
{
    str full = arena_printf(e->p->a, "%c %.*s", what, STR_ARG(name));
    return formula_variable(e->s, sort, full);
}

static formula_sort sort_of(known_kind k)
{
    return k == KNOWN_INTEGER || k == KNOWN_NULL ? SORT_OF_WHOLE
                                                 : SORT_OF_NUMBER;
}

static encoded variable(encoder *e, known_kind kind, str name)
{
    return (encoded){
        .kind = kind,
        .null = named(e, SORT_OF_TRUTH, 'n', name),
        .value =
            named(e, sort_of(kind), kind == KNOWN_INTEGER ? 'i' : 'v', name),
    };
}

static void assert_implies(encoder *e, formula *a, formula *b)
{
    solver_assert(e->s, formula_or(e->s, formula_not(e->s, a), b));
}

static encoded null_value(encoder *e)
{
    return (encoded){
        .kind = KNOWN_NULL,
        .null = formula_truth(e->s, true),
        .value = formula_whole(e->s, 0),
    };
}

static encoded never_null(encoder *e, known_kind kind, formula *value)
{
    return (encoded){kind, formula_truth(e->s, false), value};
}

static formula *as_number(encoder *e, encoded x)
{
    return sort_of(x.kind) == SORT_OF_WHOLE ? formula_to_number(e->s, x.value)
                                            : x.value;
}

// Literals

// Exactly the number that SQLite makes of the text.
static bool exact_decimal(str text, char *out, int size)
{
    double d = 0;
    if (!str_to_double(text, &d) || !(fabs(d) < 1e18)
        || (d != 0 && fabs(d) < 1e-18)) {
        return false;
    }
    // The last binary digit is the 2^-112th at least.
    int n = snprintf(out, (size_t)size, "%.120f", d);
    return n > 0 && n < size;
}

static encoded real_literal(encoder *e, const term *t)
{
    char text[160];
    if (!exact_decimal(t->text, text, sizeof text)) {
        return variable(e, KNOWN_REAL, t->text);
    }
    return never_null(e, KNOWN_REAL, formula_number(e->s, text));
}

static encoded text_literal(encoder *e, const term *t)
{
    str name = form_term(e->p, t, 0);
    return never_null(e, KNOWN_TEXT, named(e, SORT_OF_NUMBER, 'v', name));
}

// Functions that are not looked into

// NULL whenever an argument is.
static bool is_strict(const term *t)
{
    switch ((int)t->kind) {
    case TERM_ADD:
    case TERM_SUBTRACT:
    case TERM_MULTIPLY:
    case TERM_DIVIDE:
    case TERM_REMAINDER:
    case TERM_NEGATE:
    case TERM_CONCAT:
    case TERM_CAST: return true;
    default: return know_is_strict(t);
    }
}

static bool may_apply(const encoder *e, const term *t)
{
    bool is_function = t->kind == TERM_CALL || t->kind == TERM_CAST
                       || t->kind == TERM_CONCAT
                       || (t->kind >= TERM_ADD && t->kind <= TERM_REMAINDER);
    if (!is_function || t->block || t->n < 1 || t->n > ARGS_MAX) {
        return false;
    }
    for (int32_t i = 0; i < t->n; i++) {
        known_kind k = known_kind_of(e->p, t->args[i]);
        schema_collation c = COLLATION_BINARY;
        term_collation(t->args[i], &c);
        if (!known_identity(k, k) || c != COLLATION_BINARY) {
            return false;
        }
    }
    return true;
}

// A function of what the arguments are, whatever they are called.
static encoded apply(encoder *e, const term *t, known_kind kind)
{
    formula *args[2 * ARGS_MAX];
    formula_sort sorts[2 * ARGS_MAX];
    int n = 0;
    buf head = buf_new(e->p->a);
    buf_printf(&head, "%d %d %d %.*s", (int)t->kind, (int)t->column,
               (int)t->flag, STR_ARG(t->text));
    for (int32_t i = 0; i < t->n; i++) {
        encoded x = encode_value(e, t->args[i]);
        formula_sort sort = sort_of(x.kind);
        formula *zero = sort == SORT_OF_WHOLE ? formula_whole(e->s, 0)
                                              : formula_number(e->s, "0");
        args[n] = x.null;
        sorts[n++] = SORT_OF_TRUTH;
        args[n] = formula_if(e->s, x.null, zero, x.value);
        sorts[n++] = sort;
        buf_printf(&head, " %d", (int)x.kind);
    }
    str null = arena_printf(e->p->a, "n %.*s", STR_ARG(buf_str(&head)));
    str value = arena_printf(e->p->a, "v %.*s", STR_ARG(buf_str(&head)));
    return (encoded){
        .kind = kind,
        .null = formula_apply(e->s, SORT_OF_TRUTH, null, args, sorts, n),
        .value = formula_apply(e->s, sort_of(kind), value, args, sorts, n),
    };
}

static encoded opaque(encoder *e, const term *t)
{
    known_kind kind = known_kind_of(e->p, t);
    bool applies = may_apply(e, t);
    encoded made =
        applies ? apply(e, t, kind) : variable(e, kind, encode_name(e, t));
    for (int32_t i = 0; is_strict(t) && i < t->n; i++) {
        assert_implies(e, encode_value(e, t->args[i]).null, made.null);
    }
    return made;
}

// Arithmetic of whole numbers that stay within their 64 bits

static bool is_number_term(const term *t)
{
    return t->kind == TERM_INTEGER
           || (t->kind == TERM_NEGATE && t->args[0]->kind == TERM_INTEGER);
}

static encoded arithmetic(encoder *e, const term *t)
{
    bool is_linear = t->kind != TERM_DIVIDE && t->kind != TERM_REMAINDER
                     && (t->kind != TERM_MULTIPLY || is_number_term(t->args[0])
                         || is_number_term(t->args[1]));
    if (known_kind_of(e->p, t) != KNOWN_INTEGER || !is_linear) {
        return opaque(e, t);
    }
    encoded a = encode_value(e, t->args[0]);
    if (t->kind == TERM_NEGATE) {
        a.value = formula_minus(e->s, a.value);
        return a;
    }
    encoded b = encode_value(e, t->args[1]);
    formula *value =
        t->kind == TERM_MULTIPLY ? formula_product(e->s, a.value, b.value)
        : t->kind == TERM_ADD
            ? formula_sum(e->s, a.value, b.value)
            : formula_sum(e->s, a.value, formula_minus(e->s, b.value));
    return (encoded){KNOWN_INTEGER, formula_or(e->s, a.null, b.null), value};
}

// One value or the other; `kind` is that of the whole.
static encoded choose(encoder *e,
                      known_kind kind,
                      formula *test,
                      encoded yes,
                      encoded no)
{
    bool is_whole = sort_of(kind) == SORT_OF_WHOLE;
    formula *left = is_whole ? yes.value : as_number(e, yes);
    formula *right = is_whole ? no.value : as_number(e, no);
    return (encoded){
        .kind = kind,
        .null = formula_if(e->s, test, yes.null, no.null),
        .value = formula_if(e->s, test, left, right),
    };
}

static encoded case_value(encoder *e, const term *t)
{
    known_kind kind = known_kind_of(e->p, t);
    encoded all = t->n % 2 ? encode_value(e, t->args[t->n - 1]) : null_value(e);
    for (int32_t i = t->n / 2 * 2 - 2; i >= 0; i -= 2) {
        encoded_truth when = encode_truth(e, t->args[i]);
        encoded then = encode_value(e, t->args[i + 1]);
        all = choose(e, kind, when.yes, then, all);
    }
    return all;
}

static encoded coalesce(encoder *e, const term *t)
{
    known_kind kind = known_kind_of(e->p, t);
    encoded all = encode_value(e, t->args[t->n - 1]);
    for (int32_t i = t->n - 2; i >= 0; i--) {
        encoded x = encode_value(e, t->args[i]);
        all = choose(e, kind, x.null, all, x);
    }
    return all;
}

static encoded call_value(encoder *e, const term *t)
{
    if (str_equal(t->text, S("coalesce")) && t->n >= 2) {
        return coalesce(e, t);
    }
    bool is_abs = str_equal(t->text, S("abs")) && t->n == 1
                  && known_kind_of(e->p, t->args[0]) == KNOWN_INTEGER;
    if (is_abs && prover_assumes(e->p, ASSUME_TYPES)) {
        encoded x = encode_value(e, t->args[0]);
        formula *is_below = formula_less(e->s, x.value, formula_whole(e->s, 0));
        x.value =
            formula_if(e->s, is_below, formula_minus(e->s, x.value), x.value);
        return x;
    }
    return opaque(e, t);
}

// Columns and aggregates

static encoded column(encoder *e, const term *t)
{
    encoded x = variable(e, known_kind_of(e->p, t), encode_name(e, t));
    if (know_declared_not_null(e->p, t)) {
        solver_assert(e->s, formula_not(e->s, x.null));
    }
    return x;
}

static encoded count_named(encoder *e, str name)
{
    encoded n =
        never_null(e, KNOWN_INTEGER, named(e, SORT_OF_WHOLE, 'i', name));
    solver_assert(e->s, formula_less_equal(
                            e->s, formula_whole(e->s, e->in_groups), n.value));
    return n;
}

static encoded count_rows(encoder *e)
{
    const term *all = term_aggregate(e->p, S("count"), false, NULL, 0);
    return count_named(e, form_term(e->p, all, e->first));
}

// COUNT of what the aggregate is about.
static encoded count_of(encoder *e, const term *t)
{
    const term *count =
        term_aggregate(e->p, S("count"), t->flag, t->args, t->n);
    str name =
        count == t ? encode_name(e, t) : form_term(e->p, count, e->first);
    encoded n =
        never_null(e, KNOWN_INTEGER, named(e, SORT_OF_WHOLE, 'i', name));
    encoded all = count_rows(e);
    solver_assert(e->s,
                  formula_less_equal(e->s, formula_whole(e->s, 0), n.value));
    solver_assert(e->s, formula_less_equal(e->s, n.value, all.value));
    return n;
}

static bool is_aggregate(const term *t, str name)
{
    return str_equal(t->text, name);
}

static encoded aggregate(encoder *e, const term *t)
{
    if (is_aggregate(t, S("count"))) {
        return t->n == 0   ? count_named(e, encode_name(e, t))
               : t->n == 1 ? count_of(e, t)
                           : opaque(e, t);
    }
    encoded x = variable(e, known_kind_of(e->p, t), encode_name(e, t));
    if (is_aggregate(t, S("total"))) {
        solver_assert(e->s, formula_not(e->s, x.null));
    }
    bool is_whole_sum = is_aggregate(t, S("sum")) && x.kind == KNOWN_INTEGER;
    bool is_own = str_equal(encode_name(e, t), form_term(e->p, t, e->first));
    if (t->n == 1 && is_own
        && (is_whole_sum || is_aggregate(t, S("min"))
            || is_aggregate(t, S("max")))) {
        formula *is_empty =
            formula_equal(e->s, count_of(e, t).value, formula_whole(e->s, 0));
        solver_assert(e->s, formula_equal(e->s, x.null, is_empty));
    }
    return x;
}

encoded encode_value(encoder *e, const term *t)
{
    if (e->work++ > ENCODED_MAX) {
        solver_fail(e->s);
    }
    if (t->kind != TERM_INTEGER && term_is_truth(t)) {
        encoded_truth is = encode_truth(e, t);
        formula *one = formula_whole(e->s, 1);
        formula *zero = formula_whole(e->s, 0);
        return (encoded){
            .kind = KNOWN_INTEGER,
            .null = formula_not(e->s, formula_or(e->s, is.yes, is.no)),
            .value = formula_if(e->s, is.yes, one, zero),
        };
    }
    switch ((int)t->kind) {
    case TERM_NULL: return null_value(e);
    case TERM_INTEGER:
        return never_null(e, KNOWN_INTEGER, formula_whole(e->s, t->number));
    case TERM_REAL: return real_literal(e, t);
    case TERM_TEXT: return text_literal(e, t);
    case TERM_COLUMN: return column(e, t);
    case TERM_ADD:
    case TERM_SUBTRACT:
    case TERM_MULTIPLY:
    case TERM_DIVIDE:
    case TERM_REMAINDER:
    case TERM_NEGATE: return arithmetic(e, t);
    case TERM_PLUS: return encode_value(e, t->args[0]);
    case TERM_CASE: return case_value(e, t);
    case TERM_CALL: return call_value(e, t);
    case TERM_AGGREGATE: return aggregate(e, t);
    default: return opaque(e, t);
    }
}

// Comparisons

static bool is_numeric(schema_affinity a)
{
    return a == AFFINITY_INTEGER || a == AFFINITY_NUMERIC || a == AFFINITY_REAL;
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

// Whether comparing with a side of this affinity leaves the value as it is.
static bool stays(encoder *e,
                  const term *t,
                  schema_affinity own,
                  schema_affinity other)
{
    known_kind k = known_kind_of(e->p, t);
    if (is_numeric(other) && !is_numeric(own)) {
        return known_number(k) || k == KNOWN_NULL
               || (t->kind == TERM_TEXT && is_no_number(t->text));
    }
    if (other == AFFINITY_TEXT && own == AFFINITY_BLOB) {
        return k == KNOWN_TEXT || k == KNOWN_NULL;
    }
    return true;
}

static bool is_binary(const term *a, const term *b)
{
    schema_collation c = COLLATION_BINARY;
    return (!term_collation(a, &c) && !term_collation(b, &c))
           || c == COLLATION_BINARY;
}

// Whether the comparison asks nothing but SQLite's order of both values. `own`
// is the affinity of the right side, which IN does not look at.
static bool is_plain(encoder *e,
                     const term *a,
                     const term *b,
                     schema_affinity own)
{
    schema_affinity left = term_affinity(a);
    bool has_rows = a->kind == TERM_ROW || b->kind == TERM_ROW;
    bool of_numbers = known_number(known_kind_of(e->p, a))
                      || known_number(known_kind_of(e->p, b));
    return !has_rows && (of_numbers || is_binary(a, b))
           && stays(e, a, left, own) && stays(e, b, own, left);
}

formula *encode_same(encoder *e, encoded a, encoded b)
{
    formula *value =
        known_number(a.kind) && b.kind == KNOWN_TEXT   ? formula_truth(e->s, 0)
        : known_number(b.kind) && a.kind == KNOWN_TEXT ? formula_truth(e->s, 0)
        : sort_of(a.kind) == SORT_OF_WHOLE && sort_of(b.kind) == SORT_OF_WHOLE
            ? formula_equal(e->s, a.value, b.value)
            : formula_equal(e->s, as_number(e, a), as_number(e, b));
    formula *both = formula_and(e->s, a.null, b.null);
    formula *none = formula_not(e->s, formula_or(e->s, a.null, b.null));
    return formula_or(e->s, both, formula_and(e->s, none, value));
}

// Both are not NULL, and the left one comes first.
static formula *is_before(encoder *e, encoded a, encoded b)
{
    formula *value =
        known_number(a.kind) && b.kind == KNOWN_TEXT   ? formula_truth(e->s, 1)
        : known_number(b.kind) && a.kind == KNOWN_TEXT ? formula_truth(e->s, 0)
        : sort_of(a.kind) == SORT_OF_WHOLE && sort_of(b.kind) == SORT_OF_WHOLE
            ? formula_less(e->s, a.value, b.value)
            : formula_less(e->s, as_number(e, a), as_number(e, b));
    return value;
}

static encoded_truth unless_null(encoder *e,
                                 encoded a,
                                 encoded b,
                                 formula *holds)
{
    formula *none = formula_not(e->s, formula_or(e->s, a.null, b.null));
    return (encoded_truth){
        .yes = formula_and(e->s, none, holds),
        .no = formula_and(e->s, none, formula_not(e->s, holds)),
    };
}

static encoded_truth opaque_truth(encoder *e, const term *t)
{
    str name = encode_name(e, t);
    encoded_truth is = {
        .yes = named(e, SORT_OF_TRUTH, 'y', name),
        .no = named(e, SORT_OF_TRUTH, 'f', name),
    };
    solver_assert(e->s, formula_not(e->s, formula_and(e->s, is.yes, is.no)));
    return is;
}

static encoded_truth swapped(encoded_truth is)
{
    return (encoded_truth){is.no, is.yes};
}

static encoded_truth ordered(encoder *e, int kind, encoded a, encoded b)
{
    switch (kind) {
    case TERM_EQUAL: return unless_null(e, a, b, encode_same(e, a, b));
    case TERM_UNEQUAL:
        return swapped(unless_null(e, a, b, encode_same(e, a, b)));
    case TERM_LESS: return unless_null(e, a, b, is_before(e, a, b));
    case TERM_GREATER: return unless_null(e, a, b, is_before(e, b, a));
    case TERM_LESS_EQUAL:
        return swapped(unless_null(e, a, b, is_before(e, b, a)));
    default: return swapped(unless_null(e, a, b, is_before(e, a, b)));
    }
}

// (a, b) = (c, d), when each pair can be compared.
static bool same_rows(encoder *e,
                      const term *a,
                      const term *b,
                      encoded_truth *all)
{
    bool are_rows = a->kind == TERM_ROW && b->kind == TERM_ROW && a->n == b->n;
    all->yes = formula_truth(e->s, true);
    all->no = formula_truth(e->s, false);
    for (int32_t i = 0; are_rows && i < a->n; i++) {
        are_rows =
            is_plain(e, a->args[i], b->args[i], term_affinity(b->args[i]));
        encoded_truth one = ordered(e, TERM_EQUAL, encode_value(e, a->args[i]),
                                    encode_value(e, b->args[i]));
        all->yes = formula_and(e->s, all->yes, one.yes);
        all->no = formula_or(e->s, all->no, one.no);
    }
    return are_rows;
}

static encoded_truth comparison(encoder *e, const term *t)
{
    const term *a = t->args[0];
    const term *b = t->args[1];
    encoded_truth all;
    if (t->kind == TERM_EQUAL && same_rows(e, a, b, &all)) {
        return all;
    }
    if (t->kind == TERM_UNEQUAL && same_rows(e, a, b, &all)) {
        return swapped(all);
    }
    if (!is_plain(e, a, b, term_affinity(b))) {
        return opaque_truth(e, t);
    }
    return ordered(e, t->kind, encode_value(e, a), encode_value(e, b));
}

static encoded_truth is_test(encoder *e, const term *t)
{
    const term *a = t->args[0];
    const term *b = t->args[1];
    formula *yes = NULL;
    if (b->kind == TERM_NULL) {
        yes = encode_value(e, a).null;
    } else if (is_plain(e, a, b, term_affinity(b))) {
        yes = encode_same(e, encode_value(e, a), encode_value(e, b));
    } else {
        yes = named(e, SORT_OF_TRUTH, 'y', encode_name(e, t));
    }
    return (encoded_truth){yes, formula_not(e->s, yes)};
}

static encoded_truth connected(encoder *e, const term *t)
{
    bool is_and = t->kind == TERM_AND;
    encoded_truth all = {formula_truth(e->s, is_and),
                         formula_truth(e->s, !is_and)};
    for (int32_t i = 0; i < t->n; i++) {
        encoded_truth one = encode_truth(e, t->args[i]);
        all.yes = is_and ? formula_and(e->s, all.yes, one.yes)
                         : formula_or(e->s, all.yes, one.yes);
        all.no = is_and ? formula_or(e->s, all.no, one.no)
                        : formula_and(e->s, all.no, one.no);
    }
    return all;
}

// x IN (a, b): the items are compared as if they had no affinity, by the
// collation of x.
static encoded_truth listed(encoder *e, const term *t)
{
    const term *x = t->args[0];
    schema_collation c = COLLATION_BINARY;
    bool is_known = !term_collation(x, &c) || c == COLLATION_BINARY;
    for (int32_t i = 1; is_known && i < t->n; i++) {
        const term *item = t->args[i];
        is_known = x->kind != TERM_ROW && item->kind != TERM_ROW
                   && stays(e, item, AFFINITY_BLOB, term_affinity(x));
    }
    if (!is_known) {
        return opaque_truth(e, t);
    }
    encoded left = encode_value(e, x);
    encoded_truth all = {formula_truth(e->s, false), formula_truth(e->s, true)};
    for (int32_t i = 1; i < t->n; i++) {
        encoded_truth one =
            ordered(e, TERM_EQUAL, left, encode_value(e, t->args[i]));
        all.yes = formula_or(e->s, all.yes, one.yes);
        all.no = formula_and(e->s, all.no, one.no);
    }
    return all;
}

// LIKE: NULL exactly when an operand is.
static encoded_truth like(encoder *e, const term *t)
{
    formula *holds = named(e, SORT_OF_TRUTH, 'y', encode_name(e, t));
    formula *null = formula_truth(e->s, false);
    for (int32_t i = 0; i < t->n; i++) {
        null = formula_or(e->s, null, encode_value(e, t->args[i]).null);
    }
    formula *known = formula_not(e->s, null);
    return (encoded_truth){
        .yes = formula_and(e->s, known, holds),
        .no = formula_and(e->s, known, formula_not(e->s, holds)),
    };
}

static encoded_truth of_value(encoder *e, const term *t)
{
    known_kind kind = known_kind_of(e->p, t);
    if (!known_number(kind) && kind != KNOWN_NULL) {
        return opaque_truth(e, t);
    }
    encoded x = encode_value(e, t);
    encoded zero = never_null(e, KNOWN_INTEGER, formula_whole(e->s, 0));
    return ordered(e, TERM_UNEQUAL, x, zero);
}

encoded_truth encode_truth(encoder *e, const term *t)
{
    if (e->work++ > ENCODED_MAX) {
        solver_fail(e->s);
    }
    switch ((int)t->kind) {
    case TERM_EQUAL:
    case TERM_UNEQUAL:
    case TERM_LESS:
    case TERM_LESS_EQUAL:
    case TERM_GREATER:
    case TERM_GREATER_EQUAL: return comparison(e, t);
    case TERM_IS: return is_test(e, t);
    case TERM_AND:
    case TERM_OR: return connected(e, t);
    case TERM_NOT: return swapped(encode_truth(e, t->args[0]));
    case TERM_IN_LIST: return listed(e, t);
    case TERM_IN: return opaque_truth(e, t);
    case TERM_EXISTS: {
        formula *yes = named(e, SORT_OF_TRUTH, 'y', encode_name(e, t));
        return (encoded_truth){yes, formula_not(e->s, yes)};
    }
    case TERM_CALL: return term_is_truth(t) ? like(e, t) : of_value(e, t);
    default: return of_value(e, t);
    }
}

formula *encode_all(encoder *e, const term_list *l)
{
    formula *all = formula_truth(e->s, true);
    for (ptrdiff_t i = 0; i < l->len; i++) {
        all = formula_and(e->s, all, encode_truth(e, l->ptr[i]).yes);
    }
    return all;
}
