// metric.c - the table of metric.def.
#include "metric/metric.h"

#include "base/words.h"

#include <assert.h>
#include <stddef.h>

static const metric_info metrics[] = {
#define METRIC(constant, name, key_function, need_bits, option_bits, \
               trait_bits, sentence, how_text, lies_text, cost_text) \
    [METRIC_##constant] = {                                          \
        .word = S_INIT(#name),                                       \
        .text = S_INIT(sentence),                                    \
        .how = S_INIT(how_text),                                     \
        .lies = S_INIT(lies_text),                                   \
        .cost = S_INIT(cost_text),                                   \
        .keys = (key_function),                                      \
        .needs = (need_bits),                                        \
        .honours = (option_bits),                                    \
        .traits = (trait_bits),                                      \
        .judge = metric_judge_##name,                                \
    },
#include "metric/metric.def"
#undef METRIC
};

_Static_assert(METRIC_COUNT <= 32, "metrics fit into a bit set");

const metric_info *metric_at(metric_id m)
{
    assert(m < METRIC_COUNT);
    return &metrics[m];
}

WORDS_OF(metric, metric_id, metrics)

// The metrics that have one of `bits` in the uint32_t at this offset.
static uint32_t metrics_where(size_t member, uint32_t bits)
{
    uint32_t set = 0;
    for (int m = 0; m < METRIC_COUNT; m++) {
        const void *at = (const char *)&metrics[m] + member;
        set |= *(const uint32_t *)at & bits ? METRIC_BIT(m) : 0;
    }
    return set;
}

uint32_t metrics_needing(uint32_t needs)
{
    return metrics_where(offsetof(metric_info, needs), needs);
}

uint32_t metrics_honouring(uint32_t options)
{
    return metrics_where(offsetof(metric_info, honours), options);
}

uint32_t metrics_with(uint32_t traits)
{
    return metrics_where(offsetof(metric_info, traits), traits);
}

uint32_t metrics_needs(uint32_t set)
{
    uint32_t needs = 0;
    for (int m = 0; m < METRIC_COUNT; m++) {
        needs |= set & METRIC_BIT(m) ? metrics[m].needs : 0;
    }
    return needs;
}

str metrics_words(uint32_t set, arena *a)
{
    buf b = buf_new(a);
    for (int m = 0; m < METRIC_COUNT; m++) {
        uint32_t rest = set >> m;
        if (rest & 1) {
            buf_add(&b, b.len == 0 ? S("") : rest == 1 ? S(" and ") : S(", "));
            buf_add(&b, metrics[m].word);
        }
    }
    return buf_str(&b);
}

metric_keys metrics_asked(const score_options *o, arena *a)
{
    metric_keys keys = {0};
    for (int m = 0; m < METRIC_COUNT; m++) {
        ptrdiff_t first = keys.len;
        if (o->metrics & METRIC_BIT(m)) {
            metrics[m].keys(&keys, o, metrics[m].word, a);
        }
        for (ptrdiff_t i = first; i < keys.len; i++) {
            keys.ptr[i].metric = (metric_id)m;
        }
    }
    return keys;
}

str metric_leading_word(void)
{
    int m = 0;
    while (!(metric_at((metric_id)m)->traits & LEADS)) {
        m++;
    }
    return metric_at((metric_id)m)->word;
}

void metric_keys_none(metric_keys *keys,
                      const score_options *o,
                      str word,
                      arena *a)
{
    (void)keys;
    (void)o;
    (void)word;
    (void)a;
}

void metric_keys_one(metric_keys *keys,
                     const score_options *o,
                     str word,
                     arena *a)
{
    (void)o;
    *vec_push(a, keys) = (metric_key){.key = word};
}

void metric_keys_by_rules(metric_keys *keys,
                          const score_options *o,
                          str word,
                          arena *a)
{
    for (ptrdiff_t i = 0; i < o->n_rules; i++) {
        rules r = o->rules[i];
        str key = r == RULES_ASSAY ? word
                                   : arena_printf(a, "%.*s:%.*s", STR_ARG(word),
                                                  STR_ARG(rules_word(r)));
        *vec_push(a, keys) = (metric_key){.key = key, .rules = r};
    }
}

void metric_keys_parts(metric_keys *keys,
                       str word,
                       const char *const *ends,
                       int n,
                       arena *a)
{
    for (int part = 0; part < n; part++) {
        *vec_push(a, keys) = (metric_key){
            .key = arena_printf(a, "%.*s%s", STR_ARG(word), ends[part]),
            .part = part};
    }
}

// Asked by the parent of what the journal leaves open (cli/score_judge.c); a
// worker has no key to judge by.
verdict metric_judge_judge(const evidence *e, metric_key key)
{
    (void)e;
    (void)key;
    assert(false);
    return verdict_unknown(REASON_NOT_RUN, (str){0});
}

/* The keys of all. */

str metric_pass_key(arena *a, str key, int64_t k)
{
    return arena_printf(a, "%.*s@%lld", STR_ARG(key), (long long)k);
}

str metric_vote_key(arena *a, str key)
{
    return arena_printf(a, "%.*s@vote", STR_ARG(key));
}

bool metrics_vote(const score_options *o)
{
    return metrics_needs(o->metrics) & NEEDS_RESULTS;
}

str_list metrics_keys(const score_options *o, arena *a)
{
    str_list all = {0};
    metric_keys keys = metrics_asked(o, a);
    for (ptrdiff_t i = 0; i < keys.len; i++) {
        *vec_push(a, &all) = keys.ptr[i].key;
    }
    ptrdiff_t n = o->n_pass_at > 0 ? all.len : 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        str key = all.ptr[i];
        for (ptrdiff_t k = 0; k < o->n_pass_at; k++) {
            *vec_push(a, &all) = metric_pass_key(a, key, o->pass_at[k]);
        }
        if (metrics_vote(o)) {
            *vec_push(a, &all) = metric_vote_key(a, key);
        }
    }
    return all;
}

/* Evidence that is a verdict. */

verdict metric_judge_suite(const evidence *e, metric_key key)
{
    (void)key;
    return e->suite;
}

// Equivalent to a variant of the gold; else, if nothing is open, to none.
verdict metric_judge_equiv(const evidence *e, metric_key key)
{
    (void)key;
    verdict best = e->unchecked;
    for (ptrdiff_t i = 0; i < e->n_checks; i++) {
        const verdict *v = &e->checks[i];
        best = i == 0 || v->v != ANSWER_NO ? *v : best;
    }
    return best;
}
