// stored.h - the tables of a DuckDB database that a suite can have.
#ifndef ASSAY_SUITE_STORED_H
#define ASSAY_SUITE_STORED_H

#include "base/diag.h"
#include "schema/schema.h"

// `s` without tables whose rows are made up or cannot be (`is_virtual`), those
// in schemas of their own, and those that refer to such a table. Each is named
// in `left_out`.
const schema *stored_schema(arena *a, const schema *s, diag *left_out);

#endif  // ASSAY_SUITE_STORED_H
