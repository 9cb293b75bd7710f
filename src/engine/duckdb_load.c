/*
 * duckdb_load.c - libduckdb, if this machine has it.
 *
 * ASSAY_DUCKDB names the library file; without it the system's loader looks
 * for libduckdb.so.
 *
 * Some of its functions let nothing be thrown through them, and then allocate:
 * where that fails C++ ends the process. What is thrown says that it was for
 * want of memory.
 */
#include "engine/engine_duckdb.h"

#include <stdlib.h>
#include <string.h>

typedef void terminate_handler(void);

// What std::type_info begins with (Itanium C++ ABI 2.9.4).
typedef struct cpp_type {
    const void *table;
    const char *name;
} cpp_type;

// Of the C++ runtime of a library that was loaded before.
static const cpp_type *(*thrown_type)(void);

static void end_process(void)
{
    const cpp_type *type = thrown_type();
    if (type && type->name && strstr(type->name, "bad_alloc")) {
        arena_is_full(&(arena){0});
    }
    abort();
}

// Where the runtime has other names a process that ends so has crashed.
static void watch_exceptions(void *library)
{
    terminate_handler *(*set)(terminate_handler *) = NULL;
    void *setter = library_find(library, "_ZSt13set_terminatePFvvE");
    void *teller = library_find(library, "__cxa_current_exception_type");
    if (setter && teller) {
        memcpy(&set, &setter, sizeof set);
        memcpy(&thrown_type, &teller, sizeof teller);
        set(end_process);
    }
}

static const char *const names[] = {
#define DUCKDB(result, name, parameters) "duckdb_" #name,
#include "engine/duckdb_api.def"
#undef DUCKDB
};

const library_spec duckdb_library = {
    .variable = "ASSAY_DUCKDB",
    .file = "libduckdb.so",
    .needed =
        "DuckDB needs its library, libduckdb.so; set ASSAY_DUCKDB to its path",
    .names = names,
    .n_names = countof(names),
};

bool duckdb_start(engine *e, diag *d)
{
    (void)d;
    if (arena_has_hook(&(arena){0})) {
        watch_exceptions(e->library);
    }
    return true;
}
