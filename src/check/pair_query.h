/*
 * pair_query.h - one of the two queries of a pair, ready to run on a scratch
 * database, and what results it may have there.
 */
#ifndef ASSAY_CHECK_PAIR_QUERY_H
#define ASSAY_CHECK_PAIR_QUERY_H

#include "check/possible_results.h"
#include "check/read_query.h"
#include "engine/scratch.h"
#include "relation/relation_choice.h"

typedef struct pair_query {
    read_query said;
    scratch_query *query;  // NULL: it does not compile, or nobody tried
    execution failed;      // then this says why
    engine_choices choices;
    scratch_db *db;
    scratch_query *top;     // tests, compiled when first wanted
    scratch_query **inner;  // by choice
    bool *was_tried;        // by choice, the top after them; NULL: the choices
                            // are not known yet
    arena *a;
} pair_query;

// The query is to be forgotten before `a` is.
pair_query pair_query_open(scratch_db *db, read_query said, arena *a);
void pair_query_close(pair_query *s);

// Finds out, once, what the engine may choose: whoever runs the query wants it.
// `b` may be NULL when the query cannot be bound: all its choices are then
// taken to matter. `folded`: NULL, or the query where each text says that
// letters fold. `bare`: see engine_choices_of().
void pair_query_choose(pair_query *s,
                       const binding *b,
                       const binding *folded,
                       semantics_bare bare,
                       arena scratch);

// The same query, with the same choices, on another database. Does it compile
// there? Until that is asked, it is not.
pair_query pair_query_on(const pair_query *s, scratch_db *db, arena *a);
bool pair_query_runs(pair_query *s);

// Does a choice not matter, as the rows of its test tell?
bool engine_choice_is_fixed(const engine_choice *c,
                            const table *rows,
                            arena a,
                            arena scratch);

// Do the inner choices not matter on the rows that the database holds? Both
// arenas are scratch.
bool pair_query_is_fixed(pair_query *s, arena temporary, arena scratch);

// What the query returned, with its sort keys and without LIMIT where blocks
// are wanted; false when that cannot be had.
bool pair_query_blocks(pair_query *s, table *rows, arena *a);

// All results, from what pair_query_blocks gave.
possible_results pair_query_results(const pair_query *s,
                                    const table *blocks,
                                    coder *c,
                                    arena *a,
                                    arena scratch);

#endif  // ASSAY_CHECK_PAIR_QUERY_H
