/*
 * suite.h - a test suite: for each schema a few small databases that tell its
 * golds from their neighbors, and which of them do so for which gold.
 *
 * File        SUITE/DB.suite, JSON lines: a head (version, schema), one line a
 *             database, one line a gold. Small, the same everywhere, and
 *             readable: a person finds the rows, a diff shows what changed.
 *             Values are what SQLite stores: null, integers, reals with a
 *             point or an exponent, texts; {"blob": "0aff"} for the rest.
 *             PostgreSQL and DuckDB read the texts as their columns' types
 *             say; the head of their suites has "engine": "postgres" or
 *             "duckdb".
 *
 * Invariants  (1) A database obeys the constraints of the schema.
 *             (2) No gold is listed as told apart on a database where its
 *                 result is not settled; those are its `unstable` ones.
 */
#ifndef ASSAY_SUITE_SUITE_H
#define ASSAY_SUITE_SUITE_H

#include "base/diag.h"
#include "base/map.h"
#include "engine/instance.h"
#include "suite/neighbor.h"

enum {
    SUITE_VERSION = 1
};

// What a database needs that its data do not show.
typedef enum suite_cause {
    SUITE_NULL_HANDLING,  // NULL where none is
    SUITE_ORPHAN,         // a row without its parent, by a key that is declared
                          // and broken by few rows
    SUITE_LETTER_CASE,    // a second spelling
    SUITE_EMPTY_INPUT,    // an empty table
    SUITE_CAUSE_COUNT,
} suite_cause;

str suite_cause_word(suite_cause c);
bool suite_cause_from_word(str word, suite_cause *out);

// Why a database is kept for a gold.
typedef struct suite_killer {
    int32_t database;  // place in the suite
    int32_t n_killed;  // neighbors that this one is kept for
    neighbor_kind kind;
    str neighbor;  // one of them
} suite_killer;

// A neighbor that no database kills.
typedef struct suite_survivor {
    neighbor neighbor;
    bool is_proved;  // equivalent to the gold
    str why;         // proved: the assumptions; else what was tried
} suite_survivor;

typedef struct suite_gold {
    str sql;
    vec_of(suite_killer) killers;  // best first
    vec_of(int32_t) unstable;      // databases
    vec_of(suite_survivor) survivors;
    int32_t made[NEIGHBOR_KIND_COUNT];  // neighbors that compile
    int32_t killed[NEIGHBOR_KIND_COUNT];
    str error;  // why it could not be run; empty: it could
} suite_gold;

typedef struct suite_point {
    int64_t tries;   // databases tried
    int64_t killed;  // neighbors, so far
} suite_point;

typedef vec_of(suite_point) suite_curve;

typedef struct suite {
    str db;          // its name
    str ddl;         // CREATE statements for its engine
    str key;         // of what it was made from: inputs, seed, options
    str_list notes;  // of the schema: what its database breaks
    schema schema;
    const instance *databases;
    ptrdiff_t n_databases;
    const unsigned *strict;  // by database: 1 << suite_cause, what of it nobody
                             // has; 0: realistic; NULL: all are
    const suite_gold *golds;
    ptrdiff_t n_golds;
    suite_curve curve;
    int64_t tries;
    map by_sql;  // index of `golds`
} suite;

// Its causes; 0: it is realistic.
unsigned suite_causes(const suite *s, ptrdiff_t no);

// "null_handling, orphan"
str suite_show_causes(unsigned causes, arena *a);

// The place of a gold; -1: the suite was not made for it.
ptrdiff_t suite_find(const suite *s, str sql);

typedef struct suite_count {
    int64_t neighbors;
    int64_t killed;
    int64_t equivalent;
    int64_t alive;
} suite_count;

suite_count suite_count_gold(const suite_gold *g);

// How the bytes of a suite's file begin: whose it is.
void suite_head_begin(buf *out, str db, str key);

// The bytes of its file.
void suite_to_text(buf *out, const suite *s);

// False with messages when the text is no suite that this version reads. The
// suite borrows from `text` and must not be moved; `file` is for messages.
bool suite_from_text(suite *s,
                     arena *a,
                     str file,
                     str text,
                     diag *d,
                     arena scratch);

// One gold as a JSON object: what the file and the manifest say of it.
void suite_add_gold(buf *out, const suite_gold *g);

// What comes after the point, by the curve of what was done then.
void suite_add_curve(suite_curve *to,
                     arena *a,
                     suite_point from,
                     const suite_curve *more);

// Rows of all tables.
ptrdiff_t suite_rows(const instance *i);

#endif  // ASSAY_SUITE_SUITE_H
