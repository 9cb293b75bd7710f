/*
 * record.h - one question as a file gives it, whatever the file's format.
 *
 * Every field may be empty. Texts lie in the arena that the record was read
 * into, or in the file: they are good until dataset_close.
 */
#ifndef ASSAY_READ_RECORD_H
#define ASSAY_READ_RECORD_H

#include "base/arena.h"
#include "base/json.h"
#include "base/told.h"

typedef struct record_pred {
    str run;   // name of the model inside the file (IBM toolkit), else empty
    str raw;   // what the model answered, without what the file adds to it
               // (BIRD's separator and database)
    str sql;   // the SQL taken out of raw (extract.h); until then empty
    str note;  // what was cut off: "markdown fence"; empty: nothing
    answer_told told;
} record_pred;

// A result that stands as the gold, in place of a query.
typedef struct record_result {
    str name;                  // of its file; empty: the record holds it
    str csv;                   // a row of names, then the rows
    const json *inside;        // in place of `csv`: rows as JSON has them
    const struct table *rows;  // likewise, with the types of the file
    str error;                 // there is neither, and why
    const int32_t *which;      // columns that count, by position
    ptrdiff_t n_which;         // 0: all
    bool is_ordered;           // the order of its rows counts
} record_result;

typedef struct record {
    str id;  // empty: the file has none; then position is identity
    str db;
    str question;
    str category;      // of the question: "group_by"
    str hardness;      // as the data set says: "simple", "hard"
    str evidence;      // hints and instructions that belong to the question
    str of;            // id of the question that this one is a change of
    const str *golds;  // each may hold {a,b} groups and `;`; none is blank
    ptrdiff_t n_golds;
    const str *before;     // statements that run before gold and prediction
    ptrdiff_t n_before;    // on each one's copy
    bool golds_are_final;  // a list in JSON: `;` inside one is not split
    const record_result *results;  // any of them is right; where there are
    ptrdiff_t n_results;           // some, no gold query is run
    const json *which;      // columns of its results that count; NULL: all
    const json *any_order;  // the order of their rows does not; NULL: likewise
    const record_pred *preds;  // one that is empty: the model gave nothing
    ptrdiff_t n_preds;
    ptrdiff_t interaction;  // number of the session from 0; -1: none
    ptrdiff_t turn;         // number in the session from 0; -1: none
    int64_t line;           // where it begins in the file, from 1
} record;

#endif  // ASSAY_READ_RECORD_H
