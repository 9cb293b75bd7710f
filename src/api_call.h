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

// A call that leaves nothing behind but its answer.
enum {
    API_ARENAS = 3
};

typedef struct api_work {
    const void *asked;
    assay_error *err;
    assay_status status;
    arena memory[API_ARENAS];  // while it is done
} api_work;

// The answer that `work` makes, with arenas of so many bytes; NULL: none, and
// w->status says why.
void *api_once(api_work *w, void *(*work)(api_work *w), ptrdiff_t bytes);

str api_str(assay_str s);

// Texts of an answer, behind it in one block.
typedef struct api_texts {
    char *ptr;  // NULL: they are only counted
    size_t n;
} api_texts;

assay_str api_keep(api_texts *t, str s);

// An answer of so many bytes, without its texts, that outlives all arenas;
// NULL: no memory. `fill` is called twice with zeros, first to count.
typedef void api_fill(void *answer, api_texts *t, const void *from);
void *api_answer(size_t bytes, api_fill *fill, const void *from);

// DIALECT_COUNT: no such dialect.
dialect api_dialect(assay_dialect d);

// What is wrong with `sql` at an offset.
assay_mistake api_mistake(api_texts *t,
                          str sql,
                          ptrdiff_t pos,
                          ptrdiff_t len,
                          str text);

#endif  // ASSAY_API_CALL_H
