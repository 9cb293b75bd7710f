// exec_plug.h - exec of rules that plug the gold's values into texts.
#ifndef ASSAY_METRIC_EXEC_PLUG_H
#define ASSAY_METRIC_EXEC_PLUG_H

#include "score/judging.h"

// `plain` is the verdict of the prediction as it stands.
verdict exec_plugged(judging *j,
                     rules r,
                     const score_pred *pred,
                     verdict plain);

#endif  // ASSAY_METRIC_EXEC_PLUG_H
