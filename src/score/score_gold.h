// score_gold.h - from the gold of a case to the queries that are run for it.
#ifndef ASSAY_SCORE_SCORE_GOLD_H
#define ASSAY_SCORE_SCORE_GOLD_H

#include "score/judging.h"

// What the families of texts are told.
family_options score_family_options(const judging *j);

// The variants of family f, or an error text in the set.
void score_expand(judging *j, family_id f);

// The text of a prediction that family f reads.
str score_text_of(family_id f, const score_pred *pred);

#endif  // ASSAY_SCORE_SCORE_GOLD_H
