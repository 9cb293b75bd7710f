/*
 * spider_query.h - a query as Spider's evaluator understands it: its own small
 * grammar, its faults included (definitions/spider.md#grammar).
 *
 * Only set:spider, set:adapted and the hardness look at this; everything else
 * has the real parser. "Unit" is the evaluator's word: a col_unit is a column
 * with an aggregate, a val_unit one or two of them with an operator between.
 *
 * Lists hold records of numbers, cleared first and without padding: what is
 * equal is equal byte by byte. A query in a record is its key.
 */
#ifndef ASSAY_EVALUATORS_SPIDER_QUERY_H
#define ASSAY_EVALUATORS_SPIDER_QUERY_H

#include "base/hash.h"
#include "schema/schema.h"

typedef enum spider_agg {
    SPIDER_AGG_NONE,
    SPIDER_AGG_MAX,
    SPIDER_AGG_MIN,
    SPIDER_AGG_COUNT,
    SPIDER_AGG_SUM,
    SPIDER_AGG_AVG,
} spider_agg;

typedef enum spider_op {
    SPIDER_OP_NONE,  // of a val_unit: it has one col_unit
    SPIDER_OP_MINUS,
    SPIDER_OP_PLUS,
    SPIDER_OP_TIMES,
    SPIDER_OP_DIVIDE,
} spider_op;

typedef enum spider_test {
    SPIDER_TEST_NOT,
    SPIDER_TEST_BETWEEN,
    SPIDER_TEST_EQUAL,
    SPIDER_TEST_GREATER,
    SPIDER_TEST_LESS,
    SPIDER_TEST_AT_LEAST,
    SPIDER_TEST_AT_MOST,
    SPIDER_TEST_UNEQUAL,
    SPIDER_TEST_IN,
    SPIDER_TEST_LIKE,
    SPIDER_TEST_IS,
    SPIDER_TEST_EXISTS,
} spider_test;

enum {
    SPIDER_ALL = 0
};  // the column id of `*`; others count from 1 through
    // all tables of the schema

typedef struct spider_query spider_query;

typedef struct spider_col {
    spider_agg agg;
    int32_t column;
    int32_t is_distinct;
} spider_col;

typedef struct spider_val {
    spider_op op;
    spider_col first;
    spider_col second;  // its column is -1: there is none
} spider_val;

typedef enum spider_value_kind {
    SPIDER_VALUE_NONE,
    SPIDER_VALUE_LITERAL,
    SPIDER_VALUE_COLUMN,
    SPIDER_VALUE_QUERY,
} spider_value_kind;

typedef struct spider_value {
    spider_value_kind kind;
    spider_col column;
    hash128 key;   // of the literal, or of the query
    hash128 bare;  // of the query without values
} spider_value;

typedef enum spider_link {
    SPIDER_LINK_NONE,  // the element is a condition
    SPIDER_LINK_AND,
    SPIDER_LINK_OR,
} spider_link;

// An element of a list of conditions: a condition or a connective. The
// evaluator takes every other element for a connective, whatever it is.
typedef struct spider_cond {
    spider_link link;
    int32_t is_not;
    spider_test test;
    spider_val left;
    spider_value first;
    spider_value second;  // of BETWEEN
} spider_cond;

_Static_assert(sizeof(spider_value) == 4 * sizeof(int32_t) + 2 * sizeof(hash128)
                   && sizeof(spider_cond)
                          == 10 * sizeof(int32_t) + 2 * sizeof(spider_value),
               "no padding");

typedef vec_of(spider_cond) spider_conds;

typedef struct spider_item {
    spider_agg agg;
    spider_val val;
} spider_item;

typedef vec_of(spider_item) spider_items;

typedef vec_of(spider_col) spider_cols;

typedef vec_of(spider_val) spider_vals;

// A table, or a derived one.
typedef struct spider_unit {
    int64_t table;  // of the schema; -1: derived
    hash128 key;    // of a derived one
} spider_unit;

typedef vec_of(spider_unit) spider_units;

typedef enum spider_set_op {
    SPIDER_INTERSECT,
    SPIDER_UNION,
    SPIDER_EXCEPT,
    SPIDER_SET_OPS,
} spider_set_op;

struct spider_query {
    bool is_distinct;
    spider_items select;
    spider_units from;
    spider_conds on;
    spider_conds where;
    spider_cols group;
    spider_conds having;
    bool has_order;      // perhaps with nothing after it
    bool is_descending;  // of the last ORDER BY item that says so
    spider_vals order;
    bool has_limit;
    spider_query *branches[SPIDER_SET_OPS];  // NULL: none
};

// Reads one query. NULL when the evaluator's parser would fail.
spider_query *spider_query_of(arena *a,
                              str sql,
                              const schema *s,
                              arena scratch);

// The query of a prediction that does not parse: nothing of anything.
spider_query *spider_query_empty(arena *a);

// The id of a column of the schema by its lower-case table and column name;
// -1: none. And back: the number of its table, -1 for SPIDER_ALL.
int32_t spider_column_id(const schema *s, str table, str column);
int32_t spider_column_table(const schema *s, int32_t id);

// The name without its table, for the lists that ignore it.
str spider_column_name(const schema *s, int32_t id);

#endif  // ASSAY_EVALUATORS_SPIDER_QUERY_H
