// print_internal.h - what the files of the printer share; for them alone.
#ifndef ASSAY_SQL_PRINT_INTERNAL_H
#define ASSAY_SQL_PRINT_INTERNAL_H

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
    str sql;                       // the text that the comments are of
    const parse_comment *comment;  // the next one that is not written yet
    const parse_comment *comments_end;
    bool needs_lines;  // a comment wants the rest of its line
} printer;

// Where a comment may stand that belongs before a node.
typedef enum print_place {
    PRINT_BEFORE_ITEM,    // directly before the node
    PRINT_BEFORE_CLAUSE,  // before the words that lead to the node
} print_place;

// The comments that stand before the node in the text.
void print_comments(printer *p, const ast *n);

// A line break as print_break, and the comments around it: those that follow
// what was written on its line, and those that have lines of their own.
void print_break_before(printer *p, const ast *n, print_place place);

// A blank, or where comments stand before the words that lead to the node, a
// break.
void print_gap_before(printer *p, const ast *n);

// The comments up to offset `end` that follow code on their line; all others.
void print_trailing_comments(printer *p, ptrdiff_t end);
void print_own_comments(printer *p, ptrdiff_t end);
void print_last_comments(printer *p);  // what is left, after all statements

void print_any(printer *p, const ast *n);  // a node of any kind
void print_text(printer *p, const char *text);
void print_name(printer *p, const ast *n);  // its own, without path
void print_path(printer *p, const ast *path, const ast *n);
void print_names(printer *p, const ast *names);  // (a, b)

void print_query(printer *p, const ast *n);  // or DML after a WITH
void print_dml(printer *p, const ast *n);
void print_with(printer *p, const ast *n);
void print_clause(printer *p, const char *words, const ast *list);
void print_tail(printer *p, const ast *order, const ast *limit);
void print_query_in_parens(printer *p, const ast *query);
void print_limit(printer *p, const ast *n);
void print_source(printer *p, const ast *n);
void print_from(printer *p, const ast *n);  // what follows FROM
void print_ddl(printer *p, const ast *n);

// In parentheses where it binds less tightly than `priority`.
void print_expr(printer *p, const ast *n, int priority);
void print_exprs(printer *p, const ast *list);  // a, b
void print_call(printer *p, const ast *n);
void print_window(printer *p, const ast *n);
void print_type(printer *p, const ast *n);

// A line break at the indent in pretty layout, else a blank.
void print_break(printer *p);

typedef void print_node(printer *p, const ast *n);
void print_alone(printer *p, const ast *n);     // an item of a list
void print_operand(printer *p, const ast *n);   // an expression of any kind
void print_verbatim(printer *p, const ast *n);  // its text

// What may be missing, with what stands around it then; after a break for the
// clause; in parentheses; all of a list, each item on a line of its own.
void print_given(printer *p,
                 const char *before,
                 const ast *n,
                 print_node *print,
                 const char *after);
void print_after_break(printer *p,
                       const char *words,
                       const ast *n,
                       print_node *print);
void print_paren(printer *p, const ast *n, print_node *print);
void print_lines(printer *p, const ast *list, print_node *print);
void print_condition(printer *p, const ast *n);

// Whether the node stays on the current line.
bool print_fits(printer *p, const ast *n, print_node *print);

#endif  // ASSAY_SQL_PRINT_INTERNAL_H
