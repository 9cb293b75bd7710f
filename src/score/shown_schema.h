// shown_schema.h - the schema of a case's database with the keys that its rows
// show.
#ifndef ASSAY_SCORE_SHOWN_SCHEMA_H
#define ASSAY_SCORE_SHOWN_SCHEMA_H

#include "score/judging.h"

// The schema `s` of the case's database, or of tables.json, and what the rows
// show beyond it: single columns that identify rows, references that nobody
// declared. For reading what a query is after, not for proofs: other rows need
// not obey it. Kept for the next case.
const schema *shown_schema(judging *j, const schema *s);

#endif  // ASSAY_SCORE_SHOWN_SCHEMA_H
