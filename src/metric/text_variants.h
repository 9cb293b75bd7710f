// text_variants.h - string and edit: texts over the variants of a gold.
#ifndef ASSAY_METRIC_TEXT_VARIANTS_H
#define ASSAY_METRIC_TEXT_VARIANTS_H

#include "metric/metric.h"

typedef verdict text_compare(str gold,
                             str pred,
                             dialect d,
                             arena *a,
                             arena scratch);

// The nearest variant's; by `theirs`, where it is not NULL, the gold's as it
// is written.
verdict text_over_variants(const evidence *e,
                           text_compare *ours,
                           like_text *theirs);

#endif  // ASSAY_METRIC_TEXT_VARIANTS_H
