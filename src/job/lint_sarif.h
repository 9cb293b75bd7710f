/*
 * lint_sarif.h - findings of `assay lint` as SARIF 2.1.0, which editors and CI
 * servers read.
 */
#ifndef ASSAY_JOB_LINT_SARIF_H
#define ASSAY_JOB_LINT_SARIF_H

#include "base/buf.h"
#include "job/lint.h"

// Where in its file a gold stands.
typedef struct lint_place {
    int64_t line;    // from 1
    int64_t column;  // from 1, in characters; 0: not known
} lint_place;

typedef struct lint_sarif {
    str file;     // as the user named it
    str bytes;    // of the file
    buf results;  // so far
    // Of the line that was looked for last: golds come in order.
    int64_t line;
    ptrdiff_t offset;
} lint_sarif;

// The document is made in `a`.
lint_sarif lint_sarif_new(arena *a, str file, str bytes);

// The place of a gold whose record begins at `line`: that of its text where it
// stands there as it is, else the line.
lint_place lint_sarif_locate(lint_sarif *s, int64_t line, str gold);

// `message` is for people and speaks of the case.
void lint_sarif_add(lint_sarif *s,
                    lint_id id,
                    lint_place place,
                    str case_id,
                    str message);

// The whole document.
str lint_sarif_end(const lint_sarif *s, arena *a);

#endif  // ASSAY_JOB_LINT_SARIF_H
