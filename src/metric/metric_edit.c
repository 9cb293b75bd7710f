// metric_edit.c - edit: how many tokens must change.
#include "metric/text.h"
#include "metric/text_variants.h"

verdict metric_judge_edit(judging *j, const metric_call *call)
{
    const like_texts *theirs = j->s->options->texts;
    return text_over_variants(j, call, metric_edit,
                              theirs ? theirs->edit : NULL);
}
