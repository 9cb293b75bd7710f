/*
 * crew.h - a few big pieces of work, each done by a process of its own.
 *
 * Unlike the pool, which hands millions of small requests to workers that stay,
 * a crew forks one process a piece; what it writes is handed over as a whole
 * when it has ended well. Pieces are begun in the given order and end in any.
 */
#ifndef ASSAY_PROCESS_CREW_H
#define ASSAY_PROCESS_CREW_H

#include "base/diag.h"

#include <stdatomic.h>

typedef enum crew_end {
    CREW_DONE,
    CREW_INTERRUPTED,  // SIGINT, SIGTERM or SIGHUP; what was taken counts
    CREW_FAILED,       // processes cannot be started, or `take` refused
} crew_end;

typedef struct crew_job {
    ptrdiff_t n_pieces;
    ptrdiff_t n_workers;
    void *context;

    // In the process of the piece: its bytes go to `fd`; false: it failed.
    // `progress` may be raised, up to what the caller takes for the whole.
    bool (*work)(void *context,
                 ptrdiff_t piece,
                 int fd,
                 _Atomic int64_t *progress);

    // In the parent: all bytes; `ok`: it ended well. False ends it all.
    bool (*take)(void *context, ptrdiff_t piece, str bytes, bool ok);

    // Now and then, with the sum of all progress.
    void (*idle)(void *context, int64_t progress);
} crew_job;

crew_end crew_run(const crew_job *job, diag *d, arena *a);

#endif  // ASSAY_PROCESS_CREW_H
