/*
 * encode.c - values as formulas; see encode.h. Conditions: encode_truth.c.
 */
#include "prove/encode_internal.h"
#include "prove/form.h"
#include "relation/normal.h"
#include "relation/relation_class.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

enum {
    ARGS_MAX = 5,  // of a function whose arguments are looked at
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

formula *encode_named(encoder *e, formula_sort sort, char what, str name)
{
    str full = arena_printf(e->p->a, "%c %.*s", what, STR_ARG(name));
    return formula_variable(e->s, sort, full);
}

formula_sort encode_sort(known_kind k)
{
    return k == KNOWN_INTEGER || k == KNOWN_NULL ? SORT_OF_WHOLE
                                                 : SORT_OF_NUMBER;
}

static encoded variable(encoder *e, known_kind kind, str name)
{
    return (encoded){
        .kind = kind,
        .null = encode_named(e, SORT_OF_TRUTH, 'n', name),
        .value = encode_named(e, encode_sort(kind),
                              kind == KNOWN_INTEGER ? 'i' : 'v', name),
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

encoded encode_known(encoder *e, known_kind kind, formula *value)
{
    return (encoded){kind, formula_truth(e->s, false), value};
}

formula *encode_number(encoder *e, encoded x)
{
    return encode_sort(x.kind) == SORT_OF_WHOLE
               ? formula_to_number(e->s, x.value)
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
    return encode_known(e, KNOWN_REAL, formula_number(e->s, text));
}

static encoded text_literal(encoder *e, const term *t)
{
    str name = form_term(e->p, t, 0);
    return encode_known(e, KNOWN_TEXT,
                        encode_named(e, SORT_OF_NUMBER, 'v', name));
}

// One value or the other; `kind` is that of the whole.
static encoded choose(encoder *e,
                      known_kind kind,
                      formula *test,
                      encoded yes,
                      encoded no)
{
    bool is_whole = encode_sort(kind) == SORT_OF_WHOLE;
    formula *left = is_whole ? yes.value : encode_number(e, yes);
    formula *right = is_whole ? no.value : encode_number(e, no);
    return (encoded){
        .kind = kind,
        .null = formula_if(e->s, test, yes.null, no.null),
        .value = formula_if(e->s, test, left, right),
    };
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

// Sums and products take their sides in the order of their texts.
static bool comes_swapped(const encoder *e, const term *t)
{
    return (t->kind == TERM_ADD || t->kind == TERM_MULTIPLY)
           && str_compare(encode_name(e, t->args[0]),
                          encode_name(e, t->args[1]))
                  > 0;
}

// A function of what the arguments are, whatever they are called.
static encoded apply(encoder *e, const term *t, known_kind kind)
{
    formula *args[2 * ARGS_MAX];
    formula_sort sorts[2 * ARGS_MAX];
    int n = 0;
    assert(t->n >= 1 && t->n <= ARGS_MAX);
    buf head = buf_new(e->p->a);
    buf_printf(&head, "%d %d %d %.*s", (int)t->kind, (int)t->column,
               (int)t->flag, STR_ARG(t->text));
    bool swaps = comes_swapped(e, t);
    assert(!swaps || t->n == 2);
    for (int32_t i = 0; i < t->n; i++) {
        encoded x = encode_value(e, t->args[swaps ? 1 - i : i]);
        formula_sort sort = encode_sort(x.kind);
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
        .value = formula_apply(e->s, encode_sort(kind), value, args, sorts, n),
    };
}

// Which argument of a function is a CASE; -1: none.
static int32_t case_argument(const term *t)
{
    bool is_function = t->kind == TERM_CALL || t->kind == TERM_CAST
                       || t->kind == TERM_CONCAT
                       || (t->kind >= TERM_ADD && t->kind <= TERM_REMAINDER);
    for (int32_t i = 0; is_function && i < t->n; i++) {
        if (t->args[i]->kind == TERM_CASE) {
            return i;
        }
    }
    return -1;
}

// f(CASE WHEN p THEN x ELSE y END) as CASE WHEN p THEN f(x) ELSE f(y) END
static encoded spread(encoder *e, const term *t, int32_t at)
{
    assert(at >= 0 && at < t->n && t->args[at]->kind == TERM_CASE);
    const term *choice = t->args[at];
    const term **args = arena_copy(e->p->a, t->args, t->n, 0);
    args[at] = choice->n % 2 ? choice->args[choice->n - 1] : term_null(e->p);
    encoded all = encode_value(e, term_remake(e->p, t, args));
    for (int32_t i = choice->n / 2 * 2 - 2; i >= 0; i -= 2) {
        encoded_truth when = encode_truth(e, choice->args[i]);
        args[at] = choice->args[i + 1];
        encoded then = encode_value(e, term_remake(e->p, t, args));
        all = choose(e, known_join(all.kind, then.kind), when.yes, then, all);
    }
    return all;
}

static encoded opaque(encoder *e, const term *t)
{
    int32_t choice = case_argument(t);
    if (choice >= 0) {
        return spread(e, t, choice);
    }
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
    if (is_abs && prover_assumes(e->p, ASSUME_TYPES | ASSUME_NO_OVERFLOW)) {
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
    encoded n = encode_known(e, KNOWN_INTEGER,
                             encode_named(e, SORT_OF_WHOLE, 'i', name));
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
    assert(t->kind == TERM_AGGREGATE && t->n == 1);
    const term *count =
        term_aggregate(e->p, S("count"), t->flag, t->args, t->n);
    str name =
        count == t ? encode_name(e, t) : form_term(e->p, count, e->first);
    encoded n = encode_known(e, KNOWN_INTEGER,
                             encode_named(e, SORT_OF_WHOLE, 'i', name));
    encoded all = count_rows(e);
    solver_assert(e->s,
                  formula_less_equal(e->s, formula_whole(e->s, 0), n.value));
    solver_assert(e->s, formula_less_equal(e->s, n.value, all.value));
    return n;
}

static encoded aggregate(encoder *e, const term *t)
{
    if (term_counts(t)) {
        return t->n == 0   ? count_named(e, encode_name(e, t))
               : t->n == 1 ? count_of(e, t)
                           : opaque(e, t);
    }
    encoded x = variable(e, known_kind_of(e->p, t), encode_name(e, t));
    if (str_equal(t->text, S("total"))) {
        solver_assert(e->s, formula_not(e->s, x.null));
    }
    bool is_null_of_none =
        str_among(t->text, x.kind == KNOWN_INTEGER ? "sum min max" : "min max");
    bool is_own = str_equal(encode_name(e, t), form_term(e->p, t, e->first));
    if (t->n == 1 && is_own && is_null_of_none) {
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
        return encode_known(e, KNOWN_INTEGER, formula_whole(e->s, t->number));
    case TERM_REAL: return real_literal(e, t);
    case TERM_TEXT: return text_literal(e, t);
    case TERM_COLUMN: return column(e, t);
    case TERM_ADD:
    case TERM_SUBTRACT:
    case TERM_MULTIPLY:
    case TERM_DIVIDE:
    case TERM_REMAINDER:
    case TERM_NEGATE: return arithmetic(e, t);
    case TERM_AS: return encode_value(e, t->args[0]);
    case TERM_CASE: return case_value(e, t);
    case TERM_CALL: return call_value(e, t);
    case TERM_AGGREGATE: return aggregate(e, t);
    default: return opaque(e, t);
    }
}
