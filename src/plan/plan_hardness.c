/*
 * plan_hardness.c - the hardness of golds, for filters.
 *
 * Method      An item of the supervisor is a record whose hardness is wanted,
 *             the answer is the word. A database that its worker dies of has no
 *             schema; its golds are tried once more without it.
 */
#include "plan/filter.h"
#include "plan/plan_source.h"
#include "plan/rights.h"
#include "process/supervisor.h"

enum {
    RECORD_MS = 60 * 1000,  // to open a database, and of one gold
};

static const ptrdiff_t STORE_BYTES = (ptrdiff_t)8 << 30;
static const int64_t WORKER_BYTES = (int64_t)4 << 30;

/* In a worker. */

typedef struct hardness_job {
    const plan *plan;
    bool has_databases;  // that are there already
    str *hardness;       // by record
} hardness_job;

static void *open_worker(const void *context, worker *port)
{
    const hardness_job *job = context;
    const engine_options options = {
        .driver = job->plan->source.driver,
        .images = &job->plan->images,
        .limits = {.timeout_ms = 10000, .max_rows = 1, .max_bytes = 1 << 30},
    };
    engine **looker = arena_new(&port->lasting, engine *, 1);
    diag ignored = diag_new(&port->lasting);
    *looker = job->has_databases ? engine_open(&options, &ignored) : NULL;
    return looker;
}

// Of the database of a case, as far as it is there already.
static const schema *schema_of(const source *from,
                               engine *looker,
                               const record *r,
                               arena a,
                               arena scratch)
{
    diag ignored = diag_new(&a);
    str path;
    if (!looker
        || !source_database(from, &a, r->db, &path, &ignored, (diag_place){0},
                            scratch)) {
        return NULL;
    }
    engine_trim(looker);
    database *db = engine_database(looker, path, &ignored, scratch);
    return db ? engine_schema_or_say(db, &ignored) : NULL;
}

static void serve_record(worker *port, const work_request *request, void *reply)
{
    const hardness_job *job = port->call->context;
    const plan *p = job->plan;
    engine **looker = port->state;
    str *word = reply;
    arena a = port->memory[0];
    arena scratch = port->memory[1];
    arena texts = arena_half(&a);
    record r = dataset_record(&p->gold, request->item, &texts);
    const schema *s = request->n_deaths == 0
                          ? schema_of(&p->source, *looker, &r, a, scratch)
                          : NULL;
    *word = hardness_of_gold(&r, engine_driver_dialect(p->source.driver), s, a,
                             scratch);
}

/* In the parent. */

static bool is_sound(const void *context, int32_t item, const void *reply)
{
    enum {
        MOST_WORD = 32
    };
    const str *word = reply;
    (void)context;
    (void)item;
    return word->len <= MOST_WORD && str_find(*word, S("\n"), 0) < 0;
}

static bool take(void *context, int32_t item, const void *reply)
{
    const hardness_job *job = context;
    job->hardness[item] = arena_str(job->plan->a, *(const str *)reply);
    return true;
}

// The records whose hardness some filter asks for.
static ptrdiff_t find_wanted(const plan *p,
                             const plan_options *o,
                             int32_t *wanted,
                             arena scratch)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; o->filters.len > 0 && i < p->gold.entries.len; i++) {
        arena local = scratch;
        record r = dataset_record(&p->gold, i, &local);
        bool is_wanted = false;
        for (ptrdiff_t k = 0; k < o->filters.len; k++) {
            is_wanted |= filter_needs_hardness(&o->filters.ptr[k], &r);
        }
        if (is_wanted) {
            wanted[n++] = (int32_t)i;
        }
    }
    return n;
}

bool plan_hardness(const plan *p,
                   const plan_options *o,
                   const str **out,
                   diag *d,
                   arena scratch)
{
    ptrdiff_t n_records = p->gold.entries.len;
    int32_t *wanted = arena_new(p->a, int32_t, n_records);
    ptrdiff_t n = find_wanted(p, o, wanted, scratch);
    if (n == 0) {
        return true;
    }
    hardness_job job = {
        .plan = p,
        .has_databases = p->has_source && o->setup.len == 0,
        .hardness = arena_new(p->a, str, n_records),
    };
    *out = job.hardness;
    const supervisor_job of_records = {
        .call = {.context = &job,
                 .answer = &codec_text,
                 .rights = rights_at(job.has_databases ? &p->source : NULL),
                 .n_arenas = 2,
                 .arena_bytes = STORE_BYTES,
                 .open = open_worker,
                 .serve = serve_record},
        .context = &job,
        .n_items = n,
        .items = wanted,
        .n_workers = 1,
        .item_ms = RECORD_MS,
        .most_bytes = WORKER_BYTES,
        .is_sound = is_sound,
        .take = take,
    };
    supervisor_end end = supervisor_run(&of_records, NULL, d, p->a, scratch);
    if (end == SUPERVISOR_INTERRUPTED) {
        diag_add(d, (diag_place){0}, "interrupted");
    }
    return end == SUPERVISOR_DONE;
}
