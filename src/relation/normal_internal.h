// normal_internal.h - what the files of normal.h share.
#ifndef ASSAY_RELATION_NORMAL_INTERNAL_H
#define ASSAY_RELATION_NORMAL_INTERNAL_H

#include "relation/relation_term.h"

// Arithmetic of which one side is REAL at least.
const term *term_real_arithmetic(prover *p,
                                 term_kind kind,
                                 const term *a,
                                 const term *b);

// Where decimals are exact: the sum (or difference) of literals, or of two
// products of one number; what is rounded to a whole number and is one. NULL:
// it is nothing of the kind.
const term *term_exact_sum(prover *p,
                           term_kind kind,
                           const term *a,
                           const term *b);
const term *term_exact_round(prover *p, const term *x);

// (a / b) * 100 for 100 * a / b, where decimals are exact and that is rounded
// to so many places; `t` itself where it is nothing of the kind.
const term *term_exact_ratio(prover *p, const term *t, int64_t places);

// What is NULL of NULL, with its only CASE outside; NULL: it has none.
const term *term_into_case(prover *p, const term *like);

// By when they were made.
void term_list_sort(term_list *l);

// The arguments without their types, but with their collations if the
// function compares them.
const term *const *term_args(prover *p,
                             bool compares,
                             const term *const *args,
                             int32_t n);

// SUBSTR(d, 1, 4) for STRFTIME('%Y', d), x for the beginning of it that is
// compared with as many characters (of a date with the first day of what it
// begins with, and of the next), SUBSTR(x, 1, 4) = '2020' for x LIKE
// '2020%'. NULL: it is nothing of the kind.
const term *term_date_part(prover *p, const term *call);
const term *term_like_prefix(prover *p, const term *call);

// x LIKE p of small letters for LOWER(x) LIKE p and LOWER(x) GLOB p, the
// comparison with LOWER(x) for one with UPPER(x). NULL: it is nothing of the
// kind.
const term *term_like_folded(prover *p, const term *call);
const term *term_compare_folded(prover *p,
                                term_kind kind,
                                const term *a,
                                const term *b);
const term *term_compare_begin(prover *p,
                               term_kind kind,
                               const term *a,
                               const term *b);

// A column of texts, no blob, which LIKE may read in another way.
bool term_is_text(prover *p, const term *t);

// A column that holds days, without a time; one that holds days or moments;
// x of SUBSTR(x, 1, n), NULL: it is none; the comparison with its sides
// exchanged.
bool term_is_day(prover *p, const term *t);
bool term_is_date(prover *p, const term *t);
const term *term_begun(const term *t, int64_t n);

// The column of days that the term counts from, one number for each day, so
// that it tells the day; NULL: it is none.
const term *term_day_within(prover *p, const term *t);

// What is true exactly when x + 1 day = y is, as the days are counted; `t`
// itself where it is nothing of the kind. As a value it may be NULL where this
// is not: after the last day of the year 9999.
const term *term_later_day(prover *p, const term *t);

// The comparison of days for one of what counts days, where that is another
// one; NULL: it is not.
const term *term_compare_days(prover *p,
                              term_kind kind,
                              const term *a,
                              const term *b);

// n of '+n days', '-n days'. The day n days after a literal one, as text; NULL:
// out of what calendars agree on.
bool term_read_days(const term *span, int64_t *n);
const term *term_days_later(prover *p, const term *day, int64_t n);

// The day after, for a literal that a DATE is compared with by <= (or its
// negation); NULL: it is nothing of the kind.
const term *term_next_day(prover *p, const term *date, const term *literal);

// One day of a DATE that the conjuncts bound from both sides, as equality; a
// condition on the month of dates of one year, as one on the dates, and so of
// the day within a month.
void term_join_dates(prover *p, term_list *all);

// The left side of a comparison of sums of whole numbers, with what is positive
// on the left, what is negative on the right; `kind` and the right side as they
// are then. NULL: it is none, or nothing is added up.
const term *term_compare_linear(prover *p,
                                term_kind *kind,
                                const term *a,
                                const term **b);

// The n digits of a date's part that CAST makes a number of; NULL: it is none.
const term *term_date_digits(prover *p, const term *t, int *n);

// The number with n digits; NULL: it has more, or it is none.
const term *term_digits(prover *p, const term *number, int n);

// Parts of dates that are compared as numbers, compared as texts of digits, in
// which they have the same order; NULL: they are none.
const term *term_compare_digits(prover *p,
                                term_kind kind,
                                const term *a,
                                const term *b);

// x = 'Ada' AND y = 'Byron' for x || ' ' || y = 'Ada Byron', where only
// whether it is true counts; `t` itself where it is nothing of the kind.
const term *term_cut_concat(prover *p, const term *t);

// y || z for SUBSTR(' ' || y || z, 2), as CONCAT_WS cuts it; NULL: it is
// nothing of the kind.
const term *term_behind(prover *p, const term *call);

// c = 1 for a column c that holds 0, 1 and NULL: the same value. Any other term
// as it is.
const term *term_of_flag(prover *p, const term *t);

// Is it a value, never NULL, whatever the row? SQLite's CASE and COALESCE give
// what their branches are.
bool term_is_some(const term *t);

// Whether it says y <> 0, or of a number of rows y >= 1.
bool term_is_not_zero(const term *t, const term *y);

// NOT EXISTS (...) for (SELECT 1 ... LIMIT 1) IS NULL; NULL: it is none.
const term *term_no_rows(prover *p, const term *scalar);

#endif  // ASSAY_RELATION_NORMAL_INTERNAL_H
