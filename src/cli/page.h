/*
 * page.h - plain pages of help: headings, paragraphs, lists of entries,
 * wrapped to a width.
 */
#ifndef ASSAY_CLI_PAGE_H
#define ASSAY_CLI_PAGE_H

#include "base/buf.h"

typedef struct page {
    buf text;
    ptrdiff_t width;  // columns of a line
    bool has_color;   // headings are bold
} page;

page page_new(arena *a, ptrdiff_t width, bool has_color);

// A heading with an empty line before it, unless it opens the page.
void page_heading(page *p, str heading);

// A paragraph, indented by `indent` columns, its words wrapped.
void page_text(page *p, ptrdiff_t indent, str text);

// A line as it is, indented.
void page_line(page *p, ptrdiff_t indent, str line);

// "  label   text", the text at column `column` and wrapped there; below the
// label when that is too long.
void page_entry(page *p, ptrdiff_t column, str label, str text);

#endif  // ASSAY_CLI_PAGE_H
