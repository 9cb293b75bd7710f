/*
 * hint.h - what to do next, after a run: the one hint that fits.
 *
 * Order of    hint_new()    before the lines of a run
 * calls         hint_add()  each line
 *             hint_text()
 */
#ifndef ASSAY_REPORT_HINT_H
#define ASSAY_REPORT_HINT_H

#include "report/tally.h"

typedef struct hint {
    int64_t n_valued;        // wrong predictions for a gold with a text value
    int64_t n_placeholders;  // of these: have placeholders in its place
} hint;

// Looks at the verdict that a line is first asked about.
void hint_add(hint *h, const case_line *line);

// What the user has done already.
typedef struct hint_context {
    str journal;        // of --out; empty: none that can be read again
    bool has_out;       // --out, for instance to a pipe
    bool plugs_values;  // --plug-values
} hint_context;

// One line for a person, without its end; empty when nothing failed.
str hint_text(arena *a,
              const hint *h,
              const tally *t,
              const hint_context *context);

#endif  // ASSAY_REPORT_HINT_H
