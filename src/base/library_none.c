/*
 * library_none.c - in place of library.c, in a program that is all in one.
 *
 * Why         Such a program has its own C library; one that is loaded brings
 *             another, and the two do not share threads, memory or locale.
 */
#include "base/library.h"

#include <assert.h>

bool library_load(void **handle,
                  void **slots,
                  const library_spec *spec,
                  diag *d)
{
    (void)slots;
    assert(spec->needed);
    *handle = NULL;
    return diag_add(d, (diag_place){0},
                    "%s, and this program is static: it loads no libraries",
                    spec->needed);
}

void *library_find(void *handle, const char *name)
{
    (void)handle;
    (void)name;
    return NULL;
}

void library_close(void *handle)
{
    (void)handle;
}
