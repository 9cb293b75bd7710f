/*
 * blame_judge.c - see blame.h: every signal is asked about both queries, and
 * what speaks against one of them only is weighed.
 */
#include "base/words.h"
#include "blame/blame.h"
#include "blame/blame_internal.h"

enum {
    ALONE,
    BESIDE,
};

static const struct {
    str word;
    str text;
    blame_test *test;
    int sides;
    int weight;
} signals[] = {
#define SIGNAL(constant, word, sides, weight, text) \
    {S_INIT(#word), S_INIT(text), blame_##word, sides, weight},
#include "blame/signal.def"
#undef SIGNAL
};

static const struct {
    str word;
    str text;
} classes[] = {
    {S_INIT("no_evidence"), S_INIT("no evidence")},
    {S_INIT("question_ambiguous"), S_INIT("question ambiguous")},
    {S_INIT("prediction_suspect"), S_INIT("prediction suspect")},
    {S_INIT("gold_suspect"), S_INIT("gold suspect")},
};

WORDS_OF(blame_signal, blame_signal, signals)
WORDS_OF(blame_class, blame_class, classes)

str blame_signal_text(blame_signal s)
{
    return signals[s].text;
}

int blame_signal_weight(blame_signal s)
{
    return signals[s].weight;
}

str blame_class_text(blame_class c)
{
    return classes[c].text;
}

str blame_on_word(blame_on on)
{
    return on == BLAME_ON_GOLD   ? S("gold")
           : on == BLAME_ON_PRED ? S("prediction")
                                 : S("both");
}

static void add_reason(blame_verdict *out, blame_reason r, arena *a)
{
    vec_push(a, &out->reasons);
    ptrdiff_t i = out->reasons.len - 1;
    while (i > 0 && out->reasons.ptr[i - 1].weight < r.weight) {
        out->reasons.ptr[i] = out->reasons.ptr[i - 1];
        i--;
    }
    out->reasons.ptr[i] = r;
}

static void weigh(blame_verdict *out, int gold, int pred)
{
    out->who = gold > pred   ? BLAME_GOLD
               : pred > gold ? BLAME_PREDICTION
               : gold > 0    ? BLAME_QUESTION
                             : BLAME_NO_EVIDENCE;
    out->suspicion = gold;
}

// On which of the views does the signal speak? Bits of blame_on.
static unsigned ask(blame_signal s,
                    const blame_view *views,
                    int n,
                    str details[2])
{
    unsigned on = 0;
    for (int side = 0; side < n; side++) {
        const blame_view *v = &views[side];
        bool can_ask = signals[s].sides == ALONE || v->other;
        on |= can_ask && signals[s].test(v, &details[side]) ? 1U << side : 0;
    }
    return on;
}

static blame_verdict ask_all(const blame_view *views, int n, arena *a)
{
    blame_verdict out = {0};
    int sums[2] = {0};
    for (int s = 0; s < BLAME_SIGNAL_COUNT; s++) {
        bool is_norm = (views->c->also & BLAME_BIT(s)) != 0;
        int weight = is_norm && signals[s].weight == 0 ? 1 : signals[s].weight;
        str details[2] = {{0}, {0}};
        unsigned on = weight > 0 ? ask((blame_signal)s, views, n, details) : 0;
        if (on != 0) {
            str detail = details[on == BLAME_ON_PRED];
            add_reason(
                &out,
                (blame_reason){(blame_signal)s, (blame_on)on, weight, detail},
                a);
        }
        sums[0] += on & BLAME_ON_GOLD ? weight : 0;
        sums[1] += on & BLAME_ON_PRED ? weight : 0;
    }
    weigh(&out, sums[0], sums[1]);
    return out;
}

blame_verdict blame_case_judge(const blame_case *c, arena *a, arena scratch)
{
    arena work = scratch;
    arena rest = arena_half(&work);
    str told = arena_printf(&work, "%.*s\n%.*s", STR_ARG(c->question),
                            STR_ARG(c->evidence));
    str_list words[2] = {asked_words_of(&work, c->question),
                         asked_words_of(&work, told)};
    int n = c->pred.sql.len > 0 ? 2 : 1;
    blame_query queries[2] = {blame_read(c, &c->gold, &work, rest), {0}};
    if (n == 2) {
        queries[1] = blame_read(c, &c->pred, &work, rest);
    }
    relation_diff values = blame_compare_values(queries, &work);
    blame_view views[2];
    for (int side = 0; side < 2; side++) {
        views[side] = (blame_view){.c = c,
                                   .asked = &words[0],
                                   .told = &words[1],
                                   .q = &queries[side],
                                   .other = n == 2 ? &queries[1 - side] : NULL,
                                   .values = &values,
                                   .side = (diff_side)side,
                                   .a = a};
        views[side].scratch = rest;
    }
    return ask_all(views, n, a);
}
