/*
 * neighbor_run.c - see neighbor_run.h.
 *
 * Method      An item of the supervisor is a database with its golds. The
 *             worker opens the database, makes the neighbors and tries whether
 *             they compile; what the sink is to hear comes back as a list of
 *             sayings. One worker, so that databases keep their order.
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

typedef struct listing {
    const neighbor_run_options *options;
    neighbor_sink sink;
    const gold_groups *groups;
    const gold_group *group;
    const schema *schema;
    scratch_db *db;
    diag *d;
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

str neighbor_run_kind(int i)
{
    return i < NEIGHBOR_KIND_COUNT ? neighbor_word((neighbor_kind)i) : (str){0};
}

static bool is_wanted(const neighbor_run_options *o, str kind)
{
    return o->n_kinds == 0 || words_in(o->kinds, o->n_kinds, kind) >= 0;
}

static bool compiles(const listing *l, str sql, arena memory, str *why)
{
    execution failed = {0};
    scratch_query *q = scratch_prepare(l->db, sql, &failed, &memory);
    scratch_forget(q);
    *why = failed.message;
    return q != NULL;
}

static bool list_gold(const listing *l, str sql, arena a, arena scratch)
{
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
    l->sink.gold(l->sink.context, l->group->db, sql);
    for (ptrdiff_t i = 0; i < list.len; i++) {
        neighbor_found found = {l->group->db, sql,
                                neighbor_word(list.ptr[i].kind),
                                list.ptr[i].sql};
        if (is_wanted(l->options, found.kind)
            && compiles(l, found.sql, scratch, &why)) {
            l->sink.take(l->sink.context, &found);
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
        ok &= list_gold(l, map_key_at(&l->group->seen, i), a, scratch);
    }
    scratch_close(l->db);
    return ok;
}

/* In a worker: what the sink is to hear, one after the other. */

typedef enum saying_kind {
    SAYS_GOLD,      // `line` is its place among those of the database
    SAYS_NEIGHBOR,  // its text, and its kind in `more`
    SAYS_MESSAGE,   // its text, of the file `more` at line and column
    SAYINGS,
} saying_kind;

typedef struct saying {
    int64_t what;
    str text;
    str more;
    int64_t line;
    int64_t column;
} saying;

static const codec_member saying_members[] = {
    CODEC_NUMBER_IN(saying, what, 0, SAYINGS - 1),
    CODEC_TEXT_IN(saying, text),
    CODEC_TEXT_IN(saying, more),
    CODEC_NUMBER_IN(saying, line, 0, INT64_MAX),
    CODEC_NUMBER_IN(saying, column, 0, INT64_MAX),
};
static const codec_shape one_saying = CODEC_SHAPE(saying, saying_members);

static const codec_member neighbor_members[] = {
    {.kind = CODEC_LIST, .of = &one_saying}};
const codec_shape message_neighbors = CODEC_SHAPE(codec_list, neighbor_members);

typedef struct neighbor_says {
    const gold_group *group;
    watch *watch;
    vec_of(saying) said;
    arena *a;
} neighbor_says;

static void say_gold(void *context, str db, str gold)
{
    neighbor_says *w = context;
    (void)db;
    *vec_push(w->a, &w->said) =
        (saying){.what = SAYS_GOLD, .line = map_find(&w->group->seen, gold)};
    watch_begin(w->watch, WATCH_ALL, WATCH_QUERY);  // it has its own time
}

static void say_neighbor(void *context, const neighbor_found *n)
{
    neighbor_says *w = context;
    *vec_push(w->a, &w->said) = (saying){.what = SAYS_NEIGHBOR,
                                         .text = arena_str(w->a, n->sql),
                                         .more = n->kind};
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
    codec_list *out = reply;
    arena *memory = port->memory;
    neighbor_says w = {.group = &job->groups.ptr[r->item],
                       .watch = port->watch,
                       .a = &memory[2]};
    diag d = diag_new(&memory[0]);
    listing l = {.options = job->options,
                 .sink = {&w, say_gold, say_neighbor},
                 .groups = &job->groups,
                 .group = w.group,
                 .d = &d};
    arena a = arena_half(&memory[0]);
    list_group(&l, port->state, a, memory[1]);
    for (ptrdiff_t i = 0; i < d.messages.len; i++) {
        const diag_message *m = &d.messages.ptr[i];
        *vec_push(w.a, &w.said) = (saying){.what = SAYS_MESSAGE,
                                           .text = m->text,
                                           .more = m->place.file,
                                           .line = m->place.line,
                                           .column = m->place.column};
    }
    *out = (codec_list){w.said.ptr, w.said.len};
}

/* In the parent. */

static bool is_sound(const void *context, int32_t item, const void *reply)
{
    const neighbor_job *job = context;
    const codec_list *list = reply;
    const saying *said = list->ptr;
    bool is = true;
    for (ptrdiff_t i = 0; i < list->n; i++) {
        is = is
             && (said[i].what != SAYS_GOLD
                 || said[i].line < map_count(&job->groups.ptr[item].seen));
    }
    return is;
}

static bool take(void *context, int32_t item, const void *reply)
{
    neighbor_job *job = context;
    const codec_list *list = reply;
    const saying *said = list->ptr;
    neighbor_sink sink = job->sink;
    str db = job->groups.ptr[item].db;
    str gold = {0};
    for (const saying *s = said; s < said + list->n; s++) {
        neighbor_found found = {db, gold, s->more, s->text};
        switch ((saying_kind)s->what) {
        case SAYS_GOLD:
            gold = map_key_at(&job->groups.ptr[item].seen, s->line);
            sink.gold(sink.context, db, gold);
            break;
        case SAYS_NEIGHBOR: sink.take(sink.context, &found); break;
        case SAYS_MESSAGE:
            job->ok = diag_add(
                job->d,
                (diag_place){arena_str(job->a, s->more), s->line, s->column},
                "%.*s", STR_ARG(s->text));
            break;
        case SAYINGS: break;
        }
    }
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
