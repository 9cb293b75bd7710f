/*
 * prompt_schema.h - a schema as a model gets to read it: CREATE TABLE
 * statements with types, NOT NULL, UNIQUE and keys.
 *
 * Tables of SQLite itself are left out. Tables that a query names come first;
 * where the text would be longer than a limit, the others are left out, and
 * the text says so.
 */
#ifndef ASSAY_MODEL_PROMPT_SCHEMA_H
#define ASSAY_MODEL_PROMPT_SCHEMA_H

#include "schema/schema.h"

// `queries` are texts in which names of tables are looked for.
str prompt_schema(arena *a,
                  const schema *s,
                  const str *queries,
                  ptrdiff_t n_queries,
                  ptrdiff_t max_bytes,
                  arena scratch);

// A query as a prompt shows it: from its tree, so without comments and in one
// layout; as it stands, but for fences, when it cannot be parsed.
str prompt_query(arena *a, str sql, arena scratch);

#endif  // ASSAY_MODEL_PROMPT_SCHEMA_H
