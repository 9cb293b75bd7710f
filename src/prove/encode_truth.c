/*
 * encode_truth.c - conditions as formulas; see encode.h.
 */
#include "prove/encode_internal.h"
#include "relation/relation_type.h"

#include <assert.h>

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
    return !has_rows && !term_type_of(a).is_unlike && !term_type_of(b).is_unlike
           && (of_numbers || is_binary(a, b)) && type_takes(e->p, a, b)
           && type_takes(e->p, b, a) && known_stays(e->p, a, left, own)
           && known_stays(e->p, b, own, left);
}

// Both are not NULL: `holds` of their values. `of_unlike`: what it says of a
// number and a text; a text comes after all numbers.
static formula *compared(encoder *e,
                         encoded a,
                         encoded b,
                         formula *(*holds)(solver *s, formula *a, formula *b),
                         bool of_unlike)
{
    if (known_number(a.kind) && b.kind == KNOWN_TEXT) {
        return formula_truth(e->s, of_unlike);
    }
    if (known_number(b.kind) && a.kind == KNOWN_TEXT) {
        return formula_truth(e->s, 0);
    }
    return encode_sort(a.kind) == SORT_OF_WHOLE
                   && encode_sort(b.kind) == SORT_OF_WHOLE
               ? holds(e->s, a.value, b.value)
               : holds(e->s, encode_number(e, a), encode_number(e, b));
}

formula *encode_same(encoder *e, encoded a, encoded b)
{
    formula *value = compared(e, a, b, formula_equal, false);
    formula *both = formula_and(e->s, a.null, b.null);
    formula *none = formula_not(e->s, formula_or(e->s, a.null, b.null));
    return formula_or(e->s, both, formula_and(e->s, none, value));
}

// Both are not NULL, and the left one comes first.
static formula *is_before(encoder *e, encoded a, encoded b)
{
    return compared(e, a, b, formula_less, true);
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
        .yes = encode_named(e, SORT_OF_TRUTH, 'y', name),
        .no = encode_named(e, SORT_OF_TRUTH, 'f', name),
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
    assert(kind >= TERM_EQUAL && kind <= TERM_GREATER_EQUAL);
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

static encoded_truth comparison(encoder *e, const term *t)
{
    const term *a = t->args[0];
    const term *b = t->args[1];
    return is_plain(e, a, b, term_affinity(b))
               ? ordered(e, t->kind, encode_value(e, a), encode_value(e, b))
               : opaque_truth(e, t);
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
        yes = encode_named(e, SORT_OF_TRUTH, 'y', encode_name(e, t));
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
                   && known_stays(e->p, item, AFFINITY_BLOB, term_affinity(x));
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
    formula *holds = encode_named(e, SORT_OF_TRUTH, 'y', encode_name(e, t));
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
    encoded zero = encode_known(e, KNOWN_INTEGER, formula_whole(e->s, 0));
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
        formula *yes = encode_named(e, SORT_OF_TRUTH, 'y', encode_name(e, t));
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
