/*
 * grid.h - a table: rows of cells, the first row its heading, the first cell of
 * each its label. Rows may be of any length; what is missing is empty.
 */
#ifndef ASSAY_REPORT_GRID_H
#define ASSAY_REPORT_GRID_H

#include "base/buf.h"
#include "base/map.h"
#include "report/layout.h"

typedef struct grid {
    vec_of(str_list) rows;
    ptrdiff_t n_columns;  // of the longest row
    arena *a;
} grid;

// Begins a row with these cells: grid_row(&g, name, cell_int(a, n), S("-")).
#define grid_row(g, ...) (grid_begin(g), grid_add((g), __VA_ARGS__))
void grid_begin(grid *g);

// Adds cells to the last row; texts are borrowed.
#define grid_add(g, ...)                        \
    grid_cells((g), (const str[]){__VA_ARGS__}, \
               countof(((const str[]){__VA_ARGS__})))
void grid_cells(grid *g, const str *texts, ptrdiff_t n);

// Adds a heading: its words, with | between them.
void grid_heads(grid *g, str words);

// A cell, empty where a row ends before it.
str grid_at(const grid *g, ptrdiff_t row, ptrdiff_t column);

/*
 * A table of what stands where two lists of names meet. A place says what a
 * cell is about, by up to three numbers: those of its row and its column are
 * set, the others stay as they are given.
 */
typedef enum axis_of {
    AXIS_RUN,
    AXIS_METRIC,
    AXIS_ITEM,  // a group, a reason, ...
    AXIS_COUNT,
} axis_of;

typedef struct cell_at {
    ptrdiff_t at[AXIS_COUNT];
} cell_at;

typedef struct axis_mark {
    str name;
    ptrdiff_t id;
} axis_mark;

typedef struct axis {
    axis_of of;
    vec_of(axis_mark) marks;
} axis;

// The names of a map, in this order; NULL: in its own. What has no name is "run",
// or "-".
axis axis_of_map(axis_of of, const map *names, const int32_t *order, arena *a);
void axis_add_map(axis *x, arena *a, const map *names, const int32_t *order);
void axis_add(axis *x, arena *a, str name, ptrdiff_t id);

// Words with | between them, the first with this number, then counted on.
void axis_add_words(axis *x, arena *a, str words, ptrdiff_t id);

typedef str cell_of(const void *what, arena *a, cell_at p);
void grid_cross(grid *g,
                const axis *down,
                const axis *across,
                cell_at p,
                cell_of *cell,
                const void *what);

// What cells say of a number; of NaN a dash.
str cell_int(arena *a, int64_t n);
str cell_decimal(arena *a, double x, int digits);
str cell_percent(arena *a, double share);  // "78.4 %"

// What cells say where there may be nothing to say.
str cell_count(arena *a, int64_t n);  // of 0 nothing
str cell_name(str name);              // or "-"
str cell_share(arena *a, int64_t part, int64_t whole);
str cell_points(arena *a, double share);            // "+1.5", of a difference
str cell_range(arena *a, double low, double high);  // "75.8-80.8", of shares

// Appends the table, aligned by what a terminal shows. Each block repeats the
// label column, has at least one other column, and is at most `width` wide
// where that is possible. The heading may be bold.
void grid_print(const grid *g, buf *out, ptrdiff_t width, bool is_bold);

// Its lines, to stand beside others: cells are left-aligned, with | between
// them.
void grid_lines(const grid *g, layout_block *out);

// Appends text of others so that Markdown shows it as it is.
void grid_markdown_text(buf *out, str text);

// The same as a table of Markdown, in one block; cells are escaped.
void grid_markdown(const grid *g, buf *out);

#endif  // ASSAY_REPORT_GRID_H
