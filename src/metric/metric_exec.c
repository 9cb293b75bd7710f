// metric_exec.c - exec: the prediction returns the gold's result.
#include "metric/exec_rules.h"

verdict metric_judge_exec(judging *j, const metric_call *call)
{
    return exec_by_rules(j, COMPARE_EXEC, call);
}
