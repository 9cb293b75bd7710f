// score_ties.h - order modulo ties, and LIMIT that cuts one.
#ifndef ASSAY_SCORE_SCORE_TIES_H
#define ASSAY_SCORE_SCORE_TIES_H

#include "score/judging.h"

// `no`, or yes when the prediction differs from a gold variant only by what its
// ORDER BY and LIMIT leave open.
verdict score_ties(judging *j,
                   ptrdiff_t variant,
                   const execution *pred,
                   const compare_options *c,
                   verdict no);

#endif  // ASSAY_SCORE_SCORE_TIES_H
