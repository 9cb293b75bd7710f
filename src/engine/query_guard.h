/*
 * query_guard.h - what may be sent to a server: one plain query that calls
 * nothing that reaches beyond it.
 *
 * Why         SQLite asks us about each thing that a query does. Servers do
 *             not: there the fences are a read-only transaction and a role
 *             without rights, and this, a look at the text for what those two
 *             let pass (settings, locks that outlive a transaction, queries
 *             inside a text, waking other sessions).
 */
#ifndef ASSAY_ENGINE_QUERY_GUARD_H
#define ASSAY_ENGINE_QUERY_GUARD_H

#include "engine/engine.h"

// A function that may not be called: by its name, or, with '*' at the end, by
// what its name begins with.
typedef struct query_guard {
    dialect dialect;
    const str *verbs;  // what else a query may begin with; NULL: nothing
    ptrdiff_t n_verbs;
    const str *refused;
    ptrdiff_t n_refused;
    const str *secrets;  // names that may not stand anywhere: what holds
                         // passwords, what writes files
    ptrdiff_t n_secrets;
    const str *clocks;  // words and functions that tell the time
    ptrdiff_t n_clocks;
    const str *randoms;
    ptrdiff_t n_randoms;
} query_guard;

// False, with status and message in *x, when the text may not be sent. Sets
// reads_clock and reads_random of *x otherwise.
bool query_guard_check(const query_guard *g, str sql, execution *x, arena *a);

#endif  // ASSAY_ENGINE_QUERY_GUARD_H
