/*
 * query_timer.h - stops a query at its limit, where the library that runs it
 * keeps no limit of its own: only another thread can reach it while it works.
 *
 * The thread is started with the first query, because a process that is still
 * to be forked must have none. All zero is a timer that was never used.
 */
#ifndef ASSAY_ENGINE_QUERY_TIMER_H
#define ASSAY_ENGINE_QUERY_TIMER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct query_timer {
    void (*stop)(void *context);  // what to do at the limit, from the thread
    void *context;                // NULL: no query is running
    int64_t deadline_ns;          // of that query
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool is_running;  // the thread is there
    bool is_over;     // it is to end
    bool has_fired;   // it stopped the query
} query_timer;

// A query begins: stop(context) at `deadline_ns` of clock_limit_ns().
void query_timer_arm(query_timer *t,
                     int64_t deadline_ns,
                     void (*stop)(void *context),
                     void *context);

// The query is over. Was it stopped?
bool query_timer_disarm(query_timer *t);

void query_timer_end(query_timer *t);

#endif  // ASSAY_ENGINE_QUERY_TIMER_H
