/*
 * schedule.h - which case goes to which worker next.
 *
 * Why         A worker that stays with one database keeps its pages, its
 *             connection and its gold results warm. So cases queue up by
 *             database; a worker drains one queue before it takes another, and
 *             only when every queue has somebody at work does it join in.
 */
#ifndef ASSAY_PROCESS_SCHEDULE_H
#define ASSAY_PROCESS_SCHEDULE_H

#include "base/arena.h"

typedef struct schedule_queue {
    ptrdiff_t next;  // in `cases`
    ptrdiff_t end;
    int32_t n_workers;  // that drain it now
} schedule_queue;

typedef struct schedule {
    int32_t *cases;  // by database, in file order within each
    schedule_queue *queues;
    ptrdiff_t n_queues;
    ptrdiff_t n_left;
} schedule;

enum {
    SCHEDULE_NO_QUEUE = -1
};

// `db_of[i]` is the number of the database of cases[i], below n_dbs. NULL: the
// cases are 0, 1, 2, ...; they are all of one database.
schedule schedule_new(arena *a,
                      const int32_t *cases,
                      const int32_t *db_of,
                      ptrdiff_t n,
                      ptrdiff_t n_dbs,
                      arena scratch);

// The first case of the first queue that has one left.
int32_t schedule_first(const schedule *s);

// The next case for a worker that drains queue *queue (SCHEDULE_NO_QUEUE at
// first); *queue becomes the one it came from. -1 when nothing is left.
int32_t schedule_next(schedule *s, int32_t *queue);

#endif  // ASSAY_PROCESS_SCHEDULE_H
