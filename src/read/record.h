/*
 * record.h - one question as a file gives it, whatever the file's format.
 *
 * Every field may be empty. Texts lie in the arena that the record was read
 * into, or in the file: they are good until dataset_close.
 */
#ifndef ASSAY_READ_RECORD_H
#define ASSAY_READ_RECORD_H

#include "base/arena.h"

typedef struct record_pred {
    str run;   // name of the model inside the file (IBM toolkit), else empty
    str raw;   // what the model answered, without what the file adds to it
               // (BIRD's separator and database)
    str sql;   // the SQL taken out of raw (extract.h); until then empty
    str note;  // what was cut off: "markdown fence"; empty: nothing
} record_pred;

typedef struct record {
    str id;  // empty: the file has none; then position is identity
    str db;
    str question;
    str category;      // of the question: "group_by"
    str hardness;      // as the data set says: "simple", "hard"
    str evidence;      // hints and instructions that belong to the question
    const str *golds;  // each may hold {a,b} groups and `;`; none is blank
    ptrdiff_t n_golds;
    bool golds_are_final;      // a list in JSON: `;` inside one is not split
    const record_pred *preds;  // one that is empty: the model gave nothing
    ptrdiff_t n_preds;
    ptrdiff_t interaction;  // number of the session from 0; -1: none
    ptrdiff_t turn;         // number in the session from 0; -1: none
    int64_t line;           // where it begins in the file, from 1
} record;

#endif  // ASSAY_READ_RECORD_H
