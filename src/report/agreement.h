/*
 * agreement.h - how far two judges of the same cases agree.
 *
 * A share alone misleads: who says yes to everything agrees with most of a
 * reference that says yes to most. So beside it stand Cohen's kappa, what the
 * two constant judges would reach, and for two judges of one reference
 * McNemar's test on the cases where they differ.
 */
#ifndef ASSAY_REPORT_AGREEMENT_H
#define ASSAY_REPORT_AGREEMENT_H

#include "base/map.h"
#include "report/case_line.h"

// Cases by what the reference and the judge said of them.
typedef struct agreement {
    int64_t n[ANSWER_COUNT][ANSWER_COUNT];  // [reference][judge]
} agreement;

void agreement_add(agreement *t, answer reference, answer judge);

// Cases with a reference of yes or no. An unclear judge disagrees.
int64_t agreement_cases(const agreement *t);
int64_t agreement_same(const agreement *t);
int64_t agreement_unclear(const agreement *t);  // the judge said neither
int64_t agreement_reference(const agreement *t, answer v);
int64_t agreement_judge(const agreement *t, answer v);

// Chance-corrected; unclear is a third word of the judge. NaN when both say
// one and the same word throughout, for then chance explains everything.
double agreement_kappa(const agreement *t);

// How often the judge says yes where the reference says no, and the other way
// round, as fractions; NaN without such cases.
double agreement_false_positive(const agreement *t);
double agreement_false_negative(const agreement *t);

/*
 * Agreements by what their cases are about: up to so many numbers, of a judge,
 * a run, a database, ... What is asked for is a sum over some of them.
 */
enum {
    AGREEMENT_KEYS = 4,
    AGREEMENT_ANY = -1,  // in a key that is asked for
};

typedef struct agreement_key {
    int32_t at[AGREEMENT_KEYS];
} agreement_key;

static inline agreement_key agreement_at(ptrdiff_t first, ptrdiff_t second)
{
    return (agreement_key){{(int32_t)first, (int32_t)second}};
}

typedef struct agreement_cell {
    agreement_key key;
    agreement all;
} agreement_cell;

typedef struct agreement_cells {
    map keys;  // by it the cell
    vec_of(agreement_cell) list;
} agreement_cells;

void agreement_cells_add(agreement_cells *c,
                         arena *a,
                         agreement_key key,
                         answer reference,
                         answer judge);

// Of the cells that fit; zero where there is none.
agreement agreement_sum(const agreement_cells *c, agreement_key asked);
agreement agreement_without(agreement all, const agreement *part);

// Several people who label the same cases yes or no; not all need to label all.
typedef struct people {
    int64_t n_cases;  // with at least two labels
    int64_t n_labels;
    int64_t n_yes;        // of these labels
    int64_t n_unanimous;  // cases
    int64_t n_tied;
    double agreeing;  // the sum over cases: pairs of labels that are equal
} people;

void people_add(people *p, int64_t n_yes, int64_t n_no);

// Fleiss' kappa; NaN when all labels are the same word, or there are none.
double people_kappa(const people *p);

// The probability, were both judges equally good, of cases where only one is
// right splitting at least as unevenly as `a` to `b`: the exact two-sided
// test. 1 without such cases.
double mcnemar_p(int64_t a, int64_t b);

// One more than the number of shares that are greater than the i-th.
ptrdiff_t share_rank(const double *shares, ptrdiff_t n, ptrdiff_t i);

// Kendall's tau-b of n pairs of numbers; NaN when one side is constant.
double kendall_tau(const double *x, const double *y, ptrdiff_t n);

#endif  // ASSAY_REPORT_AGREEMENT_H
