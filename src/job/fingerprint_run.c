/*
 * fingerprint_run.c - see fingerprint_run.h.
 *
 * Method      One item for the supervisor, without a limit of time: a look at
 *             all tables may take as long as it likes. The answer is the
 *             numbers, followed by what is to be reported.
 */
#include "job/fingerprint_run.h"

#include "process/sandbox.h"
#include "process/supervisor.h"

#include <string.h>

static const ptrdiff_t STORE_BYTES = (ptrdiff_t)4 << 30;
static const int64_t WORKER_BYTES = (int64_t)4 << 30;

typedef struct print_job {
    const plan *plan;
    uint64_t *prints;
    diag *d;
} print_job;

typedef struct print_worker {
    const plan *plan;
    worker_memory memory;
} print_worker;

static ptrdiff_t size_of(const plan *p)
{
    return (p->n_dbs + 1) * (ptrdiff_t)sizeof(uint64_t);
}

static void *open_worker(const void *context, worker *port)
{
    const print_job *job = context;
    print_worker *w = arena_new(&port->lasting, print_worker, 1);
    w->plan = job->plan;
    if (!worker_memory_open(&w->memory, 2, STORE_BYTES)) {
        return NULL;
    }
    const char *const *files = engine_driver_files(w->plan->source.driver);
    sandbox_enter((sandbox_rights){
        .also = files,
        .may_connect = true,
        .may_load = files,
    });
    return w;
}

// The numbers, and what is to be said, a line each.
static str serve(void *state, const work_request *r, str payload)
{
    (void)r;
    (void)payload;
    print_worker *w = state;
    arena memory[WORKER_ARENAS];
    worker_memory_begin(&w->memory, memory);
    arena a = memory[0];
    arena scratch = memory[1];
    diag d = diag_new(&a);
    const uint64_t *prints = plan_fingerprints(w->plan, &a, &d, scratch);
    buf out = buf_new(&a);
    buf_add(&out, (str){(const char *)prints, size_of(w->plan)});
    for (ptrdiff_t i = 0; i < d.messages.len; i++) {
        buf_add(&out, diag_format(&scratch, d.messages.ptr[i]));
        buf_char(&out, '\n');
    }
    return buf_str(&out);
}

static bool is_sound(const void *context, int32_t item, str bytes)
{
    (void)item;
    const print_job *job = context;
    return bytes.len >= size_of(job->plan);
}

static bool take(void *context, int32_t item, str bytes)
{
    (void)item;
    print_job *job = context;
    ptrdiff_t size = size_of(job->plan);
    memcpy(job->prints, bytes.ptr, (size_t)size);
    str said = str_skip(bytes, size);
    while (said.len > 0) {
        str line = str_cut(&said, '\n');
        diag_add(job->d, (diag_place){0}, "%.*s", STR_ARG(line));
    }
    return true;
}

static bool died(void *context, work_request *r, const work_death *death)
{
    (void)r;
    print_job *job = context;
    return diag_add(job->d, (diag_place){0},
                    "--verify-unchanged: the process that looked at the tables "
                    "%s",
                    death->why == REASON_MEMORY ? "took too much memory"
                                                : "died");
}

const uint64_t *fingerprint_run(const plan *p, arena *a, diag *d, arena scratch)
{
    if (!engine_driver_is_server(p->source.driver)) {
        return plan_fingerprints(p, a, d, scratch);
    }
    print_job job = {.plan = p, .d = d};
    job.prints = arena_new(a, uint64_t, p->n_dbs + 1);
    const supervisor_job one = {
        .worker = {&job, open_worker, serve},
        .context = &job,
        .n_items = 1,
        .n_workers = 1,
        .most_bytes = WORKER_BYTES,
        .is_sound = is_sound,
        .take = take,
        .died = died,
    };
    ptrdiff_t n_lost = 0;
    arena lasting = arena_half(&scratch);
    if (supervisor_run(&one, &n_lost, d, &lasting, scratch)
        == SUPERVISOR_INTERRUPTED) {
        diag_add(d, (diag_place){0}, "interrupted");
    }
    return job.prints;
}
