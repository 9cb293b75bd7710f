/*
 * metric_state.c - state: statements that write leave what the gold's leave.
 *
 * Method      The gold's statements run once a case, each prediction's once,
 *             all on copies (engine/script.h). What a prediction may not do is
 *             its fault; where the gold fails, nobody is judged.
 *
 * Source      BIRD-CRITIC, LiveSQLBench; definitions/state.md
 */
#include "metric/metric.h"
#include "metric/state_diff.h"
#include "score/score_run.h"

// What runs first on both copies, and then the texts.
static script_outcome run_script(judging *j,
                                 const str *texts,
                                 ptrdiff_t n,
                                 int32_t pred_no)
{
    const record *gold = j->task->gold;
    const script s = {gold->before, gold->n_before, texts, n};
    const watch_death *death = score_death_of(j->task, pred_no);
    if (death) {
        return (script_outcome){.run.status = death->status};
    }
    watch_outer outer = watch_begin(j->s->watch, pred_no, WATCH_QUERY);
    engine_set_work(j->s->engine, j->most_work);
    script_outcome out = engine_run_script(j->db, &s, j->a);
    watch_end(j->s->watch, outer);
    return out;
}

void metric_begin_state(judging *j)
{
    const record *gold = j->task->gold;
    if (j->db) {
        script_outcome *out = arena_new(j->a, script_outcome, 1);
        j->most_work = j->s->options->most_work;
        *out = run_script(j, gold->golds, gold->n_golds, WATCH_GOLD);
        j->gold_script = out;
    }
}

static str failure(judging *j, const script_outcome *s)
{
    if (s->run.message.len == 0) {  // its worker died: nobody knows where
        return (str){0};
    }
    return s->is_first ? arena_printf(j->a, "preprocess_sql: %.*s",
                                      STR_ARG(s->run.message))
                       : arena_printf(j->a, "statement %td: %.*s",
                                      s->n_done + 1, STR_ARG(s->run.message));
}

verdict metric_judge_state(judging *j, const metric_call *call)
{
    const script_outcome *gold = j->gold_script;
    if (!gold) {
        return verdict_unknown(j->db_status, j->db_error);
    }
    if (gold->run.status == REASON_NO_REFERENCE) {
        return verdict_unknown(REASON_NO_REFERENCE, gold->run.message);
    }
    if (gold->run.status != REASON_NONE) {
        str why = failure(j, gold);
        return verdict_unknown(
            REASON_GOLD_FAILED,
            arena_printf(j->a, "%.*s: %.*s",
                         STR_ARG(reason_word(gold->run.status)), STR_ARG(why)));
    }
    if (call->pred->sql.len == 0) {
        return verdict_failed(REASON_NO_PREDICTION, (str){0});
    }
    score_limit_work(j, gold->run.work);
    script_outcome pred = run_script(j, &call->pred->sql, 1,
                                     (int32_t)(call->pred - j->task->preds));
    return pred.run.status != REASON_NONE
               ? verdict_failed(pred.run.status, failure(j, &pred))
               : state_diff(j, gold, &pred);
}
