// score_names.h - the trees of a case, and what is wrong with names in words.
#ifndef ASSAY_SCORE_SCORE_NAMES_H
#define ASSAY_SCORE_SCORE_NAMES_H

#include "score/judging.h"

// With the schema of the case.
bound_text score_bind(judging *j, str sql);
const bound_text *score_gold_tree(judging *j, ptrdiff_t variant);
const bound_text *score_pred_tree(judging *j);

// Why a name stopped the prediction, in the binder's words where it has some.
str score_failure(judging *j, const execution *pred);

#endif  // ASSAY_SCORE_SCORE_NAMES_H
