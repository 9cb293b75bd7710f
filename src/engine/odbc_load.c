// odbc_load.c - the driver manager, if this machine has it.
#include "engine/engine_odbc.h"

#include <dlfcn.h>
#include <string.h>

bool odbc_load(odbc_engine *e, diag *d)
{
    static const char *const names[] = {
#define ODBC(name) #name,
#include "engine/odbc_api.def"
#undef ODBC
    };
    // Drivers clean up when the process ends: what they need stays.
    e->library = dlopen("libodbc.so.2", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!e->library) {
        return diag_add(d, (diag_place){0},
                        "ODBC needs the library libodbc.so.2 (Debian: "
                        "libodbc2): %s",
                        dlerror());
    }
    void **slots = (void **)&e->api;
    for (ptrdiff_t i = 0; i < countof(names); i++) {
        void *function = dlsym(e->library, names[i]);
        if (!function) {
            return diag_add(d, (diag_place){0},
                            "libodbc.so.2 is too old: it has no %s", names[i]);
        }
        memcpy(&slots[i], &function, sizeof function);
    }
    return true;
}
