// score_run.h - the database of a case and its queries, each run at most once.
#ifndef ASSAY_SCORE_SCORE_RUN_H
#define ASSAY_SCORE_SCORE_RUN_H

#include "score/judging.h"

// The database of the task at hand, into db or db_error.
void score_open_database(judging *j);

void score_run_gold(judging *j, family_id f);

// Read as far as the comparisons need, or to the end.
execution score_run_pred(judging *j,
                         family_id f,
                         ptrdiff_t pred_no,
                         bool to_end);

// The limit of work of what runs next, beside a gold that took so much.
void score_limit_work(judging *j, int64_t gold_work);

execution score_run_text(judging *j,
                         str sql,
                         engine_stop stop,
                         int32_t pred_no);
execution score_run_reversed(judging *j, str sql);

// Runs a text whatever is known of it.
execution score_run_once(judging *j, str sql, int32_t pred_no);

// What has killed a worker: the query of a prediction (or all of it), or the
// judging of a metric; the gold, twice; NULL: nothing has.
const watch_death *score_death_of(const score_task *task, int32_t pred_no);
const watch_death *score_work_death(const score_task *task,
                                    int32_t pred_no,
                                    int32_t work);
const watch_death *score_gold_death(const score_task *task);

#endif  // ASSAY_SCORE_SCORE_RUN_H
