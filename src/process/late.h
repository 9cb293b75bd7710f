// late.h - when a worker is killed for the time that it takes.
#ifndef ASSAY_PROCESS_LATE_H
#define ASSAY_PROCESS_LATE_H

#include "process/handle.h"
#include "process/supervisor.h"

// Is what the worker does past its limit?
bool worker_is_late(const supervisor_job *job, handle *w);

// Is what comes after its step better done by somebody else? Only of a stream.
bool worker_holds_up(const supervisor_job *job, const handle *w);

// Has it been long at none of the requests that it has?
bool worker_is_quiet(handle *w, int64_t passed_ns);

// When workers were killed that waited for a server. Drivers that block, as
// those of ODBC do, cannot look whether it goes on with the query: it is taken
// to do so for a while.
enum {
    QUERIES_LEFT = 2
};
typedef struct queries_left {
    int64_t at_ns[QUERIES_LEFT];
    int next;
} queries_left;

// Notes such a death. True when it is more than QUERIES_LEFT within a while,
// and the job ends then.
bool worker_leaves_too_many(queries_left *left,
                            const supervisor_job *job,
                            const handle *w);

#endif  // ASSAY_PROCESS_LATE_H
