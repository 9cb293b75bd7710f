/*
 * trust.h - what the user of assay allows queries of others to do on servers,
 * beyond what is safe by default.
 *
 * It is the same for all engines of a process: said once, before the first of
 * them is opened.
 */
#ifndef ASSAY_BASE_TRUST_H
#define ASSAY_BASE_TRUST_H

#include "base/str.h"

typedef struct trust_given {
    const str *functions;  // may be called: name, schema.name, name*
    ptrdiff_t n_functions;
    bool superusers;  // a login that may do anything is good enough
} trust_given;

void trust_set(trust_given trust);
const trust_given *trust_now(void);

#endif  // ASSAY_BASE_TRUST_H
