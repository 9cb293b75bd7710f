/*
 * distill_internal.h - what the files of the distiller share; for them alone.
 */
#ifndef ASSAY_SUITE_DISTILL_INTERNAL_H
#define ASSAY_SUITE_DISTILL_INTERNAL_H

#include "sample/sample.h"
#include "suite/distill.h"
#include "suite/gold_query.h"

typedef enum mutant_state {
    MUTANT_ALIVE,
    MUTANT_KILLED,
    MUTANT_PROVED,  // equivalent to its gold
    MUTANT_UNFIT,   // does not compile: no neighbor at all
} mutant_state;

// What is known of something on databases, by their number: two bits each.
typedef enum outcome {
    OUTCOME_UNKNOWN,
    OUTCOME_NO,
    OUTCOME_YES,
} outcome;

typedef vec_of(uint64_t) outcomes;

enum {
    NO_NUMBER = -1,        // of a database that is not remembered
    PREPARED_MAX = 12000,  // neighbors with a query, before the killed lose it
};

// A neighbor of a gold while it is tested. As in mutation testing it is killed
// by a database on which its result differs from the gold's.
typedef struct mutant {
    neighbor neighbor;
    mutant_state state;
    int32_t killer;          // kept database; meaningful when killed
    scratch_query *query;    // NULL: not prepared
    const binding *binding;  // NULL: not looked at
    bool is_hopeless;        // no database is made for it
    str why;                 // of a proof: its assumptions; of one that lives:
                             // what a part tried; empty: see the target
    outcomes strikes;        // where does it differ from its gold?
} mutant;

// A gold and its neighbors.
typedef struct target {
    str sql;
    const binding *binding;
    gold_query gold;    // on the first connection
    gold_query mirror;  // on the second connection, which reads backwards
    mutant *mutants;
    ptrdiff_t n_mutants;
    ptrdiff_t n_alive;
    int64_t tries;       // databases made for it
    int64_t n_empty;     // databases drawn for all on which it returned nothing
    int64_t n_unstable;  // of all databases where it would have killed
    outcomes settled;    // where is what it returns?
    str error;
} target;

// What one database does to one target.
typedef struct strike {
    target *target;
    int32_t *mutants;
    ptrdiff_t n;
    table gold;
} strike;

typedef vec_of(strike) strikes;

typedef struct distiller {
    const distill_job *job;
    const distill_options *options;
    scratch_db *db;
    scratch_db *mirror;  // reads unordered rows backwards
    target *targets;
    ptrdiff_t n_targets;
    vec_of(instance) kept;
    vec_of(int32_t) numbers;  // of the kept ones; other rows have another one
    int32_t n_given;          // numbers that are taken
    int32_t shown;  // number of what is filled in; NO_NUMBER: not known
    suite_curve curve;
    bool is_blind;  // databases are drawn for all golds, see strike_target()
    int64_t tries;
    int64_t killed;
    fact_view view;        // what of rows counts for the facts of the job
    ptrdiff_t n_prepared;  // neighbors
    arena *a;
    arena db_arena;  // of the two connections
    arena mirror_arena;
    arena rows;   // of one database
    arena trial;  // of what is run on it
    arena scratch;
} distiller;

// distill_known.c: what was seen on a database. Of NO_NUMBER nothing is known.
outcome outcome_at(const outcomes *o, int32_t number);
void outcome_set(outcomes *o, arena *a, int32_t number, outcome v);

// Keeps the rows, which lie in `a` of the distiller; they get a number.
void distill_keep(distiller *d, instance rows);

// Forgets what living mutants did on a database that was not kept.
void distill_forget(distiller *d, target *targets, ptrdiff_t n, int32_t number);

// Could a living mutant kill there, as far as is known?
bool distill_may_strike(const target *t, int32_t number);

// distill.c: tries the rows on some targets; keeps them when they kill.
bool distill_try(distiller *d,
                 const instance *rows,
                 target *targets,
                 ptrdiff_t n);
sample_options distill_sampling(const distiller *d, uint64_t seed);
void distill_add_point(distiller *d);

// distill_aim.c: databases for the living neighbors of `t`; what kills is tried
// on the others.
void distill_aim(distiller *d, target *t, arena memory);

// distill_world.c: what of rows counts beside these golds.
fact_view distill_view(arena *a,
                       const str *golds,
                       ptrdiff_t n,
                       dialect d,
                       arena scratch);

// Was all tried for the neighbor when the core was made? What it and its gold
// read obeys the same facts in both jobs.
bool distill_is_hopeless(const distiller *d, const target *t, const mutant *r);

// Does it break facts of the job?
bool distill_is_unreal(const distiller *d, const instance *rows);

// distill_target.c: gold and neighbors, prepared.
void distill_open_target(distiller *d, target *t, str sql);
scratch_query *distill_mutant_query(distiller *d, mutant *r);
// One that lived no longer does. If it is killed it runs again only where the
// suite is made smaller.
void distill_kill(distiller *d, target *t, mutant *r, int32_t killer);
void distill_take_off(distiller *d, target *t, mutant *r, str why);
void distill_bind_mutant(distiller *d, mutant *r);

// Takes those off that are provably the gold; with `keeps_order`, of those that
// drop its ORDER BY none.
void distill_prove(distiller *d, target *t, bool keeps_order);

// distill_trial.c: which living neighbors of the targets does the database
// kill? Those of golds whose result is not settled there are left out. Lies in
// `a`. What is seen is remembered under the number of the rows.
strikes distill_trial(distiller *d,
                      const instance *rows,
                      int32_t number,
                      target *targets,
                      ptrdiff_t n,
                      arena *a);

// Fills the rows in, unless their number says that they are. False when the
// engine refuses them.
bool distill_show(distiller *d, const instance *rows, int32_t number, arena *a);

// Does the neighbor differ from what its gold returns, on what is filled in?
bool distill_strikes(distiller *d,
                     const target *t,
                     mutant *r,
                     const table *gold,
                     arena memory);

// Do all golds of the list return the same in the mirror? Leaves those in it
// that do.
bool distill_settled(distiller *d,
                     const instance *rows,
                     int32_t number,
                     strikes *s,
                     arena memory);

// By target: is the gold's result settled on the database?
void distill_settle_all(distiller *d,
                        const instance *rows,
                        bool *is_settled,
                        arena memory);

// Marks them as killed by database number `killer`.
void distill_mark(distiller *d, const strikes *s, int32_t killer);

// distill_cover.c: the databases that are needed, in a good order; their
// number goes into mutant.killer.
void distill_cover(distiller *d);

// Beyond the limit those go that are needed least.
void distill_limit(distiller *d);

// distill_shrink.c: rows that are not needed go.
void distill_shrink(distiller *d);

// distill_merge.c: databases that can lie side by side become one.
void distill_merge(distiller *d);

// distill_recall.c: opens all targets with what the parts found out.
void distill_recall(distiller *d, const suite *parts, ptrdiff_t n);

// distill_result.c
void distill_result(distiller *d, suite *out);

#endif  // ASSAY_SUITE_DISTILL_INTERNAL_H
