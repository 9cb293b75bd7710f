/*
 * sql_eval.h - the parts of the metrics of the program behind [001]
 * (rules/evaluators.md 4.3, 4.4). Only metric_*_sql_eval of text.h and tests
 * use it.
 *
 * Order of  sql_eval_read()     a statement's tokens in their compared form
 *   calls   sql_eval_group()    their groups; marks what renders specially
 *           sql_eval_render()   the compared text of a run of tokens
 *           sql_eval_matched()  how much two sequences have in common
 */
#ifndef ASSAY_METRIC_SQL_EVAL_H
#define ASSAY_METRIC_SQL_EVAL_H

#include "base/buf.h"
#include "sql/sqlparse_lex.h"

typedef enum sql_eval_mark {
    SQL_EVAL_LIST_COMMA = 1,  // a comma that joins a list
    SQL_EVAL_WHERE_END = 2,   // a ")" right after the end of a WHERE
    SQL_EVAL_QUERY_OPEN = 4,  // a "(" with a DML or DDL word at its level
    SQL_EVAL_BREAK = 8,       // it begins a line
    SQL_EVAL_PAIRED = 16,     // a "(" or ")" that has its other end
} sql_eval_mark;

typedef struct sql_eval_token {
    str text;  // in its compared case; a run of blanks is one " "
    sqlparse_class class;
    uint8_t marks;     // bit set of sql_eval_mark
    ptrdiff_t blanks;  // of a blank: white-space characters it stands for
} sql_eval_token;

typedef struct sql_eval_text {
    sql_eval_token *ptr;
    ptrdiff_t len;
    ptrdiff_t cap;
} sql_eval_text;

// What a top-level group is called; the rest of its classes never leave
// sql_eval_group.c.
typedef enum sql_eval_shape {
    SQL_EVAL_PLAIN,
    SQL_EVAL_WRAPPED,  // a list or VALUES, or it contains CASE: its own text
                       // depends on the column where it starts
} sql_eval_shape;

typedef struct sql_eval_group_span {
    ptrdiff_t first;  // tokens, both ends included
    ptrdiff_t last;
    sql_eval_shape shape;
} sql_eval_group_span;

typedef struct sql_eval_groups {
    sql_eval_group_span *ptr;
    ptrdiff_t len;
    ptrdiff_t cap;
} sql_eval_groups;

// A token in its compared form.
str sql_eval_token_text(arena *a, sqlparse_token t);

// The next statement of the lexer's text, blanks before it left out; empty at
// the end.
sql_eval_text sql_eval_read(arena *a, sqlparse_lexer *l);

typedef enum sql_eval_stage {
    SQL_EVAL_AS_TYPED,     // to render it: sets the marks of the tokens
    SQL_EVAL_REFORMATTED,  // to compare its groups: the text was rendered, read
                           // again and cut to its first statement
} sql_eval_stage;

// The top-level groups of a text, blanks left out.
sql_eval_groups sql_eval_group(arena *a,
                               sql_eval_text *t,
                               sql_eval_stage stage,
                               arena scratch);

// Appends tokens first..last as they are compared, without blanks at the ends
// and where a blank does not count.
void sql_eval_render(buf *b,
                     const sql_eval_text *t,
                     ptrdiff_t first,
                     ptrdiff_t last);

// The column at which token `at` starts, counted since the last word that
// begins a line.
ptrdiff_t sql_eval_column(const sql_eval_text *t, ptrdiff_t at);

// The total length of the blocks that `a` and `b` have in common, as
// difflib.SequenceMatcher finds them; -1 when finding them takes too long.
ptrdiff_t sql_eval_matched(const int32_t *a,
                           ptrdiff_t n_a,
                           const int32_t *b,
                           ptrdiff_t n_b,
                           arena scratch);

#endif  // ASSAY_METRIC_SQL_EVAL_H
