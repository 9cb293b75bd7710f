/*
 * csv_table.h - a table of CSV or TSV, or of Markdown, whose first row names
 * its columns.
 *
 * What parts its cells is what a first line `sep=;` says, as Excel writes it;
 * else the one of comma, TAB, semicolon and | under which the first row scores
 * most: who reads the table knows what its columns should be called.
 */
#ifndef ASSAY_READ_CSV_TABLE_H
#define ASSAY_READ_CSV_TABLE_H

#include "base/diag.h"
#include "base/json.h"
#include "read/csv_scan.h"

typedef struct csv_table {
    str path;
    str text;
    char delimiter;
    ptrdiff_t start;   // of the row of names
    ptrdiff_t from;    // of the rows behind it
    const str *names;  // at most CSV_MOST_CELLS
    ptrdiff_t n_names;
    ptrdiff_t n_columns;
} csv_table;

// How well the names of a table say what they are; 0: they do not. It may give
// them others.
typedef ptrdiff_t csv_score(csv_table *t, const void *with, arena scratch);

// The table that scores most, of the text behind `from`; false: none scores.
bool csv_table_find(csv_table *t,
                    str path,
                    str text,
                    ptrdiff_t from,
                    csv_score *score,
                    const void *with,
                    arena *a);

// The next row at *at that is neither blank nor the rule of a Markdown table,
// and its offset. A quote that is never closed is said in `d`, which may be
// NULL.
csv_status csv_table_next(const csv_table *t,
                          ptrdiff_t *at,
                          csv_row *row,
                          diag *d,
                          arena *a);

// Has the row as many cells as there are columns? Else false with a message.
bool csv_table_fits(const csv_table *t, const csv_row *row, diag *d);

// The row as an object of texts; columns without a name are left out.
const json *csv_table_object(const csv_table *t, const csv_row *row, arena *a);

// The first name that stands twice; empty: there is none.
str csv_table_twice(const csv_table *t);

#endif  // ASSAY_READ_CSV_TABLE_H
