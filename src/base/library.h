/*
 * library.h - shared libraries that are loaded when they are first needed, so
 * that the program starts without them.
 */
#ifndef ASSAY_BASE_LIBRARY_H
#define ASSAY_BASE_LIBRARY_H

#include "base/diag.h"

typedef struct library_spec {
    const char *variable;    // of the environment, that names another; or NULL
    const char *file;        // "libpq.so.5"
    const char *other_file;  // of the same library built otherwise, or NULL
    const char *needed;      // "PostgreSQL needs the library libpq.so.5 (...)"
    const char *const *names;  // of the functions that are used
    ptrdiff_t n_names;
} library_spec;

// Loads the library and puts the address of each function into `slots`, an
// array of function pointers in the order of the names. What a library loads in
// turn may clean up when the process ends, so it stays in memory even when the
// handle is closed. False with a message when it is not there or lacks a
// function.
bool library_load(void **handle,
                  void **slots,
                  const library_spec *spec,
                  diag *d);
// A function that it, or what it loaded in turn, may have; NULL: it has not.
void *library_find(void *handle, const char *name);
void library_close(void *handle);  // does nothing with NULL

#endif  // ASSAY_BASE_LIBRARY_H
