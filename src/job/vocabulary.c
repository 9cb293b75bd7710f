// vocabulary.c - see vocabulary.h; the lists are vocabulary.def's.
#include "job/vocabulary.h"

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

// What has no word is left out.
#define VOCABULARY(constant, type, first, n, word, knows) \
    static void add_##constant(str_list *list, arena *a)  \
    {                                                     \
        for (int i = (first); i < (int)(n); i++) {        \
            str one = word((type)i);                      \
            if (one.len > 0) {                            \
                *vec_push(a, list) = one;                 \
            }                                             \
        }                                                 \
    }
#include "job/vocabulary.def"
#undef VOCABULARY

static const struct {
    void (*add)(str_list *list, arena *a);
    bool (*knows)(str word);
} lists[] = {
    [VOCABULARY_NONE] = {NULL, NULL},
#define VOCABULARY(constant, type, first, n, word, knows) \
    [VOCABULARY_##constant] = {add_##constant, knows},
#include "job/vocabulary.def"
#undef VOCABULARY
};

str_list vocabulary_words(vocabulary v, arena *a)
{
    str_list list = {0};
    if (lists[v].add) {
        lists[v].add(&list, a);
    }
    return list;
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
