/*
 * judge_ground.h - databases for a grounded judge: the schema of each pair, and
 * an engine that runs both queries on rows that a model proposes.
 *
 * Order of    ground_open()
 * calls         ground_schema()  of any pair; kept for the next of its database
 *               ground_trial()   of proposed rows
 *             ground_close()
 */
#ifndef ASSAY_JOB_JUDGE_GROUND_H
#define ASSAY_JOB_JUDGE_GROUND_H

#include "engine/scratch.h"
#include "engine/source.h"
#include "model/judge_session.h"
#include "schema/schema_spider.h"

typedef struct ground_options {
    str db;                      // source of databases; empty: none
    str tables;                  // Spider's tables.json; empty: none
    str folder;                  // where paths of schemas in the pairs begin
    bool takes_any_path;         // and where they may leave it
    ptrdiff_t max_rows;          // of a proposed table
    ptrdiff_t max_schema_bytes;  // of a schema's text
} ground_options;

// A schema that was asked for before, by name of its database or by its DDL.
typedef struct ground_entry {
    const schema *schema;  // NULL: only its text is known
    str ddl;               // text as given, when there is no schema
    scratch_db *scratch;   // NULL: not yet opened
    scratch_db *loose;     // the same without keys: rows lie as they come
} ground_entry;

typedef struct ground {
    ground_options options;
    engine_options engine_options;
    engine *engine;
    source source;
    bool has_source;
    schema_list tables;
    map names;
    vec_of(ground_entry) entries;
    arena *a;
    arena_store trial_store;  // of one trial
} ground;

bool ground_open(ground *g,
                 arena *a,
                 const ground_options *options,
                 diag *d,
                 arena scratch);
void ground_close(ground *g);

// The text of a file that pairs name as their schema; empty with a message: it
// cannot be read, or lies where it may not.
str ground_file_text(ground *g, str path, diag *d);

// All that follows runs what others wrote, and so below a supervisor only: see
// ground_worker.h. A pair's schema is its `ddl` or that of its database.

// The schema of a pair as a prompt shows it; empty when nothing is known.
str ground_schema(ground *g, const judge_pair *p, arena *a, arena scratch);

// The first rows of each table of the pair's database, as comments, for a
// prompt; empty when there is no database.
str ground_samples(ground *g,
                   const judge_pair *p,
                   ptrdiff_t n_rows,
                   arena *a,
                   arena scratch);

// The tables of a pair, with both databases of them opened; NULL with a message
// when they are not known.
const schema *ground_tables(ground *g,
                            const judge_pair *p,
                            ground_entry **db,
                            diag *d,
                            arena scratch);

judge_trial ground_trial(ground *g,
                         const judge_pair *p,
                         const json *rows,
                         arena *a);

#endif  // ASSAY_JOB_JUDGE_GROUND_H
