// suite_export.h - the databases of a suite as SQLite files.
#ifndef ASSAY_JOB_SUITE_EXPORT_H
#define ASSAY_JOB_SUITE_EXPORT_H

#include "suite/suite.h"

// Writes OUT/DB/DBv1.sqlite, ... and a copy of `original` as OUT/DB/DB.sqlite,
// as the evaluators of Spider expect them. Adds their sizes to *bytes.
bool suite_export(const suite *s,
                  str out,
                  str original,
                  int64_t *bytes,
                  diag *d,
                  arena a,
                  arena scratch);

#endif  // ASSAY_JOB_SUITE_EXPORT_H
