/*
 * parquet.h - the rows of a Parquet file, which DuckDB reads.
 */
#ifndef ASSAY_ENGINE_PARQUET_H
#define ASSAY_ENGINE_PARQUET_H

#include "engine/engine.h"

// In rows->result, in `a`; `duckdb` is an engine of DuckDB. False with a
// message.
bool parquet_read(engine *duckdb,
                  str path,
                  execution *rows,
                  arena *a,
                  diag *d,
                  arena scratch);

#endif  // ASSAY_ENGINE_PARQUET_H
