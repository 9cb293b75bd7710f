// schema_draft.h - a copy of a schema that may be changed, and a part of one.
#ifndef ASSAY_SCHEMA_SCHEMA_DRAFT_H
#define ASSAY_SCHEMA_SCHEMA_DRAFT_H

#include "schema/schema.h"

// Its tables, their columns and keys, and its foreign keys are the copy's own;
// all else is the original's.
typedef struct schema_draft {
    schema s;
    schema_table *tables;
    schema_column **columns;  // by table
    schema_unique **uniques;  // by table
    schema_key *keys;
} schema_draft;

// With room for so many more foreign keys.
schema_draft *schema_draft_of(arena *a, const schema *s, ptrdiff_t more_keys);

// The schema with the wanted tables only; what refers to another one must not
// be among them.
schema schema_part(arena *a, const schema *s, const bool *wanted);

#endif  // ASSAY_SCHEMA_SCHEMA_DRAFT_H
