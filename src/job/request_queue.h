/*
 * request_queue.h - lines that come in, answers that go out: the stream of
 * `assay worker` (process/supervisor.h).
 *
 *     stdin ──lines──▶ places ──▶ workers ──answers──▶ stdout
 *
 * A line takes a place until it is answered. While there is no place, or
 * answers are not read, nothing is read: whoever writes faster than is judged
 * waits, and memory stays as it is. A line is bytes; what they say only a
 * worker looks at. But without tags {"ping":N} is answered here, at once, and
 * {"cancel":N} takes back line N, whose answer is then
 * {"line":N,"error":"cancelled"}; it is no line itself, and has no answer.
 *
 * Line        that is longer than REQUEST_MOST_BYTES, or whose judging killed
 * errors      all workers: {"line":N,"error":TEXT}.
 *
 * Tags        For a program that puts the requests of many into one stream: a
 *             line is TAG LINE REQUEST, its answer TAG ANSWER. A tag is any
 *             number; LINE is the one that the answer speaks of. Whoever puts
 *             them there has words that none of the many can write: !ping,
 *             which is the answer, too, and !cancel TAG.
 *
 * The end     of the input, or a signal: what has a place is answered. A second
 *             signal ends it there.
 */
#ifndef ASSAY_JOB_REQUEST_QUEUE_H
#define ASSAY_JOB_REQUEST_QUEUE_H

#include "process/supervisor.h"

enum {
    REQUEST_MOST_BYTES = 8 << 20,
};

// What a worker is asked.
typedef struct request_line {
    int64_t number;
    str text;
} request_line;

typedef struct request_queue request_queue;

typedef struct request_queue_options {
    int in;
    int out;
    bool is_ordered;  // answers come in the order of the lines
    bool is_tagged;   // see above
    ptrdiff_t n_workers;
} request_queue_options;

// NULL when there is no address space.
request_queue *request_queue_open(request_queue_options options, arena *a);
void request_queue_close(request_queue *q);

// For supervisor_job; the context is the queue.
extern const supervisor_stream request_queue_stream;
bool request_queue_take(void *context, int32_t item, const void *answer);
// One line about the request, and no more: the next would be taken for the
// answer to another.
bool request_queue_is_sound(const void *context,
                            int32_t item,
                            const void *answer);
bool request_queue_died(void *context,
                        work_request *r,
                        const work_death *death);

// After it is over: was it by a signal; can answers not be written any more?
bool request_queue_was_stopped(const request_queue *q);
bool request_queue_is_broken(const request_queue *q);

#endif  // ASSAY_JOB_REQUEST_QUEUE_H
