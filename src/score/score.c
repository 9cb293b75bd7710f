/*
 * score.c - run gold and predictions, compare, collect verdicts.
 *
 * Method      Rule sets that send the same texts to the engine form a family:
 *             most run queries as written; spider edits both texts first;
 *             defog expands the gold in its own way. Per family the gold's
 *             variants run once, then each prediction, read only as far as
 *             the comparisons need. What ran before comes from the cache.
 *
 * Invariants  (1) A gold that fails is never blamed on a prediction: the
 *                 verdict is unknown, gold_failed.
 *             (2) A yes needs both queries to have run to their end.
 *             (3) exec yes of a rule set names the first variant that fits.
 */
#include "score/score.h"

#include "intent/order_asked.h"
#include "score/score_case.h"
#include "score/score_samples.h"

#include <assert.h>

// Reserved for the suites of all databases, not used.
static const ptrdiff_t BENCH_BYTES = (ptrdiff_t)8 << 30;
static const ptrdiff_t CHECKER_BYTES = (ptrdiff_t)2 << 30;

static const struct {
    str word;
    str text;
} metric_words[] = {
    [SCORE_STRING] = {S_INIT("string"),
                      S_INIT("the two texts have the same tokens")},
    [SCORE_EDIT] = {S_INIT("edit"),
                    S_INIT("how many tokens must change to make the texts "
                           "equal")},
    [SCORE_SET] = {S_INIT("set"),
                   S_INIT("the queries have the same clauses, order aside")},
    [SCORE_EXEC] = {S_INIT("exec"),
                    S_INIT("the prediction returns the gold's result")},
    [SCORE_SUBSET] = {S_INIT("subset"),
                      S_INIT("the gold's columns are all in the prediction's "
                             "result, row by row; more columns are allowed")},
    [SCORE_SOFT_F1] = {S_INIT("soft_f1"),
                       S_INIT("partial credit for cells, as BIRD's program "
                              "computes it")},
    [SCORE_CELL_F1] = {S_INIT("cell_f1"),
                       S_INIT("partial credit for cells, rows paired by what "
                              "they hold")},
    [SCORE_SUITE] = {S_INIT("suite"),
                     S_INIT("the prediction returns the gold's result on every "
                            "database of a test suite (--suite)")},
    [SCORE_PRAGMATIC] = {S_INIT("pragmatic"),
                         S_INIT("whoever asked would be content: same but for "
                                "differences that a profile passes over")},
    [SCORE_EQUIV] = {S_INIT("equiv"),
                     S_INIT("the queries have the same results on every "
                            "database, proved or refuted by an example")},
};

_Static_assert(countof(metric_words) == SCORE_METRIC_COUNT,
               "each metric has its word");

str score_metric_word(score_metric m)
{
    assert(m < SCORE_METRIC_COUNT);
    return metric_words[m].word;
}

str score_metric_text(score_metric m)
{
    assert(m < SCORE_METRIC_COUNT);
    return metric_words[m].text;
}

bool score_metric_from_word(str word, score_metric *out)
{
    for (int m = 0; m < SCORE_METRIC_COUNT; m++) {
        if (str_equal(word, metric_words[m].word)) {
            *out = (score_metric)m;
            return true;
        }
    }
    return false;
}

static str score_key_of(score_metric m, rules r, arena *a)
{
    str word = score_metric_word(m);
    if ((m != SCORE_EXEC && m != SCORE_SUBSET) || r == RULES_ASSAY) {
        return word;
    }
    return arena_printf(a, "%.*s:%.*s", STR_ARG(word), STR_ARG(rules_word(r)));
}

static const struct {
    str key;
    score_set_kind kind;
} set_kinds[] = {
    {S_INIT("set"), SET_OWN},
    {S_INIT("set:spider"), SET_RELEASED},
    {S_INIT("set:adapted"), SET_ADAPTED},
};

// set is assay's own, unless no rules are asked for but of an evaluator that
// has a set match, too; the other kinds are that one's.
static bool wants_set(const score_options *o, score_set_kind kind)
{
    bool is_wanted = kind == SET_OWN && o->n_rules == 0;
    for (ptrdiff_t i = 0; i < o->n_rules; i++) {
        is_wanted |=
            evaluator_has(o->rules[i], HAS_SET_MATCH) == (kind != SET_OWN);
    }
    return is_wanted;
}

// The keys of one metric.
static ptrdiff_t metric_keys(const score_options *o,
                             score_metric m,
                             arena *a,
                             str *keys)
{
    ptrdiff_t n = 0;
    if (m == SCORE_SET) {
        for (ptrdiff_t i = 0; i < countof(set_kinds); i++) {
            if (wants_set(o, set_kinds[i].kind)) {
                keys[n++] = set_kinds[i].key;
            }
        }
    } else if (m != SCORE_EXEC && m != SCORE_SUBSET) {
        keys[n++] = score_metric_word(m);
    } else {
        for (ptrdiff_t i = 0; i < o->n_rules; i++) {
            if (m == SCORE_EXEC || evaluator_has(o->rules[i], HAS_SUBSET)) {
                keys[n++] = score_key_of(m, o->rules[i], a);
            }
        }
    }
    return n;
}

bool score_has_vote(const score_options *o)
{
    return o->metrics
           & (SCORE_BIT(SCORE_EXEC) | SCORE_BIT(SCORE_SUBSET)
              | SCORE_BIT(SCORE_SOFT_F1) | SCORE_BIT(SCORE_CELL_F1)
              | SCORE_BIT(SCORE_SUITE) | SCORE_BIT(SCORE_PRAGMATIC));
}

// What the samples of a run add to each of `n` keys: "exec@5", "exec@vote".
static ptrdiff_t add_sample_keys(const score_options *o,
                                 arena *a,
                                 str *keys,
                                 ptrdiff_t n)
{
    ptrdiff_t end = n;
    for (ptrdiff_t i = 0; i < n && o->n_pass_at > 0; i++) {
        for (ptrdiff_t k = 0; k < o->n_pass_at; k++) {
            keys[end++] = score_pass_key(a, keys[i], o->pass_at[k]);
        }
        if (score_has_vote(o)) {
            keys[end++] = score_vote_key(a, keys[i]);
        }
    }
    return end;
}

ptrdiff_t score_keys(const score_options *o, arena *a, str **out)
{
    ptrdiff_t most = (ptrdiff_t)SCORE_METRIC_COUNT * RULES_COUNT;
    str *keys = arena_new(a, str, most * (o->n_pass_at + 2));
    ptrdiff_t n = 0;
    for (int m = 0; m < SCORE_METRIC_COUNT; m++) {
        if (o->metrics & SCORE_BIT(m)) {
            n += metric_keys(o, (score_metric)m, a, keys + n);
        }
    }
    *out = keys;
    return add_sample_keys(o, a, keys, n);
}

ptrdiff_t scorer_arena_bytes(const score_options *options)
{
    ptrdiff_t least = (ptrdiff_t)1 << 30;
    ptrdiff_t wanted = 3 * (ptrdiff_t)options->engine.limits.max_bytes;
    return wanted > least ? wanted : least;
}

bool scorer_open(scorer *s, const score_options *options, diag *d)
{
    *s = (scorer){.options = options};
    if (!result_cache_open(&s->cache)
        || !arena_store_open(&s->scratch_store, scorer_arena_bytes(options))) {
        scorer_close(s);
        return diag_add(d, (diag_place){0}, "no address space for a worker");
    }
    if (options->metrics & SCORE_NEEDS_DB) {
        s->engine = engine_open(&options->engine, d);
        if (!s->engine) {
            scorer_close(s);
            return false;
        }
    }
    if (options->metrics & SCORE_BIT(SCORE_SUITE)) {
        if (!arena_store_open(&s->bench_store, BENCH_BYTES)) {
            scorer_close(s);
            return diag_add(d, (diag_place){0}, "no address space for suites");
        }
        s->benches = arena_store_clear(&s->bench_store);
    }
    if (options->metrics & SCORE_BIT(SCORE_EQUIV)) {
        if (!arena_store_open(&s->checker_store, CHECKER_BYTES)) {
            scorer_close(s);
            return diag_add(d, (diag_place){0}, "no address space for proofs");
        }
        s->checker_arena = arena_store_clear(&s->checker_store);
    }
    return true;
}

void scorer_close(scorer *s)
{
    for (ptrdiff_t i = 0; i < s->bench_list.len; i++) {
        suite_bench_close(s->bench_list.ptr[i]);
    }
    arena_store_close(&s->bench_store);
    for (ptrdiff_t i = 0; i < s->checkers.len; i++) {
        checker_close(s->checkers.ptr[i]);
    }
    arena_store_close(&s->checker_store);
    engine_close(s->engine);
    s->engine = NULL;
    arena_store_close(&s->scratch_store);
    result_cache_close(&s->cache);
}

// The verdict of a metric that cannot be computed because there is no result
// to compare; false when there are both.
static bool is_settled(judging *j,
                       family_id f,
                       const execution *pred,
                       verdict *v)
{
    const gold_set *set = &j->families[f];
    if (!j->db) {
        *v = verdict_unknown(REASON_NO_DATABASE, j->db_error);
    } else if (set->n_ran == 0) {
        *v = verdict_unknown(REASON_GOLD_FAILED, set->error);
    } else if (pred->status == REASON_CONNECTION_LOST) {
        *v = verdict_unknown(pred->status, pred->message);
    } else if (pred->status != REASON_NONE) {
        *v = verdict_no(pred->status, score_failure(j, pred));
    } else {
        return false;
    }
    return true;
}

typedef struct verdict_list {
    scored_verdict *ptr;
    ptrdiff_t len;
    ptrdiff_t cap;
} verdict_list;

static void list_add(judging *j,
                     verdict_list *list,
                     score_metric m,
                     rules r,
                     verdict v)
{
    *vec_push(j->a, list) = (scored_verdict){score_key_of(m, r, j->a), v};
}

static void judge_rules(judging *j,
                        verdict_list *list,
                        score_metric m,
                        const execution runs[FAMILY_COUNT],
                        const score_pred *pred)
{
    const score_options *o = j->s->options;
    for (ptrdiff_t k = 0; k < o->n_rules; k++) {
        rules r = o->rules[k];
        family_id f = evaluator_of(r)->family;
        verdict v;
        if (m == SCORE_SUBSET && !evaluator_has(r, HAS_SUBSET)) {
            continue;
        }
        if (!is_settled(j, f, &runs[f], &v)) {
            v = m == SCORE_EXEC ? score_exec(j, r, &runs[f], pred->sql)
                                : score_subset(j, r, &runs[f], pred->sql);
        }
        if (evaluator_has(r, ALLOWS_TIES)) {
            v = score_other_golds(j, m, &runs[f], pred->sql, v);
        }
        if (o->plugs_values && evaluator_has(r, PLUGS_TREES)) {
            v = score_plugged_tree(j, m, r, &runs[f], v);
        }
        if (m == SCORE_EXEC && o->plugs_values
            && evaluator_has(r, PLUGS_TEXTS)) {
            v = score_plugged(j, r, pred, v);
        }
        list_add(j, list, m, r, v);
    }
}

static void judge_metric(judging *j,
                         verdict_list *list,
                         score_metric m,
                         const execution runs[FAMILY_COUNT],
                         const score_pred *pred)
{
    verdict v;
    switch (m) {
    case SCORE_STRING:
    case SCORE_EDIT:
        list_add(j, list, m, RULES_ASSAY, score_text(j, m, pred));
        break;
    case SCORE_SET:
        for (ptrdiff_t i = 0; i < countof(set_kinds); i++) {
            if (wants_set(j->s->options, set_kinds[i].kind)) {
                verdict set = score_set(j, set_kinds[i].kind, pred);
                *vec_push(j->a, list) = (scored_verdict){set_kinds[i].key, set};
            }
        }
        break;
    case SCORE_EXEC:
    case SCORE_SUBSET: judge_rules(j, list, m, runs, pred); break;
    case SCORE_SOFT_F1:
    case SCORE_CELL_F1:
        if (!is_settled(j, FAMILY_PLAIN, &runs[FAMILY_PLAIN], &v)) {
            v = score_f1(j, m, &runs[FAMILY_PLAIN]);
        } else if (v.v == ANSWER_NO) {
            v.has_score = true;
        }
        list_add(j, list, m, RULES_ASSAY, v);
        break;
    case SCORE_SUITE:
        list_add(j, list, m, RULES_ASSAY, j->suite[pred - j->task->preds]);
        break;
    case SCORE_PRAGMATIC:
        if (!is_settled(j, FAMILY_PLAIN, &runs[FAMILY_PLAIN], &v)) {
            v = score_pragmatic(j, &runs[FAMILY_PLAIN], pred->sql);
        }
        list_add(j, list, m, RULES_ASSAY, v);
        break;
    case SCORE_EQUIV:
        list_add(j, list, m, RULES_ASSAY, score_equiv(j, pred));
        break;
    case SCORE_METRIC_COUNT: break;
    }
}

// Judging this one killed two workers: all that is said is why. Where it may
// have been the gold's fault, the prediction is not blamed.
static scored_pred given_up(judging *j, const watch_death *death)
{
    verdict_list list = {0};
    verdict v =
        death->pred_no == WATCH_ALL
            ? verdict_unknown(REASON_CRASH,
                              S("judging the case killed its worker"))
            : verdict_no(death->status, S("judging it killed its worker"));
    str *keys = NULL;
    score_options first = *j->s->options;
    first.n_pass_at = 0;
    ptrdiff_t n = score_keys(&first, j->a, &keys);
    for (ptrdiff_t i = 0; i < n; i++) {
        *vec_push(j->a, &list) = (scored_verdict){keys[i], v};
    }
    return (scored_pred){.verdicts = list.ptr,
                         .n_verdicts = list.len,
                         .status = death->status,
                         .message = v.detail};
}

// What the suite found is enough of a prediction that it says no to, if no
// other metric looks at rows: a cross join that is cheap on its few rows may
// take all its time on the database of the case.
static bool is_told_by_suite(const judging *j, ptrdiff_t pred_no, family_id f)
{
    return f == FAMILY_PLAIN && j->suite && !score_compares_family(j, f)
           && j->suite[pred_no].v == ANSWER_NO;
}

static reason status_by_suite(const judging *j, ptrdiff_t pred_no)
{
    reason r = j->suite[pred_no].reason;
    return str_equal(reason_group(r), S("pred")) ? r : REASON_NONE;
}

// Judging the metric killed a worker. Of results it is the prediction that has
// too much of them; all else is our own doing.
static void add_killed(judging *j,
                       verdict_list *list,
                       score_metric m,
                       const watch_death *death)
{
    static const uint32_t of_results =
        SCORE_BIT(SCORE_EXEC) | SCORE_BIT(SCORE_SUBSET)
        | SCORE_BIT(SCORE_SOFT_F1) | SCORE_BIT(SCORE_CELL_F1);
    str why = S("judging it killed its worker");
    verdict v = of_results & SCORE_BIT(m) ? verdict_no(death->status, why)
                                          : verdict_unknown(death->status, why);
    str keys[RULES_COUNT];
    ptrdiff_t n = metric_keys(j->s->options, m, j->a, keys);
    for (ptrdiff_t i = 0; i < n; i++) {
        *vec_push(j->a, list) = (scored_verdict){keys[i], v};
    }
}

// Runs the prediction in every family that is used. The status that counts is
// that of the query as written, where it was run so.
static scored_pred run_pred(judging *j,
                            ptrdiff_t pred_no,
                            execution runs[FAMILY_COUNT])
{
    scored_pred out = {0};
    bool is_wanted = false;
    bool was_run = false;
    for (int f = 0; f < FAMILY_COUNT; f++) {
        if (!score_uses_family(j, (family_id)f)) {
            continue;
        }
        is_wanted = true;
        if (is_told_by_suite(j, pred_no, (family_id)f)) {
            out.status = status_by_suite(j, pred_no);
            out.message = j->suite[pred_no].detail;
            was_run = true;
            continue;
        }
        if (!j->db || j->families[f].n_ran == 0) {
            continue;
        }
        runs[f] = score_run_pred(j, (family_id)f, pred_no);
        if (!was_run) {
            out.status = runs[f].status;
            out.message = runs[f].message;
            out.ns = runs[f].ns;
            was_run = true;
        }
    }
    if (!was_run && j->task->preds[pred_no].sql.len == 0) {
        out.status = REASON_NO_PREDICTION;
    } else if (!was_run && is_wanted) {
        out.status = REASON_NOT_RUN;
    }
    return out;
}

// Does a verdict ask which clauses differ?
static bool has_no(const verdict_list *list)
{
    for (ptrdiff_t i = 0; i < list->len; i++) {
        str metric = list->ptr[i].key;
        metric = str_cut(&metric, ':');
        if (list->ptr[i].verdict.v == ANSWER_NO
            && (str_equal(metric, S("exec")) || str_equal(metric, S("set")))) {
            return true;
        }
    }
    return false;
}

static scored_pred judge_pred(judging *j, ptrdiff_t pred_no)
{
    const watch_death *death = score_death_of(j->task, (int32_t)pred_no);
    if (death && death->is_total) {
        return given_up(j, death);
    }
    const score_pred *pred = &j->task->preds[pred_no];
    execution runs[FAMILY_COUNT] = {0};
    j->pred = pred;
    j->pred_tree = (bound_text){0};
    scored_pred out = run_pred(j, pred_no, runs);
    verdict_list list = {0};
    for (int m = 0; m < SCORE_METRIC_COUNT; m++) {
        const watch_death *killed =
            score_work_death(j->task, (int32_t)pred_no, m);
        if (!score_wants(j, (score_metric)m)) {
            continue;
        }
        if (killed) {
            add_killed(j, &list, (score_metric)m, killed);
            continue;
        }
        watch_outer outer = watch_begin(j->s->watch, (int32_t)pred_no, m);
        judge_metric(j, &list, (score_metric)m, runs, pred);
        watch_end(j->s->watch, outer);
    }
    if (has_no(&list)
        && !score_work_death(j->task, (int32_t)pred_no, SCORE_METRIC_COUNT)) {
        watch_outer outer =
            watch_begin(j->s->watch, (int32_t)pred_no, SCORE_METRIC_COUNT);
        out.clauses = score_clause_words(j, &out.n_clauses);
        watch_end(j->s->watch, outer);
    }
    out.verdicts = list.ptr;
    out.n_verdicts = list.len;
    return out;
}

int64_t score_mapped_bytes(const scorer *s)
{
    int64_t of_bench = SUITE_BENCH_BYTES;
    if (engine_is_server(s->engine)) {
        of_bench += SUITE_SERVER_BYTES;
    }
    return engine_mapped_bytes(s->engine) + s->bench_list.len * of_bench;
}

void score_open_database(judging *j)
{
    if (!j->s->engine) {
        return;
    }
    if (j->task->path.len == 0) {
        j->db_error = j->task->path_error;
        return;
    }
    engine *e = j->s->engine;
    const sandbox *box =
        engine_has_database(e, j->task->path) ? NULL : j->s->sandbox;
    diag d = diag_new(j->a);
    // Servers have time limits of their own for connecting.
    bool is_watched = !engine_is_server(e);
    watch_outer outer = {0};
    if (is_watched) {
        outer = watch_begin(j->s->watch, WATCH_GOLD, WATCH_QUERY);
    }
    if (box) {
        sandbox_lift_memory(box);
    }
    j->db = engine_database(e, j->task->path, &d, j->s->scratch);
    if (box) {
        sandbox_restore_memory(box, score_mapped_bytes(j->s));
    }
    watch_end(j->s->watch, outer);
    if (!j->db && d.messages.len > 0) {
        j->db_error = diag_format(j->a, d.messages.ptr[0]);
    }
}

// What the journal says of the gold: the family that runs queries as written
// speaks for all, where it is used.
static void report_gold(const judging *j, scored_case *out)
{
    if (j->s->engine && !j->db) {
        out->gold_status = REASON_NO_DATABASE;
        out->gold_message = j->db_error;
        return;
    }
    bool needs_text = !j->s->options->texts;
    for (int f = 0; f < FAMILY_COUNT; f++) {
        const gold_set *set = &j->families[f];
        out->gold_ns += set->ns;
        bool failed = score_uses_family(j, (family_id)f)
                          ? set->n_ran == 0
                          : f == FAMILY_PLAIN && needs_text && set->n == 0;
        if (failed && out->gold_status == REASON_NONE) {
            out->gold_status = REASON_GOLD_FAILED;
            out->gold_message = set->error;
        }
    }
    if (out->gold_status == REASON_NONE && j->other_golds) {
        out->gold_status = REASON_GOLD_UNSTABLE;
        out->gold_message = j->unstable;
    }
}

void score_prepare_gold(judging *j)
{
    const record *gold = j->task->gold;
    j->asks_order = order_asked(gold->question, gold->category);
    score_open_database(j);
    for (int f = 0; f < FAMILY_COUNT; f++) {
        bool is_used = score_uses_family(j, (family_id)f);
        if (is_used || f == FAMILY_PLAIN) {
            score_expand(j, (family_id)f);
        }
        if (is_used && j->db) {
            score_run_gold(j, (family_id)f);
        }
    }
    score_read_golds(j);
    score_check_gold(j);
    if (score_wants(j, SCORE_SUITE)) {
        score_suite(j);
    }
}

static sql_features features_of_variants(const judging *j)
{
    const gold_set *set = &j->families[FAMILY_PLAIN];
    return set->n > 0 ? sql_features_of_text(set->variants[0].sql,
                                             j->s->options->dialect, *j->a,
                                             j->s->scratch)
                      : (sql_features){0};
}

void score_begin_case(scorer *s)
{
    result_cache_trim(&s->cache);
    s->scratch = arena_store_clear(&s->scratch_store);
    s->scratch.on_full = s->on_full;
}

scored_case scorer_case(scorer *s, const score_task *task, arena *a)
{
    score_begin_case(s);
    judging j = {.s = s, .task = task, .a = a};
    scored_case out = {.texts = task->preds, .n_preds = task->n_preds};
    const watch_death *all = score_death_of(task, WATCH_ALL);
    if (all) {
        out.gold_status = REASON_CRASH;
    } else {
        score_prepare_gold(&j);
        report_gold(&j, &out);
        out.hardness = score_hardness(&j, &out.hardness_is_ours);
        out.features = features_of_variants(&j);
    }
    scored_pred *preds = arena_new(a, scored_pred, task->n_preds);
    for (ptrdiff_t i = 0; i < task->n_preds; i++) {
        preds[i] = judge_pred(&j, i);
    }
    out.preds = preds;
    if (task->runs && s->options->n_pass_at > 0 && score_has_vote(s->options)) {
        out.votes = score_votes(&j, preds);
    }
    return out;
}
