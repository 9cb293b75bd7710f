/*
 * lex.h - SQL text to tokens, in any of our dialects.
 *
 * Any bytes are fine: lexing never fails and never looks outside the text.
 * What no dialect could mean (a quote that is never closed, a stray byte) is a
 * token too, of kind TOKEN_ERROR with its span. Tokens come in the order of
 * the text, never overlap, and only white space lies between them.
 *
 *     lexer l = lex_begin(sql, DIALECT_SQLITE);
 *     for (token t = lex_next(&l); t.kind != TOKEN_END; t = lex_next(&l)) ...
 *
 * Offsets are bytes from 0 and fit in 31 bits: of a longer text only the first
 * LEX_MAX_BYTES are read.
 */
#ifndef ASSAY_SQL_LEX_H
#define ASSAY_SQL_LEX_H

#include "base/arena.h"
#include "sql/dialect.h"

typedef enum token_kind {
#define TOKEN(constant, word) TOKEN_##constant,
#include "sql/token.def"
} token_kind;

// The id of a TOKEN_KEYWORD or TOKEN_WORD.
typedef enum keyword {
    KEYWORD_NONE,
#define KEYWORD(word, lite, pg, my, bq, ts, sf, ends) KEYWORD_##word,
#include "sql/token.def"
} keyword;

// The id of a TOKEN_OP.
typedef enum op {
    OP_NONE,
#define OP(constant, text, dialects) OP_##constant,
#include "sql/token.def"
} op;

// The id of a TOKEN_STRING.
typedef enum string_form {
    STRING_PLAIN,     // '...', and "..." where that is a string
    STRING_ESCAPE,    // E'...'
    STRING_UNICODE,   // U&'...'
    STRING_BITS,      // B'...'
    STRING_HEX,       // X'...'
    STRING_NATIONAL,  // N'...'
    STRING_BYTES,     // b'...' of BigQuery
    STRING_RAW,       // r'...', br'...'
    STRING_DOLLAR,    // $tag$...$tag$
} string_form;

// The id of a TOKEN_ERROR.
typedef enum lex_error {
#define LEX_ERROR(constant, text) LEX_##constant,
#include "sql/token.def"
} lex_error;

typedef struct token {
    token_kind kind;
    int32_t id;   // keyword, op, string_form or lex_error; else 0
    int32_t pos;  // of its first byte in the text
    int32_t len;
} token;

enum {
    LEX_MAX_BYTES = INT32_MAX
};

typedef struct lexer {
    str text;
    ptrdiff_t at;  // where the next token is looked for
    token last;    // the last one that was no comment
    dialect dialect;
    const struct lex_rules *rules;
} lexer;

lexer lex_begin(str text, dialect d);

// The next token; after the last one always TOKEN_END.
token lex_next(lexer *l);

// The same without the comments.
token lex_next_solid(lexer *l);

typedef enum lex_comments {
    LEX_DROP_COMMENTS,
    LEX_KEEP_COMMENTS,
} lex_comments;

// the last one is TOKEN_END
typedef vec_of(token) token_list;

// All tokens at once, for a parser that looks around.
token_list lex_all(arena *a, str text, dialect d, lex_comments comments);

str token_text(str text, token t);  // as typed

// A string or quoted name without its quotes and prefix, doubled quotes made
// single; backslash escapes stay as typed. Borrowed where nothing was doubled.
// Names as name_as_cut. Any other token as typed.
str token_content(arena *a, str text, token t, dialect d);

// What the server makes of a name that is longer than its names may be.
str name_as_cut(str name, dialect d);

// Whether an operand may end with this token: a name, a literal, `)`, END.
bool token_ends_operand(token t);

// Whether the token is a bare word, reserved or not.
bool token_is_word(token t);

str token_kind_word(token_kind kind);  // "keyword"
str keyword_text(keyword k);           // "SELECT"
str op_text(op o);                     // "<>"
str lex_error_text(lex_error e);       // "the string is never closed"

// Whether `k` must be quoted to be a name.
bool keyword_is_reserved(keyword k, dialect d);

#endif  // ASSAY_SQL_LEX_H
