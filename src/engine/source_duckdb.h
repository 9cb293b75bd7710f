// source_duckdb.h - DuckDB files that --db names as it names SQLite's.
#ifndef ASSAY_ENGINE_SOURCE_DUCKDB_H
#define ASSAY_ENGINE_SOURCE_DUCKDB_H

#include "base/arena.h"

// The source duckdb:FILE that a file or a folder is; of a folder with {db} in
// it. Empty where its databases are others.
str source_as_duckdb(arena *a, str path, bool is_folder, arena scratch);

#endif  // ASSAY_ENGINE_SOURCE_DUCKDB_H
