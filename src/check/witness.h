// witness.h - a witness as text, and as tables for people.
#ifndef ASSAY_CHECK_WITNESS_H
#define ASSAY_CHECK_WITNESS_H

#include "check/check_verdict.h"
#include "check/reading.h"
#include "check/trial.h"

// CREATE and INSERT statements for what is read and what that refers to.
str witness_sql(arena *a,
                const instance *rows,
                const reading *reads,
                arena scratch);

// The same text with tables of other schemas as a user's database has them:
// CREATE SCHEMA, and "s.t" as s.t. Scratch tables lie in one schema and cannot
// be tried so.
str witness_sql_for_user(arena *a, const schema *s, str sql, arena scratch);

// The tables that are read, with the columns that are.
void witness_tables(check_witness *w,
                    const instance *rows,
                    const reading *reads,
                    arena *a);

// Loads the text into a fresh connection and runs both queries there: the
// finding that holds without ours. The connection lives in `a`, the results in
// `results`.
pair_run witness_again(const pair *p,
                       str sql,
                       const engine_options *options,
                       scratch_limits limits,
                       arena *a,
                       arena *results,
                       arena scratch);

#endif  // ASSAY_CHECK_WITNESS_H
