/*
 * pragmatic_part.h - what the two files that read intents share; for them
 * alone.
 */
#ifndef ASSAY_METRIC_PRAGMATIC_PART_H
#define ASSAY_METRIC_PRAGMATIC_PART_H

#include "metric/pragmatic.h"
#include "metric/pragmatic_intent.h"

enum {
    INTENT_DEPTH_MAX = 200,
};

typedef struct intent_reader {
    arena *a;
    const schema *s;
    binding *b;
    const bound_block *block;  // the SELECT that is being read
    dialect d;
    uint32_t lenient;
    intent *out;
    int depth;
    arena scratch;
} intent_reader;

typedef struct column_place {
    int32_t table;
    int32_t column;
} column_place;

// Is the leniency on?
bool intent_passes(const intent_reader *r, uint32_t bit);

str intent_lower(arena *a, str s);  // ASCII letters in lower case
bool intent_is_call(const ast *e, const char *name);

// The column that foreign keys of one column lead to.
column_place intent_root(const schema *s, column_place c);

// The stored column that a column of a source is; table -1 when it is none.
column_place intent_stored(const bound_source *source, int32_t column);

// The stored column that an expression is, at the end of its foreign keys.
column_place intent_place(intent_reader *r, const ast *e);

// The same, not followed along keys.
column_place intent_own_place(intent_reader *r, const ast *e);

// What an alias or a position of the select list stands for.
const ast *intent_behind(intent_reader *r, const ast *e);

// ROUND(x, 2), CAST(x AS REAL), x * 100: x, where rounding does not matter.
const ast *intent_unrounded(intent_reader *r, const ast *e);

// The same as "table.column", not followed along keys.
str intent_show_own(intent_reader *r, const ast *e);

str intent_show_place(intent_reader *r, column_place c);  // "singer.age"
str intent_show(intent_reader *r, const ast *e);          // any expression

#endif  // ASSAY_METRIC_PRAGMATIC_PART_H
