// odbc_load.c - the driver manager, if this machine has it.
#include "base/library.h"
#include "engine/engine_odbc.h"

bool odbc_load(odbc_engine *e, diag *d)
{
    static const char *const names[] = {
#define ODBC(name) #name,
#include "engine/odbc_api.def"
#undef ODBC
    };
    const library_spec spec = {
        .file = "libodbc.so.2",
        .needed = "ODBC needs the library libodbc.so.2 (Debian: libodbc2)",
        .names = names,
        .n_names = countof(names),
    };
    return library_load(&e->library, (void **)&e->api, &spec, d);
}
