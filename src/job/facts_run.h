/*
 * facts_run.h - what databases show, found out in a worker process: what `assay
 * facts` prints.
 */
#ifndef ASSAY_JOB_FACTS_RUN_H
#define ASSAY_JOB_FACTS_RUN_H

#include "base/diag.h"

// The facts of the database behind `db` (a file, a dump, the URL of a server):
// as sentences, one a line, and as the text of a file of facts. Both lie in
// `a`. False with messages when there is none to be read.
bool facts_run(str db,
               str *sentences,
               str *text,
               arena *a,
               diag *d,
               arena scratch);

#endif  // ASSAY_JOB_FACTS_RUN_H
