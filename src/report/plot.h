/*
 * plot.h - small plots of figures: as SVG, and as text for a terminal.
 */
#ifndef ASSAY_REPORT_PLOT_H
#define ASSAY_REPORT_PLOT_H

#include "base/buf.h"

typedef struct plot_point {
    double x;
    double y;
    str label;  // shown where the point is pointed at
} plot_point;

// Two axes, and what is drawn between them.
typedef struct plot {
    str title;
    str x_title;
    str y_title;
    double x_min, x_max;  // x_min < x_max
    double y_min, y_max;
    const plot_point *points;
    ptrdiff_t n;
    bool is_line;       // points are joined, from the first to the last
    bool has_diagonal;  // where x = y
} plot;

// The smallest multiples of ten around the points, at least 0 and at most 100,
// the same for both axes.
void plot_fit_percent(plot *p);

// One SVG with all plots, `n_columns` in a row. It needs nothing else, and
// follows the reader's choice of light or dark.
void plot_svg(buf *out,
              const plot *plots,
              ptrdiff_t n,
              ptrdiff_t n_columns,
              str title);

// One plot in characters: a point is `o`, several in one place are their
// number; at most `width` columns.
void plot_text(buf *out, const plot *p, ptrdiff_t width, arena scratch);

#endif  // ASSAY_REPORT_PLOT_H
