/*
 * journal_head.h - the first line of a journal: what was run, on what, how.
 *
 * Two runs with the same first line give the same verdicts. So it holds
 * versions, rules, limits, the clock, and hashes of all inputs, and nothing
 * that does not bear on a verdict (no number of jobs, no name of the machine)
 * but `source`: what the user called the databases.
 */
#ifndef ASSAY_JOURNAL_JOURNAL_HEAD_H
#define ASSAY_JOURNAL_JOURNAL_HEAD_H

#include "base/json.h"
#include "plan/plan.h"
#include "score/score.h"

// The line, newline and all, in `a`. A message in `d` when an input cannot be
// opened now but could be another time: too many open files, no memory.
str journal_head(arena *a,
                 const plan *p,
                 const plan_options *chosen,
                 const score_options *options,
                 const engine_options *limits,
                 diag *d,
                 arena scratch);

// The clock of the run that wrote this head; false when it has none.
bool journal_head_clock(str head, int64_t *unix_ms, arena scratch);

// The name of the first member, `source` apart, in which two heads differ;
// empty when they are the same.
str journal_head_difference(arena *a, str head, str other, arena scratch);

#endif  // ASSAY_JOURNAL_JOURNAL_HEAD_H
