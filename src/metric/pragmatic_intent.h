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

// In the order in which two are compared.
typedef enum intent_kind {
    INTENT_KEEPS,   // conditions that rows must meet
    INTENT_RANKS,   // "1 max singer.age"
    INTENT_GROUPS,  // what rows are collected by
    INTENT_READS,   // tables
    INTENT_MARKS,   // distinct, outer joins, either or both of several values,
                    // roles, tables that nothing joins
    INTENT_GRAIN,   // whose rows sums, averages and counts are over
    INTENT_SHOWS,   // what is shown
    INTENT_SORTS,   // the order of the result
    INTENT_KINDS,
} intent_kind;

typedef struct intent_fact {
    str text;        // all of it
    str role;        // of SHOWS: which reference to that table it is; empty:
                     // the only one
    int32_t table;   // of its column; -1: it is of no simple form
    int32_t column;  // of that table
    bool is_absent;  // of KEEPS and READS: of rows that there may not be
    // Of KEEPS:
    bool is_any;                 // one of several ways
    bool is_text;                // the value is a text in quotes
    const bound_source *source;  // the instance of that table
    str relation;                // "=", "<"; of RANKS, from which end: "1 max "
    str value;  // of RANKS the measure: "singer.age", "sum concert.fee", of any
                // COUNT "count"; empty: of no simple form
} intent_fact;

typedef vec_of(intent_fact) intent_facts;

typedef struct intent {
    bool is_known;  // false: the query is of a form that is not understood
    intent_facts facts[INTENT_KINDS];
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
