/*
 * sql_eval_item.h - what the grouping passes work on: items of many kinds, the
 * level they stand at, and the marks that layout needs. Only the files behind
 * sql_eval_group() use it.
 */
#ifndef ASSAY_EVALUATORS_SQL_EVAL_ITEM_H
#define ASSAY_EVALUATORS_SQL_EVAL_ITEM_H

#include "evaluators/sql_eval.h"

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

// The sets that several passes ask for.
#define ITEM_NAMES (ITEM(NAME) | ITEM(SYMBOL))

#define ITEM_PLAIN_KEYWORDS                                                 \
    (ITEM(KEYWORD) | ITEM(NULL) | ITEM(AS) | ITEM(NOW) | ITEM(TIMESTAMP)    \
     | ITEM(UNIT) | ITEM(WHERE_WORD) | ITEM(WHERE_STOP) | ITEM(VALUES_WORD) \
     | ITEM(TABLE))

#define ITEM_KEYWORDS                                                      \
    (ITEM_PLAIN_KEYWORDS | ITEM(ORDER) | ITEM(DML) | ITEM(DDL) | ITEM(CTE) \
     | ITEM(TIMEZONE))

typedef struct item {
    item_kind kind;
    int32_t first;  // tokens
    int32_t last;
} item;

typedef struct level {
    int32_t first;  // tokens
    int32_t last;
    bool is_top;
    bool is_nest;       // its ends are the delimiters of a nesting group
    bool in_where;      // it is the inside of a WHERE
    bool no_functions;  // of a WHERE: it stands in a CREATE TABLE
} level;

typedef struct grouper {
    sql_eval_text *t;
    const int32_t *partner;
    item *items;  // of the level at work
    ptrdiff_t n;
    vec_of(level) to_do;
    arena scratch;
} grouper;

static inline bool item_is(item_kind kind, item_set set)
{
    return (((item_set)1 << kind) & set) != 0;
}

// The first item from i on that is no blank; g->n when there is none.
ptrdiff_t item_skip_blanks(const grouper *g, ptrdiff_t i);

// Joins by table (sql_eval_join.c), each over the whole level.
void join_dots(grouper *g);
void join_arrays(grouper *g);
void join_terms(grouper *g);  // casts to aliases with AS
void join_lists(grouper *g);

// Marks for layout (sql_eval_mark.c).
void mark_token(grouper *g, int32_t token, sql_eval_mark m);
void mark_link(grouper *g, int32_t token, sql_eval_mark m, int32_t link);
void mark_ends(grouper *g, level l);
void mark_breaks(grouper *g, level l);
void mark_lost_where(grouper *g, level l);

#endif  // ASSAY_EVALUATORS_SQL_EVAL_ITEM_H
