// metric_soft_f1.c - soft_f1: partial credit as BIRD's program gives it.
#include "metric/metric.h"
#include "score/score_rows.h"

verdict metric_judge_soft_f1(judging *j, const metric_call *call)
{
    verdict v;
    if (!score_is_settled(j, FAMILY_PLAIN, &call->runs[FAMILY_PLAIN], &v)) {
        return score_best(j, compare_soft_f1, &call->runs[FAMILY_PLAIN]);
    }
    v.has_score |= v.v == ANSWER_NO;
    return v;
}
