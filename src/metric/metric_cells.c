// metric_cells.c - soft_f1 and cell_f1: partial credit for cells, by how rows
// are paired: as BIRD's program does it, or by what they hold.
#include "metric/exec_rows.h"
#include "metric/metric.h"

static verdict share_of(const evidence *e, exec_cells *cells)
{
    const execution *run = &e->runs[FAMILY_PLAIN];
    verdict v;
    if (!evidence_settles(e, FAMILY_PLAIN, &v)) {
        return exec_best_cells(e, cells, run);
    }
    v.has_score |= v.v == ANSWER_NO;
    return v;
}

verdict metric_judge_soft_f1(const evidence *e, metric_key key)
{
    (void)key;
    return share_of(e, compare_soft_f1);
}

verdict metric_judge_cell_f1(const evidence *e, metric_key key)
{
    (void)key;
    return share_of(e, compare_cell_f1);
}
