// rights.h - what the workers of jobs may do that open databases.
#ifndef ASSAY_PLAN_RIGHTS_H
#define ASSAY_PLAN_RIGHTS_H

#include "engine/source.h"
#include "process/worker.h"

// Of who opens the databases of a source; NULL: nothing.
sandbox_rights rights_at(const source *from);

// For a worker's `open`: the library of an engine that can be loaded no more
// when it is locked in stays loaded. Without it, who needs it says so.
void rights_load(const engine_driver *driver, worker *port);

#endif  // ASSAY_PLAN_RIGHTS_H
