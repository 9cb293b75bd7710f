/*
 * doc.h - the output of a command as a value: lines, headings, tables and
 * plots, one below the other. The code that makes it does not print it: each
 * format has one writer.
 */
#ifndef ASSAY_REPORT_DOC_H
#define ASSAY_REPORT_DOC_H

#include "report/grid.h"
#include "report/plot.h"
#include "report/tally.h"

typedef struct report_look {
    ptrdiff_t width;  // columns of the page
    bool has_color;
    bool has_unicode;  // on a terminal; else plain ASCII but for names
    bool is_markdown;  // tables are Markdown's
    bool is_roff;      // for man, which wraps by itself
    bool is_verbose;   // also the tables by database
    ptrdiff_t show;    // changed cases of a pair of runs
    bool has_by;       // one more table: by the groups `by`
    tally_by by;
    str by_title;   // "by join"
    str_list read;  // by run, as what its file was read; may be empty
} report_look;

typedef enum doc_style {
    DOC_BOLD,
    DOC_GREEN,
    DOC_YELLOW,
    DOC_RED,
} doc_style;

typedef enum doc_kind {
    DOC_TEXT,     // lines, or a part of one: as it is in every format
    DOC_LINE,     // a line of others' words, which no format may obey
    DOC_TITLE,    // likewise
    DOC_HEADING,  // has an empty line before it, unless it comes first
    DOC_MARK,     // part of a line, in a style
    DOC_ENTRY,    // a label, and a text that is wrapped beside it
    DOC_BESIDE,   // blocks of lines next to each other
    DOC_TABLE,    // has an empty line before it, unless it comes first; not
                  // shown without a row
    DOC_PLOT,     // likewise
} doc_kind;

typedef struct doc_node {
    doc_kind kind;
    str text;
    str label;         // of an entry
    doc_style style;   // of a mark
    ptrdiff_t at;      // of an entry: columns of its line that are taken
    ptrdiff_t column;  // where its text begins, or the blocks
    grid *table;
    const plot *plot;
    const layout_block *blocks;
    ptrdiff_t n_blocks;
} doc_node;

typedef struct doc {
    arena *a;
    report_look look;
    vec_of(doc_node) nodes;
} doc;

doc doc_new(arena *a, report_look look);

void doc_add(doc *d, doc_kind kind, str text);

// A text, as printf has it.
#define doc_say(d, ...) \
    doc_add((d), DOC_TEXT, arena_printf((d)->a, __VA_ARGS__))

// A table whose heading begins with these words, with | between them; or with a
// title, which is as it is.
grid *doc_table(doc *d, str heads);
grid *doc_titled(doc *d, str title);

void doc_plot(doc *d, const plot *p);

// A label, then the text, wrapped, from a column on; below the label where that
// is too long.
void doc_entry(doc *d, ptrdiff_t column, str label, str text);

// The same of a line that has something in its first `at` columns.
void doc_entry_at(doc *d, ptrdiff_t at, ptrdiff_t column, str text);

void doc_mark(doc *d, doc_style style, str text);

// Blocks from a column on, as many next to each other as the page has room for.
void doc_beside(doc *d, const layout_block *b, ptrdiff_t n, ptrdiff_t column);

// For people: on a terminal, or as Markdown where the look asks for it.
void doc_write(const doc *d, buf *out);

// Its tables only: as HTML, and as JSON, lists of rows.
void doc_html(const doc *d, buf *out);
void doc_json(const doc *d, buf *out);

#endif  // ASSAY_REPORT_DOC_H
