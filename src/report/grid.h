/*
 * grid.h - a table for people: a label and right-aligned cells, aligned by
 * what a terminal shows, cut into blocks where the page is too narrow.
 */
#ifndef ASSAY_REPORT_GRID_H
#define ASSAY_REPORT_GRID_H

#include "base/buf.h"

typedef struct grid {
    ptrdiff_t n_columns;  // with the label
    str_list cells;       // row by row; the first row is the heading
    bool has_color;       // the heading is bold
    arena *a;
} grid;

typedef vec_of(grid) grid_list;

grid grid_new(arena *a, ptrdiff_t n_columns);

// Adds the next cell; the text is borrowed.
void grid_cell(grid *g, str text);

// Adds several: grid_row(&g, name, cell_int(a, n), S("-")).
#define grid_row(g, ...)                        \
    grid_cells((g), (const str[]){__VA_ARGS__}, \
               countof(((const str[]){__VA_ARGS__})))
void grid_cells(grid *g, const str *texts, ptrdiff_t n);

// A heading: its words, with | between them.
void grid_heads(grid *g, str words);

// What cells say of a number; of NaN a dash.
str cell_int(arena *a, int64_t n);
str cell_decimal(arena *a, double x, int digits);
str cell_percent(arena *a, double share);  // "78.4 %"

// Fills the row with empty cells up to its end.
void grid_end_row(grid *g);

// Appends the table. Each block repeats the label column, has at least one
// other column, and is at most `width` wide where that is possible.
void grid_print(const grid *g, buf *out, ptrdiff_t width);

// Appends text of others so that Markdown shows it as it is.
void grid_markdown_text(buf *out, str text);

// The same as a table of Markdown, in one block; cells are escaped.
void grid_markdown(const grid *g, buf *out);

#endif  // ASSAY_REPORT_GRID_H
