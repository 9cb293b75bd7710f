/*
 * watch.h - a page of memory through which a worker says what it is doing.
 *
 * Why         Some queries cannot be stopped from inside: one function call
 *             that runs on for ever, one that takes all memory, one that finds
 *             a crash in an engine. The parent must kill the worker, and must
 *             know whom to blame. So before a worker starts anything that may
 *             not come back it writes case, query and time here; the parent
 *             only reads.
 */
#ifndef ASSAY_PROCESS_WATCH_H
#define ASSAY_PROCESS_WATCH_H

#include "table/verdict.h"

#include <stdatomic.h>

// In place of the number of a prediction.
enum {
    WATCH_GOLD = -1,  // the database, or a gold variant
    WATCH_ALL = -2,   // of a death: it cannot be said what of the case it was,
                      // and its gold is tried alone
};

// In place of the number of a metric: the query itself is running.
enum {
    WATCH_QUERY = -1,
    WATCH_OPEN = -2,  // the database is being opened, of a gold
    WATCH_READ =
        -3,  // SQL is being taken out of an answer; by its number among
             // all answers of the case, run by run
};

// A request on its way. The parent may take one back that the worker has not
// begun: whoever changes READY first has it.
enum {
    WATCH_SLOTS = 16
};

typedef enum watch_slot {
    SLOT_FREE,
    SLOT_READY,    // sent
    SLOT_CLAIMED,  // the worker has begun
    SLOT_REVOKED,  // the parent took it back; the worker frees the slot
} watch_slot;

/*
 * The clock of a worker stands while the worker is stopped, and while its
 * parent is: a limit counts the time in which a query could run. The parent
 * moves it, at least 50 times a second.
 */
typedef struct watch {
    _Alignas(64) _Atomic int64_t now_ns;  // that clock; never 0
    _Atomic int64_t since_ns;             // of it; 0: nothing is running
    _Atomic int64_t progress;             // counted up as the job likes
    _Atomic int32_t case_no;
    _Atomic int32_t pred_no;  // of the case; WATCH_GOLD for a gold variant
    _Atomic int32_t work;  // WATCH_QUERY, WATCH_OPEN, WATCH_READ, or a metric
    _Atomic int64_t step_ms;   // limit of a step; what is above the job's does
                               // not count, nor 0
    _Atomic int32_t is_stuck;  // the server takes nothing more
    _Atomic int32_t slots[WATCH_SLOTS];  // a watch_slot each
} watch;

// What an earlier worker did not survive, and what it counts as.
typedef struct watch_death {
    int32_t pred_no;  // or WATCH_GOLD, WATCH_ALL
    int32_t work;     // of it
    reason status;    // TIMEOUT, MEMORY, CRASH
    bool is_total;    // it died of judging it twice: not even its text is
                      // looked at again
} watch_death;

// What was under way when something else began: a metric that runs a query.
typedef struct watch_outer {
    bool is_busy;
    int32_t pred_no;
    int32_t work;
} watch_outer;

// All of them do nothing when w is NULL. What was under way goes on at the end
// of what it began, its time counted anew.
void watch_case(watch *w, int32_t case_no);
watch_outer watch_begin(watch *w, int32_t pred_no, int32_t work);
void watch_end(watch *w, watch_outer outer);

// The worker's side: steps from now on have less time than the job gives them.
void watch_limit(watch *w, int64_t step_ms);

// The worker's side: the server goes on with queries that it was told to stop.
void watch_say_stuck(watch *w);

// The worker's side: false when the request was taken back.
bool watch_claim(watch *w, int32_t slot);

// The parent's side. A page is in the memory of its worker and of no other: it
// is not inherited, but for the moment in which that worker is forked, who
// takes care that what he forks does not have it. NULL with errno.
watch *watch_open(void);
void watch_close(watch *w);  // NULL: nothing
void watch_inherit(watch *w, bool is_inherited);

int32_t watch_send(watch *w);               // a slot, now READY; -1: none
bool watch_revoke(watch *w, int32_t slot);  // false: it has begun
void watch_free(watch *w, int32_t slot);    // it was answered
void watch_reset(watch *w);                 // for a new worker

#endif  // ASSAY_PROCESS_WATCH_H
