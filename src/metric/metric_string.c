// metric_string.c - string: the same tokens.
#include "metric/text.h"
#include "metric/text_variants.h"

verdict metric_judge_string(judging *j, const metric_call *call)
{
    const like_texts *theirs = j->s->options->texts;
    return text_over_variants(j, call, metric_string,
                              theirs ? theirs->string : NULL);
}
