/*
 * front.h - the HTTP side of `assay serve`: one process, one loop.
 *
 *     clients ──HTTP──▶ front ──lines──▶ job/request_queue ──▶ workers
 *
 * HTTP is read by libmicrohttpd, which is loaded here; what a request says is
 * bytes to the front, cut into lines (exchange.h). JSON and SQL are read by the
 * locked-in workers behind. A connection without its answer sleeps.
 */
#ifndef ASSAY_SERVE_FRONT_H
#define ASSAY_SERVE_FRONT_H

#include "serve/exchange.h"
#include "serve/listen.h"

typedef struct front_options {
    listen_place place;
    str token;        // that clients have to show; empty: none
    ptrdiff_t most;   // lines that are held
    exchange *lines;  // to those who judge
    int to;           // its files, to be waited for
    int from;
    int64_t end_ms;  // after a signal, for what was taken to be answered
    void (*ready)(const listen_place *place, void *context);
    void *context;
} front_options;

typedef enum front_end {
    FRONT_DONE,         // SIGTERM or SIGINT: all that was taken is answered
    FRONT_INTERRUPTED,  // a second one
    FRONT_LATE,         // it was not, in time
    FRONT_LOST,         // the other end of `lines` has gone
    FRONT_STILL,        // it says nothing any more, and we were to end
    FRONT_FAILED,       // never began; the reason is in `d`
} front_end;

// Listens and serves until a signal.
front_end front_run(const front_options *options, arena *a, diag *d);

#endif  // ASSAY_SERVE_FRONT_H
