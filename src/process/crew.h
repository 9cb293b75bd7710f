// crew.h - how many workers a job gets.
#ifndef ASSAY_PROCESS_CREW_H
#define ASSAY_PROCESS_CREW_H

#include "process/supervisor.h"

enum {
    CREW_MOST = 256
};

// At least 1, at most CREW_MOST; no more than there are items, nor than cores
// where items compute.
ptrdiff_t crew_size(const supervisor_job *job);

#endif  // ASSAY_PROCESS_CREW_H
