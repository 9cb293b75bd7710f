/*
 * sql_eval_item.h - what the grouping passes tell apart: kinds of tokens and of
 * groups, as bits so that a pass can name sets of them. Only sql_eval_group.c
 * and sql_eval_nest.c use it.
 */
#ifndef ASSAY_METRIC_SQL_EVAL_ITEM_H
#define ASSAY_METRIC_SQL_EVAL_ITEM_H

#include "metric/sql_eval.h"

typedef enum item_kind {
    // tokens
    ITEM_BLANK,
    ITEM_COMMENT,
    ITEM_PUNCTUATION,  // without a kind of its own
    ITEM_DOT,
    ITEM_COMMA,
    ITEM_SEMICOLON,
    ITEM_CAST,    // ::
    ITEM_ASSIGN,  // :=
    ITEM_WILDCARD,
    ITEM_NAME,
    ITEM_TYPE,
    ITEM_PLACEHOLDER,
    ITEM_COMPARE,
    ITEM_NUMBER,
    ITEM_HEX,  // a number that is no operand
    ITEM_STRING,
    ITEM_SYMBOL,
    ITEM_OPERATOR,
    ITEM_ORDER,
    ITEM_DML,
    ITEM_DDL,
    ITEM_CTE,
    ITEM_TIMEZONE,
    ITEM_OTHER,
    // keywords
    ITEM_KEYWORD,  // without a kind of its own
    ITEM_NULL,
    ITEM_AS,
    ITEM_NOW,        // CURRENT_DATE ...
    ITEM_TIMESTAMP,  // begins a typed literal
    ITEM_UNIT,       // DAY ..., ends one
    ITEM_WHERE_WORD,
    ITEM_WHERE_STOP,  // ends a WHERE
    ITEM_VALUES_WORD,
    ITEM_TABLE,
    // groups, from here on
    ITEM_BRACKETS,
    ITEM_PARENTHESIS,
    ITEM_CASE,
    ITEM_BLOCK,  // IF, FOR, BEGIN to their ends
    ITEM_FUNCTION,
    ITEM_WHERE,
    ITEM_IDENTIFIER,
    ITEM_TYPED,  // DATE '...'
    ITEM_OPERATION,
    ITEM_COMPARISON,
    ITEM_ASSIGNMENT,
    ITEM_LIST,
    ITEM_VALUES,
    ITEM_KIND_COUNT,
} item_kind;

_Static_assert(ITEM_KIND_COUNT <= 64, "sets of kinds are 64 bits");

typedef uint64_t item_set;

#define ITEM(kind) ((item_set)1 << ITEM_##kind)
#define ITEM_ANY   (~(item_set)0)

enum {
    NO_PARTNER = -1
};

item_kind item_kind_of(sql_eval_token t);

// Fills partner[i] for each token of `t` that begins or ends brackets, a
// parenthesis, CASE or a block with the other end, for all others with
// NO_PARTNER.
void sql_eval_pairs(int32_t *partner, const sql_eval_text *t, arena scratch);

// The kind of the group that token `t` begins.
item_kind item_kind_of_group(sql_eval_token t);

#endif  // ASSAY_METRIC_SQL_EVAL_ITEM_H
