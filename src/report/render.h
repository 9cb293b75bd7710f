/*
 * render.h - journals as one document: HTML, Markdown, CSV, JUnit XML, ...
 *
 * A format is a row of the table in render.c. All lines are counted before the
 * first function of a format is called, and read a second time one by one: what
 * is kept in memory does not grow with them.
 *
 * Order of    render_new()
 * calls         its journals are opened
 *               render_count()
 *             render_write()
 */
#ifndef ASSAY_REPORT_RENDER_H
#define ASSAY_REPORT_RENDER_H

#include "report/comparable.h"
#include "report/gate.h"
#include "report/tally.h"
#include "sql/dialect.h"

#include <stdio.h>

typedef struct render_format render_format;

// What is known of who is wrong in a case, as JSON for the page; empty:
// nothing.
typedef str render_who_of(const void *context, str id, str db, arena scratch);

// What the user asks for.
typedef struct render_options {
    const render_format *format;
    str title;     // empty: made from the runs
    bool redacts;  // no values: see redact.h
    dialect dialect;
    bool is_for_terminal;  // what would command one becomes an escape
    comparable_need_of *need_of;
    render_who_of *who_of;   // NULL: nobody asked
    const void *who;         // its context
    const baseline *before;  // NULL: none; failures are told apart by it
    str_list keys;           // verdicts that come first, there or not
} render_options;

typedef struct render {
    render_options o;
    journals journals;
    tally tally;
    str_list keys;  // of all verdicts, in order of appearance
    void *state;    // of the format, for all its functions
    arena *a;
} render;

// One line of a journal.
typedef struct render_line {
    const case_line *c;           // its run as journals calls it
    const json *j;                // as it is in the file, or redacted
    const journal_file *journal;  // where it is from
} render_line;

// Its members; the name of the run is the report's, for two journals may have
// one of that name.
void render_members(buf *out, const render_line *l);

// What a format appends to `out`, which is then written and emptied: at an end
// of the document, and for a line.
typedef void render_end(render *r, buf *out, arena scratch);
typedef void render_each(render *r,
                         buf *out,
                         const render_line *l,
                         arena scratch);

// NULL: the format has nothing to say there.
struct render_format {
    str word;
    render_end *head;
    render_each *line;
    render_end *tail;
    // Each line, before the head is written.
    void (*count)(render *r, const render_line *l);
};

// NULL when there is no such format.
const render_format *render_format_from_word(str word);

render render_new(arena *a, const render_options *options);

// False with a message when a line is broken, or no line is a case.
bool render_count(render *r, arena_store *lines, diag *d);

// False with errno when it cannot be written.
bool render_write(render *r, FILE *to, arena_store *lines);

// The title of the document: as asked for, else from the names of the runs.
str render_title(const render *r, arena *a);

// report_html.c, report_markdown.c, report_csv.c, report_jsonl.c,
// report_junit.c, report_github.c
render_end html_head, markdown_head, csv_head, junit_head;
render_each html_line, csv_line, jsonl_line, junit_line, github_line;
render_end html_tail, junit_tail, github_tail;
void html_count(render *r, const render_line *l);

#endif  // ASSAY_REPORT_RENDER_H
