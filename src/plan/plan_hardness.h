// plan_hardness.h - the hardness of golds, where a filter asks for it and the
// records do not say it.
#ifndef ASSAY_PLAN_PLAN_HARDNESS_H
#define ASSAY_PLAN_PLAN_HARDNESS_H

#include "plan/plan.h"

// By record of the gold file, in the plan's arena; empty: it cannot be told, or
// nobody asks. *out is NULL when no filter asks of any. It depends on schemas:
// databases are opened by a worker. False with a message when that cannot be
// done.
bool plan_hardness(const plan *p,
                   const plan_options *o,
                   const str **out,
                   diag *d,
                   arena scratch);

#endif  // ASSAY_PLAN_PLAN_HARDNESS_H
