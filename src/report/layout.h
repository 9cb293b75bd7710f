/*
 * layout.h - texts laid out for people: wrapped, and side by side.
 */
#ifndef ASSAY_REPORT_LAYOUT_H
#define ASSAY_REPORT_LAYOUT_H

#include "base/buf.h"

// Words wrapped at the width, and the end of the line; the first line begins
// where the output stands, at `column`, the others are indented to it.
void layout_wrapped(buf *out, str text, ptrdiff_t column, ptrdiff_t width);

// Lines that stand together, as wide as the widest.
typedef struct layout_block {
    str_list lines;
    ptrdiff_t width;
} layout_block;

void layout_line(layout_block *b, arena *a, str line);

// How wide the blocks are next to each other.
ptrdiff_t layout_width(const layout_block *blocks, ptrdiff_t n);

// Prints them next to each other from a column on, without blanks at the end of
// a line.
void layout_beside(buf *out,
                   const layout_block *blocks,
                   ptrdiff_t n,
                   ptrdiff_t column);

#endif  // ASSAY_REPORT_LAYOUT_H
