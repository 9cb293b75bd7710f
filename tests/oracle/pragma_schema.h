// pragma_schema.h - see pragma_schema.c.
#ifndef ASSAY_TESTS_PRAGMA_SCHEMA_H
#define ASSAY_TESTS_PRAGMA_SCHEMA_H

#include "engine/engine_sqlite.h"

schema pragma_schema(sqlite_database *db, arena *a);

#endif  // ASSAY_TESTS_PRAGMA_SCHEMA_H
