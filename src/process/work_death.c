// work_death.c - what is said of an item that a worker died of, and what is
// noted in its request, so that the next one does not die of it.
#include "process/supervisor.h"

const char *work_death_text(const work_death *death)
{
    return death->why == REASON_TIMEOUT  ? "it takes too long"
           : death->why == REASON_MEMORY ? "it takes too much memory"
                                         : "its process died";
}

static watch_death *find(work_request *r, int32_t pred_no, int32_t work)
{
    for (int32_t i = 0; i < r->n_deaths; i++) {
        watch_death *d = &r->deaths[i];
        if (d->pred_no == pred_no
            && (d->work == work || pred_no == WATCH_ALL)) {
            return d;
        }
    }
    return NULL;
}

bool supervisor_blame(work_request *r, const work_death *death)
{
    int32_t pred_no = death->pred_no;
    watch_death *known = find(r, pred_no, death->work);
    if (known && !known->is_total) {
        known->is_total = true;
        return true;
    }
    bool is_full = r->n_deaths == WORK_MAX_DEATHS;
    pred_no = known || is_full ? WATCH_ALL : pred_no;
    if (pred_no == WATCH_ALL && find(r, WATCH_ALL, death->work)) {
        return false;
    }
    r->n_deaths = is_full ? 0 : r->n_deaths;
    r->deaths[r->n_deaths++] = (watch_death){.pred_no = pred_no,
                                             .work = death->work,
                                             .status = death->why,
                                             .is_total = pred_no == WATCH_ALL};
    return true;
}
