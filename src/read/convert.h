/*
 * convert.h - a data set of any format, written in another.
 *
 * What a format has no place for is left out, and counted: a line cannot hold
 * a line break, a text file no empty prediction, Spider's files no question.
 */
#ifndef ASSAY_READ_CONVERT_H
#define ASSAY_READ_CONVERT_H

#include "read/dataset.h"

// Where the text goes; false stops the conversion.
typedef struct convert_sink {
    bool (*put)(void *context, str text);
    void *context;
} convert_sink;

typedef struct convert_job {
    const dataset *gold;     // cases, or NULL: predictions only
    const dataset *pred;     // predictions, or NULL: those in `gold` if any
    const int32_t *pred_of;  // of each case, when both are given (pair.h)
    dataset_format to;
    ptrdiff_t limit;  // at most that many records; 0: all
} convert_job;

typedef enum convert_loss {
    CONVERT_BREAKS,    // line breaks outside of literals became blanks
    CONVERT_LITERALS,  // line breaks inside literals or names became blanks
    CONVERT_COMMENTS,  // comments up to the end of a line were left out
    CONVERT_EMPTY,     // empty predictions became NO PREDICTION
    CONVERT_GOLDS,     // several golds became one text
    CONVERT_PREDS,     // of several predictions only the first was written
    CONVERT_BLANKS,    // blank lines were read as ends of sessions
    CONVERT_BYTES,     // bytes that are not UTF-8 became U+FFFD
    CONVERT_NO_PRED,   // and those below: the format has no place for it
    CONVERT_NO_ID,
    CONVERT_NO_DB,
    CONVERT_NO_QUESTION,
    CONVERT_NO_CATEGORY,
    CONVERT_NO_HARDNESS,
    CONVERT_NO_EVIDENCE,
    CONVERT_NO_RESULT,
    CONVERT_NO_TOLD,
    CONVERT_NO_OF,
    CONVERT_LOSSES,
} convert_loss;

typedef struct convert_result {
    ptrdiff_t n_records;
    ptrdiff_t lost[CONVERT_LOSSES];  // records that are not as they were
} convert_result;

// Formats that can be written.
bool convert_writes(dataset_format to);

// False with a message when the records do not fit the format, or (without
// one) when the sink refused.
bool convert_dataset(const convert_job *job,
                     convert_sink sink,
                     convert_result *result,
                     diag *d,
                     arena scratch);

// "2 records: line breaks became blanks"
str convert_loss_text(arena *a, convert_loss loss, ptrdiff_t n);

#endif  // ASSAY_READ_CONVERT_H
