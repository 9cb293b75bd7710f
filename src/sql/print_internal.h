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
    const ast *parent;  // of the node that a piece prints
    bool needs_lines;   // a comment wants the rest of its line
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

typedef void print_node(printer *p, const ast *n);

// What stands before a piece, unless it is the first of its node.
typedef enum print_lead {
    PRINT_ON,  // nothing
    PRINT_SPACE,
    PRINT_GAP,     // print_gap_before
    PRINT_BREAK,   // print_break
    PRINT_ITEM,    // print_break_before, of the node
    PRINT_CLAUSE,  // of the words that lead to it
} print_lead;

enum {
    PRINT_SELF = -1,  // instead of a child: the node
    PRINT_TEXT = -2,  // the node, where it has a text
};

// A piece of what is written for a node: words, and a child, where it is there.
typedef struct print_piece {
    const char *before;  // NULL: the end
    int kid;
    print_node *print;  // NULL: the words, whatever children there are
    const char *after;
    const char *between;  // NULL: the child is no list, or print takes all
    int when;             // only with all of these flags
    int unless;           // and none of these
    int forms;            // only in one of these, as bits; 0: in any
    print_lead lead;
    int indent;
} print_piece;

#define PRINT_PIECES(...) ((const print_piece[]){__VA_ARGS__, {0}})

void print_pieces(printer *p, const ast *n, const print_piece *pieces);

// By kind; what has none is written as its text.
void print_shape(printer *p, const ast *n, const print_piece *const *shapes);

/* What pieces print. */

// In parentheses where it binds less tightly than its place asks for.
void print_alone(printer *p, const ast *n);       // an item of a list
void print_operand(printer *p, const ast *n);     // an expression of any kind
void print_bare(printer *p, const ast *n);        // without them
void print_exprs(printer *p, const ast *list);    // a, b
void print_nothing(printer *p, const ast *n);     // there, but for its words
void print_form(printer *p, const ast *n);        // the word of its form
void print_verbatim(printer *p, const ast *n);    // its text
void print_name(printer *p, const ast *n);        // its own, without path
void print_path(printer *p, const ast *path);     // a.b. before a name
void print_names(printer *p, const ast *names);   // (a, b)
void print_table_name(printer *p, const ast *n);  // with its path
void print_broken(printer *p, const ast *list);   // one to a line, if it must
void print_condition(printer *p, const ast *n);
void print_query(printer *p, const ast *n);  // or DML after a WITH
void print_query_in_parens(printer *p, const ast *query);
void print_with(printer *p, const ast *n);
void print_dml(printer *p, const ast *n);
void print_source(printer *p, const ast *n);
void print_from(printer *p, const ast *n);  // what follows FROM
void print_ddl(printer *p, const ast *n);
void print_call(printer *p, const ast *n);
void print_window(printer *p, const ast *n);

/* What functions print with. */

void print_text(printer *p, const char *text);
void print_expr(printer *p, const ast *n, int priority);

// A line break at the indent in pretty layout, else a blank.
void print_break(printer *p);

void print_paren(printer *p, const ast *n, print_node *print);
// In parentheses: on this line where the trial fits, or else on lines of its
// own; comments before `first` go there, too, those of NULL do not.
void print_block(printer *p,
                 const ast *n,
                 print_node *print,
                 print_node *trial,
                 const ast *first);

// All of a list, each item on a line of its own; by a step further in.
void print_lines(printer *p, const ast *list, print_node *print);
void print_indented(printer *p, const ast *list, print_node *print);

// A list, as many on each line as there is room for; the trial takes one.
void print_filled(printer *p,
                  const ast *list,
                  print_node *print,
                  print_node *trial);

// Whether the node stays on the current line.
bool print_fits(printer *p, const ast *n, print_node *print);

// On one line.
void print_flat(printer *p, const ast *n, print_node *print);

#endif  // ASSAY_SQL_PRINT_INTERNAL_H
