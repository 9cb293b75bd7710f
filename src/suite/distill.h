/*
 * distill.h - from golds to a small suite of databases that tells them from
 * their neighbors [003 4.2].
 *
 * One call treats one schema. The paper draws databases blindly and keeps those
 * that kill a neighbor still alive; so do we at first. Then databases are made
 * for each neighbor that lives, until it is killed, proved equivalent to the
 * gold, or the tries are used up. In the end a small cover of the kept
 * databases is chosen and rows that are not needed are removed.
 *
 * Deterministic: the same schema, golds and options give the same bytes on any
 * machine. Limits are counted in databases and steps of the engine, never in
 * time.
 */
#ifndef ASSAY_SUITE_DISTILL_H
#define ASSAY_SUITE_DISTILL_H

#include "engine/engine.h"
#include "facts/fact.h"
#include "suite/suite.h"

typedef struct distill_options {
    uint64_t seed;
    int64_t tries;            // databases made for one gold at most
    int quiet_share;          // the search ends after so many times fewer
                              // databases without a kill; 0: as 1
    ptrdiff_t max_databases;  // kept for a schema; 0: no limit
    ptrdiff_t max_neighbors;  // of one gold; 0: no limit
    dialect dialect;
    engine_options engine;
} distill_options;

typedef struct distill_job {
    str db;
    const schema *schema;
    const str *golds;  // distinct texts
    ptrdiff_t n_golds;
    const instance *original;  // real rows to draw from; NULL: none
    const distill_options *options;
    const facts *facts;  // that every database obeys, if they are of `kinds`;
                         // `schema` demands them, too; NULL: none
    unsigned kinds;
    const suite *core;  // only neighbors that live in it count, or are proved
                        // equivalent there; NULL: all
    void (*progress)(void *context, ptrdiff_t golds_done);  // may be NULL
    void *context;
} distill_job;

// False with a message when SQLite does not take the schema. A gold that
// cannot be used says so in its `error`.
bool distill(suite *out, arena *a, const distill_job *job, diag *d);

/*
 * Two readings of one suite. `core` was made for databases that obey the facts,
 * `strict` with it as the core of its job, and no facts: for neighbors that no
 * such database kills. The databases of the second that break facts are marked
 * with what that takes (suite.strict). `out` gets all databases; it borrows.
 */
void distill_add_strict(suite *out,
                        arena *a,
                        const suite *core,
                        const suite *strict,
                        const facts *f,
                        dialect d,
                        arena scratch);

// Does any neighbor live in the suite, or was proved equivalent?
bool distill_has_survivors(const suite *s);

// The same in pieces, which may be done by several processes: first each part
// of the golds on its own, then all together.
ptrdiff_t distill_parts(ptrdiff_t n_golds);
bool distill_part(suite *out,
                  arena *a,
                  const distill_job *job,
                  ptrdiff_t no,
                  diag *d);
bool distill_join(suite *out,
                  arena *a,
                  const distill_job *job,
                  const suite *parts,
                  diag *d);

#endif  // ASSAY_SUITE_DISTILL_H
