/*
 * lex_rules.c - the dialects, the keywords and the signs as tables.
 *
 * Method      token.def lists keywords by first letter and length, signs by
 *             first byte. The position where each group begins is a constant,
 *             counted by the enums below, so that a look-up is one index and
 *             two or three comparisons.
 */
#include "sql/lex_rules.h"

#include <assert.h>
#include <string.h>

enum {
    WORD_PLAIN = 1 << BYTE_LETTER | 1 << BYTE_DIGIT,
    WORD_DOLLAR = WORD_PLAIN | 1 << BYTE_DOLLAR,
    WORD_AT = WORD_DOLLAR | 1 << BYTE_AT | 1 << BYTE_HASH,
};

#define LIKE_POSTGRES(cut_at)                                          \
    {                                                                  \
        .double_quote = TOKEN_QUOTED_NAME, .word_bytes = WORD_DOLLAR,  \
        .has_dollar_quotes = true, .has_dollar_tags = true,            \
        .nests_comments = true, .cr_ends_comments = true,              \
        .has_separators = true, .has_radix = true, .at_is_sign = true, \
        .most_name_bytes = (cut_at)                                    \
    }

const lex_rules lex_rules_of[DIALECT_COUNT] = {
    [DIALECT_SQLITE] = {.double_quote = TOKEN_STRING_OR_NAME,
                        .word_bytes = WORD_DOLLAR,
                        .bracket = ESCAPE_NONE,
                        .has_brackets = true,
                        .allows_open_comment = true,
                        .has_separators = true},
    [DIALECT_POSTGRES] = LIKE_POSTGRES(63),
    [DIALECT_MYSQL] = {.single_quote = ESCAPE_BOTH,
                       .double_quote = TOKEN_STRING,
                       .word_bytes = WORD_DOLLAR,
                       .junk = JUNK_NAME,
                       .has_hash_comments = true,
                       .has_dollar_names = true,
                       .has_radix = true,
                       .dashes_need_blank = true},
    [DIALECT_BIGQUERY] = {.single_quote = ESCAPE_BACKSLASH,
                          .back_quote = ESCAPE_BACKSLASH,
                          .double_quote = TOKEN_STRING,
                          .word_bytes = WORD_PLAIN,
                          .junk = JUNK_SPLIT,
                          .has_triple_quotes = true,
                          .has_hash_comments = true},
    [DIALECT_TSQL] = {.double_quote = TOKEN_QUOTED_NAME,
                      .word_bytes = WORD_AT,
                      .junk = JUNK_SPLIT,
                      .bracket = ESCAPE_DOUBLING,
                      .has_brackets = true,
                      .has_hash_names = true,
                      .has_money = true,
                      .nests_comments = true},
    [DIALECT_SNOWFLAKE] = {.single_quote = ESCAPE_BOTH,
                           .double_quote = TOKEN_QUOTED_NAME,
                           .word_bytes = WORD_DOLLAR,
                           .junk = JUNK_SPLIT,
                           .has_dollar_quotes = true,
                           .has_slash_comments = true},
    [DIALECT_DUCKDB] = LIKE_POSTGRES(0),
};

enum {
    IN_LITE = 1 << DIALECT_SQLITE,
    IN_PG = 1 << DIALECT_POSTGRES | 1 << DIALECT_DUCKDB,
    IN_MY = 1 << DIALECT_MYSQL,
    IN_BQ = 1 << DIALECT_BIGQUERY,
    IN_TS = 1 << DIALECT_TSQL,
    IN_SF = 1 << DIALECT_SNOWFLAKE,
    IN_HEX = IN_LITE | IN_PG | IN_MY | IN_SF,
    IN_ALL = (1 << DIALECT_COUNT) - 1,
};

static const prefix_rule prefixes[] = {
    {{"E", 1}, IN_PG, STRING_ESCAPE, ESCAPE_BOTH, false},
    {{"U&", 2}, IN_PG, STRING_UNICODE, ESCAPE_DOUBLING, true},
    {{"B", 1}, IN_PG | IN_MY, STRING_BITS, ESCAPE_DOUBLING, false},
    {{"X", 1}, IN_HEX, STRING_HEX, ESCAPE_DOUBLING, false},
    {{"N", 1}, IN_PG | IN_TS, STRING_NATIONAL, ESCAPE_DOUBLING, false},
    {{"N", 1}, IN_MY, STRING_NATIONAL, ESCAPE_BOTH, false},
    {{"B", 1}, IN_BQ, STRING_BYTES, ESCAPE_BACKSLASH, true},
    {{"R", 1}, IN_BQ, STRING_RAW, ESCAPE_BACKSLASH, true},
    {{"RB", 2}, IN_BQ, STRING_RAW, ESCAPE_BACKSLASH, true},
    {{"BR", 2}, IN_BQ, STRING_RAW, ESCAPE_BACKSLASH, true},
};

enum {
    KEYWORD_MAX_BYTES = 17,
    LETTERS = 26,
};

static const struct {
    char text[KEYWORD_MAX_BYTES + 1];
    uint8_t len;
    uint8_t reserved;  // bit by dialect
    bool ends;
} keywords[] = {
    {"", 0, 0, false},
#define KEYWORD(word, lite, pg, my, bq, ts, sf, ends)      \
    {#word, sizeof(#word) - 1,                             \
     (lite) << DIALECT_SQLITE | (pg) << DIALECT_POSTGRES   \
         | (pg) << DIALECT_DUCKDB | (my) << DIALECT_MYSQL  \
         | (bq) << DIALECT_BIGQUERY | (ts) << DIALECT_TSQL \
         | (sf) << DIALECT_SNOWFLAKE,                      \
     #ends[0] == 'E'},
#include "sql/token.def"
    {"", 0, 0, false},
};

// Counts like enum keyword; at each group it notes the number and steps back.
enum {
    NO_WORD,
#define WORD_GROUP(letter, len, name) \
    WORDS_##name, STEP_BACK_##name = WORDS_##name - 1,
#define KEYWORD(word, lite, pg, my, bq, ts, sf, ends) WORD_NUMBER_##word,
#include "sql/token.def"
};

static const uint16_t word_groups[LETTERS][KEYWORD_MAX_BYTES + 1] = {
#define WORD_GROUP(letter, len, name) [(letter) - 'A'][len] = WORDS_##name,
#include "sql/token.def"
};

static const struct {
    char text[5];
    uint8_t len;
    uint8_t dialects;
} ops[] = {
    {"", 0, 0},
#define OP(constant, text, dialects) {text, sizeof(text) - 1, dialects},
#include "sql/token.def"
    {"", 0, 0},
};

enum {
    NO_OP,
#define OP_GROUP(byte, name)         OPS_##name, BACK_##name = OPS_##name - 1,
#define OP(constant, text, dialects) OP_NUMBER_##constant,
#include "sql/token.def"
};

static const uint16_t op_groups[256] = {
#define OP_GROUP(byte, name) [byte] = OPS_##name,
#include "sql/token.def"
};

const prefix_rule *prefix_find(str s, dialect d)
{
    assert(d < DIALECT_COUNT);
    for (ptrdiff_t i = 0; i < countof(prefixes); i++) {
        const prefix_rule *p = &prefixes[i];
        if ((p->dialects >> d & 1) && s.len > p->text.len
            && str_starts_fold(s, p->text)) {
            char quote = s.ptr[p->text.len];
            if (quote == '\'' || (quote == '"' && p->double_quote)) {
                return p;
            }
        }
    }
    return NULL;
}

// Clears the bit that tells lower-case letters from upper-case ones. What it
// makes of other bytes of a word is never a letter or `_`.
static char fold(char c)
{
    return (char)(c & 0xDF);
}

static bool same_word(const char *s, const char *upper, ptrdiff_t n)
{
    for (ptrdiff_t i = 1; i < n; i++) {
        if (fold(s[i]) != upper[i]) {
            return false;
        }
    }
    return true;
}

keyword keyword_find(const char *s, ptrdiff_t n)
{
    assert(n > 0);
    unsigned letter = (unsigned)(fold(s[0]) - 'A');
    if (n > KEYWORD_MAX_BYTES || letter >= LETTERS) {
        return KEYWORD_NONE;
    }
    for (int k = word_groups[letter][n]; keywords[k].len == n; k++) {
        if (keywords[k].text[0] != fold(s[0])) {
            break;
        }
        if (same_word(s, keywords[k].text, n)) {
            return (keyword)k;
        }
    }
    return KEYWORD_NONE;
}

str keyword_text(keyword k)
{
    assert(k < countof(keywords) - 1);
    return (str){keywords[k].text, keywords[k].len};
}

bool keyword_is_reserved(keyword k, dialect d)
{
    assert(k < countof(keywords) - 1 && d < DIALECT_COUNT);
    return keywords[k].reserved >> d & 1;
}

bool keyword_ends_operand(keyword k)
{
    assert(k < countof(keywords) - 1);
    return keywords[k].ends;
}

// Whether the sign that ends before `end` would swallow the start of a comment.
static bool opens_comment(str s, ptrdiff_t end)
{
    assert(end > 0);
    if (end >= s.len) {
        return false;
    }
    char last = s.ptr[end - 1];
    return (last == '/' && s.ptr[end] == '*')
           || (last == '-' && s.ptr[end] == '-');
}

op op_find(str s, ptrdiff_t at, dialect d)
{
    assert(at >= 0 && at < s.len);
    const char *p = s.ptr + at;
    for (int o = op_groups[(unsigned char)*p]; ops[o].text[0] == *p; o++) {
        if (!(ops[o].dialects >> d & 1)) {
            continue;
        }
        ptrdiff_t n = ops[o].len;
        if (n == 1
            || (n <= s.len - at && memcmp(ops[o].text, p, (size_t)n) == 0
                && !opens_comment(s, at + n))) {
            return (op)o;
        }
    }
    return OP_NONE;
}

str op_text(op o)
{
    assert(o < countof(ops) - 1);
    return (str){ops[o].text, ops[o].len};
}
