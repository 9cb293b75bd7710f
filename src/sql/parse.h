/*
 * parse.h - SQL text to trees, in any of our dialects.
 *
 * The parser is pure: no schema, no settings but the dialect. It is tolerant:
 * what one dialect allows is understood in the others too where nothing speaks
 * against it; whether a statement is right is the engine's business.
 *
 * A broken text still gives trees. Each mistake is reported once, at the token
 * that does not fit, an AST_ERROR stands for what could not be understood, and
 * parsing goes on at the next clause.
 */
#ifndef ASSAY_SQL_PARSE_H
#define ASSAY_SQL_PARSE_H

#include "base/diag.h"
#include "sql/ast.h"
#include "sql/dialect.h"

typedef struct parse_error {
    int32_t pos;    // of the token that does not fit
    int32_t len;    // 0 at the end of the text
    str text;       // "expected a column or an expression, found FROM"
    bool is_depth;  // a limit of ours, no mistake of the text
} parse_error;

// From its first byte to its last; the line end after it is not in it.
typedef struct parse_comment {
    int32_t pos;
    int32_t len;
} parse_comment;

typedef struct parse_result {
    ast *statements;  // a list; NULL when the text holds none
    vec_of(parse_comment)
        comments;  // all, in the order of the text; no tree holds them
    vec_of(parse_error)
        errors;  // at most PARSE_ERRORS_MAX are kept, in the order of the text
} parse_result;

enum {
    PARSE_ERRORS_MAX = 20
};

// All statements of a text. The trees borrow from `sql`.
parse_result parse_sql(arena *a, str sql, dialect d, arena scratch);

// The same for a file: what is neither a query nor changes rows is a statement,
// too. CREATE TABLE and its kin are trees, all else is WORDS.
parse_result parse_file(arena *a, str sql, dialect d, arena scratch);

// What a script or a dump makes: its CREATE TABLE, CREATE VIEW, CREATE INDEX
// and ALTER TABLE ... ADD. All else is passed over.
parse_result parse_ddl(arena *a, str sql, dialect d, arena scratch);

// "file:line:column: text", the line and a mark under what is meant.
str parse_error_show(arena *a, str file, str sql, parse_error e);

// How tightly an operator binds; 0 where the dialect has none such.
int operator_priority(sql_operator o, dialect d);

#endif  // ASSAY_SQL_PARSE_H
