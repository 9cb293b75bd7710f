/*
 * doc.h - what a command says, as a value: lines, headings, tables and plots,
 * one below the other. Who makes it does not write it: each format has one
 * writer.
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
    bool is_verbose;   // also the tables by database
    ptrdiff_t show;    // changed cases of a pair of runs
    bool has_by;       // one more table: by the groups `by`
    tally_by by;
    str by_title;   // "by join"
    str_list read;  // by run, as what its file was read; may be empty
} report_look;

typedef enum doc_kind {
    DOC_TEXT,     // lines, or a part of one: as it is in every format
    DOC_LINE,     // a line of others' words, which no format may obey
    DOC_TITLE,    // likewise
    DOC_HEADING,  // has an empty line before it
    DOC_TABLE,    // likewise, unless it comes first; not shown without a row
    DOC_PLOT,     // likewise
} doc_kind;

typedef struct doc_node {
    doc_kind kind;
    str text;
    grid *table;
    const plot *plot;
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

// For people: on a terminal, or as Markdown where the look asks for it.
void doc_write(const doc *d, buf *out);

// Its tables only: as HTML, and as JSON, lists of rows.
void doc_html(const doc *d, buf *out);
void doc_json(const doc *d, buf *out);

#endif  // ASSAY_REPORT_DOC_H
