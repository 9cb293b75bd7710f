// merge_run.h - what `assay merge` does: shards in, the whole run out.
#ifndef ASSAY_JOB_MERGE_RUN_H
#define ASSAY_JOB_MERGE_RUN_H

#include "base/arena.h"
#include "base/diag.h"

// Where the lines go; `open` is called once the shards are known to be whole.
typedef struct merge_sink {
    void *context;
    bool (*open)(void *context);
    bool (*put)(void *context, str line);
} merge_sink;

// False with messages, or where the sink says so.
bool merge_run(merge_sink to,
               const str_list *paths,
               arena *a,
               diag *d,
               arena scratch);

#endif  // ASSAY_JOB_MERGE_RUN_H
