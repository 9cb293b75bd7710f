/*
 * blame_read.h - what the signals ask of a query, read off its bound tree once:
 * its blocks, the values that it compares with, its aggregates.
 */
#ifndef ASSAY_BLAME_BLAME_READ_H
#define ASSAY_BLAME_BLAME_READ_H

#include "blame/blame.h"
#include "intent/asked_words.h"
#include "relation/relation.h"
#include "relation/relation_select.h"
#include "relation/relation_values.h"

// A literal that a column, or an expression over one, is compared with.
typedef struct blame_value {
    str text;  // without quotes
    str_list words;
    bound_place column;  // -1: of no single column
    bool is_number;
    bool is_plain;  // the column itself is compared, no call of it
    bool is_span;   // of time, by which dates are moved: 18 years
    int relation;   // sql_operator, with the column on the left
} blame_value;

typedef struct blame_query {
    const blame_side *side;
    const schema *schema;
    const binding *b;   // NULL: it cannot be read
    relation *meaning;  // NULL: likewise, or a name of it is not known
    const ast *tree;
    const bound_block *top;  // of a set operation: the leftmost; not VALUES
    relation_values read;
    vec_of(blame_value) values;
} blame_query;

blame_query blame_read(const blame_case *c,
                       const blame_side *side,
                       arena *a,
                       arena scratch);

const schema_column *blame_column(const blame_query *q, bound_place p);

// Is it the table's own key, as far as the schema tells?
bool blame_is_key(const blame_query *q, bound_place p);

// A text by which people tell things apart, though nothing keeps it unique.
bool blame_is_name(const blame_query *q, bound_place p);

#endif  // ASSAY_BLAME_BLAME_READ_H
