// witness.h - a witness as text, and as tables for people.
#ifndef ASSAY_CHECK_WITNESS_H
#define ASSAY_CHECK_WITNESS_H

#include "check/check_verdict.h"
#include "check/trial.h"
#include "schema/reading.h"

// CREATE and INSERT statements for what is read and what that refers to; the
// latter begin at *rows_at.
str witness_sql(arena *a,
                const instance *rows,
                const reading *reads,
                ptrdiff_t *rows_at,
                arena scratch);

// The same text as a user's database takes it: the rows of a cycle in one
// transaction, and tables of other schemas with CREATE SCHEMA, "s.t" as s.t.
// Scratch tables are filled in a transaction already, lie in one schema, and
// cannot be tried so.
str witness_sql_for_user(arena *a,
                         const instance *rows,
                         str sql,
                         ptrdiff_t rows_at,
                         arena scratch);

// The tables that are read, with the columns that are.
void witness_tables(check_witness *w,
                    const instance *rows,
                    const reading *reads,
                    arena *a);

enum {
    WITNESS_KEPT = 8,  // connections; 0.1 MB each
};

// Connections that hold the tables of a witness and nothing else, kept for
// further witnesses of the same tables.
typedef struct witness_stage {
    arena *a;  // of the connections
    const engine_options *options;
    scratch_limits limits;
    str ddl[WITNESS_KEPT];
    scratch_db *db[WITNESS_KEPT];
    ptrdiff_t n;
} witness_stage;

void witness_stage_close(witness_stage *s);

// Loads the text into a connection of its own tables and runs both queries
// there: what a user finds who runs it. The results lie in `results`, all else
// in `a`.
pair_run witness_again(const pair *p,
                       witness_stage *stage,
                       str sql,
                       ptrdiff_t rows_at,
                       arena *a,
                       arena *results,
                       arena scratch);

#endif  // ASSAY_CHECK_WITNESS_H
