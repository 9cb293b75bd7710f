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

// Names; one with '*' at the end stands for all that begin so.
typedef struct guard_names {
    const str *ptr;
    ptrdiff_t len;
} guard_names;

typedef struct query_guard {
    dialect dialect;
    guard_names verbs;    // what else a query may begin with
    guard_names refused;  // functions that may not be called
    guard_names secrets;  // may not stand anywhere: what holds passwords, what
                          // writes files
    guard_names schemas;  // of which nothing may be named
    guard_names clocks;   // words and functions that tell the time
    guard_names randoms;
    bool runs_comments;  // /*! these */
} query_guard;

// guard_lists.c: of the systems that assay knows, and of all others.
extern const query_guard guard_postgres;
extern const query_guard guard_mariadb;
extern const query_guard guard_duckdb;
extern const query_guard guard_other;

// False, with status and message in *x, when the text may not be sent. Sets
// reads_clock and reads_random of *x otherwise.
bool query_guard_check(const query_guard *g, str sql, execution *x, arena *a);

#endif  // ASSAY_ENGINE_QUERY_GUARD_H
