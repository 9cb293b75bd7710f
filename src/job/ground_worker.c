/*
 * ground_worker.c - see ground_worker.h.
 *
 * Method      Two processes. The worker is sandboxed, watched and limited; it
 *             may die of any request. So that a new one never learns the key,
 *             it is not the caller who forks it but its keeper, a process that
 *             was forked before the key was read and runs nothing foreign. When
 *             the keeper dies there are no trials any more. A request and its
 *             answer are texts with their lengths.
 */
#include "job/ground_worker.h"

#include "process/sandbox.h"

#include <string.h>

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

// What a request holds beside the pair.
typedef struct ground_request {
    int64_t task;
    int64_t n_rows;  // of samples
} ground_request;

/* The worker. */

typedef struct ground_server {
    ground *ground;
    worker_memory memory;
} ground_server;

static void *open_worker(const void *context, worker *port)
{
    const ground_worker *w = context;
    ground_server *s = arena_new(&port->lasting, ground_server, 1);
    s->ground = arena_new(&port->lasting, ground, 1);
    *s->ground = w->ground;
    s->ground->a->on_full = worker_memory_is_full;
    if (!worker_memory_open(&s->memory, 2, ANSWER_BYTES)) {
        return NULL;
    }
    const source *from = &s->ground->source;
    bool has_files = s->ground->has_source && from->readable.len > 0;
    sandbox_enter((sandbox_rights){
        .readable = has_files ? from->readable.ptr : NULL,
    });
    return s;
}

static void add_trial(buf *out,
                      ground *g,
                      const judge_pair *p,
                      str rows,
                      arena scratch)
{
    const json *j = json_parse(&scratch, rows, NULL);
    judge_trial t = ground_trial(g, p, j, &scratch);
    int64_t outcome = t.outcome;
    worker_add_text(out, (str){(const char *)&outcome, sizeof outcome});
    worker_add_text(out, t.text);
    worker_add_text(out, t.witness);
}

static str serve_request(void *state, const work_request *r, str payload)
{
    (void)r;
    ground_server *s = state;
    ground_request head;
    str rest = str_skip(payload, (ptrdiff_t)sizeof head);
    memcpy(&head, payload.ptr, sizeof head);
    judge_pair p = {.left = worker_next_text(&rest)};
    p.right = worker_next_text(&rest);
    p.db = worker_next_text(&rest);
    p.ddl = worker_next_text(&rest);
    arena memory[WORKER_ARENAS];
    worker_memory_begin(&s->memory, memory);
    arena a = memory[0];
    arena scratch = memory[1];
    ground *g = s->ground;
    buf out = {0};
    switch ((ground_task)head.task) {
    case GROUND_SCHEMA: return ground_schema(g, &p, &a, scratch);
    case GROUND_SAMPLES:
        return ground_samples(g, &p, (ptrdiff_t)head.n_rows, &a, scratch);
    case GROUND_TRIAL:
        out = buf_new(&a);
        add_trial(&out, g, &p, rest, scratch);
        break;
    }
    return buf_str(&out);
}

/* Its keeper. */

typedef struct ground_keeper {
    supervisor *supervisor;
    supervisor_job job;
    diag d;
    arena *lasting;
    arena_store answers;
} ground_keeper;

static void *open_keeper(const void *context, worker *port)
{
    ground_keeper *k = arena_new(&port->lasting, ground_keeper, 1);
    k->lasting = &port->lasting;
    k->d = diag_new(k->lasting);
    k->job = (supervisor_job){
        .worker = {context, open_worker, serve_request},
        .item_ms = REQUEST_MS,
        .most_bytes = WORKER_BYTES,
    };
    if (!arena_store_open(&k->answers, ANSWER_BYTES)) {
        return NULL;
    }
    k->supervisor = supervisor_open(&k->job, &k->d, k->lasting);
    return k->supervisor ? k : NULL;
}

// What a request died of, as a first byte; 0: its answer follows.
static str keep_request(void *state, const work_request *r, str payload)
{
    (void)r;
    ground_keeper *k = state;
    arena a = arena_store_clear(&k->answers);
    a.on_full = worker_memory_is_full;
    str text = {0};
    work_death death = {.why = REASON_CRASH};
    bool ok = supervisor_ask(k->supervisor, payload, &text, &death, &a);
    buf out = buf_new(&a);
    buf_char(&out, ok ? '\0' : (char)death.why);
    buf_add(&out, text);
    return buf_str(&out);
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
    w->keeping = (supervisor_job){.worker = {w, open_keeper, keep_request},
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

static str ask(ground_worker *w,
               ground_request head,
               const judge_pair *p,
               const json *rows,
               reason *why,
               arena *a)
{
    arena answers = *a;
    arena scratch = arena_half(&answers);
    buf request = buf_new(&scratch);
    buf_add(&request, (str){(const char *)&head, sizeof head});
    worker_add_text(&request, p->left);
    worker_add_text(&request, p->right);
    worker_add_text(&request, p->db);
    worker_add_text(&request, ddl_of(w, p));
    if (rows) {
        json_add(&request, rows);
    }
    str text = {0};
    work_death death = {0};
    bool ok = supervisor_ask(w->supervisor, buf_str(&request), &text, &death,
                             &answers);
    a->next = answers.next;
    *why = !ok || text.len == 0 ? REASON_CRASH : (reason)text.ptr[0];
    return *why == REASON_NONE ? str_skip(text, 1) : (str){0};
}

str ground_worker_schema(ground_worker *w,
                         const judge_pair *p,
                         arena *a,
                         arena scratch)
{
    (void)scratch;
    reason why;
    return ask(w, (ground_request){GROUND_SCHEMA, 0}, p, NULL, &why, a);
}

str ground_worker_samples(ground_worker *w,
                          const judge_pair *p,
                          ptrdiff_t n_rows,
                          arena *a,
                          arena scratch)
{
    (void)scratch;
    reason why;
    return ask(w, (ground_request){GROUND_SAMPLES, n_rows}, p, NULL, &why, a);
}

judge_trial ground_worker_trial(void *context,
                                const judge_pair *p,
                                const json *rows,
                                arena *a)
{
    reason why;
    judge_trial t = {.outcome = TRIAL_FAILED};
    str rest =
        ask(context, (ground_request){GROUND_TRIAL, 0}, p, rows, &why, a);
    int64_t outcome = 0;
    str word = worker_next_text(&rest);
    if (word.len == (ptrdiff_t)sizeof outcome) {
        memcpy(&outcome, word.ptr, sizeof outcome);
    }
    if (why != REASON_NONE || word.len != (ptrdiff_t)sizeof outcome
        || outcome < 0 || outcome > TRIAL_FAILED) {
        t.text = why == REASON_TIMEOUT ? S("running the queries takes too long")
                 : why == REASON_MEMORY
                     ? S("running the queries takes too much "
                         "memory")
                     : S("the engine crashed");
        return t;
    }
    t.outcome = (trial_outcome)outcome;
    t.text = worker_next_text(&rest);
    t.witness = worker_next_text(&rest);
    return t;
}
