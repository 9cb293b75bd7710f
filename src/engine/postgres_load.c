// postgres_load.c - libpq, if this machine has it.
#include "engine/engine_postgres.h"

#include <dlfcn.h>
#include <string.h>

bool postgres_load(postgres_engine *e, diag *d)
{
    static const char *const names[] = {
#define PQ(name) #name,
#include "engine/postgres_api.def"
#undef PQ
    };
    // What libpq loads in turn cleans up when the process ends: it stays.
    e->library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!e->library) {
        return diag_add(d, (diag_place){0},
                        "PostgreSQL needs the library libpq.so.5 (Debian: "
                        "libpq5): %s",
                        dlerror());
    }
    void **slots = (void **)&e->api;
    for (ptrdiff_t i = 0; i < countof(names); i++) {
        void *function = dlsym(e->library, names[i]);
        if (!function) {
            return diag_add(d, (diag_place){0},
                            "libpq.so.5 is too old: it has no %s", names[i]);
        }
        memcpy(&slots[i], &function, sizeof function);
    }
    return true;
}
