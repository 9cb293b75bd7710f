/*
 * report_show.h - one line of a journal as a person wants to see it.
 */
#ifndef ASSAY_REPORT_REPORT_SHOW_H
#define ASSAY_REPORT_REPORT_SHOW_H

#include "base/json.h"
#include "sql/dialect.h"

typedef struct show_look {
    ptrdiff_t width;
    bool has_color;
    dialect dialect;
    str metric;  // its verdict comes first; empty: as in the line
} show_look;

// The case: where it is from, its question, gold and prediction with the words
// that differ marked, each verdict in words with its evidence, and the command
// that runs it again. `head` is the first line of the journal, or NULL. All
// that the journal holds is made by utf8_visible(), for cli_write_colored().
void report_show(buf *out,
                 const json *line,
                 const json *head,
                 const show_look *look,
                 arena scratch);

#endif  // ASSAY_REPORT_REPORT_SHOW_H
