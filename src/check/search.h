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
} search;

// Fills answer, evidence, reason, causes, witness and the counts of `v`.
void search_witness(const search *s, check_verdict *v, arena *a, arena scratch);

#endif  // ASSAY_CHECK_SEARCH_H
