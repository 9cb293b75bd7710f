/*
 * run.c - plan, lock, workers, journal, marks.
 *
 * Method      Cases that an earlier run has done are left out; the rest is
 *             handed out by number, those of one database to the same worker
 *             first. The lines of a case go to the journal as they come.
 *
 * Invariants  (1) The journal is locked from before its head is read until who
 *                 asked for the run has read it (run_close).
 *             (2) The clock of all queries stands; a resumed run takes over
 *                 that of its journal.
 *             (3) Files that changed while they were read are named at the end.
 *
 * Cost        A few words for each case in the parent.
 */
#include "job/run.h"

#include "base/clock.h"
#include "base/json_write.h"
#include "job/fingerprint_run.h"
#include "job/message.h"
#include "job/score_worker.h"
#include "journal/journal_head.h"
#include "journal/resume.h"
#include "process/sandbox.h"

#include <time.h>

const int64_t run_one_sample = 1;

enum {
    // For what is done of a case beside queries and metrics: reading it.
    REST_MS = 60 * 1000,
};

typedef struct run_state {
    const run_options *options;
    const plan *plan;
    journal journal;
    const int32_t *rank_of;  // case to its place among those to be judged
    ptrdiff_t n_done;
    ptrdiff_t n_cases;
    bool disk_failed;
    diag *d;
    arena scratch;
} run_state;

// Is the line what run number `run` says of this case? What it begins with is
// ours to know.
static bool is_of(const run_state *s, int32_t case_no, ptrdiff_t run, str line)
{
    arena a = s->scratch;
    buf b = buf_new(&a);
    buf_char(&b, '{');
    if (s->options->plan.choice.shard.n > 0) {
        json_write(&b, member_int(S("position"), case_no));
    }
    if (!s->options->score.audits_golds) {
        json_write(&b, member_text(S("run"), s->plan->runs[run].name));
    }
    json_key(&b, S("id"));
    if (!str_starts(line, buf_str(&b)) || line.len > arena_room(&a)) {
        return false;
    }
    json_pull j = json_pull_begin(str_skip(line, b.len));
    return plan_is_case(s->plan, case_no, json_pull_scalar(&j, &a));
}

// A line of the case for each run, in their order.
static bool is_sound(const void *context, int32_t case_no, const void *reply)
{
    const run_state *s = context;
    str lines = *(const str *)reply;
    ptrdiff_t n = s->options->score.audits_golds ? 1 : s->plan->n_runs;
    bool is = message_is_lines(lines);
    for (ptrdiff_t k = 0; is && k < n; k++) {
        is = is_of(s, case_no, k, str_cut(&lines, '\n'));
    }
    return is && lines.len == 0;
}

static bool take(void *context, int32_t case_no, const void *reply)
{
    run_state *s = context;
    const str *lines = reply;
    s->n_done++;
    return !s->disk_failed
           && journal_add(&s->journal, case_no, s->rank_of[case_no], *lines,
                          s->d);
}

static void idle(void *context, int64_t progress)
{
    (void)progress;
    run_state *s = context;
    s->disk_failed = s->disk_failed || !journal_settle(&s->journal, s->d);
    if (s->options->progress) {
        s->options->progress(s->options->context, s->n_done, s->n_cases);
    }
}

// The first line of the journal that is gone on with, in `a`; empty: there is
// none yet.
static str past_head(const run_options *o, arena *a)
{
    file_map f;
    diag ignored = diag_new(a);
    if (!o->resumes || !file_open(&f, a, o->out, &ignored)) {
        return (str){0};
    }
    ptrdiff_t end = str_find(f.bytes, S("\n"), 0);
    str head =
        arena_str(a, str_sub(f.bytes, 0, end < 0 ? f.bytes.len : end + 1));
    file_close(&f);
    return head;
}

// Without --now the clock of all queries stands at the moment the run began;
// of a resumed run, at the moment it began first.
static void set_clock(run_options *o, arena scratch)
{
    if (!o->has_clock) {
        o->engines.own.clock_ms = (int64_t)time(NULL) * 1000;
        journal_head_clock(past_head(o, &scratch), &o->engines.own.clock_ms,
                           scratch);
    }
}

// The numbers of the cases' databases; those without a name come last.
static const int32_t *databases_of(const plan *p,
                                   const int32_t *cases,
                                   ptrdiff_t n,
                                   arena *a)
{
    int32_t *db_of = arena_new(a, int32_t, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        int32_t db = p->gold.entries.ptr[cases[i]].db;
        db_of[i] = db >= 0 ? db : (int32_t)map_count(&p->gold.dbs);
    }
    return db_of;
}

supervisor_job run_job(const run_options *options, supervisor_job job)
{
    const engine_driver *driver = options->engines.own.driver;
    job.waits_in_steps = driver && engine_driver_is_server(driver);
    job.computes = !job.waits_in_steps;
    job.n_workers = options->jobs;
    job.step_ms = options->engines.own.limits.timeout_ms;
    job.item_ms = job.step_ms + REST_MS;
    return job;
}

static bool judge_cases(run_state *s,
                        const plan *p,
                        const bool *is_done,
                        run_outcome *out,
                        arena *a,
                        arena scratch)
{
    int32_t *cases = arena_new(a, int32_t, p->n_cases);
    int32_t *rank_of = arena_new(a, int32_t, p->gold.entries.len);
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < p->n_cases; i++) {
        if (!is_done || !is_done[p->cases[i]]) {
            rank_of[p->cases[i]] = (int32_t)n;
            cases[n++] = p->cases[i];
        }
    }
    s->rank_of = rank_of;
    const worker_context of_worker = {
        .plan = p,
        .options = &s->options->score,
        .engines = &s->options->engines,
        .times = s->options->times,
        .shard = s->options->plan.choice.shard,
    };
    supervisor_job job =
        run_job(s->options, (supervisor_job){
                                .call = score_worker_call(&of_worker),
                                .context = s,
                                .n_items = n,
                                .items = cases,
                                .queue_of = databases_of(p, cases, n, a),
                                .n_queues = map_count(&p->gold.dbs) + 1,
                                .is_sound = is_sound,
                                .take = take,
                                .idle = idle,
                            });
    // Where there is no server a worker that says so lies.
    job.ends_when_stuck = job.waits_in_steps;
    out->end = supervisor_run(&job, &out->n_lost, s->d, a, scratch);
    bool closed = journal_close(&s->journal, &out->journal, s->d, scratch);
    return closed && !s->disk_failed && out->end != SUPERVISOR_FAILED;
}

static bool run_locked(run_options *o,
                       const plan *p,
                       run_outcome *out,
                       arena *a,
                       diag *d,
                       arena scratch)
{
    str head =
        journal_head(a, p, &o->plan, &o->score, &o->engines.own, d, scratch);
    if (d->count > 0) {
        return false;
    }
    run_state s = {.options = o,
                   .plan = p,
                   .n_cases = p->n_cases,
                   .d = d,
                   .scratch = arena_half(&scratch)};
    resume past = {0};
    bool ok = true;
    arena local = scratch;
    if (past_head(o, &local).len > 0) {
        ok = resume_read(&past, a, o->out, head, p, d, scratch)
             && journal_reopen(&s.journal, a, o->out, &past.past, o->reader, d);
    } else {
        ok = (o->overwrites
              || resume_may_replace(a, o->out, head, p, d, scratch))
             && journal_open(&s.journal, a, o->out, head, o->reader, d);
    }
    if (!ok) {
        return false;
    }
    s.n_done = past.n_done;
    if (o->reader.line) {
        o->reader.line(o->reader.context, head);
    }
    ok = judge_cases(&s, p, past.is_done, out, a, scratch);
    out->n_resumed = past.n_done;
    out->n_done = s.n_done;
    return ok;
}

// Compares what the databases hold with what they held before.
static ptrdiff_t count_changed(const plan *p,
                               const uint64_t *before,
                               diag *notes,
                               arena scratch)
{
    const uint64_t *after = fingerprint_run(p, p->a, notes, scratch);
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i <= p->n_dbs; i++) {
        if (before[i] != after[i]) {
            str name =
                i < p->n_dbs ? map_key_at(&p->gold.dbs, i) : p->source.shown;
            diag_add(notes, (diag_place){0},
                     "database '%.*s' was changed during the run",
                     STR_ARG(name));
            n++;
        }
    }
    return n;
}

// Says which files were written to while workers read them: verdicts may be
// of the old state or of the new one.
static void say_touched(const plan *p,
                        plan_marks before,
                        diag *notes,
                        arena scratch)
{
    plan_marks after = plan_marks_of(p, scratch);
    for (ptrdiff_t i = 0; i <= p->n_dbs; i++) {
        str name = i < p->n_dbs ? map_key_at(&p->gold.dbs, i) : p->source.shown;
        if (before.dbs[i] != after.dbs[i]) {
            diag_add(notes, (diag_place){0},
                     "the file of database '%.*s' was written to during the "
                     "run: do not rely on its verdicts",
                     STR_ARG(name));
        }
    }
    for (ptrdiff_t i = 0; i <= p->n_runs; i++) {
        const dataset *set = i < p->n_runs ? &p->runs[i].set : &p->gold;
        if (before.inputs[i] != after.inputs[i]) {
            diag_add(notes, (diag_place){.file = set->file.path},
                     "it was written to while it was read");
        }
    }
}

static bool run_verified(run_options *o,
                         const plan *p,
                         run_outcome *out,
                         arena *a,
                         diag *d,
                         diag *notes,
                         arena scratch)
{
    bool verifies = o->verifies_unchanged && p->has_source;
    const uint64_t *before =
        verifies ? fingerprint_run(p, p->a, d, scratch) : NULL;
    const plan_marks marks = plan_marks_of(p, scratch);
    bool ok = d->count == 0 && journal_lock(&out->lock, o->out, d, scratch)
              && run_locked(o, p, out, a, d, scratch);
    say_touched(p, marks, notes, scratch);
    if (ok && verifies) {
        out->n_changed = count_changed(p, before, notes, scratch);
    }
    return ok;
}

// As long as a query may run, within reason: servers take a while to start.
static int64_t patience_of(int64_t timeout_ms)
{
    enum {
        LEAST_MS = 2000,
        MOST_MS = 15000
    };
    return timeout_ms < LEAST_MS  ? LEAST_MS
           : timeout_ms > MOST_MS ? MOST_MS
                                  : timeout_ms;
}

void run_set_source(run_options *options, const plan *p)
{
    if (p->has_source) {
        options->engines.own.driver = p->source.driver;
        options->engines.own.images = &p->images;
        options->engines.own.patience_ms =
            patience_of(options->engines.own.limits.timeout_ms);
        options->score.dialect = engine_driver_dialect(p->source.driver);
    }
    if (p->has_gold_source) {
        engine_options *there = arena_new(p->a, engine_options, 1);
        *there = options->engines.own;
        there->driver = p->gold_source.driver;
        options->engines.golds = there;
    }
}

bool run_score(run_options *options,
               run_outcome *out,
               arena *a,
               diag *d,
               diag *notes,
               arena scratch)
{
    *out = (run_outcome){.lock = -1};
    int64_t start = clock_ns();
    set_clock(options, scratch);
    options->plan.clock_ms = options->engines.own.clock_ms;
    plan p;
    bool ok = plan_open(&p, a, &options->plan, d, notes, scratch);
    if (ok && p.has_source && options->has_clock
        && engine_driver_has_own_clock(p.source.driver)) {
        diag_add(notes, (diag_place){.file = p.source.shown},
                 "--now does not change the clock of this server: its queries "
                 "read the server's clock");
    }
    if (ok) {
        run_set_source(options, &p);
    }
    if (ok && p.has_samples && options->score.n_pass_at == 0
        && !(options->score.metrics & metrics_with(RUNS_SCRIPTS))) {
        options->score.pass_at = &run_one_sample;
        options->score.n_pass_at = 1;
    }
    if (ok) {
        *out = (run_outcome){.lock = -1,
                             .n_cases = p.n_cases,
                             .n_all = p.n_all,
                             .n_runs = p.n_runs};
        for (ptrdiff_t i = -1; i < p.n_runs; i++) {
            *vec_push(a, &out->read) = plan_said(&p, i, a);
        }
        ok = run_verified(options, &p, out, a, d, notes, scratch);
    }
    plan_close(&p);
    out->wall_ns = clock_ns() - start;
    if (!ok) {
        run_close(out);
    }
    return ok;
}

void run_close(run_outcome *out)
{
    file_close(&out->journal);
    journal_unlock(out->lock);
}

static void add_line(buf *out, const char *what, str text)
{
    if (text.len > 0) {
        buf_printf(out, "  %s: %.*s\n", what, STR_ARG(text));
    }
}

static void add_first_case(buf *out,
                           const plan *p,
                           const score_options *o,
                           arena scratch)
{
    plan_case it = plan_case_at(p, 0, &scratch);
    bool is_script = score_asks_for_script(o, &it);
    buf_printf(out, "first case: %.*s\n", STR_ARG(it.gold.id));
    add_line(out, "database", it.path.len > 0 ? it.path : it.path_error);
    add_line(out, "question", it.gold.question);
    for (ptrdiff_t i = 0; i < it.gold.n_golds; i++) {
        add_line(out, "gold", it.gold.golds[i]);
    }
    for (ptrdiff_t run = 0; run < p->n_runs; run++) {
        str name = p->runs[run].name;
        const char *label =
            arena_cstr(&scratch, name.len > 0 ? name : S("prediction"));
        ptrdiff_t n = it.preds[run].n;
        const record_pred *preds =
            dataset_extract(it.preds[run].ptr, n, is_script, &scratch);
        for (ptrdiff_t i = 0; i < n; i++) {
            add_line(out, label, preds[i].sql);
            add_line(out, "cut off", preds[i].note);
        }
        if (n == 0) {
            add_line(out, label, S("(no prediction)"));
        }
    }
}

bool run_dry(run_options *options,
             buf *out,
             arena *a,
             diag *d,
             diag *notes,
             arena scratch)
{
    plan p;
    bool ok = plan_open(&p, a, &options->plan, d, notes, scratch);
    for (ptrdiff_t i = -1; ok && i < p.n_runs; i++) {
        if (i >= 0 && p.runs[i].is_in_gold) {
            continue;
        }
        str file = i < 0 ? p.gold.file.path : p.runs[i].set.file.path;
        buf_printf(out, "%s from %.*s (%.*s)\n", i < 0 ? "gold" : "predictions",
                   STR_ARG(file), STR_ARG(plan_said(&p, i, a)));
    }
    if (ok && p.n_cases > 0) {
        add_first_case(out, &p, &options->score, scratch);
    }
    plan_close(&p);
    return ok;
}

const char *run_lacks_sandbox(bool is_required)
{
    unsigned missing = sandbox_missing(is_required);
    return missing == 0                  ? NULL
           : missing == SANDBOX_LANDLOCK ? "files (Landlock)"
           : missing == SANDBOX_SECCOMP
               ? "system calls (seccomp)"
               : "files (Landlock) and system calls (seccomp)";
}
