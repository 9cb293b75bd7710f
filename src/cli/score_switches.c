/*
 * score_switches.c - see score_switches.h.
 *
 * Why         The rules that reproduce another program do so to the letter:
 *             most switches do not bear on them. Who gives one all the same
 *             would take the program's verdict for another one.
 *
 * Method      Two tables. A switch over rules is refused where all rules asked
 *             for go their own way and no other metric heeds it; in a ladder it
 *             holds for the rules that do. Other options need a metric, or
 *             another option.
 */
#include "cli/score_switches.h"

#include "cli/score_judge.h"

enum {
    OF_RULES = SCORE_BIT(SCORE_EXEC) | SCORE_BIT(SCORE_SUBSET),
    OF_SUITE = SCORE_BIT(SCORE_SUITE),
};

static const struct {
    opt_id id;
    str value;                 // of a choice; empty: any
    evaluator_option honours;  // rules that say so heed it
    uint32_t others;           // metrics beside exec and subset that heed it
} switches[] = {
    {OPT_KEEP_DISTINCT, S_INIT(""), HONOURS_KEEP_DISTINCT,
     OF_SUITE | SCORE_BIT(SCORE_SET)},
    {OPT_IGNORE_DISTINCT, S_INIT(""), HONOURS_IGNORE_DISTINCT,
     OF_SUITE | SCORE_BIT(SCORE_SET)},
    {OPT_ORDERED, S_INIT("always"), HONOURS_ORDERED_ALWAYS, OF_SUITE},
    {OPT_ORDERED, S_INIT("never"), HONOURS_ORDERED_NEVER, OF_SUITE},
    {OPT_COLUMNS, S_INIT("same-order"), HONOURS_SAME_ORDER,
     OF_SUITE | SCORE_BIT(SCORE_EQUIV)},
    {OPT_TOLERANCE, S_INIT(""), HONOURS_TOLERANCE,
     OF_SUITE | SCORE_BIT(SCORE_EQUIV)},
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
            buf_add(&b, b.len > 0 ? S(", ") : S(""));
            buf_add(&b, rules_word((rules)r));
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
    for (ptrdiff_t i = 0; i < countof(switches); i++) {
        bool is_heeded = (o->metrics & switches[i].others)
                         || ((o->metrics & OF_RULES)
                             && (rules_of(o) & honouring(switches[i].honours)));
        if (is_heeded || !is_given(c, switches[i].id, switches[i].value)) {
            continue;
        }
        arena scratch = c->scratch;
        str heeding = rules_words(honouring(switches[i].honours), &scratch);
        cli_wrong_use(c,
                      "nothing that is scored heeds --%.*s%s%.*s: it bears on "
                      "exec and subset under rules %.*s",
                      STR_ARG(opt_spec_at(switches[i].id)->name),
                      switches[i].value.len > 0 ? " " : "",
                      STR_ARG(switches[i].value), STR_ARG(heeding));
        return false;
    }
    return true;
}

static bool needs(const cli *c, opt_id id, bool is_there, const char *what)
{
    if (opt_has(c->o, id) && !is_there) {
        cli_wrong_use(c, "--%.*s needs %s", STR_ARG(opt_spec_at(id)->name),
                      what);
        return false;
    }
    return true;
}

bool score_switches_are_heeded(const cli *c, const score_options *o)
{
    static const opt_id of_judge[] = {
        OPT_PROMPT,      OPT_SHOTS,    OPT_MODEL,  OPT_TEMPERATURE,
        OPT_MAX_TOKENS,  OPT_ROUNDS,   OPT_TRIES,  OPT_JUDGE_WHEN,
        OPT_CONCURRENCY, OPT_RATE,     OPT_RECORD, OPT_CALL_TIMEOUT,
        OPT_PRICES,      OPT_MAX_COST, OPT_REPLAY, OPT_ALLOW_LIVE,
    };
    static const opt_id of_pragmatic[] = {OPT_ACCEPT, OPT_REJECT,
                                          OPT_PREFERENCES};
    bool ok = needs(c, OPT_MAX_REGRESSIONS, opt_has(c->o, OPT_BASELINE),
                    "--baseline RUN.jsonl")
              && needs(c, OPT_SETUP, opt_has(c->o, OPT_DB), "--db URL")
              && needs(c, OPT_EXTRA_ROWS, o->metrics & SCORE_BIT(SCORE_SUBSET),
                       "metric subset")
              && needs(c, OPT_SUITE, o->metrics & SCORE_BIT(SCORE_SUITE),
                       "metric suite, and --metrics does not name it");
    for (ptrdiff_t i = 0; ok && i < countof(of_judge); i++) {
        ok = needs(c, of_judge[i], score_wants_judge(c), "metric judge");
    }
    for (ptrdiff_t i = 0; ok && i < countof(of_pragmatic); i++) {
        ok = needs(c, of_pragmatic[i], o->metrics & SCORE_BIT(SCORE_PRAGMATIC),
                   "metric pragmatic");
    }
    return ok && check_rules(c, o);
}
