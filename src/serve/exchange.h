/*
 * exchange.h - lines of many owners into one stream of requests, and the
 * answers back to their owners.
 *
 * The other end is a job/request_queue.h with tags: a line takes a ticket, its
 * tag, until it is answered or forgotten. Lines are bytes here, too.
 *
 * Invariants  (1) There are never more lines than `most`, nor more of them than
 *                 64 MiB and one.
 *             (2) A line that is forgotten before it went out never does; one
 *                 that went out is called off, and keeps its ticket until its
 *                 answer is here, which nobody gets.
 *             (3) Clients take turns, a line each; so do owners of one client.
 *             (4) Nothing here waits, but for exchange_greet.
 */
#ifndef ASSAY_SERVE_EXCHANGE_H
#define ASSAY_SERVE_EXCHANGE_H

#include "base/str.h"

typedef struct exchange exchange;

// A line: of whom, which of its own lines, and where that stands in its body.
typedef struct exchange_line {
    const void *client;  // may have several owners
    void *owner;
    ptrdiff_t index;  // from 0
    int64_t number;   // from 1, blank lines counted
} exchange_line;

typedef struct exchange_options {
    int to;  // pipes; they become non-blocking, and are closed at the end
    int from;
    ptrdiff_t most;         // lines, in all
    ptrdiff_t most_flight;  // of them, that are out
} exchange_options;

// NULL when memory was full.
exchange *exchange_open(exchange_options options);
void exchange_close(exchange *x);

// Waits until whoever is at the other end takes lines. False when it has gone.
bool exchange_greet(exchange *x);

// For a line of this owner. Of what is left no client gets more than he has,
// nor any owner more than his client: who sends much leaves room to others.
bool exchange_has_room(const exchange *x,
                       const void *client,
                       const void *owner);

// Is there room for nobody?
bool exchange_is_full(const exchange *x);

// Takes in a line, a copy of it; there has to be room. False when memory was
// full.
bool exchange_add(exchange *x, exchange_line line, str text);

// What is left of this owner's lines.
void exchange_forget(exchange *x, const void *owner);

// As much as goes out at once.
void exchange_write(exchange *x);

// What has come in, each answer without its end. False when the other end has
// gone.
bool exchange_read(exchange *x,
                   void (*take)(exchange_line line, str answer, void *context),
                   void *context);

ptrdiff_t exchange_n_waiting(const exchange *x);  // not yet out
ptrdiff_t exchange_n_flight(const exchange *x);
bool exchange_has_output(const exchange *x);  // that may go out

// For how long the other end, which has lines, has not said anything, although
// it is asked every few seconds; 0: it has none.
int64_t exchange_still_ns(const exchange *x);

#endif  // ASSAY_SERVE_EXCHANGE_H
