// plan_source.h - where the databases of a plan are; for plan.c alone.
#ifndef ASSAY_PLAN_PLAN_SOURCE_H
#define ASSAY_PLAN_PLAN_SOURCE_H

#include "plan/plan.h"

// Finds the file or URL of each database that the cases name, makes those that
// are to be made (--setup) and asks a server for each of them. False with a
// message when a server cannot be used at all; a database that is missing is
// noted in p->dbs.
bool plan_open_databases(plan *p,
                         const plan_options *o,
                         diag *d,
                         arena scratch);

// Drops what was made.
void plan_drop_databases(plan *p);

#endif  // ASSAY_PLAN_PLAN_SOURCE_H
