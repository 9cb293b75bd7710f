// score_gold.h - from the gold of a case to the queries that are run for it.
#ifndef ASSAY_SCORE_SCORE_GOLD_H
#define ASSAY_SCORE_SCORE_GOLD_H

#include "score/judging.h"

// The variants of family f, or an error text in the set.
void score_expand(judging *j, family_id f);

#endif  // ASSAY_SCORE_SCORE_GOLD_H
