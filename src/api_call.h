/*
 * api_call.h - what the calls of the public interface have in common: errors,
 * texts, and a way out when memory is full.
 *
 * Why         Arenas do not return NULL; when one is full its hook must not
 *             return. A worker ends there. The library lives in the process of
 *             somebody else and has to come back with ASSAY_ERR_LIMIT.
 */
#ifndef ASSAY_API_CALL_H
#define ASSAY_API_CALL_H

#include "base/diag.h"
#include "sql/dialect.h"

#include <assay/assay.h>

// Does work(context). False when memory was full: then it was left in the
// middle, and what it had open is only to be closed. Which arena it was does
// not matter; calls of other threads do not meet.
bool api_call(void (*work)(void *context), void *context);

// Fills *err, if there is one, and returns the status.
assay_status api_fail(assay_error *err, assay_status status, str message);
assay_status api_fail_diag(assay_error *err,
                           assay_status status,
                           const diag *d);

str api_str(assay_str s);

// Appends a copy of `s` at *end, where there is room.
assay_str api_keep(char **end, str s);

// DIALECT_COUNT: no such dialect.
dialect api_dialect(assay_dialect d);

// What is wrong with `sql` at an offset; keeps the text at *end.
assay_mistake api_mistake(char **end,
                          str sql,
                          ptrdiff_t pos,
                          ptrdiff_t len,
                          str text);

#endif  // ASSAY_API_CALL_H
