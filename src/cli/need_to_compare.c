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
    // What is not known, as a reward, may run queries; a model may see results.
    uint32_t texts = NEEDS_TEXTS | NEEDS_TREES | NEEDS_SCHEMA;
    bool reads_texts = bit != 0 && (metrics_needs(bit) & ~texts) == 0
                       && (bit & metrics_with(ASKS_MODEL)) == 0;
    return (comparable_need){
        .clock = !reads_texts,
        .suite = (bit & metrics_needing(NEEDS_SUITE)) != 0,
        .pragmatic = (bit & metrics_honouring(HONOURS_PROFILE)) != 0,
    };
}
