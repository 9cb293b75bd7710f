// distill_manifest.h - what a folder of suites holds, as one JSON file.
#ifndef ASSAY_JOB_DISTILL_MANIFEST_H
#define ASSAY_JOB_DISTILL_MANIFEST_H

#include "job/distill_run.h"

// Reads the suites of the groups from the folder, counts, and writes
// OUT/manifest.json (not for a shard); with --layout spider the SQLite files,
// too.
bool distill_write_manifest(const distill_run_options *o,
                            const gold_groups *groups,
                            distill_outcome *out,
                            arena *a,
                            diag *d,
                            diag *notes,
                            arena scratch);

#endif  // ASSAY_JOB_DISTILL_MANIFEST_H
