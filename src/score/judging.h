/*
 * judging.h - a case while it is scored: its evidence, and what is needed to
 * make it.
 *
 * What fills the evidence:
 *   judging_begin()        what the task says           (scorer.h)
 *   score_open_database()  has_db, db_error             (score_run.h)
 *   score_expand()         families[].variants          (score_gold.h)
 *   score_run_gold()       families[].runs              (score_run.h)
 *   score_check_gold()     other_golds                  (score_stable.h)
 *   score_read_golds()     set_golds                    (score_hardness.h)
 *   score_make.h           what single metrics need
 */
#ifndef ASSAY_SCORE_JUDGING_H
#define ASSAY_SCORE_JUDGING_H

#include "metric/evidence.h"
#include "score/score.h"

typedef struct judging {
    scorer *s;
    const score_task *task;
    database *db;          // NULL: see e.db_error
    str question;          // empty: there is none, or its language is not known
    str unstable;          // how the other results of the gold differ
    const verdict *suite;  // by prediction; NULL: not asked for
    int32_t work;          // the metric that judges it, for the watch
    evidence e;
} judging;

// Forgets what was kept for the last case, and closes databases, suites and
// checkers where too many are open.
void score_begin_case(scorer *s);

void score_close_benches(scorer *s);
void score_close_checkers(scorer *s);

// The address space that does not count against the worker's limit.
int64_t score_mapped_bytes(const scorer *s);

#endif  // ASSAY_SCORE_JUDGING_H
