/*
 * score_switches.c - see score_switches.h.
 *
 * Why         The rules that reproduce another program do so to the letter:
 *             most switches do not bear on them. Who gives one all the same
 *             would take the program's verdict for another one.
 *
 * Method      Tables say who honours what (evaluator.def, metric.def). A
 *             switch over rules is refused where all rules asked
 *             for go their own way and no other metric heeds it; in a ladder it
 *             holds for the rules that do. Other options need a metric, or
 *             another option.
 */
#include "cli/score_switches.h"

#include "job/vocabulary.h"
#include "metric/metric.h"

bool score_wants_judge(const cli *c)
{
    return vocabulary_bits(VOCABULARY_METRIC, opt_texts(c->o, OPT_METRICS))
           & metrics_with(ASKS_MODEL);
}

static const struct {
    opt_id id;
    str value;  // of a choice; empty: any
    evaluator_option option;
} switches[] = {
    {OPT_KEEP_DISTINCT, S_INIT(""), HONOURS_KEEP_DISTINCT},
    {OPT_IGNORE_DISTINCT, S_INIT(""), HONOURS_IGNORE_DISTINCT},
    {OPT_ORDERED, S_INIT("always"), HONOURS_ORDERED_ALWAYS},
    {OPT_ORDERED, S_INIT("never"), HONOURS_ORDERED_NEVER},
    {OPT_COLUMNS, S_INIT("same-order"), HONOURS_SAME_ORDER},
    {OPT_TOLERANCE, S_INIT(""), HONOURS_TOLERANCE},
};

// Bits of the rules that honour an option.
static uint32_t honouring(evaluator_option option)
{
    uint32_t bits = 0;
    for (int r = 0; r < RULES_COUNT; r++) {
        bits |= evaluator_of((rules)r)->honours & option ? RULES_BIT(r) : 0;
    }
    return bits;
}

static uint32_t rules_of(const score_options *o)
{
    uint32_t bits = 0;
    for (ptrdiff_t i = 0; i < o->n_rules; i++) {
        bits |= RULES_BIT(o->rules[i]);
    }
    return bits;
}

// The words of the rules in `bits`, with commas.
static str rules_words(uint32_t bits, arena *a)
{
    buf b = buf_new(a);
    for (int r = 0; r < RULES_COUNT; r++) {
        if (bits & RULES_BIT(r)) {
            buf_list(&b, rules_word((rules)r));
        }
    }
    return buf_str(&b);
}

static bool is_given(const cli *c, opt_id id, str word)
{
    return opt_has(c->o, id) && (word.len == 0 || opt_is(c->o, id, word));
}

static bool check_rules(const cli *c, const score_options *o)
{
    const uint32_t by_rules = metrics_honouring(HONOURS_BY_RULES);
    for (ptrdiff_t i = 0; i < countof(switches); i++) {
        bool is_heeded = (o->metrics & metrics_honouring(switches[i].option))
                         || ((o->metrics & by_rules)
                             && (rules_of(o) & honouring(switches[i].option)));
        if (is_heeded || !is_given(c, switches[i].id, switches[i].value)) {
            continue;
        }
        arena scratch = c->scratch;
        str heeding = rules_words(honouring(switches[i].option), &scratch);
        return cli_refuse(
            c,
            "--%.*s%s%.*s has no effect here: it applies to "
            "%.*s under rules %.*s",
            STR_ARG(opt_spec_at(switches[i].id)->name),
            switches[i].value.len > 0 ? " " : "", STR_ARG(switches[i].value),
            STR_ARG(metrics_words(by_rules, &scratch)), STR_ARG(heeding));
    }
    return true;
}

static bool needs(const cli *c, opt_id id, bool is_there, const char *what)
{
    if (opt_has(c->o, id) && !is_there) {
        return cli_refuse(c, "--%.*s needs %s", STR_ARG(opt_spec_at(id)->name),
                          what);
    }
    return true;
}

// An option that only some metrics honour.
static bool needs_metric(const cli *c,
                         const score_options *o,
                         opt_id id,
                         evaluator_option option,
                         const char *why)
{
    uint32_t honouring_it = metrics_honouring(option);
    arena scratch = c->scratch;
    str words = metrics_words(honouring_it, &scratch);
    return needs(c, id, o->metrics & honouring_it,
                 arena_cstr(&scratch, arena_printf(&scratch, "metric %.*s%s",
                                                   STR_ARG(words), why)));
}

bool score_switches_are_heeded(const cli *c, const score_options *o)
{
    static const opt_id of_judge[] = {
        OPT_PROMPT,      OPT_SHOTS,    OPT_MODEL,  OPT_TEMPERATURE,
        OPT_MAX_TOKENS,  OPT_ROUNDS,   OPT_TRIES,  OPT_JUDGE_WHEN,
        OPT_CONCURRENCY, OPT_RATE,     OPT_RECORD, OPT_CALL_TIMEOUT,
        OPT_PRICES,      OPT_MAX_COST, OPT_REPLAY, OPT_ALLOW_LIVE,
    };
    static const opt_id of_profile[] = {OPT_NORM, OPT_ACCEPT, OPT_REJECT,
                                        OPT_PREFERENCES};
    bool ok = needs_metric(c, o, OPT_EXTRA_ROWS, HONOURS_EXTRA_ROWS, "")
              && needs_metric(c, o, OPT_VES_RUNS, HONOURS_RUNS, "")
              && needs_metric(c, o, OPT_SUITE, HONOURS_SUITE,
                              ", and --metrics does not name it");
    for (ptrdiff_t i = 0; ok && i < countof(of_judge); i++) {
        ok = needs(c, of_judge[i], score_wants_judge(c), "metric judge");
    }
    for (ptrdiff_t i = 0; ok && i < countof(of_profile); i++) {
        ok = needs_metric(c, o, of_profile[i], HONOURS_PROFILE, "");
    }
    return ok && check_rules(c, o);
}
