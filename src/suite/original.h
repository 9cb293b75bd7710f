// original.h - real rows of a database, for values to draw from.
#ifndef ASSAY_SUITE_ORIGINAL_H
#define ASSAY_SUITE_ORIGINAL_H

#include "engine/engine.h"
#include "engine/instance.h"

enum {
    ORIGINAL_ROWS = 100  // of a table
};

// The first rows of each table of `s`, a schema of the database; texts that are
// not UTF-8 are left out as NULL.
instance original_rows(arena *a, database *db, const schema *s, arena scratch);

// `from`, a schema of the database, with NOT NULL on every column in which no
// row has a NULL, tables without rows left out.
const schema *original_not_null(arena *a,
                                database *db,
                                const schema *from,
                                arena scratch);

#endif  // ASSAY_SUITE_ORIGINAL_H
