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

// Drops what was made. Until then the signals that stop a run wait for whoever
// looks for them: one that killed it would leave the databases.
void plan_drop_databases(plan *p);

// The hardness of golds, where a filter asks for it and records do not say it.
// By record of the gold file, in the plan's arena; empty: it cannot be told, or
// nobody asks. *out is NULL when no filter asks of any. It depends on schemas:
// databases are opened by a worker. False with a message when that cannot be
// done.
bool plan_hardness(const plan *p,
                   const plan_options *o,
                   const str **out,
                   diag *d,
                   arena scratch);

#endif  // ASSAY_PLAN_PLAN_SOURCE_H
