/*
 * supervisor.h - worker processes: spawn, hand out, watch, blame, replace,
 * give up, interrupt. Everything that runs foreign SQL runs below one.
 *
 * A job is a number of items, a call (worker.h), which is what is done in a
 * worker, and what its parent makes of answers and deaths.
 *
 * Invariants  (1) Every item is answered exactly once, whatever happens to
 *                 workers, or given up.
 *             (2) An item is blamed only for what the watch page says it was
 *                 doing; the others that the worker held are asked again.
 *             (3) A worker that is past its limit is killed: within half a
 *                 second, and of a step that computes on within 0.2; one that
 *                 waits for a server within three seconds. Time in
 *                 which it or its parent was stopped does not count. To be set
 *                 up it has half a minute.
 *             (4) No worker outlives its parent.
 *             (5) Workers that die without one answer between them end the
 *                 job: there are never more than BARREN_DEATHS in a row, of
 *                 them SETUP_DEATHS that crashed before they were ready.
 *             (6) What a worker sends is data of an attacker. One whose message
 *                 is not of the shape of its call, or answers what it was not
 *                 asked, is killed, and the item has crashed. A job sees
 *                 answers that were read whole, never bytes.
 *
 * A stream    is a job whose items come while it runs: supervisor_stream.
 *             Back-pressure is the job's business: what it does not let begin
 *             waits. A request that is held up behind another is taken back,
 *             and given to who has time.
 *
 * Order of    isolate()           one call
 * calls       or  supervisor_run()    all items of a job
 *             or  supervisor_open()
 *                   supervisor_ask()  one request after the other
 *                 supervisor_close()
 */
#ifndef ASSAY_PROCESS_SUPERVISOR_H
#define ASSAY_PROCESS_SUPERVISOR_H

#include "base/diag.h"
#include "process/worker.h"

#include <poll.h>

typedef enum supervisor_end {
    SUPERVISOR_DONE,
    SUPERVISOR_INTERRUPTED,  // SIGINT, SIGTERM or SIGHUP; what was taken counts
    SUPERVISOR_FAILED,       // workers cannot be started, or `take` refused
} supervisor_end;

// What a worker died of, and while doing what.
typedef struct work_death {
    reason why;       // TIMEOUT, MEMORY, CRASH
    int32_t pred_no;  // or WATCH_GOLD, WATCH_ALL
    int32_t work;
} work_death;

// What is to be said of an item that a worker died of: "it takes too long".
const char *work_death_text(const work_death *death);

// The source of items that nobody knows before. The number of an item is a
// place that the job lends from `begin` until it is taken or has died for good.
typedef struct supervisor_stream {
    ptrdiff_t (*n_waiting)(void *context);              // that may begin now
    int32_t (*begin)(void *context);                    // the next of them
    const void *(*asked)(void *context, int32_t item);  // of the request
    // Files of the job's own that are waited for, at most
    // SUPERVISOR_STREAM_FDS; then what poll() said of them.
    nfds_t (*files)(void *context, struct pollfd *out);
    void (*move)(void *context, const struct pollfd *files);
    // An item that was begun and that nobody wants any more; -1: none. Unless
    // it is answered just then it has died, of whatever.
    int32_t (*drop)(void *context);
    bool (*is_over)(void *context);
    bool (*stop)(void *context);  // by a signal; true: goes on until is_over
} supervisor_stream;

enum {
    SUPERVISOR_STREAM_FDS = 2
};

typedef struct supervisor_job {
    worker_call call;
    const supervisor_stream *stream;  // NULL: there are n_items
    ptrdiff_t n_items;
    // By item; NULL: the items are 0, 1, 2, ...
    const int32_t *items;
    // By item, below n_queues: items of one queue go to the same worker first.
    // NULL: there is one queue, and items are begun in their order.
    const int32_t *queue_of;
    ptrdiff_t n_queues;

    ptrdiff_t n_workers;
    bool computes;     // items take the processor, and wait for nobody: no more
                       // workers than there are cores. Not of a stream, where
                       // a long item is not to hold up short ones
    ptrdiff_t window;  // most requests under way to a worker; 0: all there are
    // The one that is started first is the only one: its successor would know
    // what the parent has learned since.
    bool has_one_worker;
    // Limits; 0: none.
    int64_t step_ms;  // of a step that the watch page names; such a step
                      // has some more time to end by itself
    bool
        waits_in_steps;  // for a server: a step may use the processor after its
                         // limit, and yet be about to end
    bool ends_when_stuck;  // the job, when the server goes on with queries
                           // that it was told to stop
    int64_t item_ms;       // of what an item takes beside such steps
    int64_t most_bytes;    // of memory that is a worker's own

    void *context;  // of what follows, all of it in the parent
    // What the shape of an answer does not say of it; NULL: nothing.
    bool (*is_sound)(const void *context, int32_t item, const void *answer);
    // Answers, in no particular order; false ends the job.
    bool (*take)(void *context, int32_t item, const void *answer);
    // A worker died of the item. True: ask again, with what is noted in it.
    // NULL: supervisor_blame() decides.
    bool (*died)(void *context, work_request *r, const work_death *death);
    // Is the item's turn near enough to begin it? NULL: always.
    bool (*may_begin)(void *context, int32_t item);
    // Now and then, with the sum of all progress; may be NULL.
    void (*idle)(void *context, int64_t progress);
} supervisor_job;

// Notes in the request what killed a worker, so that it is not run again; a
// query that kills two workers is abandoned with all that is like it. When that
// is no help, or nobody knows what it was, the gold is tried alone (WATCH_ALL).
// False when the item has had its chances.
bool supervisor_blame(work_request *r, const work_death *death);

// Does all items of the job. *n_lost, if there is one, counts those that were
// given up.
supervisor_end supervisor_run(const supervisor_job *job,
                              ptrdiff_t *n_lost,
                              diag *d,
                              arena *a,
                              arena scratch);

typedef struct supervisor supervisor;

// For a job without items: its requests come one by one. NULL with a message.
supervisor *supervisor_open(const supervisor_job *job, diag *d, arena *a);
void supervisor_close(supervisor *s);

// The answer to a request; all that it points to is in `a`. False when a worker
// died of it: *death says how; or, with a message, when there is no worker.
bool supervisor_ask(supervisor *s,
                    const void *asked,
                    void *answer,
                    work_death *death,
                    arena *a);

// One call in a process of its own, within these limits: the answer, with all
// that it points to in `a`. False when it died of it, as *death says, or could
// not be started or was interrupted, with a message and a death for no reason.
typedef struct isolate_limits {
    int64_t ms;
    int64_t bytes;
} isolate_limits;
bool isolate(const worker_call *call,
             isolate_limits limits,
             void *answer,
             work_death *death,
             arena *a,
             diag *d,
             arena scratch);

#endif  // ASSAY_PROCESS_SUPERVISOR_H
