/*
 * library.c - dlopen and dlsym with messages that name the missing package.
 *
 * Invariant   All functions or none: a library that lacks one is closed again.
 */
#include "base/library.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

bool library_load(void **handle,
                  void **slots,
                  const library_spec *spec,
                  diag *d)
{
    assert(spec->file && spec->needed && spec->n_names > 0);
    const int flags = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;
    const char *told = spec->variable ? getenv(spec->variable) : NULL;
    const char *file = told ? told : spec->file;
    *handle = dlopen(file, flags);
    if (!*handle && spec->other_file) {
        *handle = dlopen(spec->other_file, flags);
    }
    if (!*handle) {
        return diag_add(d, (diag_place){0}, "%s: %s", spec->needed, dlerror());
    }
    for (ptrdiff_t i = 0; i < spec->n_names; i++) {
        void *function = dlsym(*handle, spec->names[i]);
        if (!function) {
            library_close(*handle);
            *handle = NULL;
            return diag_add(d, (diag_place){0}, "%s is too old: it has no %s",
                            file, spec->names[i]);
        }
        memcpy(&slots[i], &function, sizeof function);
    }
    return true;
}

void *library_find(void *handle, const char *name)
{
    return dlsym(handle, name);
}

void library_close(void *handle)
{
    if (handle) {
        dlclose(handle);
    }
}
