// metric_cells.c - soft_f1 and cell_f1: partial credit for cells, by how rows
// are paired: as BIRD's program does it, or by what they hold.
#include "metric/metric.h"
#include "score/score_rows.h"

static verdict share_of(judging *j, const metric_call *call, score_cells *cells)
{
    const execution *run = &call->runs[FAMILY_PLAIN];
    verdict v;
    if (!score_is_settled(j, FAMILY_PLAIN, run, &v)) {
        return score_best(j, cells, run);
    }
    v.has_score |= v.v == ANSWER_NO;
    return v;
}

verdict metric_judge_soft_f1(judging *j, const metric_call *call)
{
    return share_of(j, call, compare_soft_f1);
}

verdict metric_judge_cell_f1(judging *j, const metric_call *call)
{
    return share_of(j, call, compare_cell_f1);
}
