/*
 * score_setup.c - options are checked here, once.
 *
 * Method      What is simply as it was given is one value; then a function for
 *             each topic where options bear on each other. The first wrong
 *             option says what is wrong. After it the run needs no options any
 *             more.
 */
#include "cli/score_setup.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/words.h"
#include "cli/dataset_option.h"
#include "cli/opt_value.h"
#include "cli/output_files.h"
#include "cli/pred_option.h"
#include "cli/score_judge.h"
#include "cli/score_switches.h"
#include "cli/shard_option.h"
#include "job/vocabulary.h"
#include "metric/metric.h"
#include "metric/pragmatic.h"

#include <string.h>
#include <unistd.h>

static bool takes_all(const str_list *words)
{
    return words_in(words->ptr, words->len, S("all")) >= 0;
}

static bool set_metrics(score_options *o, const cli *c, const str_list *words)
{
    o->metrics = (uint32_t)vocabulary_bits(VOCABULARY_METRIC, words)
                 | (takes_all(words) ? metrics_with(IN_ALL) : 0);
    const uint32_t later = metrics_with(ASKS_MODEL);
    if ((o->metrics & later) && c->o->command != COMMAND_SCORE) {
        return cli_refuse(c,
                          "only assay score and assay judge can ask a model");
    }
    if ((o->metrics & later) && !score_judge_check(c)) {
        return false;
    }
    o->metrics &= ~later;
    return true;
}

// What `all` leaves out is said now, not found out later.
static void say_left_out(const score_options *o, const cli *c)
{
    const str_list *words = opt_texts(c->o, OPT_METRICS);
    uint32_t left = (1U << METRIC_COUNT) - 1;
    left &= ~(o->metrics | (uint32_t)vocabulary_bits(VOCABULARY_METRIC, words));
    if (takes_all(words) && left != 0 && !opt_flag(c->o, OPT_QUIET)) {
        arena scratch = c->scratch;
        cli_say(c,
                "--metrics all leaves out %.*s: ask by name for those that you "
                "want",
                STR_ARG(metrics_words(left, &scratch)));
    }
}

// A suite that is given is used, unless --metrics says otherwise.
static bool set_suite(score_options *o, const cli *c)
{
    const uint32_t suites = metrics_needing(NEEDS_SUITE);
    bool is_given = opt_text(c->o, OPT_SUITE).len > 0;
    const str_list *words = opt_texts(c->o, OPT_METRICS);
    if (is_given && (!opt_has(c->o, OPT_METRICS) || takes_all(words))) {
        o->metrics |= suites;
    }
    if (!is_given && (o->metrics & suites)) {
        arena scratch = c->scratch;
        return cli_refuse(
            c,
            "metric '%.*s' needs --suite DIR; "
            "assay distill makes one",
            STR_ARG(metrics_words(o->metrics & suites, &scratch)));
    }
    return true;
}

static bool has_rules(const score_options *o, rules r)
{
    for (ptrdiff_t i = 0; i < o->n_rules; i++) {
        if (o->rules[i] == r) {
            return true;
        }
    }
    return false;
}

static void set_rules(score_options *o, const str_list *words)
{
    o->n_rules = 0;
    for (ptrdiff_t i = 0; i < words->len; i++) {
        rules r;
        if (rules_from_word(words->ptr[i], &r) && !has_rules(o, r)) {
            o->rules[o->n_rules++] = r;
        }
    }
}

// Lines of a profile from words of --accept and --reject.
static void add_wishes(pragmatic_profile *p, const cli *c, opt_id id)
{
    const str_list *words = opt_texts(c->o, id);
    for (ptrdiff_t i = 0; i < words->len; i++) {
        arena scratch = c->scratch;
        diag d = diag_new(&scratch);
        str line = arena_printf(&scratch, "%.*s: %.*s", STR_ARG(words->ptr[i]),
                                STR_ARG(opt_spec_at(id)->name));
        pragmatic_profile_read(p, (str){0}, line, &d);
    }
}

static bool set_profile(score_options *o, const cli *c)
{
    pragmatic_profile *p = arena_new(c->a, pragmatic_profile, 1);
    norm n = NORM_DATA;
    norm_from_word(opt_text(c->o, OPT_NORM), &n);
    *p = pragmatic_profile_of(n);
    o->profile = p;
    str path = opt_text(c->o, OPT_PREFERENCES);
    str text;
    if (path.len > 0
        && (!file_text(&text, c->a, path, c->d)
            || !pragmatic_profile_read(p, path, text, c->d))) {
        return false;
    }
    add_wishes(p, c, OPT_ACCEPT);
    add_wishes(p, c, OPT_REJECT);
    return true;
}

static bool set_comparison(score_options *o, const cli *c)
{
    like_id like;
    bool is_like = like_from_word(opt_text(c->o, OPT_LIKE), &like);
    const str_list *metric_words = opt_texts(c->o, OPT_METRICS);
    const str_list *rule_words = opt_texts(c->o, OPT_RULES);
    str_list of_like[2] = {0};
    if (is_like && !opt_has(c->o, OPT_METRICS)) {
        opt_value_split(&of_like[0], c->a, like_of(like)->metrics, ',');
        metric_words = &of_like[0];
    }
    if (is_like && !opt_has(c->o, OPT_RULES)) {
        opt_value_split(&of_like[1], c->a, like_of(like)->rules, ',');
        rule_words = &of_like[1];
    }
    set_rules(o, rule_words);
    if (!set_metrics(o, c, metric_words) || !set_profile(o, c)
        || !set_suite(o, c)) {
        return false;
    }
    say_left_out(o, c);
    if (!score_switches_are_heeded(c, o)) {
        return false;
    }
    uint32_t plugged = metrics_honouring(HONOURS_PLUG_VALUES);
    if (o->plugs_values && !(o->metrics & plugged)) {
        arena scratch = c->scratch;
        str words = metrics_words(plugged, &scratch);
        return cli_refuse(c,
                          "--plug-values applies to the "
                          "metrics %.*s",
                          STR_ARG(words));
    }
    return true;
}

// Adds k where it belongs, once.
static void add_pass_at(score_options *o, arena *a, int64_t k)
{
    ptrdiff_t n = o->n_pass_at;
    ptrdiff_t at = 0;
    while (at < n && o->pass_at[at] < k) {
        at++;
    }
    if (at == n || o->pass_at[at] != k) {
        int64_t *list = arena_copy(a, o->pass_at, n, 1);
        memmove(list + at + 1, list + at, (size_t)(n - at) * sizeof *list);
        list[at] = k;
        o->pass_at = list;
        o->n_pass_at++;
    }
}

// The k of --pass-at, and those that a gate names: --fail-under exec@5=80.
static void set_samples(score_options *o, const cli *c)
{
    const str_list *words = opt_texts(c->o, OPT_PASS_AT);
    int64_t k = 0;
    for (ptrdiff_t i = 0; i < words->len; i++) {
        str_to_int(words->ptr[i], &k);
        add_pass_at(o, c->a, k);
    }
    const str_list *floors = opt_texts(c->o, OPT_FAIL_UNDER);
    for (ptrdiff_t i = 0; i < floors->len; i++) {
        str text = floors->ptr[i];
        str word = str_cut(&text, '=');
        str_cut(&word, '@');
        bool is_k = str_to_int(word, &k) && k >= 1;
        if (is_k || (str_equal(word, S("vote")) && o->n_pass_at == 0)) {
            add_pass_at(o, c->a, is_k ? k : 1);
        }
    }
}

static bool set_filters(plan_options *p, const cli *c, arena *a)
{
    diag d = diag_new(a);
    return filters_parse(&p->filters, a, opt_texts(c->o, OPT_FILTER), &d,
                         c->scratch)
           || cli_refuse(c, "%.*s", STR_ARG(d.messages.ptr[0].text));
}

static void set_preds(plan_options *p, const cli *c)
{
    const str_list *given = opt_texts(c->o, OPT_PRED);
    for (ptrdiff_t i = 0; i < given->len; i++) {
        pred_option one = pred_option_split(given->ptr[i], c->scratch);
        *vec_push(c->a, &p->preds) =
            (plan_pred){.name = one.name, .path = one.path};
    }
}

static void set_needs(run_options *run)
{
    uint32_t needs = metrics_needs(run->score.metrics);
    uint32_t must = run->score.metrics & ~metrics_with(SPARES_DB);
    run->plan.needs_db = (metrics_needs(must) & NEEDS_DB)
                         || (run->plan.db.len > 0 && (needs & NEEDS_DB));
    run->plan.needs_schema = needs & NEEDS_SCHEMA;
    run->plan.runs_scripts = run->score.metrics & metrics_with(RUNS_SCRIPTS);
}

static score_options score_options_of(const opt *o)
{
    like_id like;
    bool is_like = like_from_word(opt_text(o, OPT_LIKE), &like);
    opt_id order =
        opt_is_for(OPT_ROW_ORDER, o->command) ? OPT_ROW_ORDER : OPT_ORDERED;
    return (score_options){
        .texts = is_like ? like_of(like)->texts : NULL,
        .plugs_values = opt_flag(o, OPT_PLUG_VALUES),
        .ordered = opt_is(o, order, S("always"))  ? ORDERED_ALWAYS
                   : opt_is(o, order, S("never")) ? ORDERED_NEVER
                                                  : ORDERED_AUTO,
        .distinct = opt_flag(o, OPT_KEEP_DISTINCT)     ? DISTINCT_KEEP
                    : opt_flag(o, OPT_IGNORE_DISTINCT) ? DISTINCT_IGNORE
                                                       : DISTINCT_BY_RULES,
        .world = opt_is(o, OPT_WORLD, S("declared"))    ? WORLD_DECLARED
                 : opt_is(o, OPT_WORLD, S("realistic")) ? WORLD_REALISTIC
                                                        : WORLD_BY_METRIC,
        .runs_proved = opt_flag(o, OPT_RUN_PROVED),
        .limits_work = !str_equal(opt_text(o, OPT_WORK), S("none")),
        .ves_runs = opt_int(o, OPT_VES_RUNS),
        .same_column_order = opt_is(o, OPT_COLUMNS, S("same-order")),
        .allows_extra_rows = opt_flag(o, OPT_EXTRA_ROWS),
        .has_tolerance = opt_has(o, OPT_TOLERANCE),
        .tolerance = opt_double(o, OPT_TOLERANCE),
    };
}

// What is as it was given; an option that the command lacks is as if nobody
// had given it.
static run_options options_of(const cli *c)
{
    const opt *o = c->o;
    dataset_options files = dataset_option(c);
    run_options run = {
        .plan = {.gold = opt_text(o, OPT_GOLD),
                 .results = opt_text(o, OPT_GOLD_RESULTS),
                 .db = opt_text(o, OPT_DB),
                 .gold_db = opt_text(o, OPT_GOLD_DB),
                 .setup = opt_text(o, OPT_SETUP),
                 .suite = opt_text(o, OPT_SUITE),
                 .tables = opt_text(o, OPT_TABLES),
                 .names = files.names,
                 .encoding = files.encoding,
                 .format = files.format,
                 .allows_missing = opt_flag(o, OPT_ALLOW_MISSING),
                 .copies_wal = opt_is(o, OPT_WAL, S("copy")),
                 .choice = choice_option(c)},
        .score = score_options_of(o),
        .engines.own.limits = {.timeout_ms =
                                   (int64_t)(opt_double(o, OPT_TIMEOUT) * 1000
                                             + 0.5),
                               .max_rows = opt_int(o, OPT_MAX_ROWS),
                               .max_bytes = opt_int(o, OPT_MEMORY) << 20},
        .has_clock = opt_has(o, OPT_NOW),
        .jobs = cli_jobs(c),
        .out = opt_text(o, OPT_OUT),
        .resumes = opt_flag(o, OPT_RESUME),
        .overwrites = opt_flag(o, OPT_FORCE),
        .verifies_unchanged = opt_flag(o, OPT_VERIFY_UNCHANGED),
        .times = opt_flag(o, OPT_NO_TIMES) ? JOURNAL_WITHOUT_TIMES
                                           : JOURNAL_WITH_TIMES,
    };
    str_to_int(opt_text(o, OPT_WORK), &run.score.most_work);
    clock_parse(opt_text(o, OPT_NOW), &run.engines.own.clock_ms);
    return run;
}

bool score_setup(run_options *run, const cli *c, arena *a)
{
    *run = options_of(c);
    if (run->resumes && !output_can_be_read(c, OPT_OUT)) {
        return cli_refuse(c, "--resume needs --out FILE");
    }
    set_preds(&run->plan, c);
    bool ok = set_comparison(&run->score, c) && set_filters(&run->plan, c, a);
    set_samples(&run->score, c);
    set_needs(run);
    return ok;
}

bool score_setup_golds(run_options *run,
                       const cli *c,
                       str gold,
                       plan_pred_list preds)
{
    *run = options_of(c);
    run->times = JOURNAL_WITHOUT_TIMES;
    run->plan.gold = gold;
    run->plan.preds = preds;
    run->plan.allows_missing = true;
    run->plan.needs_ids = true;
    str rule = opt_text(c->o, OPT_METRIC);
    str_list metric = {0};
    str_list by = {0};
    *vec_push(c->a, &metric) = str_cut(&rule, ':');
    *vec_push(c->a, &by) = rule.len > 0 ? rule : rules_word(RULES_ASSAY);
    str problem =
        opt_value_problem(c->a, OPT_METRICS, c->o->command, metric.ptr[0]);
    if (problem.len == 0) {
        problem = opt_value_problem(c->a, OPT_RULES, c->o->command, by.ptr[0]);
    }
    if (problem.len > 0) {
        return cli_refuse(c, "%.*s", STR_ARG(problem));
    }
    set_rules(&run->score, &by);
    bool ok =
        set_metrics(&run->score, c, &metric) && set_profile(&run->score, c);
    set_needs(run);
    return ok;
}

bool score_setup_requests(run_options *run, const cli *c)
{
    *run = options_of(c);
    set_samples(&run->score, c);
    bool ok = set_comparison(&run->score, c);
    set_needs(run);
    return ok;
}
