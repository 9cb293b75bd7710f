// normal_internal.h - what the files of normal.h share.
#ifndef ASSAY_PROVE_NORMAL_INTERNAL_H
#define ASSAY_PROVE_NORMAL_INTERNAL_H

#include "prove/term.h"

// Arithmetic of which one side is REAL at least.
const term *term_real_arithmetic(prover *p,
                                 term_kind kind,
                                 const term *a,
                                 const term *b);

// The arguments without their types, but with their collations if the
// function compares them.
const term *const *term_args(prover *p,
                             bool compares,
                             const term *const *args,
                             int32_t n);

#endif  // ASSAY_PROVE_NORMAL_INTERNAL_H
