/*
 * report_show.h - one line of a journal as a person wants to see it.
 */
#ifndef ASSAY_REPORT_REPORT_SHOW_H
#define ASSAY_REPORT_REPORT_SHOW_H

#include "base/json.h"
#include "report/doc.h"
#include "sql/dialect.h"

// The case: where it is from, its question, gold and prediction with the words
// that differ marked, each verdict in words with its evidence, that of `metric`
// first (empty: as in the line), and the command that runs it again. `head` is
// the first line of the journal, or NULL. All that the journal holds is made by
// utf8_visible(), for cli_write_colored().
void report_show(doc *d,
                 const json *line,
                 const json *head,
                 dialect of,
                 str metric);

#endif  // ASSAY_REPORT_REPORT_SHOW_H
