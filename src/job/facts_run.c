/*
 * facts_run.c - see facts_run.h.
 *
 * Method      One isolated call opens the database, mines it and writes both
 *             texts. The parent runs no SQL.
 */
#include "job/facts_run.h"

#include "base/apart.h"
#include "engine/source.h"
#include "facts/fact.h"
#include "job/message.h"
#include "plan/rights.h"
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
} facts_job;

typedef struct facts_answer {
    str sentences;
    str text;
    str error;  // empty: there is none
} facts_answer;

const codec_shape message_facts =
    CODEC_SHAPE(facts_answer,
                CODEC_TEXT_IN(facts_answer, sentences),
                CODEC_TEXT_IN(facts_answer, text),
                CODEC_TEXT_IN(facts_answer, error));

static void *open_worker(const void *context, worker *port)
{
    const facts_job *job = context;
    const engine_options options = {
        .limits = {.timeout_ms = QUERY_MS,
                   .max_rows = 1000000,
                   .max_bytes = (int64_t)1 << 30},
        .driver = job->from.driver,
    };
    diag d = diag_new(&port->lasting);
    return engine_open(&options, &d);
}

static void serve(worker *port, const work_request *r, void *reply)
{
    (void)r;
    const facts_job *job = port->call->context;
    facts_answer *out = reply;
    arena *memory = port->memory;
    diag d = diag_new(&memory[0]);
    database *db = engine_database(port->state, job->path, &d, memory[1]);
    if (!db || !engine_schema_or_say(db, &d)) {
        out->error = diag_format(&memory[0], d.messages.ptr[0]);
        return;
    }
    facts found = fact_mine(&memory[0], db, job->name, FACTS_ALL, memory[1]);
    buf sentences = buf_new(&memory[0]);
    for (ptrdiff_t i = 0; i < found.list.len; i++) {
        fact_show(&sentences, found.schema, &found.list.ptr[i]);
        buf_char(&sentences, '\n');
    }
    buf text = buf_new(&memory[1]);
    facts_to_text(&text, &found);
    out->sentences = buf_str(&sentences);
    out->text = buf_str(&text);
}

bool facts_run(str db,
               str *sentences,
               str *text,
               arena *a,
               diag *d,
               arena scratch)
{
    facts_job job = {0};
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
    job.name = path_stem(job.from.is_url ? job.from.shown : job.path);
    const worker_call call = {.context = &job,
                              .answer = &message_facts,
                              .rights = rights_at(&job.from),
                              .n_arenas = 2,
                              .arena_bytes = STORE_BYTES,
                              .open = open_worker,
                              .serve = serve};
    const isolate_limits limits = {DATABASE_MS, WORKER_BYTES};
    facts_answer reply = {0};
    work_death death;
    bool ok = isolate(&call, limits, &reply, &death, a, d, scratch);
    if (!ok && death.why == REASON_NONE) {
        return false;
    }
    str error = ok ? reply.error : str_from(work_death_text(&death));
    if (error.len > 0) {
        return diag_add(d, (diag_place){0}, "'%.*s': %.*s", STR_ARG(job.name),
                        STR_ARG(error));
    }
    *sentences = reply.sentences;
    *text = reply.text;
    return true;
}
