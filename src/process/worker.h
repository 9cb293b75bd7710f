/*
 * worker.h - the process at the other end of a supervisor: it serves one
 * request after the other until its parent closes the stream.
 *
 * A worker is forked with all that its job needs in its memory. What it does is
 * a call: asked of an item, it makes an answer. Both are structs whose shapes
 * (base/codec.h) are part of the call; what travels is made of them here and in
 * the supervisor, and nobody else sees bytes of a worker. A request is the
 * number of an item, what earlier workers died of in it, and what is asked.
 */
#ifndef ASSAY_PROCESS_WORKER_H
#define ASSAY_PROCESS_WORKER_H

#include "base/codec.h"
#include "process/sandbox.h"
#include "process/watch.h"
#include "process/worker_exit.h"

enum {
    WORK_MAX_DEATHS = 30
};

typedef struct work_request {
    int32_t item;
    int32_t slot;      // of the watch page
    int32_t n_spared;  // deaths that were not held against it
    int32_t n_deaths;
    int64_t size;  // bytes that follow
    watch_death deaths[WORK_MAX_DEATHS];
} work_request;

// In place of the item of the first answer, which is empty: the worker is set
// up, and nothing foreign has met it yet.
enum {
    WORKER_READY = -1
};

// In front of the bytes of an answer.
typedef struct work_answer {
    int32_t item;
    int32_t unused;
    int64_t size;
} work_answer;

enum {
    WORKER_ARENAS = 3
};

// This process as a worker. Answers are collected and sent when no request is
// waiting or when there is much to send.
typedef struct worker {
    int fd;
    watch *watch;
    const struct worker_call *call;
    void *state;                  // what its `open` returned
    const void *asked;            // what follows the request that is served
    arena memory[WORKER_ARENAS];  // of the call; begin anew with each request
    buf out;                      // whole answers only
    int64_t sent_ns;              // when `out` was last empty
    arena_store store;
    arena answers;
    arena_store lasting_store;
    arena lasting;  // for the state of the job
    arena_store asked_store;
    arena_store stores[WORKER_ARENAS];
} worker;

// `open`, which need not be there, makes the state of the worker out of what is
// ours; NULL: it cannot be set up. Then the worker gives up all but its rights,
// and only then meets what is foreign. `serve` fills the answer, which is all
// zero, with what stays valid until it is called again.
typedef struct worker_call {
    const void *context;       // as it was when the worker was forked
    const codec_shape *asked;  // NULL: the number of the item says all
    const codec_shape *answer;
    sandbox_rights rights;
    bool is_free;  // gives up nothing: it meets nothing foreign
    int n_arenas;  // in memory[]; one that is full ends the worker
    ptrdiff_t arena_bytes;
    void *(*open)(const void *context, worker *w);
    void (*serve)(worker *w, const work_request *r, void *answer);
} worker_call;

// The hook of arenas in a worker: ends it; the parent says `memory`.
void worker_memory_is_full(void);

// Sends what is finished: before something that may take long, or never end.
void worker_send(worker *w);

// To be called while something runs long: what is finished is not to wait
// for it. `w` is the worker.
void worker_send_late(void *w);

// Serves requests from `fd` until it is closed.
_Noreturn void worker_run(const worker_call *call, int fd, watch *page);

#endif  // ASSAY_PROCESS_WORKER_H
