// work_death.c - what is said of an item that a worker died of, and what is
// noted in its request, so that the next one does not die of it.
#include "process/supervisor.h"

const char *work_death_text(const work_death *death)
{
    return death->why == REASON_TIMEOUT  ? "it takes too long"
           : death->why == REASON_MEMORY ? "it takes too much memory"
                                         : "its process died";
}

bool supervisor_blame(work_request *r, const work_death *death)
{
    int32_t pred_no = death->pred_no;
    for (int32_t i = 0; i < r->n_deaths; i++) {
        if (r->deaths[i].pred_no == WATCH_ALL) {
            return false;
        }
        bool is_same =
            r->deaths[i].pred_no == pred_no && r->deaths[i].work == death->work;
        if (is_same && !r->deaths[i].is_total && pred_no != WATCH_GOLD) {
            r->deaths[i].is_total = true;
            return true;
        }
        if (is_same) {
            r->n_deaths = 0;
            pred_no = WATCH_ALL;
        }
    }
    if (r->n_deaths == WORK_MAX_DEATHS) {
        r->n_deaths = 0;
        pred_no = WATCH_ALL;
    }
    r->deaths[r->n_deaths++] = (watch_death){.pred_no = pred_no,
                                             .work = death->work,
                                             .status = death->why,
                                             .is_total = pred_no == WATCH_ALL};
    return true;
}
