// vocabulary.c - see vocabulary.h; the lists are vocabulary.def's.
#include "job/vocabulary.h"

#include "base/words.h"
#include "blame/blame.h"
#include "check/check_verdict.h"
#include "evaluators/evaluator.h"
#include "job/lint.h"
#include "metric/leniency.h"
#include "metric/metric.h"
#include "prove/prove.h"
#include "read/convert.h"
#include "sql/dialect.h"
#include "sql/features.h"
#include "suite/neighbor.h"
#include "table/verdict.h"

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

/* What they mean. */

static str no_text(int64_t i)
{
    (void)i;
    return (str){0};
}

static str format_text(dataset_format f)
{
    static const str texts[] = {
        [FORMAT_AUTO] = S_INIT("found from the content"),
#define FORMAT_HELP(constant, text) [FORMAT_##constant] = S_INIT(text),
#include "job/help_format.def"
#undef FORMAT_HELP
    };
    _Static_assert(countof(texts) == FORMAT_COUNT, "every format has a text");
    return texts[f];
}

static str reason_text(reason r)
{
    return reason_row_of(r)->text;
}

// What would let a case with this reason pass; empty: nothing that is known.
static str passes_with(int r)
{
    static const str texts[REASON_COUNT] = {
#define PASSES(constant, text) [REASON_##constant] = S_INIT(text),
#include "job/help_reason.def"
#undef PASSES
    };
    return texts[r];
}

// The headings under which values stand, in their order; NULL: one for all.
typedef struct vocabulary_groups {
    str headings[4];
    int n;
    int (*of)(int value);
    str (*passes)(int value);  // NULL: there is no such thing
} vocabulary_groups;

static int group_of_reason(int r)
{
    static const str words[] = {S_INIT("pred"), S_INIT("gold"), S_INIT("rows"),
                                S_INIT("note")};
    return (int)words_in(words, countof(words),
                         reason_row_of((reason)r)->group);
}

static int group_of_finding(int i)
{
    return LINT_LEVEL_error - (int)lint_level_of((lint_id)i);
}

static int group_of_signal(int s)
{
    return BLAME_WEIGHT_MOST - blame_signal_weight((blame_signal)s);
}

static const vocabulary_groups groups_of[] = {
    [VOCABULARY_RULES] = {{S_INIT("rules")}, 1, NULL, NULL},
    [VOCABULARY_FORMAT] = {{S_INIT("formats")}, 1, NULL, NULL},
    [VOCABULARY_FEATURE] = {{S_INIT("features")}, 1, NULL, NULL},
    [VOCABULARY_REASON] = {{S_INIT("what happened to the prediction"),
                            S_INIT("what happened to the gold"),
                            S_INIT("what the comparison found"),
                            S_INIT("notes on a yes")},
                           4,
                           group_of_reason,
                           passes_with},
    [VOCABULARY_SIGNAL] = {{S_INIT("weight 3"), S_INIT("weight 2"),
                            S_INIT("weight 1"),
                            S_INIT("weight 1 with --suspect SIGNAL: audits "
                                   "disagree about them")},
                           4,
                           group_of_signal,
                           NULL},
    [VOCABULARY_FINDING] = {{S_INIT("error"), S_INIT("warning"),
                             S_INIT("note")},
                            3,
                            group_of_finding,
                            NULL},
};

#define VOCABULARY(constant, type, first, n, word, knows, text) \
    static str word_##constant(int i)                           \
    {                                                           \
        return word((type)i);                                   \
    }                                                           \
    static str text_##constant(int i)                           \
    {                                                           \
        return text((type)i);                                   \
    }
#include "job/vocabulary.def"
#undef VOCABULARY

static const struct {
    int first;
    int n;
    str (*word)(int i);
    bool (*knows)(str word);
    str (*text)(int i);
} lists[] = {
    [VOCABULARY_NONE] = {0, 0, NULL, NULL, NULL},
#define VOCABULARY(constant, type, first, n, word, knows, text)         \
    [VOCABULARY_##constant] = {first, (int)(n), word_##constant, knows, \
                               text_##constant},
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
    return (lists[v].knows && lists[v].knows(word))
           || words_in(list.ptr, list.len, word) >= 0;
}

explained_list vocabulary_explained(vocabulary v, arena *a)
{
    assert(v < countof(groups_of));
    const vocabulary_groups *g = &groups_of[v];
    explained_list list = {0};
    for (int k = 0; k < g->n; k++) {
        for (int i = lists[v].first; i < lists[v].n; i++) {
            if (!g->of || g->of(i) == k) {
                *vec_push(a, &list) = (explained){
                    g->headings[k], lists[v].word(i), lists[v].text(i),
                    g->passes ? g->passes(i) : (str){0}};
            }
        }
    }
    return list;
}
