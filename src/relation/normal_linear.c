/*
 * normal_linear.c - comparisons of sums of whole numbers; see normal.h.
 *
 * Method      Both sides as one sum of terms, each times a literal, and of a
 *             literal. What is positive goes back to the left, what is negative
 *             to the right, and the literal to the side where it is positive;
 *             so a - b = 1, a = b + 1 and b = a - 1 are one comparison.
 *
 * Invariant   A term that would cancel out is kept, for it may be NULL.
 */
#include "relation/known.h"
#include "relation/normal.h"
#include "relation/normal_internal.h"

#include <assert.h>

enum {
    ATOMS_MAX = 8,
    LARGE = 1 << 30,  // no literal is, nor what is computed of two
};

typedef struct linear {
    prover *p;
    const term *atoms[ATOMS_MAX];
    int64_t times[ATOMS_MAX];
    int n;
    int64_t constant;
    bool computes;  // it is more than a term
    bool fails;
} linear;

static void add_atom(linear *l, const term *t, int64_t times)
{
    int at = 0;
    while (at < l->n && l->atoms[at] != t) {
        at++;
    }
    l->fails |=
        at == ATOMS_MAX || !known_is(l->p, t, KNOWN_INTEGER, ASSUME_DEFAULT);
    if (l->fails) {
        return;
    }
    l->computes |= at < l->n;
    l->times[at] = at < l->n ? l->times[at] + times : times;
    l->atoms[at] = t;
    l->n += at == l->n;
    l->fails |= l->times[at] == 0;
}

static void add_up(linear *l, const term *t, int64_t times)
{
    bool is_product = t->kind == TERM_MULTIPLY && !t->flag;
    int literal = is_product && t->args[1]->kind == TERM_INTEGER;
    l->fails |= times > LARGE || times < -LARGE;
    if (l->fails) {
        return;
    }
    if (t->kind == TERM_INTEGER && !t->flag) {
        l->fails |= t->number > LARGE || t->number < -LARGE;
        l->constant += l->fails ? 0 : times * t->number;
    } else if ((t->kind == TERM_ADD || t->kind == TERM_SUBTRACT) && !t->flag) {
        l->computes = true;
        add_up(l, t->args[0], times);
        add_up(l, t->args[1], t->kind == TERM_ADD ? times : -times);
    } else if (t->kind == TERM_NEGATE) {
        l->computes = true;
        add_up(l, t->args[0], -times);
    } else if (is_product && t->args[literal]->kind == TERM_INTEGER
               && t->args[literal]->number < LARGE
               && t->args[literal]->number > -LARGE) {
        l->computes = true;
        add_up(l, t->args[1 - literal], times * t->args[literal]->number);
    } else {
        add_atom(l, t, times);
    }
}

static int64_t divisor_of(const linear *l)
{
    int64_t by = 0;
    for (int i = 0; i < l->n; i++) {
        int64_t a = l->times[i] < 0 ? -l->times[i] : l->times[i];
        while (a != 0) {
            int64_t rest = by % a;
            by = a;
            a = rest;
        }
    }
    return by;
}

static int64_t divide_up(int64_t n, int64_t by)
{
    assert(by > 0);
    return n / by + (n % by > 0);
}

// The terms of one sign, and the literal if it is positive there.
static const term *side_of(const linear *l, int sign)
{
    const term *sum = NULL;
    for (int i = 0; i < l->n; i++) {
        int64_t times = sign * l->times[i];
        const term *t = times <= 0 ? NULL
                        : times == 1
                            ? l->atoms[i]
                            : term_arithmetic(l->p, TERM_MULTIPLY, l->atoms[i],
                                              term_integer(l->p, times));
        sum = !t ? sum : !sum ? t : term_arithmetic(l->p, TERM_ADD, sum, t);
    }
    const term *n = term_integer(l->p, sign * l->constant);
    return !sum                     ? n
           : sign * l->constant > 0 ? term_arithmetic(l->p, TERM_ADD, sum, n)
                                    : sum;
}

// Of one sign: a literal stands on the other side, whatever its own.
static void take_literal(const linear *l, const term **left, const term **right)
{
    bool has[2] = {false, false};
    for (int i = 0; i < l->n; i++) {
        has[l->times[i] < 0] = true;
    }
    linear only = *l;
    only.constant = 0;
    if (!has[1]) {
        *left = side_of(&only, 1);
        *right = term_integer(l->p, -l->constant);
    } else if (!has[0]) {
        *left = term_integer(l->p, l->constant);
        *right = side_of(&only, -1);
    }
}

const term *term_compare_linear(prover *p,
                                term_kind *kind,
                                const term *a,
                                const term **b)
{
    linear l = {.p = p};
    bool is_less = *kind == TERM_LESS || *kind == TERM_GREATER;
    bool is_order =
        is_less || *kind == TERM_LESS_EQUAL || *kind == TERM_GREATER_EQUAL;
    bool turns = *kind == TERM_GREATER || *kind == TERM_GREATER_EQUAL;
    unsigned touched = p->touched;
    if (prover_is_typed(p)) {
        return NULL;
    }
    add_up(&l, turns ? *b : a, 1);
    add_up(&l, turns ? a : *b, -1);
    l.constant += is_less;  // x + 1 <= 0 for x < 0
    int64_t by = l.fails || l.n == 0 ? 0 : divisor_of(&l);
    if (!l.computes || by == 0 || (!is_order && l.constant % by != 0)
        || !prover_takes_types(p, touched)
        || !prover_assumes(p, ASSUME_NO_OVERFLOW)
        || !local_allowed(p, LOCAL_LINEAR)) {
        p->touched = touched;
        return NULL;
    }
    l.constant = divide_up(l.constant, by);
    for (int i = 0; i < l.n; i++) {
        l.times[i] /= by;
    }
    bool again = is_order && l.constant == 1 && l.n > 1;
    l.constant -= again;
    *kind = !is_order ? *kind : again ? TERM_LESS : TERM_LESS_EQUAL;
    const term *left = side_of(&l, 1);
    const term *right = side_of(&l, -1);
    take_literal(&l, &left, &right);
    *b = right;
    return left;
}
