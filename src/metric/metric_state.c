/*
 * metric_state.c - state: statements that write leave what the gold's leave.
 *
 * What a prediction may not do is its fault; where the gold fails, nobody is
 * judged.
 *
 * Source      BIRD-CRITIC, LiveSQLBench; definitions/state.md
 */
#include "metric/metric.h"
#include "metric/state_diff.h"

static str failure(const evidence *e, const script_outcome *s)
{
    if (s->run.message.len == 0) {  // its worker died: nobody knows where
        return (str){0};
    }
    return s->is_first ? arena_printf(e->a, "preprocess_sql: %.*s",
                                      STR_ARG(s->run.message))
                       : arena_printf(e->a, "statement %td: %.*s",
                                      s->n_done + 1, STR_ARG(s->run.message));
}

verdict metric_judge_state(const evidence *e, metric_key key)
{
    (void)key;
    const script_outcome *gold = e->gold_script;
    if (!gold) {
        return verdict_unknown(e->db_status, e->db_error);
    }
    if (gold->run.status == REASON_NO_REFERENCE) {
        return verdict_unknown(REASON_NO_REFERENCE, gold->run.message);
    }
    if (gold->run.status != REASON_NONE) {
        str why = failure(e, gold);
        return verdict_unknown(
            REASON_GOLD_FAILED,
            arena_printf(e->a, "%.*s: %.*s",
                         STR_ARG(reason_word(gold->run.status)), STR_ARG(why)));
    }
    if (e->pred->sql.len == 0) {
        return verdict_failed(REASON_NO_PREDICTION, (str){0});
    }
    const script_outcome *pred = e->script;
    return pred->run.status != REASON_NONE
               ? verdict_failed(pred->run.status, failure(e, pred))
               : state_diff(e, gold, pred);
}
