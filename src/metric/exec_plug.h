// exec_plug.h - exec of rules that plug the gold's values into texts.
#ifndef ASSAY_METRIC_EXEC_PLUG_H
#define ASSAY_METRIC_EXEC_PLUG_H

#include "metric/evidence.h"

enum {
    PLUG_BUDGET = 10,  // time limits of one query, for all texts
};

// How a search ended in which no text passed.
typedef struct plug_end {
    bool is_late;  // its time was used up
    bool is_cut;   // there are more texts than were tried
    int64_t n_tried;
} plug_end;

// What is said then; `plain` is the verdict of the prediction as it stands.
verdict exec_plug_failed(plug_end end, verdict plain, arena *a);

// `plain` is the verdict of the prediction as it stands.
verdict exec_plugged(const evidence *e, rules r, verdict plain);

#endif  // ASSAY_METRIC_EXEC_PLUG_H
