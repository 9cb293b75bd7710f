/*
 * distill_run.c - pieces, parts, workers, files.
 *
 * Method      The golds of a schema are a piece: one suite, one file. A large
 *             piece is made in parts by several workers and then joined by one,
 *             so there are two rounds: all parts, then all pieces, the largest
 *             first.
 *
 * Invariants  (1) A file is written when its suite is complete, and holds the
 *                 key of all that it depends on; a later run keeps it when
 *                 the key is the same.
 *             (2) The number of workers changes no byte of a suite.
 *             (3) A piece of which a part failed has no file.
 *
 * Cost        A worker's memory is bounded by WORKER_BYTES, a gold's time by
 *             GOLD_MS.
 */
#include "job/distill_run.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/order.h"
#include "base/version.h"
#include "check/satisfied.h"
#include "job/distill_manifest.h"
#include "job/message.h"
#include "plan/rights.h"
#include "schema/schema_ddl.h"
#include "suite/distill.h"
#include "suite/original.h"
#include "suite/stored.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    TIMEOUT_MS = 20000,  // for one query: steps end it long before
    TWO_READINGS = 2,    // of the suites that are made now
    SEARCH = 3,          // raised when the search makes other databases
    STRICT_SHARE = 4,    // of the tries, for what breaks facts of one kind
    STRICT_QUIET = 2,    // so many times sooner given up
};

static const ptrdiff_t PIECE_BYTES = (ptrdiff_t)32 << 30;
// What a worker may take.
static const int64_t WORKER_BYTES = (int64_t)8 << 30;
// Of one gold: a safety net beyond the limits on steps.
static const int64_t GOLD_MS = (int64_t)30 * 60 * 1000;

// The golds of a schema.
typedef struct distill_piece {
    const gold_group *group;
    str file;  // SUITE/DB.suite
    str key;
    ptrdiff_t n_parts;
    str *parts;  // their suites, as texts
} distill_piece;

// What a process makes: a suite of a piece, of all of it or of one part.
typedef struct distill_order {
    distill_piece *piece;
    ptrdiff_t part;  // -1: the whole
} distill_order;

typedef struct distill_task {
    const distill_run_options *options;
    gold_groups groups;
    distill_piece *pieces;  // to be done, biggest first
    ptrdiff_t n_pieces;
    vec_of(distill_order) orders;  // to be done: parts, then pieces
    arena *a;
    int64_t progress;      // of the parts
    int64_t golds_before;  // golds of schemas that were done before
    int64_t golds_total;
    diag *d;
    arena scratch;
} distill_task;

static engine_options engine_for(const distill_task *t, str path)
{
    const engine_options o = {.limits = {.timeout_ms = TIMEOUT_MS,
                                         .max_rows = 1000000,
                                         .max_bytes = 1 << 30},
                              .clock_ms = t->options->clock_ms};
    return gold_groups_engine(&t->groups, o, path);
}

// Of a database on a server: its tables, and the rows that are drawn from.
static bool hash_server(const distill_task *t,
                        str path,
                        uint64_t *hash,
                        diag *d,
                        arena scratch)
{
    engine_options options = engine_for(t, path);
    engine *e = engine_open(&options, d);
    database *db = e ? engine_database(e, path, d, scratch) : NULL;
    bool ok = db && engine_schema_or_say(db, d);
    if (ok) {
        arena a = arena_half(&scratch);
        diag ignored = diag_new(&a);
        buf text = buf_new(&a);
        const schema *s = satisfied_schema(&a, db, &ignored, scratch);
        schema_to_ddl(&text, s, true, scratch);
        instance rows = original_rows(&a, db, s, scratch);
        instance_to_sql(&text, &rows, scratch);
        *hash = hash64(buf_str(&text));
    }
    engine_close(e);
    return ok;
}

// What DuckDB has not yet written into the file lies beside it. Another engine
// makes another suite of the same dump.
static bool hash_duckdb(str file, uint64_t *hash, arena *a, diag *d)
{
    str log = arena_printf(a, "%.*s.wal", STR_ARG(file));
    uint64_t written = 0;
    uint64_t pending = 0;
    bool ok = file_hash(&written, a, file, d)
              && (!file_exists(log.ptr) || file_hash(&pending, a, log, d));
    *hash = hash_mix(hash_mix(hash64(S("duckdb")), written), pending);
    return ok;
}

// The rows that a suite's values are drawn from, and the tables.
static bool hash_database(const distill_task *t,
                          str path,
                          uint64_t *hash,
                          arena *a)
{
    const gold_groups *g = &t->groups;
    if (g->on_server) {
        return hash_server(t, path, hash, t->d, t->scratch);
    }
    if (g->is_typed) {
        return hash_duckdb(str_skip(path, S("duckdb:").len), hash, a, t->d);
    }
    return file_hash(hash, a, path, t->d);
}

// Everything that the suite of a group depends on.
static bool make_key(distill_piece *p, distill_task *t, arena *a)
{
    const distill_run_options *o = t->options;
    str path = p->group->path;
    uint64_t h = 0;
    if (!hash_database(t, path, &h, a)) {
        return false;
    }
    for (ptrdiff_t i = 0; i < map_count(&p->group->seen); i++) {
        h = hash_mix(h, hash64(map_key_at(&p->group->seen, i)));
    }
    const uint64_t rest[] = {
        hash64(version_text()),
        o->seed,
        (uint64_t)o->tries,
        (uint64_t)o->max_databases,
        (uint64_t)o->max_neighbors,
        o->is_private,
        o->nulls_as_data,
        TWO_READINGS,
        SEARCH,
    };
    for (ptrdiff_t i = 0; i < countof(rest); i++) {
        h = hash_mix(h, rest[i]);
    }
    char hex[17];
    hash64_hex(h, hex);
    p->key = arena_str(a, str_from(hex));
    return true;
}

static bool is_done(const distill_piece *p, arena scratch)
{
    if (!file_exists(arena_cstr(&scratch, p->file))) {
        return false;
    }
    file_map file;
    diag ignored = diag_new(&scratch);
    if (!file_open(&file, &scratch, p->file, &ignored)) {
        return false;
    }
    str head = file.bytes;
    str line = str_cut(&head, '\n');
    const json *j = json_parse(&scratch, line, NULL);
    bool same = str_equal(json_get_text(j, S("key")), p->key);
    file_close(&file);
    return same;
}

ORDER(by_golds,
      distill_piece,
      ORDER_OF(map_count(&b->group->seen), map_count(&a->group->seen)),
      ORDER_TEXT(group->db))

// A name that is one file below the folder.
static bool is_file_name(str db)
{
    return db.len > 0 && db.ptr[0] != '.' && str_find(db, S("/"), 0) < 0
           && str_find(db, S("\0"), 0) < 0;
}

static bool plan_pieces(distill_task *t, distill_outcome *out, arena *a)
{
    const distill_run_options *o = t->options;
    bool ok = true;
    t->pieces = arena_new(a, distill_piece, t->groups.len);
    for (ptrdiff_t i = 0; i < t->groups.len; i++) {
        const gold_group *g = &t->groups.ptr[i];
        distill_piece p = {.group = g};
        diag_place place = {.file = g->db};
        if (g->path.len == 0) {
            ok = diag_add(t->d, place, "%.*s", STR_ARG(g->error));
        } else if (!is_file_name(g->db)) {
            ok = diag_add(t->d, place, "no name for a file");
        } else if (!make_key(&p, t, a)) {
            ok = false;
        } else {
            p.file = arena_printf(a, "%.*s/%.*s.suite", STR_ARG(o->out),
                                  STR_ARG(g->db));
            t->golds_total += map_count(&g->seen);
            if (is_done(&p, t->scratch)) {
                t->golds_before += map_count(&g->seen);
                out->n_kept++;
            } else {
                t->pieces[t->n_pieces++] = p;
            }
            continue;
        }
        out->n_failed++;
    }
    qsort(t->pieces, (size_t)t->n_pieces, sizeof *t->pieces, by_golds);
    return ok;
}

// How many processes make the parts of the piece; 0: it has only one.
static ptrdiff_t n_shares(const distill_piece *p)
{
    return p->n_parts > 1 ? p->n_parts : 0;
}

// The parts of the pieces that have several.
static void order_parts(distill_task *t)
{
    for (ptrdiff_t i = 0; i < t->n_pieces; i++) {
        distill_piece *p = &t->pieces[i];
        p->n_parts = distill_parts(map_count(&p->group->seen));
        p->parts = arena_new(t->a, str, p->n_parts);
        for (ptrdiff_t k = 0; k < n_shares(p); k++) {
            *vec_push(t->a, &t->orders) = (distill_order){p, k};
        }
    }
}

// All pieces: as a whole, or joined of their parts.
static void order_pieces(distill_task *t)
{
    t->orders.len = 0;
    for (ptrdiff_t i = 0; i < t->n_pieces; i++) {
        *vec_push(t->a, &t->orders) = (distill_order){&t->pieces[i], -1};
    }
}

static str_list notes_of(const diag *d, arena *a)
{
    str_list notes = {0};
    for (ptrdiff_t i = 0; i < d->messages.len; i++) {
        *vec_push(a, &notes) = d->messages.ptr[i].text;
    }
    return notes;
}

typedef struct distill_making {
    const distill_task *task;
    const distill_piece *piece;
    ptrdiff_t part;  // -1: the whole
    watch *watch;
    arena *a;
    diag *d;
    arena scratch;
} distill_making;

static void raise_progress(void *context, ptrdiff_t done)
{
    watch *w = context;
    (void)done;
    atomic_fetch_add(&w->progress, 1);
    watch_begin(w, WATCH_ALL, WATCH_QUERY);  // the next gold has its own time
}

static bool read_parts(const distill_making *m, suite *parts)
{
    bool ok = true;
    for (ptrdiff_t i = 0; ok && i < m->piece->n_parts; i++) {
        ok = suite_from_text(&parts[i], m->a, m->piece->file,
                             m->piece->parts[i], m->d, m->scratch);
    }
    return ok;
}

static bool make_suite(const distill_making *m,
                       const distill_job *job,
                       suite *made)
{
    const distill_piece *p = m->piece;
    if (m->part >= 0) {
        return distill_part(made, m->a, job, m->part, m->d);
    }
    if (p->n_parts == 1) {
        return distill(made, m->a, job, m->d);
    }
    suite *parts = arena_new(m->a, suite, p->n_parts);
    return read_parts(m, parts) && distill_join(made, m->a, job, parts, m->d);
}

// A suite whose databases obey facts of these kinds.
static bool make_obeying(const distill_making *m,
                         const distill_job *declared,
                         const facts *shown,
                         unsigned kinds,
                         const distill_options *options,
                         const suite *core,
                         suite *made)
{
    distill_job job = *declared;
    instance original = {0};
    job.facts = shown;
    job.kinds = kinds;
    job.core = core;
    job.options = options;
    job.schema = facts_apply(m->a, declared->schema, shown, kinds, m->scratch);
    if (declared->original) {
        original = (instance){job.schema, declared->original->tables};
        job.original = &original;
    }
    return core ? distill(made, m->a, &job, m->d) : make_suite(m, &job, made);
}

// A fact of these kinds that the schema does not demand anyway.
static bool has_kind(const facts *shown, unsigned kinds, const schema *s)
{
    bool found = false;
    for (ptrdiff_t i = 0; !found && i < shown->list.len; i++) {
        const fact *f = &shown->list.ptr[i];
        found = (kinds & 1u << f->kind) && !fact_is_demanded(f, s);
    }
    return found;
}

// Adds databases for what only those tell apart that break facts of `broken`.
static bool add_strict(const distill_making *m,
                       const distill_job *declared,
                       const facts *shown,
                       unsigned broken,
                       suite *made)
{
    distill_options rest = *declared->options;
    suite *core = arena_new(m->a, suite, 1);
    suite *strict = arena_new(m->a, suite, 1);
    // What one kind does not kill meets all kinds in the end, for longer.
    if (broken != FACTS_FIRM) {
        rest.tries /= STRICT_SHARE;
        rest.quiet_share = STRICT_QUIET;
    }
    rest.max_databases -= made->n_databases;
    bool is_full =
        declared->options->max_databases > 0 && rest.max_databases <= 0;
    if (is_full || !has_kind(shown, broken, declared->schema)
        || !distill_has_survivors(made)) {
        return true;
    }
    rest.max_databases = rest.max_databases > 0 ? rest.max_databases : 0;
    *core = *made;
    bool ok = make_obeying(m, declared, shown, FACTS_FIRM & ~broken, &rest,
                           core, strict);
    if (ok) {
        distill_add_strict(made, m->a, core, strict, shown, rest.dialect,
                           m->scratch);
    }
    return ok;
}

// Databases that obey what the data show, then those for what only others tell
// apart. Of a part only the first.
static bool make_both(const distill_making *m,
                      const distill_job *declared,
                      const facts *shown,
                      suite *made)
{
    static const unsigned broken[] = {
        1 << FACT_NEVER_NULL,
        1 << FACT_FOREIGN_KEY,
        1 << FACT_ONE_SPELLING,
        1 << FACT_NOT_EMPTY,
        FACTS_FIRM,
    };
    if (shown->list.len == 0) {
        return make_suite(m, declared, made);
    }
    // What lives gets as many tries again, with and without facts.
    distill_options first = *declared->options;
    first.tries /= STRICT_SHARE;
    bool ok = make_obeying(m, declared, shown, FACTS_FIRM, &first, NULL, made);
    for (ptrdiff_t i = 0; ok && m->part < 0 && i < countof(broken); i++) {
        ok = add_strict(m, declared, shown, broken[i], made);
    }
    return ok;
}

static bool distill_from(const distill_making *m,
                         database *db,
                         buf *out,
                         const distill_options *options)
{
    const distill_run_options *o = m->task->options;
    const distill_piece *p = m->piece;
    // What the data break is not demanded of the suite.
    diag broken = diag_new(m->a);
    const schema *s = satisfied_schema(m->a, db, &broken, m->scratch);
    if (s->dialect == DIALECT_DUCKDB) {
        s = stored_schema(m->a, s, &broken);
    }
    if (o->nulls_as_data) {
        s = original_not_null(m->a, db, s, m->scratch);
    }
    instance original;
    if (!o->is_private) {
        original = original_rows(m->a, db, s, m->scratch);
    }
    facts shown = {0};
    if (!m->task->groups.is_typed) {
        shown = fact_mine(m->a, db, p->group->db, FACTS_FIRM, m->scratch);
    }
    str *golds = arena_new(m->a, str, map_count(&p->group->seen));
    for (ptrdiff_t i = 0; i < map_count(&p->group->seen); i++) {
        golds[i] = map_key_at(&p->group->seen, i);
    }
    const distill_job job = {
        .db = p->group->db,
        .schema = s,
        .golds = golds,
        .n_golds = map_count(&p->group->seen),
        .original = o->is_private ? NULL : &original,
        .options = options,
        .progress = raise_progress,
        .context = m->watch,
    };
    suite made;
    bool ok = make_both(m, &job, &shown, &made);
    if (ok) {
        made.key = p->key;
        made.notes = notes_of(&broken, m->a);
        suite_to_text(out, &made);
    }
    return ok;
}

static bool make(const distill_making *m, buf *out)
{
    const distill_run_options *o = m->task->options;
    const distill_options options = {
        .seed = o->seed,
        .tries = o->tries,
        .max_databases = (ptrdiff_t)o->max_databases,
        .max_neighbors = (ptrdiff_t)o->max_neighbors,
        .dialect = m->task->groups.dialect,
        .engine = engine_for(m->task, m->piece->group->path),
    };
    engine *e = engine_open(&options.engine, m->d);
    database *db =
        e ? engine_database(e, m->piece->group->path, m->d, m->scratch) : NULL;
    bool ok = db && distill_from(m, db, out, &options);
    engine_close(e);
    return ok;
}

/* In a worker. */

static void *open_worker(const void *context, worker *port)
{
    const distill_task *t = context;
    rights_load(t->groups.from.driver, port);
    return port;
}

static void serve_order(worker *port, const work_request *r, void *reply)
{
    const distill_task *t = port->call->context;
    const distill_order *order = &t->orders.ptr[r->item];
    made_answer *made = reply;
    arena *memory = port->memory;
    buf out = buf_new(&memory[1]);
    diag d = diag_new(&memory[0]);
    const distill_making m = {
        .task = t,
        .piece = order->piece,
        .part = order->part,
        .watch = port->watch,
        .a = &memory[0],
        .d = &d,
        .scratch = memory[2],
    };
    made->is_made = make(&m, &out);
    made->text = made->is_made ? buf_str(&out)
                 : d.messages.len > 0
                     ? diag_format(&memory[0], d.messages.ptr[0])
                     : (str){0};
}

/* In the parent. */

static void complain(distill_task *t, const distill_piece *p, str bytes)
{
    str why = bytes.len > 0 && bytes.len < 1000
                  ? bytes
                  : S("its process died; this is a bug in assay");
    diag_add(t->d, (diag_place){.file = p->group->db}, "%.*s", STR_ARG(why));
}

// A suite says whose it is before all else.
static bool is_sound(const void *context, int32_t item, const void *reply)
{
    const distill_task *t = context;
    const distill_piece *p = t->orders.ptr[item].piece;
    const made_answer *made = reply;
    arena a = t->scratch;
    buf head = buf_new(&a);
    suite_head_begin(&head, p->group->db, p->key);
    return !made->is_made || str_starts(made->text, buf_str(&head));
}

static bool take(void *context, int32_t item, const void *reply)
{
    distill_task *t = context;
    const distill_order *order = &t->orders.ptr[item];
    const made_answer *made = reply;
    if (!made->is_made) {
        complain(t, order->piece, made->text);
        return true;
    }
    if (order->part >= 0) {
        order->piece->parts[order->part] = arena_str(t->a, made->text);
        return true;
    }
    return file_write(order->piece->file, made->text, t->d, t->scratch);
}

static bool died(void *context, work_request *r, const work_death *death)
{
    distill_task *t = context;
    const distill_piece *p = t->orders.ptr[r->item].piece;
    complain(t, p,
             death->why == REASON_MEMORY    ? S("it takes too much memory")
             : death->why == REASON_TIMEOUT ? S("one gold takes too long")
                                            : (str){0});
    return false;
}

// A piece of which a part failed has no suite.
static void drop_failed(distill_task *t, distill_outcome *out)
{
    ptrdiff_t kept = 0;
    for (ptrdiff_t i = 0; i < t->n_pieces; i++) {
        const distill_piece *p = &t->pieces[i];
        bool is_whole = true;
        for (ptrdiff_t k = 0; p->n_parts > 1 && k < p->n_parts; k++) {
            is_whole = is_whole && p->parts[k].len > 0;
        }
        if (is_whole) {
            t->pieces[kept++] = *p;
        }
    }
    out->n_failed += t->n_pieces - kept;
    t->n_pieces = kept;
}

static void idle(void *context, int64_t progress)
{
    const distill_task *t = context;
    if (t->options->progress) {
        t->options->progress(t->options->context,
                             t->golds_before + t->progress + progress,
                             t->golds_total);
    }
}

static supervisor_end run_orders(distill_task *t)
{
    const supervisor_job job = {
        .call = {.context = t,
                 .answer = &message_made,
                 .rights = rights_at(&t->groups.from),
                 .n_arenas = 3,
                 .arena_bytes = PIECE_BYTES,
                 .open = open_worker,
                 .serve = serve_order},
        .context = t,
        .n_items = t->orders.len,
        .n_workers = t->options->jobs,
        .computes = !t->groups.on_server,
        .window = 1,
        .item_ms = GOLD_MS,
        .most_bytes = WORKER_BYTES,
        .is_sound = is_sound,
        .take = take,
        .died = died,
        .idle = idle,
    };
    return supervisor_run(&job, NULL, t->d, t->a, t->scratch);
}

// First the parts of big schemas, then the rest of these and all others.
static supervisor_end run_pieces(distill_task *t, distill_outcome *out)
{
    order_parts(t);
    supervisor_end end = run_orders(t);
    if (end != SUPERVISOR_DONE) {
        return end;
    }
    for (ptrdiff_t i = 0; i < t->n_pieces; i++) {
        const distill_piece *p = &t->pieces[i];
        t->progress += n_shares(p) > 0 ? map_count(&p->group->seen) : 0;
    }
    drop_failed(t, out);
    order_pieces(t);
    return run_orders(t);
}

bool distill_run(const distill_run_options *o,
                 distill_outcome *out,
                 arena *a,
                 diag *d,
                 diag *notes,
                 arena scratch)
{
    *out = (distill_outcome){0};
    int64_t start = clock_ns();
    distill_task t = {.options = o, .d = d, .a = a, .scratch = scratch};
    if (!gold_groups_read(&t.groups, a, &o->golds, d, scratch)
        || !file_make_folder(o->out, d, scratch)) {
        return false;
    }
    if (o->writes_sqlite && t.groups.is_typed) {
        return diag_add(
            d, (diag_place){0},
            "--layout spider writes SQLite files; this suite is for %s",
            t.groups.on_server ? "PostgreSQL" : "DuckDB");
    }
    bool ok = plan_pieces(&t, out, a);
    out->end = run_pieces(&t, out);
    out->n_cases = t.groups.n_cases;
    out->wall_ns = clock_ns() - start;
    if (out->end != SUPERVISOR_DONE) {
        return out->end == SUPERVISOR_INTERRUPTED;
    }
    return distill_write_manifest(o, &t.groups, out, a, d, notes, scratch)
           && ok;
}
