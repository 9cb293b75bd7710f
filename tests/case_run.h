/*
 * case_run.h - runs one case of a file and says what came of it.
 */
#ifndef ASSAY_TESTS_CASE_RUN_H
#define ASSAY_TESTS_CASE_RUN_H

#include "case_file.h"
#include "kind.h"

typedef enum case_outcome {
    CASE_PASSED,
    CASE_FAILED,
    CASE_SKIPPED,
} case_outcome;

typedef struct case_result {
    case_outcome outcome;
    str report;                   // why it failed or was skipped
    vec_of(case_change) changes;  // what blessing would write
} case_result;

// The kind called `name`, or NULL.
const test_kind *kind_find(str name);

// The memory cases run in, one after the other: {0} to begin with. Sanitizer
// builds never give address space back, so that a pair of stores for each of
// 100,000 cases would use it up.
typedef struct case_memory {
    int64_t size;  // of each store; 0: none is open
    arena_store memory;
    arena_store scratch;
} case_memory;

// Runs the case in cleared memory; the result lies in `a`.
case_result case_run(arena *a,
                     case_memory *stores,
                     const test_kind *kind,
                     const case_file *file,
                     const case_text *text);

#endif  // ASSAY_TESTS_CASE_RUN_H
