/*
 * lex_rules.h - what the lexer's own files share: the dialects as data, and
 * the searches for the end of a literal.
 */
#ifndef ASSAY_SQL_LEX_RULES_H
#define ASSAY_SQL_LEX_RULES_H

#include "sql/lex.h"

typedef enum escape {
    ESCAPE_DOUBLING,   // '' inside '...'
    ESCAPE_BACKSLASH,  // \' inside '...'
    ESCAPE_BOTH,
    ESCAPE_NONE,
} escape;

// How a token that begins with a byte is read.
typedef enum byte_kind {
    BYTE_LETTER,  // also `_` and all bytes beyond ASCII
    BYTE_DIGIT,
    BYTE_DOLLAR,
    BYTE_AT,
    BYTE_HASH,
    BYTE_BLANK,
    BYTE_SIGN,  // only ever an operator
    BYTE_QUOTE,
    BYTE_DOUBLE_QUOTE,
    BYTE_BACK_QUOTE,
    BYTE_BRACKET,
    BYTE_DASH,
    BYTE_SLASH,
    BYTE_POINT,
    BYTE_COLON,
    BYTE_MARK,
    BYTE_PERCENT,
    BYTE_STRAY,
} byte_kind;

typedef enum junk {
    JUNK_ERROR,  // 12ab is an error
    JUNK_NAME,   // 12ab is a name
    JUNK_SPLIT,  // 12ab is 12 and ab
} junk;

// One row for each dialect.
typedef struct lex_rules {
    escape single_quote;
    escape back_quote;
    escape bracket;           // of [x]; ESCAPE_NONE there
    token_kind double_quote;  // what "x" is
    unsigned word_bytes;      // set of the byte kinds that go on a word
    junk junk;                // a word right after a number
    bool has_brackets;        // [x] is a quoted name
    bool has_triple_quotes;
    bool has_dollar_quotes;
    bool has_dollar_tags;
    bool has_hash_comments;
    bool has_slash_comments;  // `//`
    bool has_hash_names;      // #temporary
    bool has_dollar_names;    // a word may begin with $
    bool has_money;           // $12.50 is a number
    bool nests_comments;
    bool cr_ends_comments;   // a carriage return ends a comment of one line
    bool dashes_need_blank;  // `--x` is no comment
    bool allows_open_comment;
    bool has_separators;  // 1_000
    bool has_radix;       // 0b101, 0o17
    bool at_is_sign;      // @ and ? are signs, not parameters
    int most_name_bytes;  // what is longer is cut there, to whole characters,
                          // with no more than a notice; 0: it is refused
} lex_rules;

extern const lex_rules lex_rules_of[DIALECT_COUNT];

// All of these take the offset of the first byte to look at and give the
// offset after the end of the literal, or -1 when it has none.

ptrdiff_t literal_end_quote(str s, ptrdiff_t from, char quote, escape e);
ptrdiff_t literal_end_triple(str s, ptrdiff_t from, char quote);
ptrdiff_t literal_end_comment(str s, ptrdiff_t from, bool nests);

// `at` is the `$`. 0 when no dollar quote begins there.
ptrdiff_t literal_end_dollar(str s, ptrdiff_t at, bool tags);

// `at` is a digit, or a point before a digit. Always finds an end.
ptrdiff_t literal_end_number(str s, ptrdiff_t at, const lex_rules *rules);

// A string with letters before its quote, as E'...'.
typedef struct prefix_rule {
    str text;
    unsigned dialects;  // set of those that have it
    string_form form;
    escape escape;
    bool double_quote;  // the quote may be `"`
} prefix_rule;

// The prefix that `s` begins with, quote included, or NULL.
const prefix_rule *prefix_find(str s, dialect d);

// The keyword that s[0..n) is, in any case.
keyword keyword_find(const char *s, ptrdiff_t n);

bool keyword_ends_operand(keyword k);

// The longest sign of dialect `d` at offset `at`.
op op_find(str s, ptrdiff_t at, dialect d);

#endif  // ASSAY_SQL_LEX_RULES_H
