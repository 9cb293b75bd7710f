/*
 * pair.h - which prediction answers which question.
 *
 * By id where both files have ids, by position otherwise; nothing is dropped
 * or shifted in silence. (BIRD prediction objects are paired by key: the key
 * is the position or the question_id of the gold.)
 */
#ifndef ASSAY_READ_PAIR_H
#define ASSAY_READ_PAIR_H

#include "read/dataset.h"

typedef struct pairing {
    int32_t *pred_of;      // for each gold record its prediction, -1: missing
    ptrdiff_t n_missing;   // questions without a prediction
    ptrdiff_t n_extra;     // predictions without a question
    ptrdiff_t n_repeated;  // ids that stand more than once in either file
    bool by_id;
} pairing;

// Pairs all records. When something is missing, extra or repeated, says so in
// `d` with counts and the first few ids, and returns false; the pairing is
// usable all the same (missing ones are -1, of repeated ones the first).
bool pair_records(pairing *p,
                  arena *a,
                  const dataset *gold,
                  const dataset *pred,
                  diag *d,
                  arena scratch);

#endif  // ASSAY_READ_PAIR_H
