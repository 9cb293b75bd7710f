// vocabulary.c - see vocabulary.h; the lists are vocabulary.def's.
#include "job/vocabulary.h"

#include "base/words.h"
#include "blame/blame.h"
#include "check/check_verdict.h"
#include "evaluators/evaluator.h"
#include "metric/leniency.h"
#include "metric/metric.h"
#include "prove/prove.h"
#include "read/convert.h"
#include "sql/dialect.h"
#include "sql/features.h"
#include "suite/neighbor.h"
#include "table/verdict.h"

static str metric_word(metric_id m)
{
    return metric_at(m)->word;
}

static str written_word(dataset_format f)
{
    return convert_writes(f) ? dataset_format_word(f) : (str){0};
}

static str assumption_word(int bit)
{
    return assume_word(1u << bit);
}

static bool is_format(str word)
{
    return dataset_format_from_word(word, &(dataset_format){0});
}

static bool is_dialect(str word)
{
    return dialect_from_word(word, &(dialect){0});
}

#define VOCABULARY(constant, type, first, n, word, knows) \
    static str word_##constant(int i)                     \
    {                                                     \
        return word((type)i);                             \
    }
#include "job/vocabulary.def"
#undef VOCABULARY

static const struct {
    int first;
    int n;
    str (*word)(int i);
    bool (*knows)(str word);
} lists[] = {
    [VOCABULARY_NONE] = {0, 0, NULL, NULL},
#define VOCABULARY(constant, type, first, n, word, knows) \
    [VOCABULARY_##constant] = {first, (int)(n), word_##constant, knows},
#include "job/vocabulary.def"
#undef VOCABULARY
};

// What has no word is left out.
str_list vocabulary_words(vocabulary v, arena *a)
{
    str_list list = {0};
    for (int i = lists[v].first; i < lists[v].n; i++) {
        str one = lists[v].word(i);
        if (one.len > 0) {
            *vec_push(a, &list) = one;
        }
    }
    return list;
}

uint64_t vocabulary_bits(vocabulary v, const str_list *words)
{
    uint64_t bits = 0;
    for (int i = lists[v].first; i < lists[v].n; i++) {
        bool is_there = words_in(words->ptr, words->len, lists[v].word(i)) >= 0;
        bits |= (uint64_t)is_there << i;
    }
    return bits;
}

bool vocabulary_has(vocabulary v, str word, arena scratch)
{
    str_list list = vocabulary_words(v, &scratch);
    bool has = lists[v].knows && lists[v].knows(word);
    for (ptrdiff_t i = 0; i < list.len; i++) {
        has |= str_equal(list.ptr[i], word);
    }
    return has;
}
