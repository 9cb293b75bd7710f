/*
 * scorer.h - one case: its gold, its predictions, the verdicts of all metrics.
 *
 * The heart of `assay score` and of the library.
 *
 * Order of    scorer_open()
 * calls         scorer_case()   any number of times
 *             scorer_close()
 */
#ifndef ASSAY_METRIC_SCORER_H
#define ASSAY_METRIC_SCORER_H

#include "metric/metric.h"

// The journal keys of all verdicts that these options give, in the order of
// the journal.
ptrdiff_t score_keys(const score_options *o, arena *a, str **out);

// A good size for the arena of one case: the gold's result, a prediction's,
// and what is made of them. More is a verdict, `memory`.
ptrdiff_t scorer_arena_bytes(const score_options *options);

bool scorer_open(scorer *s, const score_options *options, diag *d);
void scorer_close(scorer *s);

// Results lie in `a`. Cannot fail: whatever goes wrong is in the verdicts.
scored_case scorer_case(scorer *s, const score_task *task, arena *a);

// Database and gold of a case are made ready, and the gold is run.
void scorer_prepare_gold(judging *j);

#endif  // ASSAY_METRIC_SCORER_H
