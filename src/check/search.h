// search.h - the search for a database that tells two queries apart.
#ifndef ASSAY_CHECK_SEARCH_H
#define ASSAY_CHECK_SEARCH_H

#include "check/check_verdict.h"
#include "check/trial.h"
#include "check/witness.h"
#include "sample/sample.h"
#include "schema/reading.h"

typedef struct search {
    pair *p;
    const schema *assumed;   // the schema of the database
    const schema *declared;  // with all that was declared
    const binding *queries[2];
    ptrdiff_t n_queries;  // bound
    bool is_proved;       // they are the same: a few databases, to try it
    const check_options *o;
    witness_stage *stage;
    int64_t start_ns;
    arena one;  // temporary
    arena two;
    struct search_progress *progress;
} search;

// Once, before the first database; it goes on to take memory from `a` itself.
void search_open(search *s, arena *a, arena scratch);

// Looks at databases up to that number, and beyond the aimed ones on for as
// long as they differ but need not; never twice at one. Fills the counts of
// `v`, and once it is over its answer, evidence, reason, causes and witness.
void search_until(const search *s,
                  int64_t most,
                  check_verdict *v,
                  arena *a,
                  arena scratch);

#endif  // ASSAY_CHECK_SEARCH_H
