// postgres_load.c - libpq, if this machine has it.
#include "base/library.h"
#include "engine/engine_postgres.h"

bool postgres_load(postgres_engine *e, diag *d)
{
    static const char *const names[] = {
#define PQ(name) #name,
#include "engine/postgres_api.def"
#undef PQ
    };
    const library_spec spec = {
        .file = "libpq.so.5",
        .needed = "PostgreSQL needs the library libpq.so.5 (Debian: libpq5)",
        .names = names,
        .n_names = countof(names),
    };
    return library_load(&e->library, (void **)&e->api, &spec, d);
}
