// watch.c - see watch.h.
#include "run/watch.h"

#include "base/clock.h"

void watch_case(watch *w, int32_t case_no)
{
    if (w) {
        atomic_store(&w->case_no, case_no);
    }
}

void watch_begin(watch *w, int32_t pred_no)
{
    if (w) {
        atomic_store(&w->pred_no, pred_no);
        atomic_store(&w->since_ns, clock_ns());
    }
}

void watch_end(watch *w)
{
    if (w) {
        atomic_store(&w->since_ns, 0);
    }
}
