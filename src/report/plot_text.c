// plot_text.c - a plot in characters (plot.h).
#include "base/utf8.h"
#include "report/plot.h"

#include <assert.h>
#include <string.h>

enum {
    ROWS = 16,
    MARGIN = 8,  // for the numbers of the axis
    COLUMNS_MAX = 48,
    COLUMNS_MIN = 16,
};

static ptrdiff_t place(double v, double min, double max, ptrdiff_t n)
{
    ptrdiff_t i = (ptrdiff_t)((v - min) / (max - min) * (double)(n - 1) + 0.5);
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

static void put(char *cell)
{
    *cell = *cell == ' ' || *cell == '.' ? 'o'
            : *cell == 'o'               ? '2'
            : *cell < '9'                ? (char)(*cell + 1)
                                         : '9';
}

static void draw(char *cells, const plot *p, ptrdiff_t columns)
{
    memset(cells, ' ', (size_t)(ROWS * columns));
    for (ptrdiff_t x = 0; p->has_diagonal && x < columns; x++) {
        ptrdiff_t y = place((double)x, 0, (double)(columns - 1), ROWS);
        cells[(ROWS - 1 - y) * columns + x] = '.';
    }
    for (ptrdiff_t i = 0; i < p->n; i++) {
        ptrdiff_t x = place(p->points[i].x, p->x_min, p->x_max, columns);
        ptrdiff_t y = place(p->points[i].y, p->y_min, p->y_max, ROWS);
        char *cell = &cells[(ROWS - 1 - y) * columns + x];
        if (p->is_line) {
            *cell = 'o';
        } else {
            put(cell);
        }
    }
}

void plot_text(buf *out, const plot *p, ptrdiff_t width, arena scratch)
{
    assert(p->x_min < p->x_max && p->y_min < p->y_max);
    ptrdiff_t columns = width - MARGIN - 2;
    columns = columns > COLUMNS_MAX   ? COLUMNS_MAX
              : columns < COLUMNS_MIN ? COLUMNS_MIN
                                      : columns;
    char *cells = arena_new(&scratch, char, ROWS *columns);
    draw(cells, p, columns);
    str title = utf8_visible(&scratch, p->title);
    str y_title = utf8_visible(&scratch, p->y_title);
    str x_title = utf8_visible(&scratch, p->x_title);
    buf_printf(out, "%.*s\n%*s%.*s\n", STR_ARG(title), MARGIN, "",
               STR_ARG(y_title));
    for (ptrdiff_t row = 0; row < ROWS; row++) {
        bool has_number = row == 0 || row == ROWS - 1;
        double y = row == 0 ? p->y_max : p->y_min;
        if (has_number) {
            buf_printf(out, "%*g |", MARGIN - 2, y);
        } else {
            buf_printf(out, "%*s|", MARGIN - 1, "");
        }
        str line = {cells + row * columns, columns};
        while (line.len > 0 && line.ptr[line.len - 1] == ' ') {
            line.len--;
        }
        buf_add(out, line);
        buf_char(out, '\n');
    }
    buf_printf(out, "%*s+", MARGIN - 1, "");
    buf_repeat(out, '-', columns);
    ptrdiff_t middle = columns - utf8_width(x_title) - 12;
    buf_printf(out, "\n%*s%-6g%*s%.*s%6g\n", MARGIN, "", p->x_min,
               (int)(middle > 1 ? middle : 1), "", STR_ARG(x_title), p->x_max);
}
