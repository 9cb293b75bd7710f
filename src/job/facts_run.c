/*
 * facts_run.c - see facts_run.h.
 *
 * Method      One item for the supervisor: the worker opens the database, mines
 *             it and writes both texts. The parent runs no SQL.
 */
#include "job/facts_run.h"

#include "engine/source.h"
#include "facts/fact.h"
#include "process/sandbox.h"
#include "process/supervisor.h"

enum {
    DATABASE_MS = 600 * 1000,  // to open it and mine it
    QUERY_MS = 60 * 1000,
};

static const ptrdiff_t STORE_BYTES = (ptrdiff_t)8 << 30;
static const int64_t WORKER_BYTES = (int64_t)4 << 30;

typedef struct facts_job {
    source from;
    str path;  // of the database
    str name;
    bool failed;
    str sentences;
    str text;
    arena *a;
    diag *d;
} facts_job;

typedef struct facts_worker {
    const facts_job *job;
    engine *engine;
    worker_memory memory;
} facts_worker;

static void *open_worker(const void *context, worker *port)
{
    facts_worker *w = arena_new(&port->lasting, facts_worker, 1);
    w->job = context;
    if (!worker_memory_open(&w->memory, 3, STORE_BYTES)) {
        return NULL;
    }
    const source *from = &w->job->from;
    const engine_options options = {
        .limits = {.timeout_ms = QUERY_MS,
                   .max_rows = 1000000,
                   .max_bytes = (int64_t)1 << 30},
        .driver = from->driver,
    };
    diag d = diag_new(&port->lasting);
    w->engine = engine_open(&options, &d);
    sandbox_enter((sandbox_rights){
        .readable = from->readable.len > 0 ? from->readable.ptr : NULL,
        .also = engine_driver_files(from->driver),
        .may_connect = engine_driver_is_server(from->driver),
    });
    return w->engine ? w : NULL;
}

// Two texts, or the one that says what went wrong.
static str pack_answer(arena *a, str first, str second)
{
    buf out = buf_new(a);
    worker_add_text(&out, first);
    if (second.len > 0) {
        worker_add_text(&out, second);
    }
    return buf_str(&out);
}

static str serve(void *state, const work_request *r, str payload)
{
    (void)r;
    (void)payload;
    facts_worker *w = state;
    arena memory[WORKER_ARENAS];
    worker_memory_begin(&w->memory, memory);
    diag d = diag_new(&memory[0]);
    database *db = engine_database(w->engine, w->job->path, &d, memory[1]);
    if (!db || !engine_schema_or_say(db, &d)) {
        return pack_answer(
            &memory[2], diag_format(&memory[0], d.messages.ptr[0]), (str){0});
    }
    facts found = fact_mine(&memory[0], db, w->job->name, FACTS_ALL, memory[1]);
    buf sentences = buf_new(&memory[0]);
    for (ptrdiff_t i = 0; i < found.list.len; i++) {
        fact_show(&sentences, found.schema, &found.list.ptr[i]);
        buf_char(&sentences, '\n');
    }
    buf text = buf_new(&memory[1]);
    facts_to_text(&text, &found);
    return pack_answer(&memory[2], buf_str(&sentences), buf_str(&text));
}

static bool is_sound(const void *context, int32_t item, str bytes)
{
    (void)context;
    (void)item;
    str sentences;
    str found;
    return worker_take_text(&bytes, &sentences)
           && worker_take_text(&bytes, &found) && bytes.len == 0;
}

static bool take(void *context, int32_t item, str bytes)
{
    (void)item;
    facts_job *job = context;
    job->sentences = arena_str(job->a, worker_next_text(&bytes));
    job->text = arena_str(job->a, worker_next_text(&bytes));
    job->failed = job->text.len == 0;
    return true;
}

static bool died(void *context, work_request *r, const work_death *death)
{
    (void)r;
    facts_job *job = context;
    job->failed = true;
    job->sentences = str_from(work_death_text(death));
    return false;
}

// "folder/name.ext" -> "name"
static str stem_of(str path)
{
    str name = path;
    for (ptrdiff_t i = 0; i < path.len; i++) {
        name = path.ptr[i] == '/' ? str_skip(path, i + 1) : name;
    }
    ptrdiff_t dot = str_find(name, S("."), 1);
    return dot > 0 ? str_sub(name, 0, dot) : name;
}

bool facts_run(str db,
               str *sentences,
               str *text,
               arena *a,
               diag *d,
               arena scratch)
{
    facts_job job = {.failed = true, .a = a, .d = d};
    if (!source_open(&job.from, a, db, d)) {
        return false;
    }
    if (job.from.is_folder) {
        return diag_add(d, (diag_place){.file = db},
                        "a folder of databases: name one of them");
    }
    if (!source_database(&job.from, a, (str){0}, &job.path, d, (diag_place){0},
                         scratch)) {
        return false;
    }
    job.name = stem_of(job.from.is_url ? job.from.shown : job.path);
    const supervisor_job one = {
        .worker = {&job, open_worker, serve},
        .context = &job,
        .n_items = 1,
        .n_workers = 1,
        .item_ms = DATABASE_MS,
        .most_bytes = WORKER_BYTES,
        .is_sound = is_sound,
        .take = take,
        .died = died,
    };
    ptrdiff_t n_lost = 0;
    arena lasting = arena_half(&scratch);
    supervisor_end end = supervisor_run(&one, &n_lost, d, &lasting, scratch);
    if (end == SUPERVISOR_INTERRUPTED) {
        return diag_add(d, (diag_place){0}, "interrupted");
    }
    if (job.failed) {
        return diag_add(d, (diag_place){0}, "'%.*s': %.*s", STR_ARG(job.name),
                        STR_ARG(job.sentences));
    }
    *sentences = job.sentences;
    *text = job.text;
    return end == SUPERVISOR_DONE;
}
