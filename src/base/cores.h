// cores.h - how many processors this process may keep busy.
#ifndef ASSAY_BASE_CORES_H
#define ASSAY_BASE_CORES_H

#include "base/str.h"

// At least 1. The processors that the scheduler may put it on (taskset, Slurm,
// a cpuset), or fewer where a quota of its control group or one around it
// allows less time (containers, `systemd-run -p CPUQuota=`).
ptrdiff_t cores_usable(void);

// Of the text of a file cpu.max, "150000 100000": 2, as a half is no worker; of
// "max 100000" and of what is no quota: 0.
ptrdiff_t cores_of_quota(str cpu_max);

// The least quota of a control group and those around it, below the folder
// `root`; 0: none has one. `groups` is the text of /proc/self/cgroup.
ptrdiff_t cores_of_groups(str groups, const char *root);

#endif  // ASSAY_BASE_CORES_H
