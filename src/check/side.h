/*
 * side.h - one of the two queries of a pair, ready to run on a scratch
 * database, and what results it may have there.
 */
#ifndef ASSAY_CHECK_SIDE_H
#define ASSAY_CHECK_SIDE_H

#include "check/choice.h"
#include "check/outcome.h"
#include "engine/scratch.h"

typedef struct side {
    str sql;
    scratch_query *query;  // NULL: it does not compile
    execution failed;      // then this says why
    choices choices;
    scratch_db *db;
    scratch_query *top;     // tests, compiled when first wanted
    scratch_query **inner;  // by choice
    bool *was_tried;        // by choice, the top after them
    arena *a;
} side;

// `b` may be NULL when the query cannot be bound: all its choices are then
// taken to matter. The queries are to be forgotten before `a` is.
side side_open(scratch_db *db, str sql, const binding *b, arena *a, arena s);
void side_close(side *s);

// The same query on another database.
side side_on(const side *s, scratch_db *db, arena *a);

// Does a choice not matter, as the rows of its test tell?
bool side_test_is_fixed(const choice *c,
                        const table *rows,
                        arena a,
                        arena scratch);

// Do the inner choices not matter on the rows that the database holds? Both
// arenas are scratch.
bool side_is_fixed(side *s, arena temporary, arena scratch);

// What the query returned, with its sort keys and without LIMIT where blocks
// are wanted; false when that cannot be had.
bool side_blocks(side *s, table *rows, arena *a);

// All results, from what side_blocks gave.
outcome side_outcome(const side *s,
                     const table *blocks,
                     coder *c,
                     arena *a,
                     arena scratch);

#endif  // ASSAY_CHECK_SIDE_H
