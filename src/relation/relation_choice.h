/*
 * relation_choice.h - where a query leaves a choice to the engine, and how to
 * find out whether the choice matters on a database.
 *
 * For each such place there is a test: a query whose rows tell. A choice
 * without a test counts as one that matters.
 *
 * Source      definitions/equivalence.md#possible-results, #ties
 */
#ifndef ASSAY_RELATION_CHOICE_H
#define ASSAY_RELATION_CHOICE_H

#include "schema/bind.h"
#include "sql/semantics.h"

typedef enum engine_choice_kind {
    // Which rows LIMIT takes, or which one a subquery in the place of a value.
    // Test: the query without LIMIT, its sort keys after its columns.
    CHOICE_LIMIT,
    // Which row of a group gives the value of a column that is not grouped by.
    // Test: keys, such columns, and the argument of the only MIN or MAX.
    CHOICE_BARE,
    // Does not matter where the test returns no row.
    CHOICE_ROWS,
} engine_choice_kind;

typedef enum engine_choice_extreme {
    EXTREME_NONE,
    EXTREME_MIN,
    EXTREME_MAX,
} engine_choice_extreme;

typedef struct engine_choice_key {
    int32_t column;  // of the test's result
    bool ignores_case;
} engine_choice_key;

typedef struct engine_choice {
    engine_choice_kind kind;
    str sql;              // the test; empty: there is none
    ptrdiff_t n_shown;    // LIMIT: the first so many columns are the query's
    ptrdiff_t n_columns;  // of all
    const engine_choice_key *keys;
    ptrdiff_t n_keys;  // BARE: the first columns
    int64_t count;     // LIMIT: rows taken; -1: all
    int64_t offset;
    ptrdiff_t n_bare;               // BARE: columns after the keys
    engine_choice_extreme extreme;  // BARE: of the column after those
} engine_choice;

typedef struct engine_choices {
    bool is_ordered;              // the query itself has an ORDER BY
    bool has_limit;               // and a LIMIT or OFFSET
    engine_choice top;            // CHOICE_LIMIT for these two
    vec_of(engine_choice) inner;  // all others
    bool is_refused;              // a column is bare where a system takes none
    bool is_of_spelling;          // one of these is: of which of several texts
                                  // that are equal one is shown
} engine_choices;

// What the query itself sorts by and takes, without what is inside it: in any
// dialect, with names that are not known.
engine_choices engine_choices_outermost(arena *a,
                                        const binding *b,
                                        arena scratch);

// The query must be bound, by SQLite's rules, and free of problems. In another
// dialect a MIN does not say from which row bare columns come.
engine_choices engine_choices_of(arena *a,
                                 const binding *b,
                                 semantics_bare bare,
                                 arena scratch);

#endif  // ASSAY_RELATION_CHOICE_H
