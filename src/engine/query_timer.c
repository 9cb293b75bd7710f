/*
 * query_timer.c - one thread that waits for the end of a query or its limit.
 *
 * Method      The thread sleeps on a condition variable until a query is
 *             armed, then until its deadline. The clock of limits may run more
 *             slowly than that of the system, so it looks again after each
 *             sleep and sleeps for what is left.
 *
 * Invariants  (1) `stop` is called with the mutex held, and only between arm
 *                 and disarm: after disarm nothing stops the next query.
 *             (2) It is called once a query at most.
 */
#include "engine/query_timer.h"

#include "base/clock.h"

#include <time.h>

static struct timespec at(int64_t ns)
{
    return (struct timespec){.tv_sec = (time_t)(ns / 1000000000),
                             .tv_nsec = (long)(ns % 1000000000)};
}

static void *watch_queries(void *context)
{
    query_timer *t = context;
    pthread_mutex_lock(&t->mutex);
    while (!t->is_over) {
        if (!t->context || t->has_fired) {
            pthread_cond_wait(&t->changed, &t->mutex);
            continue;
        }
        int64_t left_ns = t->deadline_ns - clock_limit_ns();
        if (left_ns <= 0) {
            t->stop(t->context);
            t->has_fired = true;
            continue;
        }
        struct timespec until = at(clock_ns() + left_ns);
        pthread_cond_timedwait(&t->changed, &t->mutex, &until);
    }
    pthread_mutex_unlock(&t->mutex);
    return NULL;
}

static void start(query_timer *t)
{
    pthread_condattr_t attributes;
    pthread_attr_t small;
    pthread_mutex_init(&t->mutex, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&t->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, (size_t)256 << 10);
    // Without the thread a query ends late: the parent kills the worker.
    t->is_running = pthread_create(&t->thread, &small, watch_queries, t) == 0;
    pthread_attr_destroy(&small);
}

void query_timer_arm(query_timer *t,
                     int64_t deadline_ns,
                     void (*stop)(void *context),
                     void *context)
{
    if (!t->is_running) {
        start(t);
    }
    pthread_mutex_lock(&t->mutex);
    t->stop = stop;
    t->context = context;
    t->deadline_ns = deadline_ns;
    t->has_fired = false;
    pthread_cond_signal(&t->changed);
    pthread_mutex_unlock(&t->mutex);
}

bool query_timer_disarm(query_timer *t)
{
    pthread_mutex_lock(&t->mutex);
    bool has_fired = t->has_fired;
    t->context = NULL;
    pthread_mutex_unlock(&t->mutex);
    return has_fired;
}

void query_timer_end(query_timer *t)
{
    if (!t->is_running) {
        return;
    }
    pthread_mutex_lock(&t->mutex);
    t->is_over = true;
    pthread_cond_signal(&t->changed);
    pthread_mutex_unlock(&t->mutex);
    pthread_join(t->thread, NULL);
    pthread_cond_destroy(&t->changed);
    pthread_mutex_destroy(&t->mutex);
}
