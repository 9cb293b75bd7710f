// metric_exec.c - exec: the prediction returns the gold's result.
#include "metric/exec_made_up.h"
#include "metric/exec_rules.h"

verdict metric_judge_exec(judging *j, const metric_call *call)
{
    verdict v = exec_by_rules(j, COMPARE_EXEC, call);
    if (v.v == ANSWER_YES && exec_is_made_up(j, call, &v)) {
        v.notes |= NOTE_BIT(REASON_MADE_UP_COLUMN);
    }
    return v;
}
