// late.h - when a worker is killed for the time that it takes.
#ifndef ASSAY_PROCESS_LATE_H
#define ASSAY_PROCESS_LATE_H

#include "process/handle.h"
#include "process/supervisor.h"

// Is what the worker does past its limit?
bool worker_is_late(const supervisor_job *job, handle *w);

#endif  // ASSAY_PROCESS_LATE_H
