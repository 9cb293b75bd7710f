/*
 * watch.c - words of shared memory, each written by one process.
 *
 * Method      The worker writes what it does before the time, and 0 as the time
 *             before that; the parent reads the time first. Slots of requests
 *             change state by compare-and-swap, because both sides may want
 *             one.
 *
 * Invariants  (1) While since_ns is 0 nobody reads case, query and work.
 *             (2) Of a request that is claimed and revoked at the same time
 *                 exactly one side gets its way.
 *
 * Cost        Some atomic stores a query; no locks.
 */
#define _DEFAULT_SOURCE  // MAP_ANONYMOUS, MADV_DONTFORK
#include "process/watch.h"

#include <assert.h>
#include <sys/mman.h>

void watch_case(watch *w, int32_t case_no)
{
    if (w) {
        atomic_store(&w->case_no, case_no);
    }
}

// Nobody looks at the rest while the time is 0.
static void watch_set(watch *w, int32_t pred_no, int32_t work)
{
    atomic_store(&w->since_ns, 0);
    atomic_store(&w->pred_no, pred_no);
    atomic_store(&w->work, work);
    atomic_store(&w->since_ns, atomic_load(&w->now_ns));
}

watch_outer watch_begin(watch *w, int32_t pred_no, int32_t work)
{
    watch_outer outer = {0};
    if (w) {
        outer = (watch_outer){atomic_load(&w->since_ns) != 0,
                              atomic_load(&w->pred_no), atomic_load(&w->work)};
        watch_set(w, pred_no, work);
    }
    return outer;
}

void watch_end(watch *w, watch_outer outer)
{
    if (w && outer.is_busy) {
        watch_set(w, outer.pred_no, outer.work);
    } else if (w) {
        atomic_store(&w->since_ns, 0);
    }
}

void watch_limit(watch *w, int64_t step_ms)
{
    if (w) {
        atomic_store(&w->step_ms, step_ms);
    }
}

void watch_say_stuck(watch *w)
{
    if (w) {
        atomic_store(&w->is_stuck, 1);
    }
}

static bool slot_change(watch *w, int32_t slot, watch_slot from, watch_slot to)
{
    assert(slot >= 0 && slot < WATCH_SLOTS);
    int32_t expected = (int32_t)from;
    return atomic_compare_exchange_strong(&w->slots[slot], &expected,
                                          (int32_t)to);
}

bool watch_claim(watch *w, int32_t slot)
{
    assert(slot >= 0 && slot < WATCH_SLOTS);
    if (slot_change(w, slot, SLOT_READY, SLOT_CLAIMED)) {
        return true;
    }
    atomic_store(&w->slots[slot], (int32_t)SLOT_FREE);
    return false;
}

int32_t watch_send(watch *w)
{
    for (int32_t i = 0; i < WATCH_SLOTS; i++) {
        if (slot_change(w, i, SLOT_FREE, SLOT_READY)) {
            return i;
        }
    }
    return -1;
}

bool watch_revoke(watch *w, int32_t slot)
{
    return slot_change(w, slot, SLOT_READY, SLOT_REVOKED);
}

void watch_free(watch *w, int32_t slot)
{
    assert(slot >= 0 && slot < WATCH_SLOTS);
    atomic_store(&w->slots[slot], (int32_t)SLOT_FREE);
}

void watch_reset(watch *w)
{
    atomic_store(&w->case_no, -1);  // none
    atomic_store(&w->is_stuck, 0);
    atomic_store(&w->step_ms, 0);
    watch_set(w, WATCH_ALL, WATCH_QUERY);
    for (int32_t i = 0; i < WATCH_SLOTS; i++) {
        watch_free(w, i);
    }
}

void watch_inherit(watch *w, bool is_inherited)
{
    madvise(w, sizeof *w, is_inherited ? MADV_DOFORK : MADV_DONTFORK);
}

// A mapping of its own: who has one page of a larger one can reach the others
// by mremap().
watch *watch_open(void)
{
    void *page = mmap(NULL, sizeof(watch), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
        return NULL;
    }
    watch_inherit(page, false);
    return page;
}

void watch_close(watch *w)
{
    if (w) {
        munmap(w, sizeof *w);
    }
}
