/*
 * duckdb_load.c - libduckdb, if this machine has it.
 *
 * ASSAY_DUCKDB names the library file; without it the system's loader looks
 * for libduckdb.so.
 */
#include "base/library.h"
#include "engine/engine_duckdb.h"

#include <stdlib.h>

bool duckdb_load(duckdb_engine *e, diag *d)
{
    static const char *const names[] = {
#define DUCKDB(result, name, parameters) "duckdb_" #name,
#include "engine/duckdb_api.def"
#undef DUCKDB
    };
    const char *file = getenv("ASSAY_DUCKDB");
    const library_spec spec = {
        .file = file ? file : "libduckdb.so",
        .needed = "DuckDB needs its library, libduckdb.so; set ASSAY_DUCKDB to "
                  "the path of it",
        .names = names,
        .n_names = countof(names),
    };
    return library_load(&e->library, (void **)&e->api, &spec, d);
}
