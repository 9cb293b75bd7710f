/*
 * worker.h - the process at the other end of a supervisor: it serves one
 * request after the other until its parent closes the stream.
 *
 * A worker is forked with all that its job needs in its memory. A request is
 * the number of an item, what earlier workers died of in it, and perhaps some
 * bytes; the answer is bytes that only the job understands.
 */
#ifndef ASSAY_PROCESS_WORKER_H
#define ASSAY_PROCESS_WORKER_H

#include "base/buf.h"
#include "process/watch.h"

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

// In front of the bytes of an answer.
typedef struct work_answer {
    int32_t item;
    int32_t unused;
    int64_t size;
} work_answer;

// How a worker ends when it cannot go on; the parent makes a verdict of it.
enum {
    WORKER_EXIT_OK = 0,
    WORKER_EXIT_SETUP = 70,   // could not even begin: the run is over
    WORKER_EXIT_MEMORY = 71,  // an arena was full
};

// This process as a worker. Answers are collected and sent when no request is
// waiting or when there is much to send.
typedef struct worker {
    int fd;
    watch *watch;
    buf out;          // whole answers only
    int64_t sent_ns;  // when `out` was last empty
    arena_store store;
    arena memory;
    arena_store lasting_store;
    arena lasting;  // for the state of the job
} worker;

// What a job does in its workers. `open` gives up what the worker does not need
// and returns the state that `serve` gets; NULL: it cannot be set up.
// `serve` answers with bytes that stay valid until it is called again.
typedef struct worker_table {
    const void *context;  // as it was when the worker was forked
    void *(*open)(const void *context, worker *w);
    str (*serve)(void *state, const work_request *r, str payload);
} worker_table;

// The hook of arenas in a worker: ends it; the parent says `memory`.
void worker_memory_is_full(void);

// What a request works in: `n` arenas that begin anew with each one.
enum {
    WORKER_ARENAS = 3
};
typedef struct worker_memory {
    arena_store stores[WORKER_ARENAS];
    int n;
} worker_memory;

// False when there is no address space of `bytes` for each.
bool worker_memory_open(worker_memory *m, int n, ptrdiff_t bytes);

// One that is full ends the worker.
void worker_memory_begin(worker_memory *m, arena *out);

// Texts of a request or an answer, one after the other. What a worker wrote may
// be anything: false when the next is not whole, or there is none.
void worker_add_text(buf *out, str text);
bool worker_take_text(str *rest, str *text);
// The same, empty then; for who has looked before, or need not know.
str worker_next_text(str *rest);

// Sends what is finished: before something that may take long, or never end.
void worker_send(worker *w);

// To be called while something runs long: what is finished is not to wait
// for it. `w` is the worker.
void worker_send_late(void *w);

// Serves requests from `fd` until it is closed.
_Noreturn void worker_run(const worker_table *table, int fd, watch *page);

#endif  // ASSAY_PROCESS_WORKER_H
