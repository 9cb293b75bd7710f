// print_part.h - what the files of the printer share; for them alone.
#ifndef ASSAY_SQL_PRINT_PART_H
#define ASSAY_SQL_PRINT_PART_H

#include "sql/print.h"

enum {
    PRINT_WIDTH = 80,
    PRINT_STEP = 2,
};

typedef struct printer {
    buf *out;
    arena scratch;
    dialect dialect;
    print_layout layout;
    int indent;
} printer;

void print_text(printer *p, const char *text);
void print_name(printer *p, const ast *n);  // its own, without path
void print_path(printer *p, const ast *path, const ast *n);
void print_names(printer *p, const ast *names);  // (a, b)

void print_query(printer *p, const ast *n);
void print_query_in_parens(printer *p, const ast *query);
void print_order(printer *p, const ast *sorts);  // ORDER BY ...
void print_limit(printer *p, const ast *n);
void print_source(printer *p, const ast *n);

// In parentheses where it binds less tightly than `priority`.
void print_expr(printer *p, const ast *n, int priority);
void print_exprs(printer *p, const ast *list);  // a, b
void print_call(printer *p, const ast *n);
void print_window(printer *p, const ast *n);
void print_type(printer *p, const ast *n);

// A list, or one item to a line where it does not fit.
void print_broken(printer *p, const ast *list);

// A line break at the indent in pretty layout, else a blank.
void print_break(printer *p);

typedef void print_node(printer *p, const ast *n);

// Whether the node stays on the current line.
bool print_fits(printer *p, const ast *n, print_node *print);

#endif  // ASSAY_SQL_PRINT_PART_H
