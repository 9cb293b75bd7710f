/*
 * sheet.h - a text for people that is being written, with its tables.
 */
#ifndef ASSAY_REPORT_SHEET_H
#define ASSAY_REPORT_SHEET_H

#include "report/grid.h"
#include "report/report.h"

typedef struct sheet {
    buf *out;
    const report_look *look;
    arena *a;  // for cells
} sheet;

// A table whose heading begins with these words, with | between them.
grid sheet_grid(const sheet *s, ptrdiff_t n_columns, str heads);

// A table whose heading begins with a title, which is as it is.
grid sheet_titled(const sheet *s, ptrdiff_t n_columns, str title);

// Appends it below an empty line.
void sheet_add(const sheet *s, const grid *g);
void sheet_add_all(const sheet *s, const grid_list *tables);

// What cells say where there may be nothing to say.
str cell_name(str name);  // or "-"
str cell_share(arena *a, int64_t part, int64_t whole);
str cell_points(arena *a, double share);  // "+1.5", of a difference

#endif  // ASSAY_REPORT_SHEET_H
