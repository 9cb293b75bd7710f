/*
 * text_token.h - a query as the text metrics see it: its tokens in normal form.
 *
 * Left out are white space, comments and every `;` at the end.
 *   words            keywords and bare names, in any case
 *   quoted names     by what is between the quotes, case counts: [Age], `Age`
 *                    and "Age" are equal, Age is another token
 *   "x" in SQLite    may be a name or a text: equal to another "x" only
 *   signs            != is <>, == is =
 *   all else         as typed: strings with their quotes, numbers, parameters
 */
#ifndef ASSAY_METRIC_TEXT_TOKEN_H
#define ASSAY_METRIC_TEXT_TOKEN_H

#include "base/buf.h"
#include "sql/lex.h"

// Tokens of different kinds are never equal.
typedef enum text_kind {
    TEXT_END,
    TEXT_WORD,
    TEXT_QUOTED,
    TEXT_DOUBT,  // "x" of SQLite
    TEXT_STRING,
    TEXT_NUMBER,
    TEXT_PARAMETER,
    TEXT_SIGN,
    TEXT_BROKEN,
} text_kind;

typedef struct text_token {
    text_kind kind;
    bool folds;  // letter case of `body` does not count
    str body;
    str typed;  // the token as it stands in the query
} text_token;

typedef struct text_reader {
    lexer lex;
    token held;              // a token after semicolons
    ptrdiff_t n_semicolons;  // to hand out before it
} text_reader;

text_reader text_begin(str sql, dialect d);

// The next token; TEXT_END, again and again, after the last.
text_token text_next(text_reader *r);

bool text_token_equal(text_token x, text_token y);

// Appends bytes that are equal exactly for equal tokens.
void text_token_key(buf *b, text_token t);

#endif  // ASSAY_METRIC_TEXT_TOKEN_H
