/*
 * other_meaning.h - what of a query in SQLite's words means something else in
 * the dialect that it was written in, and has no other words: semantics.def.
 */
#ifndef ASSAY_CHECK_OTHER_MEANING_H
#define ASSAY_CHECK_OTHER_MEANING_H

#include "check/check_verdict.h"
#include "schema/bind.h"

// Unknown, for SQLite has no equal for it.
void other_meaning_refuse(check_verdict *v, str what, arena *a);

// The same of a column that is neither grouped nor aggregated.
void other_meaning_refuse_bare(check_verdict *v, arena *a);

typedef struct other_meaning {
    str_list words;    // what means something else
    str_list digits;   // what has digits of its own
    double slack;      // by which the digits may change a result
    int n_truths;      // columns of the result that are truths, and no numbers
    int n_days;        // likewise days,
    int n_moments;     // and moments; what may be either is in neither
    bool is_absent;    // something of `words` may not exist there
    bool is_tried;     // a TRY_CAST is in it: a proof is of one query alone
    bool is_open;      // or be refused for its types, or mean another name
    bool shows_scale;  // decimals as texts, of which equal ones may be unlike
    bool is_unread;    // nothing is known
} other_meaning;

// Has the query no letters beyond ASCII? NULL: it has none.
bool other_is_plain(const ast *query);

// Of a query that cannot be bound, NULL, nothing is known. `is_plain`: it meets
// texts of letters of ASCII only.
other_meaning other_meaning_of(const binding *b,
                               dialect d,
                               bool is_plain,
                               arena *a,
                               arena scratch);

// A proof takes what both queries have alike for one thing, whatever it means:
// what only one has stands against it. A counterexample is SQLite's alone where
// anything means something else. `is_native`: the proof is of what the dialect
// means, if it takes the queries as they were read.
void other_meaning_heed(check_verdict *v,
                        const other_meaning sides[2],
                        bool is_native,
                        arena *a);

// Does the query read columns of types that SQLite lacks, as REAL of single
// precision and CHAR(n)?
bool reads_other_types(const binding *b);

// Does it cast to a number of single precision, in PostgreSQL's words?
bool casts_to_single(const binding *b);

// Does it divide, join texts or CAST, so that the type of a number shows?
bool shows_types(const binding *b);

#endif  // ASSAY_CHECK_OTHER_MEANING_H
