/*
 * trial.h - two queries on one scratch database: can their results on these
 * rows be told apart?
 */
#ifndef ASSAY_CHECK_TRIAL_H
#define ASSAY_CHECK_TRIAL_H

#include "check/pair_query.h"
#include "facts/fact.h"
#include "sample/type_value.h"

// In order of strength, so that they can be compared.
typedef enum finding {
    FINDING_OPEN,      // it could not be found out: a limit, both fail
    FINDING_SAME,      // the results are the same
    FINDING_UNSTABLE,  // they differ, but need not
    FINDING_STABLE,    // they differ in every order of the rows tried
    FINDING_CERTAIN,   // nothing that the queries may return is the same
    FINDING_ERROR,     // exactly one of them fails
} finding;

typedef struct pair {
    scratch_db *db;
    pair_query left;
    pair_query right;
    struct pair *plain;  // the same on tables without keys, which may mislead
                         // the engine or choose for it; NULL: not needed
    const column_type *types;  // of the system for which SQLite keeps the rows;
                               // NULL: it keeps them for itself
    bool by_position;          // columns count in their order
    double tolerance;
    double slack;          // by which numbers may differ, besides
    bool has_no_overflow;  // sums stay within 64 bits [equivalence 2.4]
    bool is_hasty;  // differences that need trying in several orders of rows
                    // count as unstable
    const facts *facts;  // that rows must obey; NULL: none
    fact_view view;      // what of the rows counts for them
} pair;

typedef struct pair_run {
    finding finding;
    execution left;
    execution right;
    bool is_illegal;  // the rows break a constraint
    bool is_unreal;   // or a fact
    bool has_cut[2];  // by side: LIMIT chose among rows that tie
} pair_run;

// Order counts when both ask for one.
bool pair_is_ordered(const pair *p);

// Fills the database and runs both; results lie in `a`.
pair_run pair_try(pair *p, const instance *rows, arena *a, arena scratch);

// The same on the rows that the database holds, which nobody can put into
// another order.
pair_run pair_try_loaded(pair *p, arena *a, arena scratch);

#endif  // ASSAY_CHECK_TRIAL_H
