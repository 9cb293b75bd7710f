/*
 * redact.h - a line of a journal without values.
 *
 * What came out of a database, or may quote what is in one, is left out:
 * questions, details, rows, results, messages of engines, notes of models,
 * members that are not known here. Literals of queries become `?`. What stays:
 * ids, names of databases, tables and columns, verdicts, reasons, counts.
 */
#ifndef ASSAY_REPORT_REDACT_H
#define ASSAY_REPORT_REDACT_H

#include "base/arena.h"
#include "sql/dialect.h"

// The line, in `a`, which needs room for a few times its bytes. A line that is
// no JSON comes back as it is: its reader will say so.
str redact_line(arena *a, str line, dialect d);

#endif  // ASSAY_REPORT_REDACT_H
