/*
 * scorer.c - run gold and predictions, ask every metric, collect verdicts.
 *
 * Method      Rule sets that send the same texts to the engine form a family
 *             (evaluators/family.h). Per family the gold's variants run once,
 *             then each prediction, read only as far as the comparisons need.
 *             What ran before comes from the cache. Then the metrics speak, in
 *             the order of metric.def.
 *
 * Invariants  (1) A gold that fails is never blamed on a prediction: the
 *                 verdict is unknown, gold_failed.
 *             (2) A yes needs both queries to have run to their end.
 *             (3) exec yes of a rule set names the first variant that fits.
 */
#include "score/scorer.h"

#include "intent/language.h"
#include "intent/order_asked.h"
#include "metric/set_clauses.h"
#include "read/abstention.h"
#include "score/gold_elsewhere.h"
#include "score/proved_run.h"
#include "score/score_equiv.h"
#include "score/score_gold.h"
#include "score/score_hardness.h"
#include "score/score_make.h"
#include "score/score_run.h"
#include "score/score_samples.h"
#include "score/score_stable.h"
#include "score/score_vote.h"
#include "score/shown_schema.h"

#include <string.h>

// Address space for the suites of all databases, and for what proofs keep.
static const ptrdiff_t BENCH_BYTES = (ptrdiff_t)8 << 30;
static const ptrdiff_t CHECKER_BYTES = (ptrdiff_t)2 << 30;

ptrdiff_t scorer_arena_bytes(const scorer_engines *engines)
{
    ptrdiff_t least = (ptrdiff_t)1 << 30;
    ptrdiff_t wanted = 3 * (ptrdiff_t)engines->own.limits.max_bytes;
    return wanted > least ? wanted : least;
}

// Address space for `what`.
static bool open_store(arena_store *store,
                       ptrdiff_t bytes,
                       arena *a,
                       const char *what,
                       diag *d)
{
    if (!arena_store_open(store, bytes)) {
        return diag_add(d, (diag_place){0},
                        "no address space (see `ulimit -v`) for %s", what);
    }
    *a = arena_store_clear(store);
    return true;
}

static bool open_parts(scorer *s, diag *d)
{
    uint32_t needs = metrics_needs(s->options->metrics);
    const engine_options *golds = s->engines->golds;
    bool has_engine = needs & (NEEDS_DB | NEEDS_SCHEMA);
    s->engine = has_engine ? engine_open(&s->engines->own, d) : NULL;
    s->elsewhere = s->engine && golds ? engine_open(golds, d) : NULL;
    return (s->engine || !has_engine) && (s->elsewhere || !s->engine || !golds)
           && (!(needs & NEEDS_SUITE)
               || open_store(&s->bench_store, BENCH_BYTES, &s->benches,
                             "suites", d))
           && (!(needs & (NEEDS_CHECKER | NEEDS_FACTS))
               || open_store(&s->checker_store, CHECKER_BYTES,
                             &s->checker_arena, "proofs", d));
}

bool scorer_open(scorer *s,
                 const score_options *options,
                 const scorer_engines *engines,
                 diag *d)
{
    *s = (scorer){.options = options, .engines = engines};
    // What must have its whole size comes before what takes what it gets.
    bool ok = (result_cache_open(&s->cache)
               || diag_add(d, (diag_place){0},
                           "no address space (see `ulimit -v`) for results"))
              && open_store(&s->scratch_store, scorer_arena_bytes(engines),
                            &s->scratch, "a worker", d)
              && open_parts(s, d);
    if (!ok) {
        scorer_close(s);
    }
    return ok;
}

void scorer_close(scorer *s)
{
    score_close_benches(s);
    arena_store_close(&s->bench_store);
    score_close_checkers(s);
    arena_store_close(&s->checker_store);
    engine_close(s->engine);
    engine_close(s->elsewhere);
    arena_store_close(&s->scratch_store);
    result_cache_close(&s->cache);
    *s = (scorer){0};
}

/* What evidence asks for. */

_Static_assert((int)EVIDENCE_GOLD == (int)WATCH_GOLD, "they are one number");

static execution run(void *of, str sql, engine_stop stop, int32_t who)
{
    return score_run_text(of, sql, stop, who);
}

// Whoever tries many texts has a step's time for each.
static void tried(void *of)
{
    const judging *j = of;
    watch_begin(j->s->watch, j->e.pred_no, j->work);
}

static const schema *schema_at(void *of, str *error)
{
    const judging *j = of;
    *error = j->db ? engine_schema_error(j->db) : j->e.db_error;
    if (j->db && error->len == 0) {
        return engine_schema(j->db);
    }
    return j->task->keys;
}

static const schema *shown(void *of, const schema *s)
{
    return shown_schema(of, s);
}

static bool is_proved(void *of, str gold, str pred, const schema *s)
{
    const judging *j = of;
    return j->s->options->dialect == DIALECT_SQLITE
           && equiv_proves(of, gold, pred, s);
}

static const evidence_source source = {
    .run = run,
    .tried = tried,
    .schema = schema_at,
    .shown = shown,
    .is_proved = is_proved,
};

void judging_begin(judging *j, scorer *s, const score_task *task, arena *a)
{
    *j = (judging){.s = s, .task = task};
    j->e = (evidence){
        .options = s->options,
        .gold = task->gold,
        .keys = task->keys,
        .timeout_ms = s->engines->own.limits.timeout_ms,
        .trees = arena_new(a, bound_texts, 1),
        .source = &source,
        .of = j,
        .a = a,
        .scratch = s->scratch,
    };
}

/* Verdicts. */

typedef vec_of(scored_verdict) verdict_list;

static void list_add(judging *j, verdict_list *list, str key, verdict v)
{
    *vec_push(j->e.a, list) = (scored_verdict){key, v};
}

// Judging this one killed two workers, or its gold was tried alone: all that is
// said is why. Where it may have been the gold's fault, or that of somebody
// else's prediction, the prediction is not blamed.
static scored_pred given_up(judging *j,
                            const metric_keys *p,
                            const watch_death *death,
                            reason gold_status)
{
    verdict_list list = {0};
    bool is_its = death->pred_no >= 0;
    bool is_alone = death->pred_no == WATCH_ALL && gold_status == REASON_NONE
                    && j->task->n_runs <= 1;
    verdict v =
        is_its ? verdict_no(death->status, S("scoring it killed its worker"))
        : is_alone
            ? verdict_no(death->status, S("scoring the case killed its worker, "
                                          "and its gold alone did not"))
            : verdict_unknown(REASON_CRASH,
                              S("scoring the case killed its worker"));
    for (ptrdiff_t i = 0; i < p->len; i++) {
        list_add(j, &list, p->ptr[i].key, v);
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
    return f == FAMILY_PLAIN && j->suite && !evidence_compares_family(&j->e, f)
           && j->suite[pred_no].v == ANSWER_NO;
}

static reason status_by_suite(const judging *j, ptrdiff_t pred_no)
{
    reason r = j->suite[pred_no].reason;
    return str_equal(reason_row_of(r)->group, S("pred")) ? r : REASON_NONE;
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
        if (!evidence_uses_family(&j->e, (family_id)f)) {
            continue;
        }
        is_wanted = true;
        if (is_told_by_suite(j, pred_no, (family_id)f)) {
            out.status = status_by_suite(j, pred_no);
            out.message = j->suite[pred_no].detail;
            was_run = true;
            continue;
        }
        if (!j->db || j->e.families[f].n_ran == 0) {
            continue;
        }
        const execution *gold = proved_run(j, (family_id)f);
        if (gold) {
            runs[f] = *gold;
            runs[f].ns = runs[f].work = 0;
            j->e.is_proved = true;
        } else {
            runs[f] = score_run_pred(j, (family_id)f, pred_no, false);
        }
        if (!was_run) {
            out.status = runs[f].status;
            out.message = runs[f].message;
            out.ns = runs[f].ns;
            out.work = runs[f].work;
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

// Judging the metric killed a worker. Of results it is the prediction that has
// too much of them; all else is our own doing.
static verdict killed_verdict(metric_id m, const watch_death *death)
{
    str why = S("scoring it killed its worker");
    return metric_at(m)->traits & BLAMES_PREDICTION
               ? verdict_no(death->status, why)
               : verdict_unknown(death->status, why);
}

// Evidence that one metric needs, made of each prediction when it is asked.
static const struct {
    score_need need;
    void (*make)(judging *j);
} makers[] = {
    {NEEDS_CHECKER, score_make_checks},
    {NEEDS_SCRIPTS, score_make_script},
    {NEEDS_TIMES, score_make_times},
};

// The verdicts of one metric. True where a no asks which clauses differ.
static bool ask_metric(judging *j,
                       const metric_key *keys,
                       ptrdiff_t n,
                       verdict_list *list)
{
    const metric_info *info = metric_at(keys->metric);
    int32_t pred_no = j->e.pred_no;
    int32_t work = (int32_t)keys->metric;
    const watch_death *killed = score_work_death(j->task, pred_no, work);
    watch_outer outer = {0};
    bool has_no = false;
    j->work = work;
    if (!killed) {
        outer = watch_begin(j->s->watch, pred_no, work);
    }
    bool is_far =
        gold_is_elsewhere(j) && (info->needs & ~(uint32_t)NEEDS_TEXTS);
    bool lacks_query = (is_far || j->task->gold->n_results > 0)
                       && !(info->traits & TAKES_RESULTS);
    for (ptrdiff_t i = 0; i < countof(makers); i++) {
        if (!killed && !lacks_query && (info->needs & makers[i].need)) {
            makers[i].make(j);
        }
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        verdict v = killed        ? killed_verdict(keys->metric, killed)
                    : lacks_query ? verdict_unknown(
                          REASON_NO_REFERENCE,
                          is_far ? S("the gold runs elsewhere")
                                 : S("the gold is a result, not a query"))
                                  : info->judge(&j->e, keys[i]);
        list_add(j, list, keys[i].key, v);
        has_no |= v.v == ANSWER_NO;
    }
    if (!killed) {
        watch_end(j->s->watch, outer);
    }
    return has_no && (info->traits & ASKS_CLAUSES);
}

// Of a case whose gold is no query: right is who gives none, either, and where
// nobody knows what is right nobody is judged. What compares two queries has
// nothing to compare.
static scored_pred judge_without_gold(judging *j,
                                      const metric_keys *p,
                                      ptrdiff_t pred_no,
                                      reason why)
{
    const score_pred *pred = &j->task->preds[pred_no];
    bool is_right =
        !pred->is_missing && abstention_is_given(pred->sql, j->s->scratch);
    scored_pred out = {0};
    verdict v = verdict_unknown(why, (str){0});
    verdict none = v;
    if (why == REASON_UNANSWERABLE) {
        out.status = is_right           ? REASON_NONE
                     : pred->is_missing ? REASON_NO_PREDICTION
                                        : REASON_ANSWERED;
        v = is_right ? verdict_yes() : verdict_no(out.status, (str){0});
        none = verdict_unknown(REASON_NO_REFERENCE,
                               S("no query answers the question"));
    } else {
        out.status = REASON_NOT_RUN;
    }
    verdict_list list = {0};
    for (ptrdiff_t i = 0; i < p->len; i++) {
        uint32_t traits = metric_at(p->ptr[i].metric)->traits;
        verdict said = traits & TAKES_ABSTAINING ? v : none;
        said.has_score = (traits & HAS_SHARE) && v.v != ANSWER_UNKNOWN;
        said.score = said.has_score && v.v == ANSWER_YES;
        list_add(j, &list, p->ptr[i].key, said);
    }
    out.verdicts = list.ptr;
    out.n_verdicts = list.len;
    return out;
}

static scored_pred judge_pred(judging *j,
                              const metric_keys *p,
                              ptrdiff_t pred_no)
{
    const watch_death *death = score_death_of(j->task, (int32_t)pred_no);
    if (death && death->is_total) {
        return given_up(j, p, death, REASON_NONE);
    }
    evidence *e = &j->e;
    e->pred = &j->task->preds[pred_no];
    e->pred_no = (int32_t)pred_no;
    e->killed = death ? death->status : REASON_NONE;
    e->is_proved = false;
    e->trees->pred = (bound_text){0};
    e->suite = j->suite ? j->suite[pred_no] : (verdict){0};
    memset(e->runs, 0, sizeof e->runs);
    scored_pred out = run_pred(j, pred_no, e->runs);
    verdict_list list = {0};
    bool asks_clauses = false;
    for (ptrdiff_t i = 0, end = 0; i < p->len; i = end) {
        while (end < p->len && p->ptr[end].metric == p->ptr[i].metric) {
            end++;
        }
        asks_clauses |= ask_metric(j, &p->ptr[i], end - i, &list);
    }
    if (asks_clauses
        && !score_work_death(j->task, (int32_t)pred_no, METRIC_COUNT)) {
        watch_outer outer =
            watch_begin(j->s->watch, (int32_t)pred_no, METRIC_COUNT);
        out.clauses = set_clause_words(&j->e, &out.n_clauses);
        watch_end(j->s->watch, outer);
    }
    out.verdicts = list.ptr;
    out.n_verdicts = list.len;
    return out;
}

// Was a variant not run for the server's sake? It may be another time.
static bool is_busy(const gold_set *set)
{
    bool is_busy = false;
    for (ptrdiff_t i = 0; i < set->n; i++) {
        is_busy |= set->runs && set->runs[i].status == REASON_SERVER_BUSY;
    }
    return is_busy;
}

// What the journal says of the gold: the family that runs queries as written
// speaks for all, where it is used.
static void report_gold(const judging *j, scored_case *out)
{
    bool is_enough = j->task->keys && !evidence_needs(&j->e, NEEDS_DB);
    if (j->s->engine && !j->db && !is_enough) {
        out->gold_status = j->e.db_status;
        out->gold_message = j->e.db_error;
        return;
    }
    bool needs_text = !j->s->options->texts;
    out->counts_work = j->s->options->limits_work;
    for (int f = 0; f < FAMILY_COUNT; f++) {
        const gold_set *set = &j->e.families[f];
        out->gold_ns += set->ns;
        out->gold_work =
            set->work > out->gold_work ? set->work : out->gold_work;
        bool failed = evidence_uses_family(&j->e, (family_id)f)
                          ? set->n_ran == 0
                          : f == FAMILY_PLAIN && needs_text && set->n == 0;
        if (failed && out->gold_status == REASON_NONE) {
            out->gold_status =
                is_busy(set) ? REASON_SERVER_BUSY : REASON_GOLD_FAILED;
            out->gold_message = set->error;
        }
    }
    const script_outcome *left = j->e.gold_script;
    if (out->gold_status == REASON_NONE && left
        && left->run.status != REASON_NONE
        && left->run.status != REASON_NO_REFERENCE) {
        out->gold_status = REASON_GOLD_FAILED;
        out->gold_message = left->run.message;
    }
    if (out->gold_status == REASON_NONE && j->e.other_golds) {
        out->gold_status = REASON_GOLD_UNSTABLE;
        out->gold_message = j->unstable;
    }
}

void scorer_prepare_gold(judging *j)
{
    const record *gold = j->task->gold;
    j->e.needs = metrics_needs(j->s->options->metrics);
    j->question = language_is_known(gold->question, j->s->scratch)
                      ? gold->question
                      : (str){0};
    j->e.asks_order =
        j->task->order_was_asked
        || order_asked(gold->question, gold->category, j->s->scratch)
               != ORDER_NOT_SAID;
    score_open_database(j);
    for (int f = 0; f < FAMILY_COUNT; f++) {
        bool is_used = evidence_uses_family(&j->e, (family_id)f);
        if (is_used && gold_is_elsewhere(j)) {
            score_run_gold_elsewhere(j, (family_id)f);
            continue;
        }
        if (is_used || f == FAMILY_PLAIN) {
            score_expand(j, (family_id)f);
        }
        if (is_used && j->db) {
            score_run_gold(j, (family_id)f);
        }
    }
    if (evidence_needs(&j->e, NEEDS_TREES)) {
        score_read_golds(j);
    }
    score_check_gold(j);
    if (evidence_needs(&j->e, NEEDS_SUITE)) {
        score_make_suite(j);
    }
    if (evidence_needs(&j->e, NEEDS_SCRIPTS)) {
        score_make_gold_script(j);
    }
}

scored_case scorer_case(scorer *s, const score_task *task, arena *a)
{
    score_begin_case(s);
    judging j;
    judging_begin(&j, s, task, a);
    scored_case out = {.texts = task->preds, .n_preds = task->n_preds};
    metric_keys p = metrics_asked(s->options, a);
    const watch_death *of_gold = score_gold_death(task);
    const watch_death *all =
        of_gold ? of_gold : score_death_of(task, WATCH_ALL);
    reason none = abstention_is_right(task->gold) ? REASON_UNANSWERABLE
                  : task->gold->n_golds + task->gold->n_results == 0
                      ? REASON_NO_GOLD
                      : REASON_NONE;
    if (none != REASON_NONE) {
        out.gold_status = none;
    } else if (of_gold) {
        out.gold_status = REASON_CRASH;
    } else {
        scorer_prepare_gold(&j);
        report_gold(&j, &out);
        score_grade(&j, &out);
    }
    scored_pred *preds = arena_new(a, scored_pred, task->n_preds);
    for (ptrdiff_t i = 0; i < task->n_preds; i++) {
        preds[i] = none != REASON_NONE ? judge_without_gold(&j, &p, i, none)
                   : all               ? given_up(&j, &p, all, out.gold_status)
                                       : judge_pred(&j, &p, i);
    }
    out.preds = preds;
    if (task->runs && s->options->n_pass_at > 0 && metrics_vote(s->options)) {
        out.votes = none != REASON_NONE ? score_votes_to_answer(task, preds, a)
                                        : score_votes(&j, preds);
    }
    return out;
}
