/*
 * pair.h - which prediction answers which question.
 *
 * By id where both files have ids, by position otherwise; nothing is dropped
 * or shifted in silence. Of a file that is one JSON object (BIRD) the key is
 * the id of the question or its position from 0, whichever fits. Where the
 * gold has no ids and those of the predictions are the numbers from 0 or from
 * 1, they are positions too. Sessions in text files are paired one by one.
 *
 * Where positions would pair them and a column, whatever it is called, holds
 * the same different values in both files but in another order, or numbers the
 * predictions in another order than theirs, they are not paired: `shared` names
 * the column; unless the SQL is more like what it would be paired with. A text
 * without names has columns, too (dataset.h).
 */
#ifndef ASSAY_READ_PAIR_H
#define ASSAY_READ_PAIR_H

#include "read/dataset.h"

// What the blank lines between predictions were taken for.
typedef enum pair_blank {
    PAIR_BLANK_NONE,     // there are none
    PAIR_BLANK_NOTHING,  // dropped
    PAIR_BLANK_EMPTY,    // each is an empty prediction
    PAIR_BLANK_END,      // each ends a session
} pair_blank;

typedef struct pairing {
    int32_t *pred_of;      // for each gold record its prediction, -1: missing
    ptrdiff_t n_missing;   // questions without a prediction
    ptrdiff_t n_extra;     // predictions without a question
    ptrdiff_t n_repeated;  // ids that stand more than once in either file
    ptrdiff_t n_misfits;   // pairs whose databases or questions differ
    str shared;  // a column of both files that says another order; or empty
    bool by_id;
    pair_blank blank;
} pairing;

// Pairs all records. When something is missing, extra, repeated or of another
// database, says so in `d` with counts and the first few ids, and returns
// false; the pairing is usable all the same (missing ones are -1, of repeated
// ones the first). `wanted` says of each gold record whether it is missed when
// pairs go by id; NULL: all are.
bool pair_records(pairing *p,
                  arena *a,
                  const dataset *gold,
                  const dataset *pred,
                  const bool *wanted,
                  diag *d,
                  arena scratch);

// Remarks what blank lines were taken for, where the numbers of records decide.
void pair_note_blank(const pairing *p, const dataset *pred, diag *notes);

// Of a file without another to pair it with: false, with a message, when ids
// stand more than once. Its cases cannot be told apart by id.
bool pair_ids_are_apart(const dataset *set, diag *d, arena scratch);

#endif  // ASSAY_READ_PAIR_H
