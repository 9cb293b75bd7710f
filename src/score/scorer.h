/*
 * scorer.h - one case: its gold, its predictions, the verdicts of all metrics.
 *
 * The heart of `assay score` and of the library.
 *
 * Order of    scorer_open()
 * calls         scorer_case()   any number of times
 *             scorer_close()
 */
#ifndef ASSAY_SCORE_SCORER_H
#define ASSAY_SCORE_SCORER_H

#include "metric/metric.h"
#include "score/judging.h"

// A good size for the arena of one case: the gold's result, a prediction's,
// and what is made of them. More is a verdict, `memory`.
ptrdiff_t scorer_arena_bytes(const scorer_engines *engines);

bool scorer_open(scorer *s,
                 const score_options *options,
                 const scorer_engines *engines,
                 diag *d);
void scorer_close(scorer *s);

// Results lie in `a`. Cannot fail: whatever goes wrong is in the verdicts.
scored_case scorer_case(scorer *s, const score_task *task, arena *a);

// For who asks other things of a case (job/lint.h): a judging, which may not be
// copied, for its evidence asks it, ...
void judging_begin(judging *j, scorer *s, const score_task *task, arena *a);

// ... whose database is opened, and whose gold is run.
void scorer_prepare_gold(judging *j);

#endif  // ASSAY_SCORE_SCORER_H
