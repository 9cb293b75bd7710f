/*
 * csv_scan.h - rows and cells of CSV as RFC 4180 has it: a cell in quotes may
 * hold separators, line breaks and doubled quotes.
 *
 * Beyond it, as the readers do that people use: text after a closing quote
 * belongs to the cell up to the next separator. Real files have it where a
 * quote should have been doubled.
 */
#ifndef ASSAY_READ_CSV_SCAN_H
#define ASSAY_READ_CSV_SCAN_H

#include "base/arena.h"

typedef struct csv_cell {
    str raw;         // without the opening quote, with the closing one
    bool is_quoted;  // there was an opening quote
    bool is_odd;     // text follows the closing quote
} csv_cell;

enum {
    CSV_MOST_CELLS = 4096
};

typedef struct csv_row {
    csv_cell *ptr;  // at most CSV_MOST_CELLS of them
    ptrdiff_t len;
    ptrdiff_t cap;
    ptrdiff_t n;     // how many there were
    ptrdiff_t from;  // where it begins
} csv_row;

typedef enum csv_status {
    CSV_ROW,
    CSV_END,
    CSV_UNCLOSED,  // a quote that is never closed, at *at
} csv_status;

// Reads the row at text[*at] and moves *at past it. The cells of `row` are
// overwritten; it grows in `a`.
csv_status csv_scan_row(str text,
                        ptrdiff_t *at,
                        char delimiter,
                        arena *a,
                        csv_row *row);

// A row without any text: a line with nothing on it, or separators alone.
bool csv_row_is_blank(const csv_row *row);

// What the cell says; borrowed unless a quote in it is left out.
str csv_cell_text(arena *a, csv_cell cell);

#endif  // ASSAY_READ_CSV_SCAN_H
