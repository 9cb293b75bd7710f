// exec_plug_tree.h - exec and subset of rules that plug the gold's values into
// trees.
#ifndef ASSAY_METRIC_EXEC_PLUG_TREE_H
#define ASSAY_METRIC_EXEC_PLUG_TREE_H

#include "metric/exec_rows.h"

// `plain` is the verdict of the prediction as it stands.
verdict exec_plugged_tree(const evidence *e,
                          comparison what,
                          rules r,
                          const execution *pred,
                          verdict plain);

#endif  // ASSAY_METRIC_EXEC_PLUG_TREE_H
