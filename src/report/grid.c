/*
 * grid.c - a table, and how it is shown: cut into blocks where the page is too
 * narrow, or as Markdown.
 *
 * Method      Each column is as wide as its widest cell, by what a terminal
 *             shows (utf8_width). A block takes columns from left to right as
 *             long as they fit, and repeats the column of labels; the next
 *             block goes on. Cells are right-aligned but for the labels, and no
 *             blanks are written at the end of a line.
 *
 * Invariant   A block has at least one column beside the labels, however narrow
 *             the page: printing ends.
 */
#include "report/grid.h"

#include "base/utf8.h"
#include "report/wilson.h"

#include <assert.h>
#include <math.h>

enum {
    GAP = 2
};

void grid_begin(grid *g)
{
    *vec_push(g->a, &g->rows) = (str_list){0};
}

void grid_cells(grid *g, const str *texts, ptrdiff_t n)
{
    assert(g->rows.len > 0);
    str_list *row = &g->rows.ptr[g->rows.len - 1];
    for (ptrdiff_t i = 0; i < n; i++) {
        str shown = utf8_visible(g->a, texts[i]);
        *vec_push(g->a, row) = shown;
    }
    g->n_columns = row->len > g->n_columns ? row->len : g->n_columns;
}

void grid_heads(grid *g, str words)
{
    while (words.len > 0) {
        grid_add(g, str_cut(&words, '|'));
    }
}

str grid_at(const grid *g, ptrdiff_t row, ptrdiff_t column)
{
    const str_list *cells = &g->rows.ptr[row];
    return column < cells->len ? cells->ptr[column] : (str){0};
}

void axis_add(axis *x, arena *a, str name, ptrdiff_t id)
{
    str shown = name.len > 0 ? name : x->of == AXIS_RUN ? S("run") : S("-");
    *vec_push(a, &x->marks) = (axis_mark){shown, id};
}

void axis_add_words(axis *x, arena *a, str words, ptrdiff_t id)
{
    while (words.len > 0) {
        axis_add(x, a, str_cut(&words, '|'), id++);
    }
}

void axis_add_map(axis *x, arena *a, const map *names, const int32_t *order)
{
    for (ptrdiff_t i = 0; i < map_count(names); i++) {
        ptrdiff_t id = order ? order[i] : i;
        axis_add(x, a, map_key_at(names, id), id);
    }
}

axis axis_of_map(axis_of of, const map *names, const int32_t *order, arena *a)
{
    axis x = {.of = of};
    axis_add_map(&x, a, names, order);
    return x;
}

void grid_cross(grid *g,
                const axis *down,
                const axis *across,
                cell_at p,
                cell_of *cell,
                const void *what)
{
    for (ptrdiff_t i = 0; i < across->marks.len; i++) {
        grid_add(g, across->marks.ptr[i].name);
    }
    for (ptrdiff_t i = 0; i < down->marks.len; i++) {
        p.at[down->of] = down->marks.ptr[i].id;
        grid_row(g, down->marks.ptr[i].name);
        for (ptrdiff_t k = 0; k < across->marks.len; k++) {
            p.at[across->of] = across->marks.ptr[k].id;
            grid_add(g, cell(what, g->a, p));
        }
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

str cell_count(arena *a, int64_t n)
{
    return n > 0 ? cell_int(a, n) : (str){0};
}

str cell_name(str name)
{
    return name.len > 0 ? name : S("-");
}

str cell_share(arena *a, int64_t part, int64_t whole)
{
    return cell_percent(a, part_share(part, whole));
}

// Never "-0.0".
str cell_points(arena *a, double share)
{
    double x = fabs(share) < 0.0005 ? 0 : share * 100;
    return isnan(share) ? S("-") : arena_printf(a, "%+.1f", x);
}

str cell_range(arena *a, double low, double high)
{
    return isnan(low) ? S("-")
                      : arena_printf(a, "%.1f-%.1f", low * 100, high * 100);
}

// The widest cell of each column.
static const ptrdiff_t *column_widths(const grid *g, arena *a)
{
    ptrdiff_t *widths = arena_new(a, ptrdiff_t, g->n_columns);
    for (ptrdiff_t i = 0; i < g->rows.len * g->n_columns; i++) {
        ptrdiff_t column = i % g->n_columns;
        ptrdiff_t width = utf8_width(grid_at(g, i / g->n_columns, column));
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
    str label = grid_at(b->g, row, 0);
    buf_add(out, label);
    ptrdiff_t blanks = b->widths[0] - utf8_width(label);
    for (ptrdiff_t column = b->from; column < b->to; column++) {
        str cell = grid_at(b->g, row, column);
        blanks += GAP + b->widths[column] - utf8_width(cell);
        if (cell.len == 0) {
            continue;  // blanks are written only before something
        }
        buf_repeat(out, ' ', blanks);
        buf_add(out, cell);
        blanks = 0;
    }
}

static void print_block(const grid_block *b, buf *out, bool is_bold)
{
    for (ptrdiff_t row = 0; row < b->g->rows.len; row++) {
        bool is_head = is_bold && row == 0;
        buf_add(out, is_head ? S("\033[1m") : S(""));
        print_row(b, out, row);
        buf_add(out, is_head ? S("\033[0m\n") : S("\n"));
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

void grid_print(const grid *g, buf *out, ptrdiff_t width, bool is_bold)
{
    const ptrdiff_t *widths = column_widths(g, g->a);
    for (ptrdiff_t from = 1; from < g->n_columns;) {
        grid_block block = next_block(g, widths, from, width);
        buf_add(out, from > 1 ? S("\n") : S(""));
        print_block(&block, out, is_bold);
        assert(block.to > from);  // the invariant
        from = block.to;
    }
}

void grid_lines(const grid *g, layout_block *out)
{
    const ptrdiff_t *widths = column_widths(g, g->a);
    for (ptrdiff_t row = 0; row < g->rows.len; row++) {
        buf line = buf_new(g->a);
        for (ptrdiff_t column = 0; column < g->n_columns; column++) {
            str cell = grid_at(g, row, column);
            buf_add(&line, column == 0 ? S("  ") : S(" | "));
            buf_add(&line, cell);
            buf_repeat(&line, ' ', widths[column] - utf8_width(cell));
        }
        buf_trim(&line);
        layout_line(out, g->a, buf_str(&line));
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
    for (ptrdiff_t row = 0; row < g->rows.len; row++) {
        for (ptrdiff_t column = 0; column < g->n_columns; column++) {
            buf_add(out, S("| "));
            grid_markdown_text(out, grid_at(g, row, column));
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
