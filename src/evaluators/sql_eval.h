/*
 * sql_eval.h - string match and edit distance as the program behind [001]
 * computes them: it formats with sqlparse 0.4.2 and counts top-level groups
 * (definitions/sql_eval.md#text, #distance). Below the two metrics, their
 * parts, which tests use too.
 *
 * Order of  sql_eval_read()     a statement's tokens
 *   calls   sql_eval_group()    their groups; marks what matters to layout
 *           sql_eval_layout()   the statement as it is compared
 *           sql_eval_read()     that text again, for
 *           sql_eval_group()    the groups whose texts are counted
 *           sql_eval_matched()  how much two sequences of them have in common
 *           sql_eval_string() and sql_eval_edit() make these calls.
 */
#ifndef ASSAY_EVALUATORS_SQL_EVAL_H
#define ASSAY_EVALUATORS_SQL_EVAL_H

#include "base/buf.h"
#include "evaluators/sqlparse_lex.h"
#include "table/verdict.h"

verdict metric_string_sql_eval(str gold, str pred, arena *a, arena scratch);
verdict metric_edit_sql_eval(str gold, str pred, arena *a, arena scratch);

typedef enum sql_eval_mark {
    SQL_EVAL_BREAK = 1,         // begins a line
    SQL_EVAL_PAIRED = 2,        // a "(" or ")" that has its other end
    SQL_EVAL_CALL = 4,          // the "(" of a function
    SQL_EVAL_VALUES = 8,        // a VALUES that has rows
    SQL_EVAL_CASE = 16,         // a CASE that has its END
    SQL_EVAL_WHERE = 32,        // the WHERE that begins a clause
    SQL_EVAL_LOOSE = 64,        // a "(" or ")" inside which a blank counts
    SQL_EVAL_LIST_COMMA = 128,  // joins a list
    SQL_EVAL_ROW_COMMA = 256,   // between two rows of VALUES
    SQL_EVAL_GLUE = 512,        // a comment that not even leaves a blank
    SQL_EVAL_KEEP = 1024,       // a comment that always leaves one
    SQL_EVAL_FLAT = 2048,       // a WHERE in whose clause no line begins
} sql_eval_mark;

typedef struct sql_eval_token {
    str text;
    sqlparse_class class;
    uint16_t marks;  // bit set of sql_eval_mark
    int32_t blanks;  // of a blank: white-space characters it stands for
    int32_t link;    // of what begins a group: its last token; of a list or row
                     // comma: the first token of the list or of the row
} sql_eval_token;

typedef vec_of(sql_eval_token) sql_eval_text;

typedef enum sql_eval_stage {
    SQL_EVAL_AS_TYPED,  // texts get their compared case
    SQL_EVAL_LAID_OUT,  // the text is one that sql_eval_layout wrote. It has no
                        // comments, except where a tab after a # has become
                        // the blank that makes one
} sql_eval_stage;

// A run of tokens, both ends included, without blanks at the ends.
typedef struct sql_eval_span {
    ptrdiff_t first;
    ptrdiff_t last;
} sql_eval_span;

// A token in the case in which it is compared.
str sql_eval_token_text(arena *a, sqlparse_token t);

// The next statement of the lexer's text, blanks before it left out; empty at
// the end.
sql_eval_text sql_eval_read(arena *a, sqlparse_lexer *l, sql_eval_stage stage);

// Fills `groups`, which has room for t->len, with the top-level groups of a
// statement, blanks left out; returns how many there are. Sets the marks and
// links of the tokens.
ptrdiff_t sql_eval_group(sql_eval_span *groups,
                         sql_eval_text *t,
                         arena scratch);

// Appends the statement as it is compared.
void sql_eval_layout(buf *b, const sql_eval_text *t, arena scratch);

// All statements of a text as `string` compares them.
str sql_eval_string(arena *a, str sql, arena scratch);

// The groups of its first statement as `edit` counts them.
str_list sql_eval_edit(arena *a, str sql, arena scratch);

// The total length of the blocks that `a` and `b` have in common, as
// difflib.SequenceMatcher finds them; -1 when finding them takes too long.
ptrdiff_t sql_eval_matched(const int32_t *a,
                           ptrdiff_t n_a,
                           const int32_t *b,
                           ptrdiff_t n_b,
                           arena scratch);

#endif  // ASSAY_EVALUATORS_SQL_EVAL_H
