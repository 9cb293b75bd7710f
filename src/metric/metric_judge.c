// metric_judge.c - judge: asked by the parent of what the journal leaves open
// (cli/score_judge.c); a worker has no key to judge by.
#include "metric/metric.h"

#include <assert.h>

verdict metric_judge_judge(judging *j, const metric_call *call)
{
    (void)j;
    (void)call;
    assert(false);
    return verdict_unknown(REASON_NOT_RUN, (str){0});
}
