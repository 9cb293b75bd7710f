/*
 * pragmatic_intent.h - what a query is after, as sets of short texts: what it
 * shows, what it keeps, what it ranks by, what it reads. For pragmatic.c.
 *
 * Columns are written as the column that their foreign key leads to, so that
 * concert.singer_id and singer.singer_id are one thing. A leniency changes how
 * something is written: with COUNT_FORM, count(*) and count(id) are both
 * "count".
 */
#ifndef ASSAY_METRIC_PRAGMATIC_INTENT_H
#define ASSAY_METRIC_PRAGMATIC_INTENT_H

#include "schema/bind.h"

// Something that is shown.
typedef struct intent_output {
    str text;
    str role;        // which reference to that table it is; empty: the only one
    int32_t table;   // of a plain column; else -1
    int32_t column;  // of that table
} intent_output;

// A condition that rows must meet.
typedef struct intent_kept {
    str text;        // all of it
    bool is_absent;  // of rows that there may not be
    bool is_any;     // one of several ways
    int32_t table;   // of its column; -1: it is of no simple form
    int32_t column;
    const bound_source *source;  // the instance of that table
    str relation;                // "=", "<"
    str value;
    bool is_text;  // the value is a text in quotes
} intent_kept;

// By what rows are picked, and from which end.
typedef struct intent_pick {
    str end;      // "1 max "
    str measure;  // "singer.age", "sum concert.fee"; of any COUNT "count";
                  // empty: of no simple form
} intent_pick;

typedef struct intent {
    bool is_known;  // false: the query is of a form that is not understood
    vec_of(intent_output) outputs;
    vec_of(intent_kept) keeps;
    str_list ranks;    // "1 max singer.age"
    intent_pick pick;  // the last of those that rank
    str_list groups;   // what rows are collected by
    str_list reads;    // tables
    str_list sorts;    // the order of the result
    str_list grain;    // whose rows sums, averages and counts are over
    str_list marks;    // distinct, outer joins, either or both of several
                       // values, roles, tables that nothing joins
} intent;

// Does the column say which one of its table's things a row is: a key or a
// name?
bool intent_is_identifying(const schema *s, int32_t table_no, int32_t column);

// `leniencies`: bits that change how things are written. Of NULL nothing is
// known.
intent intent_of(arena *a,
                 const binding *b,
                 uint32_t leniencies,
                 arena scratch);

#endif  // ASSAY_METRIC_PRAGMATIC_INTENT_H
