// exec_ties.h - order modulo ties, and LIMIT that cuts one.
#ifndef ASSAY_METRIC_EXEC_TIES_H
#define ASSAY_METRIC_EXEC_TIES_H

#include "metric/evidence.h"

// `no`, or yes when the prediction differs from a gold variant only by what its
// ORDER BY and LIMIT leave open.
verdict exec_ties(const evidence *e,
                  ptrdiff_t variant,
                  const execution *pred,
                  const compare_options *c,
                  verdict no);

#endif  // ASSAY_METRIC_EXEC_TIES_H
