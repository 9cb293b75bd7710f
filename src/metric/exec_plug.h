// exec_plug.h - exec and subset of rules that plug the gold's values in.
#ifndef ASSAY_METRIC_EXEC_PLUG_H
#define ASSAY_METRIC_EXEC_PLUG_H

#include "metric/exec_rows.h"

// `plain` is the verdict of the prediction as it stands.
verdict exec_plugged(const evidence *e,
                     comparison what,
                     rules r,
                     verdict plain);

#endif  // ASSAY_METRIC_EXEC_PLUG_H
