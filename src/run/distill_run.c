// distill_run.c - see distill_run.h.
#include "run/distill_run.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/version.h"
#include "check/held.h"
#include "run/distill_manifest.h"
#include "suite/distill.h"
#include "suite/original.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    TIMEOUT_MS = 20000,  // for one query: steps end it long before
};

static const ptrdiff_t PIECE_BYTES = (ptrdiff_t)32 << 30;

typedef struct distill_piece {
    const gold_group *group;
    str file;  // SUITE/DB.suite
    str key;
} distill_piece;

typedef struct distill_task {
    const distill_run_options *options;
    gold_groups groups;
    distill_piece *pieces;  // to be done, biggest first
    ptrdiff_t n_pieces;
    int64_t golds_before;  // golds of schemas that were done before
    int64_t golds_total;
    diag *d;
    arena scratch;
} distill_task;

// Everything that the suite of a group depends on.
static bool make_key(distill_piece *p,
                     const distill_run_options *o,
                     arena *a,
                     diag *d)
{
    file_map file;
    if (!file_open(&file, a, p->group->path, d)) {
        return false;
    }
    uint64_t h = hash64(file.bytes);
    file_close(&file);
    for (ptrdiff_t i = 0; i < map_count(&p->group->seen); i++) {
        h = hash_mix(h, hash64(map_key_at(&p->group->seen, i)));
    }
    h = hash_mix(h, hash64(version_text()));
    h = hash_mix(h, o->seed);
    h = hash_mix(h, (uint64_t)o->tries);
    h = hash_mix(h, (uint64_t)o->max_databases);
    h = hash_mix(h, (uint64_t)o->max_neighbors);
    h = hash_mix(h, o->is_private);
    h = hash_mix(h, o->nulls_as_data);
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

static int by_golds(const void *a, const void *b)
{
    const distill_piece *x = a;
    const distill_piece *y = b;
    ptrdiff_t n = map_count(&y->group->seen) - map_count(&x->group->seen);
    return n != 0 ? (n > 0) - (n < 0) : str_compare(x->group->db, y->group->db);
}

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
        if (!is_file_name(g->db)) {
            ok = diag_add(t->d, place, "no name for a file");
        } else if (g->path.len == 0) {
            ok = diag_add(t->d, place, "%.*s", STR_ARG(g->error));
        } else if (!make_key(&p, o, a, t->d)) {
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

typedef struct piece_progress {
    _Atomic int64_t *sum;
} piece_progress;

static void raise_progress(void *context, ptrdiff_t done)
{
    piece_progress *p = context;
    (void)done;
    atomic_fetch_add(p->sum, 1);
}

static const str *notes_of(const diag *d, arena *a)
{
    str *notes = arena_new(a, str, d->messages.len);
    for (ptrdiff_t i = 0; i < d->messages.len; i++) {
        notes[i] = d->messages.ptr[i].text;
    }
    return notes;
}

static bool distill_piece_to(const distill_task *t,
                             const distill_piece *p,
                             buf *out,
                             piece_progress *progress,
                             arena *a,
                             diag *d,
                             arena scratch)
{
    const distill_run_options *o = t->options;
    const distill_options options = {
        .seed = o->seed,
        .tries = o->tries,
        .max_databases = (ptrdiff_t)o->max_databases,
        .max_neighbors = (ptrdiff_t)o->max_neighbors,
        .dialect = o->golds.dialect,
        .engine = {.limits = {TIMEOUT_MS, 1000000, 1 << 30},
                   .clock_ms = o->clock_ms},
    };
    engine *e = engine_open(&options.engine, d);
    database *db = e ? engine_database(e, p->group->path, d, scratch) : NULL;
    if (!db) {
        return false;
    }
    // What the data break is not demanded of the suite.
    diag broken = diag_new(a);
    const schema *s = held_schema(a, db, &broken, scratch);
    if (o->nulls_as_data) {
        s = original_not_null(a, db, s, scratch);
    }
    instance original;
    if (!o->is_private) {
        original = original_rows(a, db, scratch);
        original.schema = s;
    }
    str *golds = arena_new(a, str, map_count(&p->group->seen));
    for (ptrdiff_t i = 0; i < map_count(&p->group->seen); i++) {
        golds[i] = map_key_at(&p->group->seen, i);
    }
    const distill_job job = {
        .db = p->group->db,
        .schema = s,
        .golds = golds,
        .n_golds = map_count(&p->group->seen),
        .original = o->is_private ? NULL : &original,
        .options = &options,
        .progress = raise_progress,
        .context = progress,
    };
    suite made;
    bool ok = distill(&made, a, &job, d);
    if (ok) {
        made.key = p->key;
        made.notes = notes_of(&broken, a);
        made.n_notes = broken.messages.len;
        suite_to_text(out, &made);
    }
    engine_close(e);
    return ok;
}

// In a process of its own. What goes wrong is written instead of the suite.
static bool work(void *context,
                 ptrdiff_t piece,
                 int fd,
                 _Atomic int64_t *progress)
{
    const distill_task *t = context;
    arena_store stores[3];
    bool ok = true;
    for (int i = 0; i < countof(stores); i++) {
        ok = ok && arena_store_open(&stores[i], PIECE_BYTES);
    }
    if (!ok) {
        return false;
    }
    arena a = arena_store_clear(&stores[0]);
    arena of_out = arena_store_clear(&stores[1]);
    buf out = buf_new(&of_out);
    diag d = diag_new(&a);
    piece_progress p = {progress};
    ok = distill_piece_to(t, &t->pieces[piece], &out, &p, &a, &d,
                          arena_store_clear(&stores[2]));
    if (!ok && d.messages.len > 0) {
        out.len = 0;
        buf_add(&out, diag_format(&a, d.messages.ptr[0]));
    }
    return file_write_all(fd, buf_str(&out)) && ok;
}

static bool take(void *context, ptrdiff_t piece, str bytes, bool ok)
{
    distill_task *t = context;
    const distill_piece *p = &t->pieces[piece];
    if (ok) {
        return file_write(p->file, bytes, t->d, t->scratch);
    }
    str why = bytes.len > 0 && bytes.len < 1000
                  ? bytes
                  : S("its process died; this is a fault of assay");
    diag_add(t->d, (diag_place){.file = p->group->db}, "%.*s", STR_ARG(why));
    return true;
}

static void idle(void *context, int64_t progress)
{
    const distill_task *t = context;
    if (t->options->progress) {
        t->options->progress(t->options->context, t->golds_before + progress,
                             t->golds_total);
    }
}

static bool make_folder(str path, diag *d, arena scratch)
{
    const char *name = arena_cstr(&scratch, path);
    if (mkdir(name, 0777) == 0 || (errno == EEXIST && file_is_folder(name))) {
        return true;
    }
    return diag_add(d, (diag_place){.file = path}, "cannot make the folder: %s",
                    strerror(errno));
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
    distill_task t = {.options = o, .d = d, .scratch = scratch};
    if (!gold_groups_read(&t.groups, a, &o->golds, d, scratch)
        || !make_folder(o->out, d, scratch)) {
        return false;
    }
    bool ok = plan_pieces(&t, out, a);
    const crew_job job = {
        .n_pieces = t.n_pieces,
        .n_workers = o->jobs,
        .context = &t,
        .work = work,
        .take = take,
        .idle = idle,
    };
    out->end = t.n_pieces > 0 ? crew_run(&job, d, a) : CREW_DONE;
    out->n_cases = t.groups.n_cases;
    out->wall_ns = clock_ns() - start;
    if (out->end != CREW_DONE) {
        return out->end == CREW_INTERRUPTED;
    }
    return distill_write_manifest(o, &t.groups, out, a, d, notes, scratch)
           && ok;
}
