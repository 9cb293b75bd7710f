/*
 * gold_elsewhere.h - golds that run on other databases than the predictions
 * (--gold-db): a migration, or a system that only the golds were written for.
 */
#ifndef ASSAY_SCORE_GOLD_ELSEWHERE_H
#define ASSAY_SCORE_GOLD_ELSEWHERE_H

#include "score/judging.h"

// Do the golds of this run?
bool gold_is_elsewhere(const judging *j);

// Runs the gold of family f there. What it returns stands as the gold: its text
// means nothing to the database of the predictions.
void score_run_gold_elsewhere(judging *j, family_id f);

#endif  // ASSAY_SCORE_GOLD_ELSEWHERE_H
