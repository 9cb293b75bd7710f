/*
 * sqlparse_lex.h - the lexical tokens and statements of sqlparse 0.4.2, the
 * library behind the program of [001] and behind test-suite-sql-eval
 * (definitions/sql_eval.md#text, #keywords).
 *
 * For compatibility only: what these tokens are is what that library says,
 * faults included. Everything else reads SQL with lex.h.
 */
#ifndef ASSAY_EVALUATORS_SQLPARSE_LEX_H
#define ASSAY_EVALUATORS_SQLPARSE_LEX_H

#include "base/str.h"

typedef enum sqlparse_class {
    SQLPARSE_COMMENT,
    SQLPARSE_BLANK,  // one white-space character
    SQLPARSE_PUNCTUATION,
    SQLPARSE_WILDCARD,  // *
    SQLPARSE_NAME,
    SQLPARSE_PLACEHOLDER,
    SQLPARSE_COMMAND,  // \word
    SQLPARSE_COMPARISON,
    SQLPARSE_NUMBER,
    SQLPARSE_STRING,
    SQLPARSE_SYMBOL,  // "..."
    SQLPARSE_OPERATOR,
    SQLPARSE_LITERAL,  // $$...$$
    SQLPARSE_KEYWORD,  // without a class of its own, as the next ones have
    SQLPARSE_ORDER,    // ASC, DESC
    SQLPARSE_DML,
    SQLPARSE_DDL,
    SQLPARSE_CTE,       // WITH
    SQLPARSE_TYPE,      // INT, DATE
    SQLPARSE_TIMEZONE,  // AT TIME ZONE '...'
    SQLPARSE_OTHER,     // one character that fits nothing
    SQLPARSE_CLASS_COUNT,
} sqlparse_class;

typedef struct sqlparse_token {
    sqlparse_class class;
    str text;  // as typed
} sqlparse_token;

typedef enum sqlparse_mark {
    SQLPARSE_MARK_QUOTE,     // '
    SQLPARSE_MARK_DOUBLE,    // "
    SQLPARSE_MARK_BACKTICK,  // `
    SQLPARSE_MARK_ACUTE,     // ´
    SQLPARSE_MARK_COMMENT,   // */
    SQLPARSE_MARK_COUNT,
} sqlparse_mark;

typedef struct sqlparse_lexer {
    str text;
    ptrdiff_t at;
    ptrdiff_t last[SQLPARSE_MARK_COUNT];  // where each stands last, or -1
    int dollar_misses;
} sqlparse_lexer;

sqlparse_lexer sqlparse_lex(str text);

// The next token; the tokens of a text, side by side, are the text. False at
// its end.
bool sqlparse_next(sqlparse_lexer *l, sqlparse_token *t);

// The next one that is no blank and no comment.
bool sqlparse_next_solid(sqlparse_lexer *l, sqlparse_token *t);

str sqlparse_class_word(sqlparse_class c);

// Follows the tokens of a text to find where its statements end. Zero starts.
typedef struct sqlparse_splitter {
    ptrdiff_t depth;
    ptrdiff_t begins;  // BEGIN without their END
    bool in_create;
} sqlparse_splitter;

// Whether `t`, the next token, ends its statement.
bool sqlparse_splits(sqlparse_splitter *s, sqlparse_token t);

// The first statement of `text` with the blanks and line comments after its
// `;`, up to the next line break.
str sqlparse_first_statement(str text);

#endif  // ASSAY_EVALUATORS_SQLPARSE_LEX_H
