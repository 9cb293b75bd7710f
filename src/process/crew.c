/*
 * crew.c - see crew.h.
 *
 * Why         More workers than cores take turns, and each finds the caches
 *             filled by the others: sixteen on two cores took a fifth more
 *             processor time than two. A worker that waits for a server leaves
 *             its core to others, and a stream has short requests that must not
 *             wait for long ones: there it is for the user to say.
 */
#include "process/crew.h"

#include "base/cores.h"

ptrdiff_t crew_size(const supervisor_job *job)
{
    ptrdiff_t n = job->n_workers < CREW_MOST ? job->n_workers : CREW_MOST;
    if (!job->stream) {
        ptrdiff_t cores = job->computes ? cores_usable() : n;
        n = cores < n ? cores : n;
        n = job->n_items < n ? job->n_items : n;
    }
    return n < 1 ? 1 : n;
}
