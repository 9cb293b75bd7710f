/*
 * page.h - pages of help: headings, paragraphs, lists of entries, wrapped to a
 * width for a terminal, or as roff.
 */
#ifndef ASSAY_CLI_PAGE_H
#define ASSAY_CLI_PAGE_H

#include "base/buf.h"

typedef struct page {
    buf text;
    ptrdiff_t width;  // columns of a line
    bool has_color;   // headings are bold
    bool is_roff;     // for man: what follows is written so, but for lines
} page;

page page_new(arena *a, ptrdiff_t width, bool has_color);

// What a command does, and its usage.
void page_command(page *p, str word, str line, str usage);

// A command line, and what it is an example of.
void page_example(page *p, str what, str line);

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
