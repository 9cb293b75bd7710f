/*
 * ground_worker.c - see ground_worker.h.
 *
 * Method      Two processes. The worker is sandboxed, watched and limited; it
 *             may die of any request. So that a new one never learns the key,
 *             it is not the caller who forks it but its keeper, a process that
 *             was forked before the key was read and runs nothing foreign. When
 *             the keeper dies there are no trials any more.
 */
#include "job/ground_worker.h"

#include "job/message.h"
#include "plan/rights.h"

enum {
    REQUEST_MS = 10 * 1000,
};

static const int64_t WORKER_BYTES = (int64_t)2 << 30;
static const ptrdiff_t ANSWER_BYTES = (ptrdiff_t)1 << 30;

typedef enum ground_task {
    GROUND_SCHEMA,
    GROUND_SAMPLES,
    GROUND_TRIAL,
} ground_task;

typedef struct ground_asked {
    int64_t task;
    int64_t n_rows;  // of samples
    str left;
    str right;
    str db;
    str ddl;
    str rows;  // of a trial: JSON
} ground_asked;

const codec_shape message_ground_asked =
    CODEC_SHAPE(ground_asked,
                CODEC_NUMBER_IN(ground_asked, task, 0, GROUND_TRIAL),
                CODEC_NUMBER_IN(ground_asked, n_rows, 0, INT32_MAX),
                CODEC_TEXT_IN(ground_asked, left),
                CODEC_TEXT_IN(ground_asked, right),
                CODEC_TEXT_IN(ground_asked, db),
                CODEC_TEXT_IN(ground_asked, ddl),
                CODEC_TEXT_IN(ground_asked, rows));

typedef struct ground_answer {
    int64_t why;      // a reason: what it died of, as the keeper says
    int64_t outcome;  // of a trial
    str text;
    str witness;  // of a trial
} ground_answer;

const codec_shape message_ground =
    CODEC_SHAPE(ground_answer,
                CODEC_NUMBER_IN(ground_answer, why, 0, REASON_COUNT - 1),
                CODEC_NUMBER_IN(ground_answer, outcome, 0, TRIAL_FAILED),
                CODEC_TEXT_IN(ground_answer, text),
                CODEC_TEXT_IN(ground_answer, witness));

/* The worker. */

static void *open_worker(const void *context, worker *port)
{
    const ground_worker *w = context;
    ground *g = arena_new(&port->lasting, ground, 1);
    *g = w->ground;
    g->a->on_full = worker_memory_is_full;
    return g;
}

static void try_pair(ground *g,
                     const judge_pair *p,
                     str rows,
                     ground_answer *out,
                     arena *a)
{
    const json *j = rows.len > 0 ? json_parse(a, rows, NULL) : NULL;
    judge_trial t = ground_trial(g, p, j, a);
    out->outcome = t.outcome;
    out->text = t.text;
    out->witness = t.witness;
}

static void serve_request(worker *port, const work_request *r, void *reply)
{
    (void)r;
    const ground_asked *q = port->asked;
    ground_answer *out = reply;
    judge_pair p = {
        .left = q->left, .right = q->right, .db = q->db, .ddl = q->ddl};
    arena *a = &port->memory[0];
    arena scratch = port->memory[1];
    ground *g = port->state;
    switch ((ground_task)q->task) {
    case GROUND_SCHEMA: out->text = ground_schema(g, &p, a, scratch); break;
    case GROUND_SAMPLES:
        out->text = ground_samples(g, &p, (ptrdiff_t)q->n_rows, a, scratch);
        break;
    case GROUND_TRIAL: try_pair(g, &p, q->rows, out, a); break;
    }
}

/* Its keeper. */

typedef struct ground_keeper {
    supervisor *supervisor;
    supervisor_job job;
    diag d;
} ground_keeper;

static void *open_keeper(const void *context, worker *port)
{
    const ground_worker *w = context;
    const source *from = w->ground.has_source ? &w->ground.source : NULL;
    ground_keeper *k = arena_new(&port->lasting, ground_keeper, 1);
    k->d = diag_new(&port->lasting);
    k->job = (supervisor_job){
        .call = {.context = context,
                 .asked = &message_ground_asked,
                 .answer = &message_ground,
                 // SQLite runs the trials, whatever there is besides.
                 .rights = {.readable = rights_at(from).readable},
                 .n_arenas = 2,
                 .arena_bytes = ANSWER_BYTES,
                 .open = open_worker,
                 .serve = serve_request},
        .item_ms = REQUEST_MS,
        .most_bytes = WORKER_BYTES,
    };
    k->supervisor = supervisor_open(&k->job, &k->d, &port->lasting);
    return k->supervisor ? k : NULL;
}

static void keep_request(worker *port, const work_request *r, void *reply)
{
    (void)r;
    ground_keeper *k = port->state;
    ground_answer *out = reply;
    work_death death = {.why = REASON_CRASH};
    if (!supervisor_ask(k->supervisor, port->asked, out, &death,
                        &port->memory[0])) {
        *out = (ground_answer){.why = death.why != REASON_NONE ? death.why
                                                               : REASON_CRASH};
    }
}

/* The caller. */

bool ground_worker_open(ground_worker *w,
                        arena *a,
                        const ground_options *options,
                        diag *d,
                        arena scratch)
{
    *w = (ground_worker){.a = a, .d = d};
    if (!ground_open(&w->ground, a, options, d, scratch)) {
        return false;
    }
    w->keeping = (supervisor_job){.call = {.context = w,
                                           .asked = &message_ground_asked,
                                           .answer = &message_ground,
                                           .is_free = true,
                                           .n_arenas = 1,
                                           .arena_bytes = ANSWER_BYTES,
                                           .open = open_keeper,
                                           .serve = keep_request},
                                  .has_one_worker = true};
    w->supervisor = supervisor_open(&w->keeping, d, a);
    return w->supervisor != NULL;
}

void ground_worker_close(ground_worker *w)
{
    supervisor_close(w->supervisor);
    ground_close(&w->ground);
}

// The text of a pair's schema. A file of statements is read here: its name is
// the caller's, and the worker may read nothing but databases.
static str ddl_of(ground_worker *w, const judge_pair *p)
{
    if (p->ddl.len > 0 || p->schema.len == 0) {
        return p->ddl;
    }
    ptrdiff_t i = map_add(&w->files, w->a, p->schema);
    if (i == w->texts.len) {
        *vec_push(w->a, &w->texts) =
            ground_file_text(&w->ground, p->schema, w->d);
    }
    return w->texts.ptr[i];
}

static ground_answer ask(ground_worker *w,
                         ground_task task,
                         ptrdiff_t n_rows,
                         str rows,
                         const judge_pair *p,
                         arena *a)
{
    ground_answer reply;
    work_death death = {0};
    const ground_asked q = {.task = task,
                            .n_rows = n_rows,
                            .left = p->left,
                            .right = p->right,
                            .db = p->db,
                            .ddl = ddl_of(w, p),
                            .rows = rows};
    bool ok = supervisor_ask(w->supervisor, &q, &reply, &death, a);
    return ok ? reply : (ground_answer){.why = REASON_CRASH};
}

str ground_worker_schema(void *context, const judge_pair *p, arena *a)
{
    return ask(context, GROUND_SCHEMA, 0, (str){0}, p, a).text;
}

str ground_worker_samples(ground_worker *w,
                          const judge_pair *p,
                          ptrdiff_t n_rows,
                          arena *a)
{
    return ask(w, GROUND_SAMPLES, n_rows, (str){0}, p, a).text;
}

judge_trial ground_worker_trial(void *context,
                                const judge_pair *p,
                                const json *rows,
                                arena *a)
{
    ground_answer it =
        ask(context, GROUND_TRIAL, 0, json_written(a, rows), p, a);
    if (it.why != REASON_NONE) {
        return (judge_trial){
            .outcome = TRIAL_FAILED,
            .text = it.why == REASON_TIMEOUT
                        ? S("running the queries takes too long")
                    : it.why == REASON_MEMORY
                        ? S("running the queries takes too much memory")
                        : S("the engine crashed"),
        };
    }
    return (judge_trial){.outcome = (trial_outcome)it.outcome,
                         .text = it.text,
                         .witness = it.witness};
}
