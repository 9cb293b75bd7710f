/*
 * clauses_internal.h - what the files of clauses.h share; for them alone.
 *
 * A key is text. A column in it is `label.column`, where labels number the
 * sources of a block in an order that does not depend on how it is written.
 */
#ifndef ASSAY_RELATION_CLAUSES_INTERNAL_H
#define ASSAY_RELATION_CLAUSES_INTERNAL_H

#include "base/partition.h"
#include "relation/clauses.h"
#include "relation/relation_condition.h"

typedef str_list key_list;

// A column that the block equates with others.
typedef struct equal_column {
    const bound_source *source;
    int32_t column;
} equal_column;

// A block whose expressions are made keys of. Names in the ORDER BY of a set
// operation, or of a query in brackets, mean its columns: they are named by
// their place, as no one block's expressions are all that they stand for.
typedef struct key_frame {
    struct key_frame *around;
    const bound_block *block;     // of a set operation: its leftmost
    bool is_tail;                 // ORDER BY and LIMIT after such a query
    const str *labels;            // by source; NULL: not known yet
    const int32_t *const *ranks;  // by source: of a derived table, by column
    vec_of(equal_column) equals;
    partition classes;  // of those
} key_frame;

// An output whose expression is being made a key of.
typedef struct key_open {
    const struct key_open *around;
    const bound_column *output;
} key_open;

typedef struct keyer {
    arena *a;
    arena scratch;  // for printing
    const binding *b;
    bool has_constants;  // in the keys that are made
    clause_key_kind kind;
    clause_options options;
    int64_t steps_left;
    int64_t bytes_left;
    const key_open *open;  // an alias never is made a key of inside itself
    bool is_joined;        // some block has several sources, or one around it
} keyer;

enum {
    KEY_STEPS = 60000,  // nodes looked at for one query
    KEY_BYTES = 32 * 1024 * 1024,
    KEY_PAIRINGS = 24,  // ways to number equal sources that are tried
};

static inline bool key_is_cut(const keyer *k)
{
    return k->steps_left < 0 || k->bytes_left < 0;
}

// clauses_expr.c
str key_of(keyer *k, key_frame *f, const ast *n);
str key_of_condition(keyer *k, key_frame *f, condition c);
str key_of_column(keyer *k,
                  key_frame *f,
                  const bound_source *source,
                  int32_t column,
                  str name);
int32_t key_find_equal(const key_frame *f,
                       const bound_source *source,
                       int32_t column);  // -1: it is equated with none
str key_of_output(keyer *k,
                  key_frame *f,
                  const bound_block *block,
                  int32_t output);
str key_join(keyer *k, const char *before, key_list *parts, bool sorts);
void key_add(keyer *k, key_list *list, str key);
void key_conjuncts(keyer *k, key_frame *f, condition c, key_list *out);

// What lies inside IN or EXISTS: neither order nor repetition counts.
typedef enum key_use {
    KEY_ROWS,
    KEY_BAG,     // a derived table: no order
    KEY_SET,     // IN, operands of UNION: nor repetition
    KEY_EXISTS,  // nor what is selected
} key_use;

typedef vec_of(clause_fact) fact_list;

// clauses_join.c: what FROM and WHERE demand of the rows of a block. Fills the
// classes of equal columns, then adds facts in which labels are needed.
typedef struct key_condition {
    condition c;
    const bound_merge *merge;  // NULL: it is `c`
} key_condition;

typedef vec_of(key_condition) condition_list;

// A join whose other side may be missing: the sources from `from` up to `to`.
typedef struct key_outer {
    const ast *join;
    condition_list on;
    int32_t from;
    int32_t to;
} key_outer;

typedef struct key_joins {
    condition_list inner;  // of ON and WHERE, alike
    vec_of(key_outer) outer;
    bool *is_missing;  // by source: it may be
} key_joins;

key_joins key_joins_of(keyer *k, const bound_block *block);
void key_equate(keyer *k, key_frame *f, const key_joins *j);
void key_add_joins(keyer *k, key_frame *f, const key_joins *j, fact_list *out);
void key_split(keyer *k, const ast *n, condition_list *out);  // conjuncts
void key_add_conditions(keyer *k,
                        key_frame *f,
                        clause_kind kind,
                        const condition_list *list,
                        fact_list *out);
void key_add_fact(keyer *k,
                  fact_list *out,
                  clause_kind kind,
                  str key,
                  clause_text text);

// clauses_text.c: for people, cut short.
clause_text key_print(keyer *k, const ast *n);
clause_text key_same_text(str text);
str key_source_name(const bound_source *s);

// clauses_block.c
str key_of_query(keyer *k, key_frame *around, const bound_query *q, key_use u);

#endif  // ASSAY_RELATION_CLAUSES_INTERNAL_H
