/*
 * need_to_compare.c - see need_to_compare.h.
 */
#include "cli/need_to_compare.h"

#include "metric/metric.h"

comparable_need need_to_compare(str key)
{
    metric_id m;
    str word = str_cut(&key, ':');
    uint32_t bit = metric_from_word(word, &m) ? METRIC_BIT(m) : 0;
    return (comparable_need){
        .suite = (bit & metrics_needing(NEEDS_SUITE)) != 0,
        .pragmatic = (bit & metrics_honouring(HONOURS_PROFILE)) != 0,
    };
}
