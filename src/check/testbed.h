/*
 * testbed.h - the tables of one schema, in memory, on which pairs are decided:
 * one pair in one dialect, in one world.
 *
 * Order of    testbed_open()
 * calls         testbed_decide()   any number of times
 *             testbed_close()
 */
#ifndef ASSAY_CHECK_TESTBED_H
#define ASSAY_CHECK_TESTBED_H

#include "base/diag.h"
#include "check/check_verdict.h"
#include "check/read_query.h"
#include "check/witness.h"
#include "prove/solver.h"

typedef struct testbed {
    const schema *declared;
    const schema *assumed;
    check_options o;
    engine_options engine;
    scratch_db *db;
    const column_type *types;  // see pair
    witness_stage *stage;
    scratch_db *plain;  // the same without keys; NULL: not asked for yet
    // Of the dialect at hand:
    const char *unsafe;  // rules that do not hold there; NULL: none
    dialect elsewhere;   // it, if it is not the engine's; else SQLITE
    arena *a;
} testbed;

// NULL with a message when SQLite does not take the schema. The testbed goes
// on to take memory from `a` itself, not from a copy of it.
testbed *testbed_open(arena *a,
                      const schema *s,
                      const check_options *o,
                      diag *d,
                      arena scratch);
void testbed_close(testbed *t);

// Left and right, in the dialect `d`.
check_verdict testbed_decide(testbed *t,
                             const read_query queries[2],
                             dialect d,
                             arena *a,
                             arena scratch);

// A query in the engine's words. NULL: there is none, or it names what is not
// there; so below.
const binding *testbed_bind(const testbed *t,
                            ast *query,
                            dialect d,
                            arena *a,
                            arena scratch);
// In the words of its dialect, which is not the engine's.
const binding *testbed_bind_own(const testbed *t,
                                const ast *query,
                                dialect d,
                                arena *a,
                                arena scratch);
// What the prover is told of this testbed.
prove_options testbed_options(const testbed *t, solver *s);

#endif  // ASSAY_CHECK_TESTBED_H
