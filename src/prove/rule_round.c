/*
 * rule_round.c - products and quotients that are equal but for rounding.
 *
 * Method      A result that multiplies and divides REAL numbers is written as
 *             its factors, one constant, and what divides it. Each operation
 *             rounds to within 2^-53, so any order of them gives the same
 *             within the tolerance of a comparison, where none leaves the
 *             range of its numbers. A sum of such results may cancel out, and
 *             ROUND, conditions and DISTINCT tell numbers apart that nearly are
 *             one: all these are left alone.
 */
#include "prove/rule_common.h"

#include <math.h>
#include <stdio.h>

enum {
    FACTORS_MAX = 2,  // that are no constants: a form sorts two
};

typedef struct ratio {
    const term *above[FACTORS_MAX];
    const term *below[FACTORS_MAX];
    int n_above;
    int n_below;
    double constant;
    bool is_real;
    bool fails;
} ratio;

static bool read_constant(const term *t, double *out)
{
    if (t->kind == TERM_INTEGER) {
        *out = (double)t->number;
        return true;
    }
    return t->kind == TERM_REAL && str_to_double(t->text, out);
}

static void add_factor(ratio *r, const term *t, bool is_below)
{
    double c = 0;
    int *n = is_below ? &r->n_below : &r->n_above;
    if (read_constant(t, &c)) {
        r->constant = is_below ? r->constant / c : r->constant * c;
        r->fails |= !isfinite(r->constant) || r->constant == 0;
    } else if (*n < FACTORS_MAX) {
        (is_below ? r->below : r->above)[(*n)++] = t;
    } else {
        r->fails = true;
    }
}

// What divides is no quotient itself: a / (b / c) is NULL where c is 0.
static void read_ratio(ratio *r, const term *t, bool is_below)
{
    bool divides = t->kind == TERM_DIVIDE && t->flag && !is_below;
    if (t->kind != TERM_MULTIPLY && !divides) {
        add_factor(r, t, is_below);
        return;
    }
    r->is_real |= t->flag;
    read_ratio(r, t->args[0], is_below);
    read_ratio(r, t->args[1], is_below || divides);
}

static const term *real_of(prover *p,
                           term_kind kind,
                           const term *a,
                           const term *b)
{
    const term *args[] = {a, b};
    return term_make(
        p, (term){.kind = (uint8_t)kind, .flag = true, .n = 2, .args = args});
}

static const term *product(prover *p, const term *const *factors, int n)
{
    return n == 1 ? factors[0]
                  : real_of(p, TERM_MULTIPLY, factors[0], factors[1]);
}

static const term *constant_of(prover *p, double c)
{
    char text[40];
    snprintf(text, sizeof text, "%.11e", c);
    return term_make(
        p, (term){.kind = TERM_REAL, .text = arena_str(p->a, str_from(text))});
}

// NULL: it is no quotient of REAL numbers.
static const term *as_ratio(prover *p, const term *t)
{
    ratio r = {.constant = 1};
    if (t->kind != TERM_MULTIPLY && t->kind != TERM_DIVIDE) {
        return NULL;
    }
    read_ratio(&r, t, false);
    if (r.fails || !r.is_real || r.n_above + r.n_below == 0) {
        return NULL;
    }
    const term *out = constant_of(p, r.constant);
    if (r.n_above > 0) {
        out = real_of(p, TERM_MULTIPLY, product(p, r.above, r.n_above), out);
    }
    return r.n_below == 0
               ? out
               : real_of(p, TERM_DIVIDE, out, product(p, r.below, r.n_below));
}

bool rule_rounding(prover *p, block *b)
{
    bool is_fit = p->rounds && b->is_result && b->repeats != REPEATS_DROPPED
                  && b->order.len == 0;
    bool changed = false;
    for (ptrdiff_t i = 0; is_fit && i < b->select.len; i++) {
        const term *now = as_ratio(p, b->select.ptr[i]);
        if (now && now != b->select.ptr[i]
            && prover_assumes(p, ASSUME_NO_OVERFLOW)) {
            b->select.ptr[i] = now;
            changed = true;
        }
    }
    return changed;
}
