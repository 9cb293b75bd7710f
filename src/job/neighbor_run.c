/*
 * neighbor_run.c - see neighbor_run.h.
 *
 * Method      An item of the supervisor is a database with its golds. The
 *             worker opens the database, makes the neighbors and tries whether
 *             they compile; what the sink is to hear comes back as a list.
 *             One worker, so that databases keep their order.
 */
#include "job/neighbor_run.h"

#include "base/words.h"
#include "check/satisfied.h"
#include "engine/scratch.h"
#include "job/message.h"
#include "plan/rights.h"
#include "process/supervisor.h"
#include "schema/schema_ddl.h"
#include "sql/query_text.h"
#include "suite/neighbor.h"

// What the sink is to hear: a gold, which has no kind, or a neighbor of it.
typedef struct listed {
    int64_t gold;  // its place among those of the database
    str kind;
    str sql;
} listed;

static const codec_shape one_listed =
    CODEC_SHAPE(listed,
                CODEC_NUMBER_IN(listed, gold, 0, INT64_MAX),
                CODEC_TEXT_IN(listed, kind),
                CODEC_TEXT_IN(listed, sql));

typedef struct neighbor_answer {
    codec_list found;
    codec_list said;
} neighbor_answer;

const codec_shape message_neighbors =
    CODEC_SHAPE(neighbor_answer,
                CODEC_LIST_IN(neighbor_answer, found, &one_listed),
                CODEC_LIST_IN(neighbor_answer, said, &message_one_said));

typedef struct listing {
    const neighbor_run_options *options;
    const gold_groups *groups;
    const gold_group *group;
    const schema *schema;
    scratch_db *db;
    diag *d;
    watch *watch;
    vec_of(listed) found;
    arena *a;  // of what is found
} listing;

// A whole run: what its worker sees of it, and what its parent makes of that.
typedef struct neighbor_job {
    const neighbor_run_options *options;
    neighbor_sink sink;
    gold_groups groups;
    arena *a;
    diag *d;
    bool ok;
} neighbor_job;

enum {
    GOLD_MS = 60 * 1000,  // to open a database, and of one gold
};

static const ptrdiff_t WORKER_STORE_BYTES = (ptrdiff_t)8 << 30;
static const int64_t WORKER_BYTES = (int64_t)4 << 30;

static const engine_options engine_defaults = {
    .limits = {.timeout_ms = 1000, .max_rows = 1000, .max_bytes = 64 << 20},
};

static bool is_wanted(const neighbor_run_options *o, str kind)
{
    return o->kinds.len == 0 || words_in(o->kinds.ptr, o->kinds.len, kind) >= 0;
}

static bool compiles(const listing *l, str sql, arena memory, str *why)
{
    execution failed = {0};
    scratch_query *q = scratch_prepare(l->db, sql, &failed, &memory);
    scratch_forget(q);
    *why = failed.message;
    return q != NULL;
}

static bool list_gold(listing *l, ptrdiff_t gold, arena a, arena scratch)
{
    str sql = map_key_at(&l->group->seen, gold);
    diag_place place = {.file = l->group->db};
    ast *tree = query_text_of(&a, sql, l->groups->dialect, scratch).tree;
    str why = {0};
    if (!compiles(l, sql, scratch, &why)) {
        return diag_add(l->d, place, "%.*s: %.*s", STR_ARG(why), STR_ARG(sql));
    }
    if (!tree) {
        return diag_add(l->d, place, "it could not be parsed: %.*s",
                        STR_ARG(sql));
    }
    const binding *b =
        bind_query(&a, tree, l->schema, l->groups->dialect, scratch);
    neighbor_options options = {
        .dialect = l->groups->dialect,
        .seed = l->options->seed,
        .max = (ptrdiff_t)l->options->max,
    };
    neighbor_list list = neighbors_of(&a, tree, b, &options, scratch);
    *vec_push(l->a, &l->found) = (listed){.gold = gold};
    watch_begin(l->watch, WATCH_ALL, WATCH_QUERY);  // it has its own time
    for (ptrdiff_t i = 0; i < list.len; i++) {
        str kind = neighbor_word(list.ptr[i].kind);
        if (is_wanted(l->options, kind)
            && compiles(l, list.ptr[i].sql, scratch, &why)) {
            str kept = arena_str(l->a, list.ptr[i].sql);
            *vec_push(l->a, &l->found) = (listed){gold, kind, kept};
        }
    }
    return true;
}

static bool list_group(listing *l, engine *e, arena a, arena scratch)
{
    diag_place place = {.file = l->group->db};
    if (l->group->path.len == 0) {
        return diag_add(l->d, place, "%.*s", STR_ARG(l->group->error));
    }
    engine_trim(e);
    database *db = engine_database(e, l->group->path, l->d, scratch);
    if (!db || !engine_schema_or_say(db, l->d)) {
        return false;
    }
    diag ignored = diag_new(&a);
    l->schema = l->groups->is_typed
                    ? satisfied_schema(&a, db, &ignored, scratch)
                    : engine_schema(db);
    buf ddl = buf_new(&a);
    schema_to_ddl(&ddl, l->schema, true, scratch);
    arena of_db = arena_half(&a);
    const scratch_limits limits = {100000, 1000, 64 << 20};
    engine_options of_scratch =
        gold_groups_engine(l->groups, engine_defaults, l->group->path);
    l->db = scratch_open(&of_db, l->schema, buf_str(&ddl), &of_scratch, limits,
                         l->d);
    if (!l->db) {
        return false;
    }
    bool ok = true;
    for (ptrdiff_t i = 0; i < map_count(&l->group->seen); i++) {
        ok &= list_gold(l, i, a, scratch);
    }
    scratch_close(l->db);
    return ok;
}

static void *open_worker(const void *context, worker *port)
{
    const neighbor_job *job = context;
    engine_options options =
        gold_groups_engine(&job->groups, engine_defaults, (str){0});
    diag d = diag_new(&port->lasting);
    return engine_open(&options, &d);
}

static void serve_group(worker *port, const work_request *r, void *reply)
{
    const neighbor_job *job = port->call->context;
    neighbor_answer *out = reply;
    arena *memory = port->memory;
    diag d = diag_new(&memory[0]);
    listing l = {.options = job->options,
                 .groups = &job->groups,
                 .group = &job->groups.ptr[r->item],
                 .d = &d,
                 .watch = port->watch,
                 .a = &memory[2]};
    arena a = arena_half(&memory[0]);
    list_group(&l, port->state, a, memory[1]);
    out->found = (codec_list){l.found.ptr, l.found.len};
    out->said = message_said(&d, l.a);
}

/* In the parent. */

static bool is_sound(const void *context, int32_t item, const void *reply)
{
    const neighbor_job *job = context;
    const codec_list *list = &((const neighbor_answer *)reply)->found;
    const listed *found = list->ptr;
    bool is = true;
    for (ptrdiff_t i = 0; i < list->n; i++) {
        is = is && found[i].gold < map_count(&job->groups.ptr[item].seen);
    }
    return is;
}

static bool take(void *context, int32_t item, const void *reply)
{
    neighbor_job *job = context;
    const neighbor_answer *got = reply;
    const listed *found = got->found.ptr;
    const neighbor_sink *sink = &job->sink;
    const gold_group *group = &job->groups.ptr[item];
    for (const listed *l = found; l < found + got->found.n; l++) {
        str gold = map_key_at(&group->seen, l->gold);
        const neighbor_found n = {group->db, gold, l->kind, l->sql};
        if (l->kind.len > 0) {
            sink->take(sink->context, &n);
        } else if (sink->gold) {
            sink->gold(sink->context, group->db, gold);
        }
    }
    job->ok = message_take_said(job->d, got->said, job->a) && job->ok;
    return true;
}

static bool died(void *context, work_request *r, const work_death *death)
{
    neighbor_job *job = context;
    diag_place place = {.file = job->groups.ptr[r->item].db};
    job->ok = diag_add(job->d, place, "%s", work_death_text(death));
    return false;
}

supervisor_end neighbor_run(const neighbor_run_options *o,
                            neighbor_sink sink,
                            arena *a,
                            diag *d,
                            arena scratch)
{
    neighbor_job job = {.options = o, .sink = sink, .a = a, .d = d, .ok = true};
    if (!gold_groups_read(&job.groups, a, &o->golds, d, scratch)) {
        return SUPERVISOR_FAILED;
    }
    const supervisor_job of_groups = {
        .call = {.context = &job,
                 .answer = &message_neighbors,
                 .rights = rights_at(&job.groups.from),
                 .n_arenas = 3,
                 .arena_bytes = WORKER_STORE_BYTES,
                 .open = open_worker,
                 .serve = serve_group},
        .context = &job,
        .n_items = job.groups.len,
        .n_workers = 1,
        .item_ms = GOLD_MS,
        .most_bytes = WORKER_BYTES,
        .is_sound = is_sound,
        .take = take,
        .died = died,
    };
    supervisor_end end = supervisor_run(&of_groups, NULL, d, a, scratch);
    if (end == SUPERVISOR_INTERRUPTED) {
        diag_add(d, (diag_place){0}, "interrupted");
    }
    return end == SUPERVISOR_DONE && !job.ok ? SUPERVISOR_FAILED : end;
}
