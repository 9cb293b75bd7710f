/*
 * plot.c - plots as SVG (plot.h).
 *
 * Method      Each plot is a group moved to its place in a grid; inside, one
 *             unit is a pixel, y grows downwards.
 */
#include "report/plot.h"

#include "report/xml.h"

#include <assert.h>

enum {
    CELL_WIDTH = 260,
    CELL_HEIGHT = 250,
    LEFT = 46,
    TOP = 28,
    SIDE = 180,  // of the square between the axes
    HEAD = 40,   // above the grid
};

void plot_fit_percent(plot *p)
{
    double low = 100;
    double high = 0;
    for (ptrdiff_t i = 0; i < p->n; i++) {
        const double values[] = {p->points[i].x, p->points[i].y};
        for (ptrdiff_t k = 0; k < countof(values); k++) {
            low = values[k] < low ? values[k] : low;
            high = values[k] > high ? values[k] : high;
        }
    }
    int first = low < high || p->n > 0 ? (int)(low / 10) * 10 : 0;
    int last = ((int)(high / 10) + 1) * 10;
    first = first > 90 ? 90 : first < 0 ? 0 : first;
    last = last > 100 ? 100 : last <= first ? first + 10 : last;
    p->x_min = p->y_min = first;
    p->x_max = p->y_max = last;
}

static double x_of(const plot *p, double x)
{
    return LEFT + (x - p->x_min) / (p->x_max - p->x_min) * SIDE;
}

static double y_of(const plot *p, double y)
{
    return TOP + SIDE - (y - p->y_min) / (p->y_max - p->y_min) * SIDE;
}

static void add_text(buf *b, const char *kind, double x, double y, str text)
{
    buf_printf(b, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", kind, x, y);
    xml_add(b, text);
    buf_add(b, S("</text>\n"));
}

// Parts of an axis that end at multiples of ten where there are such.
static int parts_of(double min, double max)
{
    static const int parts[] = {4, 5, 3, 7};
    int tens = (int)((max - min) / 10);
    for (ptrdiff_t i = 0; i < countof(parts); i++) {
        if (tens > 0 && tens % parts[i] == 0) {
            return parts[i];
        }
    }
    return 5;
}

static void add_ticks(buf *b, const plot *p)
{
    int n = parts_of(p->x_min, p->x_max);
    for (int i = 0; i <= n; i++) {
        double x = p->x_min + (p->x_max - p->x_min) * i / n;
        buf_printf(b,
                   "<path class=\"grid\" d=\"M%.1f %dV%d\"/>"
                   "<text class=\"mid\" x=\"%.1f\" y=\"%d\">%g</text>\n",
                   x_of(p, x), TOP, TOP + SIDE, x_of(p, x), TOP + SIDE + 14, x);
    }
    n = parts_of(p->y_min, p->y_max);
    for (int i = 0; i <= n; i++) {
        double y = p->y_min + (p->y_max - p->y_min) * i / n;
        buf_printf(b,
                   "<path class=\"grid\" d=\"M%d %.1fH%d\"/>"
                   "<text class=\"end\" x=\"%d\" y=\"%.1f\">%g</text>\n",
                   LEFT, y_of(p, y), LEFT + SIDE, LEFT - 5, y_of(p, y) + 4, y);
    }
    if (p->has_diagonal) {
        buf_printf(b, "<path class=\"diagonal\" d=\"M%d %dL%d %d\"/>\n", LEFT,
                   TOP + SIDE, LEFT + SIDE, TOP);
    }
}

static void add_points(buf *b, const plot *p)
{
    for (ptrdiff_t i = 0; i < p->n && !p->is_line; i++) {
        buf_printf(b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>",
                   x_of(p, p->points[i].x), y_of(p, p->points[i].y));
        xml_add(b, p->points[i].label);
        buf_add(b, S("</title></circle>\n"));
    }
    if (p->is_line && p->n > 0) {
        buf_add(b, S("<path class=\"line\" d=\""));
        for (ptrdiff_t i = 0; i < p->n; i++) {
            buf_printf(b, "%c%.1f %.1f", i > 0 ? 'L' : 'M',
                       x_of(p, p->points[i].x), y_of(p, p->points[i].y));
        }
        buf_add(b, S("\"/>\n"));
    }
}

static void add_plot(buf *b, const plot *p, double left, double top)
{
    assert(p->x_min < p->x_max && p->y_min < p->y_max);
    buf_printf(b, "<g transform=\"translate(%g %g)\">\n", left, top);
    add_text(b, "title", LEFT, TOP - 10, p->title);
    add_ticks(b, p);
    add_text(b, "mid", LEFT + SIDE / 2.0, TOP + SIDE + 30, p->x_title);
    buf_printf(b, "<g transform=\"translate(14 %d) rotate(-90)\">",
               TOP + SIDE / 2);
    add_text(b, "mid", 0, 0, p->y_title);
    buf_add(b, S("</g>\n"));
    add_points(b, p);
    buf_add(b, S("</g>\n"));
}

static const char style[] =
    "<style>\n"
    "svg{font:11px system-ui,sans-serif;background:#fff;color:#1d2430}\n"
    "text{fill:currentColor}.mid{text-anchor:middle}.end{text-anchor:end}\n"
    ".title{font-weight:600;font-size:12px}.head{font-size:16px}\n"
    "path{fill:none}.grid{stroke:currentColor;stroke-opacity:.15}\n"
    ".diagonal{stroke:currentColor;stroke-opacity:.4;stroke-dasharray:4 4}\n"
    ".line{stroke:#2563a8;stroke-width:2}\n"
    "circle{fill:#2563a8;fill-opacity:.75}\n"
    "@media(prefers-color-scheme:dark){svg{background:#14181f;color:#dfe5ee}\n"
    "circle{fill:#7db3ef}.line{stroke:#7db3ef}}\n"
    "</style>\n";

void plot_svg(buf *out,
              const plot *plots,
              ptrdiff_t n,
              ptrdiff_t n_columns,
              str title)
{
    assert(n_columns > 0);
    ptrdiff_t n_rows = (n + n_columns - 1) / n_columns;
    ptrdiff_t width = n_columns * CELL_WIDTH;
    ptrdiff_t height = n_rows * CELL_HEIGHT + HEAD;
    buf_printf(out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%td\" "
               "height=\"%td\" viewBox=\"0 0 %td %td\" role=\"img\">\n<title>",
               width, height, width, height);
    xml_add(out, title);
    buf_add(out, S("</title>\n"));
    buf_add(out, S(style));
    add_text(out, "head", LEFT, 24, title);
    for (ptrdiff_t i = 0; i < n; i++) {
        ptrdiff_t row = i / n_columns;
        add_plot(out, &plots[i], (double)(i % n_columns * CELL_WIDTH),
                 (double)(HEAD + row * CELL_HEIGHT));
    }
    buf_add(out, S("</svg>\n"));
}
