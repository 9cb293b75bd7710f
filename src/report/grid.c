/*
 * grid.c - a table for people, cut into blocks where the page is too narrow.
 *
 * Method      Cells are kept row by row in one array. Each column is as wide as
 *             its widest cell, by what a terminal shows (utf8_width). A block
 *             takes columns from left to right as long as they fit, and repeats
 *             the column of labels; the next block goes on. Cells are
 *             right-aligned but for the labels, and no blanks are written at
 *             the end of a line.
 *
 * Invariants  (1) When the table is printed, all rows are complete.
 *             (2) A block has at least one column beside the labels, however
 *                 narrow the page: printing ends.
 */
#include "report/grid.h"

#include "base/utf8.h"

#include <assert.h>
#include <math.h>

enum {
    GAP = 2
};

grid grid_new(arena *a, ptrdiff_t n_columns)
{
    assert(n_columns > 1);
    return (grid){.n_columns = n_columns, .a = a};
}

void grid_cell(grid *g, str text)
{
    str shown = utf8_visible(g->a, text);
    *vec_push(g->a, &g->cells) = shown;
}

void grid_cells(grid *g, const str *texts, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        grid_cell(g, texts[i]);
    }
}

void grid_heads(grid *g, str words)
{
    while (words.len > 0) {
        grid_cell(g, str_cut(&words, '|'));
    }
}

str cell_int(arena *a, int64_t n)
{
    return arena_printf(a, "%lld", (long long)n);
}

str cell_decimal(arena *a, double x, int digits)
{
    return isnan(x) ? S("-") : arena_printf(a, "%.*f", digits, x);
}

str cell_percent(arena *a, double share)
{
    return isnan(share) ? S("-") : arena_printf(a, "%.1f %%", share * 100);
}

void grid_end_row(grid *g)
{
    while (g->cells.len % g->n_columns != 0) {
        grid_cell(g, (str){0});
    }
}

static str cell_at(const grid *g, ptrdiff_t row, ptrdiff_t column)
{
    assert(row * g->n_columns + column < g->cells.len);
    return g->cells.ptr[row * g->n_columns + column];
}

// The widest cell of each column.
static const ptrdiff_t *column_widths(const grid *g, arena *a)
{
    ptrdiff_t *widths = arena_new(a, ptrdiff_t, g->n_columns);
    for (ptrdiff_t i = 0; i < g->cells.len; i++) {
        ptrdiff_t width = utf8_width(g->cells.ptr[i]);
        ptrdiff_t column = i % g->n_columns;
        widths[column] = width > widths[column] ? width : widths[column];
    }
    return widths;
}

typedef struct grid_block {
    const grid *g;
    const ptrdiff_t *widths;
    ptrdiff_t from;  // columns [from, to), and the label
    ptrdiff_t to;
} grid_block;

// One row, without blanks at its end.
static void print_row(const grid_block *b, buf *out, ptrdiff_t row)
{
    str label = cell_at(b->g, row, 0);
    buf_add(out, label);
    ptrdiff_t blanks = b->widths[0] - utf8_width(label);
    for (ptrdiff_t column = b->from; column < b->to; column++) {
        str cell = cell_at(b->g, row, column);
        blanks += GAP + b->widths[column] - utf8_width(cell);
        if (cell.len == 0) {
            continue;  // blanks are written only before something
        }
        buf_repeat(out, ' ', blanks);
        buf_add(out, cell);
        blanks = 0;
    }
}

static void print_block(const grid_block *b, buf *out)
{
    const grid *g = b->g;
    for (ptrdiff_t row = 0; row < g->cells.len / g->n_columns; row++) {
        bool is_bold = g->has_color && row == 0;
        buf_add(out, is_bold ? S("\033[1m") : S(""));
        print_row(b, out, row);
        buf_add(out, is_bold ? S("\033[0m\n") : S("\n"));
    }
}

// As many columns from `from` on as fit, at least one.
static grid_block next_block(const grid *g,
                             const ptrdiff_t *widths,
                             ptrdiff_t from,
                             ptrdiff_t width)
{
    ptrdiff_t used = widths[0] + GAP + widths[from];
    ptrdiff_t to = from + 1;
    while (to < g->n_columns && used + GAP + widths[to] <= width) {
        used += GAP + widths[to++];
    }
    return (grid_block){g, widths, from, to};
}

void grid_print(const grid *g, buf *out, ptrdiff_t width)
{
    assert(g->cells.len % g->n_columns == 0);  // invariant 1
    const ptrdiff_t *widths = column_widths(g, g->a);
    for (ptrdiff_t from = 1; from < g->n_columns;) {
        grid_block block = next_block(g, widths, from, width);
        buf_add(out, from > 1 ? S("\n") : S(""));
        print_block(&block, out);
        assert(block.to > from);  // invariant 2
        from = block.to;
    }
}

void grid_markdown_text(buf *out, str text)
{
    // Signs that Markdown or HTML would read.
    // clang-format off
    static const char *const signs[128] = {
        " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " ",
        " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " ", " ",
        ['|'] = "\\|", ['*'] = "\\*", ['_'] = "\\_", ['`'] = "\\`", ['\\'] = "\\\\",
        ['['] = "\\[", [']'] = "\\]", ['#'] = "\\#", ['<'] = "&lt;", ['&'] = "&amp;",
    };
    // clang-format on
    buf_escape(out, text, signs);
}

void grid_markdown(const grid *g, buf *out)
{
    assert(g->cells.len % g->n_columns == 0);
    for (ptrdiff_t row = 0; row < g->cells.len / g->n_columns; row++) {
        for (ptrdiff_t column = 0; column < g->n_columns; column++) {
            buf_add(out, S("| "));
            grid_markdown_text(out, cell_at(g, row, column));
            buf_char(out, ' ');
        }
        buf_add(out, S("|\n"));
        for (ptrdiff_t column = 0; row == 0 && column < g->n_columns;
             column++) {
            buf_add(out, column == 0 ? S("|---") : S("|---:"));
        }
        buf_add(out, row == 0 ? S("|\n") : S(""));
    }
}
