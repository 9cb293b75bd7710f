// metric_cell_f1.c - cell_f1: partial credit, rows paired by what they hold.
#include "metric/metric.h"
#include "score/score_rows.h"

verdict metric_judge_cell_f1(judging *j, const metric_call *call)
{
    verdict v;
    if (!score_is_settled(j, FAMILY_PLAIN, &call->runs[FAMILY_PLAIN], &v)) {
        return score_best(j, compare_cell_f1, &call->runs[FAMILY_PLAIN]);
    }
    v.has_score |= v.v == ANSWER_NO;
    return v;
}
