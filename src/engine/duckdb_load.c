/*
 * duckdb_load.c - libduckdb, if this machine has it.
 *
 * ASSAY_DUCKDB names the library file; without it the system's loader looks
 * for libduckdb.so.
 */
#include "engine/engine_duckdb.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

bool duckdb_load(duckdb_engine *e, diag *d)
{
    static const char *const names[] = {
#define DUCKDB(result, name, parameters) "duckdb_" #name,
#include "engine/duckdb_api.def"
#undef DUCKDB
    };
    const char *file = getenv("ASSAY_DUCKDB");
    e->library = dlopen(file ? file : "libduckdb.so",
                        RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!e->library) {
        return diag_add(d, (diag_place){0},
                        "DuckDB needs its library, libduckdb.so; set "
                        "ASSAY_DUCKDB to the path of it: %s",
                        dlerror());
    }
    void **slots = (void **)&e->api;
    for (ptrdiff_t i = 0; i < countof(names); i++) {
        void *function = dlsym(e->library, names[i]);
        if (!function) {
            return diag_add(d, (diag_place){0},
                            "libduckdb.so is too old: it has no %s", names[i]);
        }
        memcpy(&slots[i], &function, sizeof function);
    }
    return true;
}
