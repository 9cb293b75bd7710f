/*
 * suite_export.c - see suite_export.h.
 *
 * Method      A locked-in worker makes the databases, of a schema and rows that
 *             came from outside; the parent writes the bytes that it gets.
 */
#include "job/suite_export.h"

#include "base/file.h"
#include "engine/scratch.h"
#include "job/message.h"
#include "process/supervisor.h"

enum {
    DATABASE_MS = 60 * 1000,
};

static const ptrdiff_t STORE_BYTES = (ptrdiff_t)2 << 30;
static const int64_t WORKER_BYTES = (int64_t)4 << 30;

static bool copy_original(str from, str to, int64_t *bytes, diag *d, arena a)
{
    file_map file;
    // A dump stays a dump: the other evaluators would not read it.
    if (!str_ends(from, S("sqlite")) && !str_ends(from, S(".db"))
        && !str_ends(from, S("sqlite3"))) {
        return true;
    }
    if (!file_open(&file, &a, from, d)) {
        return false;
    }
    *bytes += file.bytes.len;
    bool ok = file_write(to, file.bytes, d, a);
    file_close(&file);
    return ok;
}

/* In a worker: an item is a database of the suite, its answer a file. */

typedef struct export_job {
    const suite *s;
    str folder;
    int64_t *bytes;
    bool failed;
    diag *d;
    arena scratch;
} export_job;

static void serve(worker *port, const work_request *r, void *reply)
{
    static const engine_options engine_defaults = {
        .limits = {.timeout_ms = DATABASE_MS,
                   .max_rows = 1,
                   .max_bytes = 1 << 28},
    };
    const scratch_limits limits = {1 << 20, 1, 1 << 28};
    const export_job *job = port->call->context;
    const suite *s = job->s;
    made_answer *out = reply;
    arena *a = &port->memory[0];
    diag d = diag_new(a);
    scratch_db *db =
        scratch_open(a, &s->schema, s->ddl, &engine_defaults, limits, &d);
    out->is_made =
        db && scratch_fill(db, &s->databases[r->item], (scratch_order){0}, &d);
    out->text =
        out->is_made ? scratch_image(db, &port->memory[1]) : diag_first(&d);
    scratch_close(db);
}

/* In the parent. */

static bool take(void *context, int32_t item, const void *reply)
{
    export_job *job = context;
    const made_answer *file = reply;
    arena a = job->scratch;
    if (!file->is_made) {
        job->failed = true;
        return diag_add(job->d, (diag_place){.file = job->s->db}, "%.*s",
                        STR_ARG(file->text));
    }
    str path = arena_printf(&a, "%.*s/%.*sv%d.sqlite", STR_ARG(job->folder),
                            STR_ARG(job->s->db), item + 1);
    *job->bytes += file->text.len;
    job->failed |= !file_write(path, file->text, job->d, a);
    return !job->failed;
}

static bool died(void *context, work_request *r, const work_death *death)
{
    (void)r;
    export_job *job = context;
    job->failed = true;
    return diag_add(job->d, (diag_place){.file = job->s->db},
                    "a database of the suite cannot be written: %s",
                    work_death_text(death));
}

bool suite_export(const suite *s,
                  str out,
                  str original,
                  int64_t *bytes,
                  diag *d,
                  arena a,
                  arena scratch)
{
    str folder = arena_printf(&a, "%.*s/%.*s", STR_ARG(out), STR_ARG(s->db));
    str path =
        arena_printf(&a, "%.*s/%.*s.sqlite", STR_ARG(folder), STR_ARG(s->db));
    if (!file_make_folder(folder, d, scratch)
        || !copy_original(original, path, bytes, d, scratch)) {
        return false;
    }
    export_job job = {.s = s, .folder = folder, .bytes = bytes, .d = d};
    job.scratch = arena_half(&scratch);
    int32_t *items = arena_new(&a, int32_t, s->n_databases);
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < s->n_databases; i++) {
        if (suite_causes(s, i) == 0) {  // for others every file decides
            items[n++] = (int32_t)i;
        }
    }
    const supervisor_job of_files = {
        .call = {.context = &job,
                 .answer = &message_made,
                 .n_arenas = 2,
                 .arena_bytes = STORE_BYTES,
                 .serve = serve},
        .context = &job,
        .n_items = n,
        .items = items,
        .queue_of = arena_new(&a, int32_t, s->n_databases),
        .n_queues = 1,
        .n_workers = 1,
        .item_ms = DATABASE_MS,
        .most_bytes = WORKER_BYTES,
        .take = take,
        .died = died,
    };
    supervisor_end end = supervisor_run(&of_files, NULL, d, &a, scratch);
    if (end == SUPERVISOR_INTERRUPTED) {
        return diag_add(d, (diag_place){0}, "interrupted");
    }
    return end == SUPERVISOR_DONE && !job.failed;
}
