/*
 * late.c - what a worker does, against its limits.
 *
 * Method      The watch page says since when; the clock of the worker stands
 *             while it is stopped. A step that computes on after its limit has
 *             less grace than one that waits, above all for a server: who is
 *             killed meanwhile leaves its query there.
 */
#include "process/late.h"

#include "base/clock.h"

enum {
    WHILE_S = 600,  // that a query is taken to go on
    SETUP_MS = 30 * 1000,
    GRACE_MS = 400,     // in which a step may end by itself
    SERVER_MS = 3000,   // likewise, when it waits for a server: who is killed
                        // meanwhile leaves a query there that nobody looks for
    GRACE_CPU_MS = 60,  // or when it has computed so much
    HELD_UP_MS = 20,    // a step of a stream that others do not wait behind
    QUIET_MS = 5000,    // of a worker that has requests and is at none
};

// A step that is past its limit is best stopped by the engine, who can say what
// it was: it looks at the same clock. That it has not, although it had the
// processor, means that it never will. Wall time alone would mean little on a
// machine that is busy.
static bool has_had_its_grace(const supervisor_job *job,
                              handle *w,
                              int64_t since,
                              int64_t over_ns)
{
    int64_t cpu = handle_cpu_ns(w);
    if (w->late_since_ns != since) {
        w->late_since_ns = since;
        w->late_cpu_ns = cpu;
    }
    bool computes = !job->waits_in_steps
                    && cpu - w->late_cpu_ns > (int64_t)GRACE_CPU_MS * 1000000;
    int64_t grace_ms = job->waits_in_steps ? SERVER_MS : GRACE_MS;
    return computes || over_ns > grace_ms * 1000000;
}

// The page is the worker's to write: no number on it may overflow.
static int64_t busy_ns(const watch *w, int64_t since)
{
    return (int64_t)((uint64_t)atomic_load(&w->now_ns) - (uint64_t)since);
}

static int64_t step_limit(const supervisor_job *job, const handle *w)
{
    int64_t own = atomic_load(&w->watch->step_ms);
    return own > 0 && own < job->step_ms ? own : job->step_ms;
}

bool worker_is_late(const supervisor_job *job, handle *w)
{
    int64_t since = atomic_load(&w->watch->since_ns);
    bool is_setup = !w->is_ready;
    bool is_step = atomic_load(&w->watch->pred_no) != WATCH_ALL;
    int64_t most_ms = is_setup  ? SETUP_MS
                      : is_step ? step_limit(job, w)
                                : job->item_ms;
    int64_t busy = busy_ns(w->watch, since);
    int64_t most = most_ms * 1000000;
    bool is_over = most_ms > 0 && since != 0 && busy > most;
    return is_over
           && (is_setup || !is_step
               || has_had_its_grace(job, w, since, busy - most));
}

bool worker_holds_up(const supervisor_job *job, const handle *w)
{
    int64_t since = atomic_load(&w->watch->since_ns);
    return job->stream && since != 0
           && busy_ns(w->watch, since) > (int64_t)HELD_UP_MS * 1000000;
}

bool worker_is_quiet(handle *w, int64_t passed_ns)
{
    bool is_quiet = (w->n_held > 0 || w->has_no_slot)
                    && atomic_load(&w->watch->since_ns) == 0
                    && w->killed != KILLED_LIED;
    w->quiet_ns = is_quiet ? w->quiet_ns + passed_ns : 0;
    return w->quiet_ns > (int64_t)QUIET_MS * 1000000;
}

bool worker_leaves_too_many(queries_left *left,
                            const supervisor_job *job,
                            const handle *w)
{
    bool leaves = job->ends_when_stuck && w->killed == KILLED_LATE
                  && atomic_load(&w->watch->pred_no) != WATCH_ALL;
    if (!leaves) {
        return false;
    }
    int64_t *oldest = &left->at_ns[left->next++ % QUERIES_LEFT];
    int64_t before = *oldest;
    *oldest = clock_ns();
    return before != 0 && *oldest - before < (int64_t)WHILE_S * 1000000000;
}
