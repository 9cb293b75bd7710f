// metric_exec.c - exec: the prediction returns the gold's result.
#include "intent/made_up.h"
#include "metric/exec_rules.h"

// A right result may be copied out of the question, or found by trying.
static bool has_made_up(judging *j, const metric_call *call, ptrdiff_t gold)
{
    const gold_set *set = &j->families[evaluator_of(call->key.rules)->family];
    dialect d = j->s->options->dialect;
    str ignored;
    const schema *s = score_schema(j, &ignored);
    return gold >= 0 && gold < set->n
           && text_makes_up_column(call->pred->sql, s, d, *j->a, j->s->scratch)
           && !text_makes_up_column(set->variants[gold].sql, s, d, *j->a,
                                    j->s->scratch);
}

verdict metric_judge_exec(judging *j, const metric_call *call)
{
    verdict v = exec_by_rules(j, COMPARE_EXEC, call);
    if (v.v == ANSWER_YES && has_made_up(j, call, v.variant)) {
        v.notes |= NOTE_BIT(REASON_MADE_UP_COLUMN);
    }
    return v;
}
