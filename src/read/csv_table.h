/*
 * csv_table.h - a table of CSV or TSV, or of Markdown, whose first row names
 * its columns.
 *
 * A first line `sep=;`, as Excel writes it, says what separates its cells. Else
 * it is the one of comma, TAB, semicolon and | under which the first row scores
 * most: whoever reads the table knows what its columns should be called.
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
    ptrdiff_t from;    // of the rows after it
    const str *names;  // at most CSV_MOST_CELLS
    ptrdiff_t n_names;
    ptrdiff_t n_columns;
} csv_table;

// How well the names of a table say what the columns are; 0: they do not. It
// may change the names.
typedef ptrdiff_t csv_score(csv_table *t, const void *with, arena scratch);

// The table with the highest score, in the text from `from` on; false: none has
// any.
bool csv_table_find(csv_table *t,
                    str path,
                    str text,
                    ptrdiff_t from,
                    csv_score *score,
                    const void *with,
                    arena *a);

// The next row at *at that is neither blank nor the rule of a Markdown table,
// and its offset. `d`, which may be NULL, is told of a quote that never closes.
csv_status csv_table_next(const csv_table *t,
                          ptrdiff_t *at,
                          csv_row *row,
                          diag *d,
                          arena *a);

// False with a message unless the row has as many cells as there are columns.
bool csv_table_fits(const csv_table *t, const csv_row *row, diag *d);

// What a cell holds: a conversation, as JSON or Python writes it, or a text.
json csv_cell_value(arena *a, csv_cell cell);

// The row as an object; columns without a name are left out.
const json *csv_table_object(const csv_table *t, const csv_row *row, arena *a);

// The first name that occurs twice; empty: none does.
str csv_table_twice(const csv_table *t);

#endif  // ASSAY_READ_CSV_TABLE_H
