/*
 * fingerprint_run.h - what the databases of a plan hold, as a number each.
 *
 * Of servers a locked-in worker asks: what they answer is foreign. Files are
 * hashed by the parent, which opens none as a database.
 */
#ifndef ASSAY_JOB_FINGERPRINT_RUN_H
#define ASSAY_JOB_FINGERPRINT_RUN_H

#include "plan/plan.h"

// By database, and for cases without one behind them; 0: it has none, or it
// could not be read, which is said. In `a`.
const uint64_t *fingerprint_run(const plan *p,
                                arena *a,
                                diag *d,
                                arena scratch);

#endif  // ASSAY_JOB_FINGERPRINT_RUN_H
