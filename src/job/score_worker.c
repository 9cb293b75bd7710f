/*
 * score_worker.c - see score_worker.h.
 *
 * Method      The worker reads the case itself, out of files that are mapped
 *             since before it was forked, and judges it. What is read may have
 *             changed since: then the worker dies of it, below the watch.
 */
#include "job/score_worker.h"

#include "base/map.h"
#include "job/lint.h"
#include "metric/metric.h"
#include "plan/rights.h"
#include "score/score_samples.h"

#include <assert.h>
#include <time.h>

enum {
    FORGET_EVERY = 2048,  // cases
};

typedef struct score_worker {
    const worker_context *context;
    score_seat seat;
    ptrdiff_t n_cases;
} score_worker;

// The evaluator of Spider reads a line as it is, up to the first TAB.
static score_pred pred_text(const plan_run *run, const record_pred *pred)
{
    if (!pred) {
        return (score_pred){.is_missing = true};
    }
    bool is_line = !run->is_in_gold
                   && (run->set.format == FORMAT_LINES
                       || run->set.format == FORMAT_SPIDER_TEXT);
    str rest = pred->raw;
    str line = is_line ? str_cut(&rest, '\t') : pred->sql;
    return (score_pred){.sql = pred->sql, .raw = pred->raw, .line = line};
}

// The predictions of a case as texts to judge, and which run has which.
typedef struct case_texts {
    vec_of(score_pred) preds;
    score_samples *runs;
    vec_of(watch_death) deaths;  // that are known of the texts
    int32_t n_answers;           // that were looked at
} case_texts;

// What judging the case takes, and takes from.
typedef struct judgement {
    score_seat *seat;
    const worker_context *context;
    plan_case *it;
    const work_request *request;
    arena *a;
} judgement;

// What is known of reading an answer. NULL: it did nobody any harm.
static const watch_death *reading_death(const work_request *r, int32_t number)
{
    for (int32_t i = 0; i < r->n_deaths; i++) {
        const watch_death *d = &r->deaths[i];
        if (d->pred_no == WATCH_ALL
            || (d->work == WATCH_READ && d->pred_no == number)) {
            return d;
        }
    }
    return NULL;
}

bool score_asks_for_script(const score_options *o, const plan_case *it)
{
    return (o->metrics & metrics_with(RUNS_SCRIPTS))
           || dataset_gold_is_script(&it->gold);
}

// The prediction with its SQL. Of one that killed a worker it is all that the
// model wrote, and nobody looks at it.
static const watch_death *read_pred(const judgement *u,
                                    record_pred *pred,
                                    int32_t number)
{
    const watch_death *death = reading_death(u->request, number);
    if (death) {
        pred->sql = pred->raw;
    } else {
        watch *w = u->seat->scorer.watch;
        watch_outer outer = watch_begin(w, number, WATCH_READ);
        bool is_script = score_asks_for_script(u->context->options, u->it);
        *pred = *dataset_extract(pred, 1, is_script, u->a);
        watch_end(w, outer);
    }
    return death;
}

// Two texts are the same exactly when their keys are.
static str text_key(const score_options *o, const score_pred *text, arena *a)
{
    bool is_line = str_equal(text->line, text->sql);
    if (is_line && !o->texts) {
        return text->sql;
    }
    return arena_printf(a, "%td,%td:%.*s%.*s%.*s", text->sql.len,
                        text->line.len, STR_ARG(text->sql), STR_ARG(text->line),
                        STR_ARG(o->texts ? text->raw : S("")));
}

// Of scripts a list of texts is one prediction: its statements, in their order.
static plan_preds joined(const worker_context *c,
                         const plan_preds *preds,
                         arena *a)
{
    if (preds->n < 2 || !(c->options->metrics & metrics_with(RUNS_SCRIPTS))) {
        return *preds;
    }
    record_pred *one = arena_new(a, record_pred, 1);
    buf sql = buf_new(a);
    for (ptrdiff_t i = 0; i < preds->n; i++) {
        buf_add(&sql, i > 0 ? S(";\n") : S(""));
        buf_add(&sql, preds->ptr[i].raw);
    }
    *one = preds->ptr[0];
    one->raw = buf_str(&sql);
    return (plan_preds){one, 1};
}

// Equal samples of a run are one text.
static score_samples samples_of(const judgement *u,
                                ptrdiff_t run,
                                case_texts *texts)
{
    const worker_context *c = u->context;
    arena *a = u->a;
    plan_preds *preds = &u->it->preds[run];
    *preds = joined(c, preds, a);
    ptrdiff_t n = c->options->n_pass_at > 0 && preds->n > 0 ? preds->n : 1;
    ptrdiff_t first = texts->preds.len;
    int32_t *at = arena_new(a, int32_t, n);
    record_pred *read = arena_new(a, record_pred, n);
    map known = {0};
    for (ptrdiff_t i = 0; i < n; i++) {
        bool is_there = i < preds->n;
        int32_t number = texts->n_answers++;
        read[i] = is_there ? preds->ptr[i] : (record_pred){0};
        const watch_death *death =
            is_there ? read_pred(u, &read[i], number) : NULL;
        score_pred text =
            pred_text(&c->plan->runs[run], is_there ? &read[i] : NULL);
        ptrdiff_t k =
            n == 1 ? 0 : map_add(&known, a, text_key(c->options, &text, a));
        at[i] = (int32_t)(first + k);
        if (first + k == texts->preds.len) {
            *vec_push(a, &texts->preds) = text;
        }
        if (death && death->pred_no != WATCH_ALL) {
            *vec_push(a, &texts->deaths) =
                (watch_death){at[i], WATCH_QUERY, death->status, true};
        }
    }
    *preds = (plan_preds){read, preds->n < n ? preds->n : n};
    return (score_samples){at, n, preds->n == 0};
}

static score_task task_of(const judgement *u)
{
    const plan_case *it = u->it;
    const work_request *r = u->request;
    ptrdiff_t n = u->context->plan->n_runs;
    case_texts texts = {.runs = arena_new(u->a, score_samples, n)};
    for (ptrdiff_t k = 0; k < n; k++) {
        texts.runs[k] = samples_of(u, k, &texts);
    }
    for (int32_t i = 0; i < r->n_deaths; i++) {
        if (r->deaths[i].work != WATCH_READ || r->deaths[i].pred_no < 0) {
            *vec_push(u->a, &texts.deaths) = r->deaths[i];
        }
    }
    return (score_task){
        .gold = &it->gold,
        .preds = texts.preds.ptr,
        .n_preds = texts.preds.len,
        .runs = texts.runs,
        .n_runs = n,
        .path = it->path,
        .path_error = it->path_error,
        .gold_path = it->gold_path,
        .gold_path_error = it->gold_path_error,
        .keys = it->keys,
        .suite = it->suite,
        .order_was_asked = it->order_was_asked,
        .deaths = texts.deaths.ptr,
        .n_deaths = texts.deaths.len,
    };
}

judged_case score_seat_judge(score_seat *seat,
                             const worker_context *c,
                             plan_case *it,
                             const work_request *request,
                             arena *a)
{
    judgement u = {seat, c, it, request, a};
    const score_options *o = seat->scorer.options = c->options;
    seat->scorer.engines = c->engines;
    watch_limit(seat->scorer.watch, c->engines->own.limits.timeout_ms);
    if (seat->scorer.engine) {
        engine_set_timeout(seat->scorer.engine,
                           c->engines->own.limits.timeout_ms);
    }
    if (seat->scorer.elsewhere) {
        engine_set_timeout(seat->scorer.elsewhere,
                           c->engines->own.limits.timeout_ms);
    }
    judged_case j = {.task = task_of(&u)};
    j.scored = scorer_case(&seat->scorer, &j.task, a);
    scored_pred *judged = arena_new(a, scored_pred, j.task.n_runs);
    for (ptrdiff_t k = 0; k < j.task.n_runs; k++) {
        judged[k] = score_with_samples(&j.scored, &j.task, k, o, a);
    }
    j.by_run = judged;
    return j;
}

journal_samples judged_samples(const judged_case *j, ptrdiff_t run)
{
    assert(run >= 0 && run < j->task.n_runs);
    return (journal_samples){&j->task.runs[run],
                             j->scored.votes ? &j->scored.votes[run] : NULL};
}

// The journal lines of the case, one a run. They go out only when they are
// complete: while a query runs, what is in `out` may be sent.
static str lines_of(score_worker *w,
                    plan_case *it,
                    const work_request *request,
                    arena *a)
{
    const worker_context *c = w->context;
    buf lines = {0};
    if (c->options->audits_golds) {
        judgement u = {&w->seat, c, it, request, a};
        score_task task = task_of(&u);
        lint_who who;
        lint_list found = scorer_lint(&w->seat.scorer, &task, &who, a);
        int64_t line = c->plan->gold.entries.ptr[request->item].line;
        lines = buf_new(a);
        lint_line_add(&lines, &it->gold, line, &found, &who);
        return buf_str(&lines);
    }
    judged_case judged = score_seat_judge(&w->seat, c, it, request, a);
    lines = buf_new(a);
    for (ptrdiff_t k = 0; k < judged.task.n_runs; k++) {
        const plan_preds *preds = &it->preds[k];
        journal_samples samples = judged_samples(&judged, k);
        journal_line_add(&lines, c->plan->runs[k].name, &it->gold,
                         preds->n > 0 ? &preds->ptr[0] : NULL, &judged.scored,
                         &judged.by_run[k], &samples, c->times);
    }
    return buf_str(&lines);
}

static void score_serve(worker *port, const work_request *request, void *reply)
{
    score_worker *w = port->state;
    str *lines = reply;
    const worker_context *c = w->context;
    arena a = arena_store_clear(&w->seat.cases);
    a.on_full = worker_memory_is_full;
    plan_case it = plan_case_at(c->plan, request->item, &a);
    *lines =
        shard_mark(c->shard, lines_of(w, &it, request, &a), request->item, &a);
    if (++w->n_cases % FORGET_EVERY == 0) {
        plan_forget(c->plan);
    }
}

sandbox_rights score_seat_rights(const plan *p)
{
    sandbox_rights rights = rights_at(p->has_source ? &p->source : NULL);
    const sandbox_rights golds =
        rights_at(p->has_gold_source ? &p->gold_source : NULL);
    rights.golds = golds.readable;
    rights.also_golds = golds.also;
    rights.may_connect |= golds.may_connect;
    rights.may_load |= golds.may_load;
    rights.suite = p->has_suites ? p->suites.folder.ptr : NULL;
    return rights;
}

bool score_seat_open(score_seat *seat, const worker_context *c, worker *port)
{
    tzset();  // reads its file now, while files can be read
    arena note_arena = arena_on_stack(4096);
    diag d = diag_new(&note_arena);
    if (!arena_store_open(&seat->cases, scorer_arena_bytes(c->engines))
        || !scorer_open(&seat->scorer, c->options, c->engines, &d)) {
        return false;
    }
    sandbox_limit_memory(&seat->box, c->engines->own.limits.max_bytes);
    seat->scorer.watch = port->watch;
    seat->scorer.sandbox = &seat->box;
    seat->scorer.on_full = worker_memory_is_full;
    if (seat->scorer.engine) {
        engine_set_tick(seat->scorer.engine, worker_send_late, port);
    }
    if (seat->scorer.elsewhere) {
        engine_set_tick(seat->scorer.elsewhere, worker_send_late, port);
    }
    return true;
}

static void *score_open(const void *context, worker *port)
{
    score_worker *w = arena_new(&port->lasting, score_worker, 1);
    w->context = context;
    return score_seat_open(&w->seat, w->context, port) ? w : NULL;
}

worker_call score_worker_call(const worker_context *c)
{
    return (worker_call){.context = c,
                         .answer = &codec_text,
                         .rights = score_seat_rights(c->plan),
                         .open = score_open,
                         .serve = score_serve};
}
