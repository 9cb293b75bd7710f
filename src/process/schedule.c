/*
 * schedule.c - see schedule.h.
 *
 * Method      A counting sort puts the cases of a queue side by side, in the
 *             order of the file; a queue is then two places in that list. The
 *             next queue is looked for among all.
 *
 * Cost        Linear to build; a look at all queues when one runs empty, which
 *             is seldom.
 */
#include "process/schedule.h"

#include <assert.h>

schedule schedule_new(arena *a,
                      const int32_t *cases,
                      const int32_t *db_of,
                      ptrdiff_t n,
                      ptrdiff_t n_dbs,
                      arena scratch)
{
    schedule s = {.n_queues = n_dbs, .n_left = n};
    s.cases = arena_new(a, int32_t, n);
    s.queues = arena_new(a, schedule_queue, n_dbs);
    ptrdiff_t *fill = arena_new(&scratch, ptrdiff_t, n_dbs + 1);
    for (ptrdiff_t i = 0; i < n; i++) {
        fill[(db_of ? db_of[i] : 0) + 1]++;
    }
    for (ptrdiff_t q = 0; q < n_dbs; q++) {
        fill[q + 1] += fill[q];
        s.queues[q] = (schedule_queue){fill[q], fill[q + 1], 0};
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        s.cases[fill[db_of ? db_of[i] : 0]++] = cases ? cases[i] : (int32_t)i;
    }
    return s;
}

// The queue with the fewest workers, then the most cases left.
static int32_t best_queue(const schedule *s)
{
    int32_t best = SCHEDULE_NO_QUEUE;
    for (ptrdiff_t q = 0; q < s->n_queues; q++) {
        const schedule_queue *it = &s->queues[q];
        ptrdiff_t left = it->end - it->next;
        if (left == 0) {
            continue;
        }
        const schedule_queue *was = best >= 0 ? &s->queues[best] : NULL;
        if (!was || it->n_workers < was->n_workers
            || (it->n_workers == was->n_workers
                && left > was->end - was->next)) {
            best = (int32_t)q;
        }
    }
    return best;
}

int32_t schedule_first(const schedule *s)
{
    assert(s->n_left > 0);
    const schedule_queue *q = s->queues;
    while (q->next == q->end) {
        q++;
    }
    return s->cases[q->next];
}

int32_t schedule_next(schedule *s, int32_t *queue)
{
    bool has_queue = *queue >= 0;
    if (!has_queue || s->queues[*queue].next == s->queues[*queue].end) {
        if (has_queue) {
            s->queues[*queue].n_workers--;
        }
        *queue = best_queue(s);
        if (*queue < 0) {
            return -1;
        }
        s->queues[*queue].n_workers++;
    }
    schedule_queue *q = &s->queues[*queue];
    s->n_left--;
    return s->cases[q->next++];
}
