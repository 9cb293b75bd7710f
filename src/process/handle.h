/*
 * handle.h - one worker as its parent sees it: start it, send to it, look at
 * it, bury it. Which request goes where is the supervisor's business.
 */
#ifndef ASSAY_PROCESS_HANDLE_H
#define ASSAY_PROCESS_HANDLE_H

#include "process/worker.h"

#include <signal.h>
#include <sys/types.h>

// What a worker was killed for.
typedef enum handle_kill_reason {
    KILLED_NOT,  // or by somebody else, or because it could not be talked to
    KILLED_LATE,
    KILLED_BIG,
    KILLED_DROPPED,  // it was at an item that nobody wants any more
    KILLED_LIED,     // for what it sent, or did not send
} handle_kill_reason;

typedef struct handle {
    pid_t pid;  // 0: not running
    int fd;
    int32_t queue;
    watch *watch;
    work_request held[WATCH_SLOTS];  // oldest first
    ptrdiff_t n_held;
    arena_store store;
    arena input_arena;
    buf input;  // answers, not yet complete
    arena_store out_store;
    arena output_arena;
    buf output;             // requests that the socket had no room for
    ptrdiff_t sent;         // of it
    int64_t late_since_ns;  // the step that was last found late, by its start
    int64_t late_cpu_ns;    // and what the worker had computed by then
    int statm;              // its size as the system tells it; -1: not watched
    bool is_ready;  // it said so: what it says of its setup now is a lie
    handle_kill_reason killed;
    int32_t dropped;   // the item that it was killed for
    bool has_no_slot;  // of its page, for a request
    int64_t quiet_ns;  // since it had requests, or room for none, said that it
                       // was at none of them, and sent nothing
    bool is_stopped;
} handle;

// The signals that stop a run.
void handle_stop_signals(sigset_t *out);

// Forks the worker. `watches_size`: its memory is to be looked at. False with
// errno.
bool handle_start(handle *w, const worker_call *call, bool watches_size);

// The first reason stays, but that of a lie comes before all others.
void handle_kill(handle *w, handle_kill_reason why);

// What is in `output` goes out as far as the worker takes it without waiting; a
// worker that is busy is waited for in poll(). False when the worker died.
bool handle_send(handle *w);
bool handle_has_output(const handle *w);

// Workers answer a stream one by one. While all `n` of them have enough to do,
// waits for a moment, so that their answers are read some at a time and what
// comes next is sent so.
void handle_gather(const handle *workers, ptrdiff_t n);

// The item was answered.
void handle_release(handle *w, int32_t item);

// What is held at this place is no more.
void handle_forget(handle *w, ptrdiff_t at);

// Notes whether the worker was stopped or continued since we looked last.
void handle_look_for_stops(handle *w);

// Bytes of memory that are the worker's own; 0: it cannot be said.
int64_t handle_bytes(const handle *w);

// Processor time that it has had; 0: it cannot be said.
int64_t handle_cpu_ns(const handle *w);

// Waits for its end: the status that the system tells. What it died of.
int handle_reap(handle *w);
reason handle_death(const handle *w, int status);

// Somebody else's SIGKILL may have been meant for the machine, not for the
// item, and a worker that left had nobody to answer to: the item is tried again
// once before it is blamed.
bool handle_spares(work_request *r, const handle *w, int status);

#endif  // ASSAY_PROCESS_HANDLE_H
