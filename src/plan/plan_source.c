/*
 * plan_source.c - see plan_source.h.
 *
 * Method      A server is asked for its databases now, by the parent, so that
 *             one that is down, or does not let us in, is found before
 *             anything runs. With --setup the databases are made first, under
 *             names of this run, and dropped when the plan is closed. Signals
 *             wait while they are made: whoever interrupts leaves nothing
 *             behind.
 */
#include "plan/plan_source.h"

#include "base/clock.h"
#include "base/hash.h"
#include "engine/script.h"
#include "engine/sqlite_wal.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

// What a database of the server needs to be made.
typedef struct maker {
    plan *p;
    engine *server;
    source dumps;
    bool is_making;   // --setup was given
    bool has_models;  // each database with a copy for scripts to begin with
    bool copies_wal;  // SQLite files that others write to are copied
    diag *d;
} maker;

// Letters, digits and '_' of the name: what needs no quotes anywhere.
static str made_name(const plan *p, str name, arena *a)
{
    enum {
        LONGEST = 20
    };
    str kept = arena_str(a, str_sub(name, 0, LONGEST));
    char *text = arena_cstr(a, kept);
    for (ptrdiff_t i = 0; i < kept.len; i++) {
        text[i] =
            is_alpha(text[i]) || is_digit(text[i]) ? to_lower(text[i]) : '_';
    }
    return arena_printf(a, "assay_scratch_%llx_%td_%s",
                        (unsigned long long)clock_ns() % 0xfffffff
                            + ((unsigned long long)getpid() << 28),
                        p->made.len, text);
}

static bool was_interrupted(void)
{
    sigset_t waiting;
    sigpending(&waiting);
    return sigismember(&waiting, SIGINT) == 1
           || sigismember(&waiting, SIGTERM) == 1
           || sigismember(&waiting, SIGHUP) == 1;
}

static bool make_database(maker *m,
                          str name,
                          str *path,
                          str *dump,
                          diag *why,
                          arena scratch)
{
    str file = {0};
    file_map f;
    diag_place place = {.file = m->dumps.path};
    if (was_interrupted()) {
        return diag_add(why, place, "interrupted");
    }
    if (!source_database(&m->dumps, &scratch, name, &file, why, place, scratch)
        || !file_open(&f, &scratch, file, why)) {
        return false;
    }
    str made = made_name(m->p, name, m->p->a);
    engine_dump text = {.name = made, .path = f.path, .text = f.bytes};
    *dump = arena_str(m->p->a, file);
    bool ok = engine_make_database(m->server, m->p->source.path, &text, path,
                                   m->p->a, why, scratch);
    file_close(&f);
    if (ok) {
        *vec_push(m->p->a, &m->p->made) = made;
    }
    return ok
           && (!m->has_models
               || script_make_model(m->server, *path, made, why, scratch));
}

// A copy of the file with what is still in its log, where there is one.
static bool copy_wal(plan *p, str path, diag *why, arena scratch)
{
    str bytes = engine_image_of(&p->images, path);
    if (bytes.len > 0 || !sqlite_wal_copy(path, &bytes, why, scratch)) {
        return bytes.len > 0;
    }
    if (bytes.len > 0) {
        *vec_push(p->a, &p->images) = (engine_image){path, bytes};
    }
    return true;
}

// The path or URL of one database; empty with a message when there is none.
static str find_database(maker *m,
                         str name,
                         str *dump,
                         diag *why,
                         arena scratch)
{
    plan *p = m->p;
    str path = {0};
    diag_place place = {.file = p->gold.file.path};
    bool ok = m->is_making ? make_database(m, name, &path, dump, why, scratch)
                           : source_database(&p->source, p->a, name, &path, why,
                                             place, scratch);
    const database *db =
        ok && m->server ? engine_database(m->server, path, why, scratch) : NULL;
    ok = ok && (!m->server || db)
         && (!m->copies_wal || copy_wal(p, path, why, scratch));
    if (db && !m->is_making && p->remark.len == 0) {
        p->remark = engine_remark(db, p->a);
    }
    return ok ? path : (str){0};
}

// Does any chosen case name no database?
static bool has_nameless(const plan *p)
{
    for (ptrdiff_t i = 0; i < p->n_cases; i++) {
        if (p->gold.entries.ptr[p->cases[i]].db < 0) {
            return true;
        }
    }
    return false;
}

static bool find_databases(maker *m, arena scratch)
{
    plan *p = m->p;
    ptrdiff_t n_found = 0;
    str first_error = {0};
    p->n_dbs = map_count(&p->gold.dbs);
    p->dbs =
        arena_alloc(p->a, sizeof *p->dbs, _Alignof(max_align_t), p->n_dbs + 1);
    for (ptrdiff_t i = 0; i <= p->n_dbs; i++) {
        bool named = i < p->n_dbs;
        if (!named && m->server && !has_nameless(p)) {
            break;
        }
        str name = named ? map_key_at(&p->gold.dbs, i) : (str){0};
        diag why = diag_new(p->a);
        str path = find_database(m, name, &p->dbs[i].dump, &why, scratch);
        str error =
            path.len > 0 ? (str){0} : diag_format(p->a, why.messages.ptr[0]);
        if (!m->server && error.len > 0) {
            error = diag_first(&why);
        }
        n_found += path.len > 0;
        first_error = first_error.len > 0 ? first_error : error;
        p->dbs[i].path = path;
        p->dbs[i].error = error;
    }
    return !m->server || n_found > 0
           || diag_add(m->d, (diag_place){0}, "%.*s", STR_ARG(first_error));
}

static engine *open_server(const plan *p, int64_t clock_ms, diag *d)
{
    engine_options options = {.driver = p->source.driver,
                              .limits.timeout_ms = 10000,
                              .clock_ms = clock_ms};
    return engine_open(&options, d);
}

// Of an engine that is a library: is it there, and which one?
static bool read_version(plan *p, diag *d)
{
    engine_options options = {.driver = p->source.driver};
    engine *e = engine_open(&options, d);
    if (e) {
        p->engine_version = engine_version(e, p->a);
    }
    engine_close(e);
    return e != NULL;
}

static bool open_dumps(maker *m, str path, diag *d)
{
    m->is_making = true;
    if (!m->server) {
        return diag_add(d, (diag_place){.file = path},
                        "--setup needs the URL of a server in --db; "
                        "SQLite reads dumps itself: --db %.*s",
                        STR_ARG(path));
    }
    return source_open(&m->dumps, m->p->a, path, d);
}

bool plan_open_databases(plan *p, const plan_options *o, diag *d, arena scratch)
{
    maker m = {.p = p,
               .d = d,
               .copies_wal = o->copies_wal && !p->source.is_url,
               .has_models = o->runs_scripts};
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGINT);
    sigaddset(&stop, SIGTERM);
    sigaddset(&stop, SIGHUP);
    if (engine_driver_is_server(p->source.driver)) {
        m.server = open_server(p, o->clock_ms, d);
        if (!m.server) {
            return false;
        }
    }
    if (p->source.is_url && !m.server && !read_version(p, d)) {
        return false;
    }
    bool ok = o->setup.len == 0 || open_dumps(&m, o->setup, d);
    sigprocmask(SIG_BLOCK, &stop, &p->signals);
    ok = ok && find_databases(&m, scratch);
    if (ok && m.server) {
        p->engine_version = engine_version(m.server, p->a);
    }
    engine_close(m.server);
    if (!ok || was_interrupted()) {
        plan_drop_databases(p);
    }
    if (p->made.len == 0) {
        sigprocmask(SIG_SETMASK, &p->signals, NULL);
    }
    return ok;
}

static uint64_t file_fingerprint(str path, diag *d, arena scratch)
{
    file_map f;
    if (!file_open(&f, &scratch, path, d)) {
        return 0;
    }
    uint64_t hash = hash_mix(1, file_hash_pieces(&f));
    file_close(&f);
    return hash;
}

// What changes when somebody writes to the file; 0: there is none.
static uint64_t file_mark(str path, arena scratch)
{
    struct stat st;
    if (path.len == 0 || stat(arena_cstr(&scratch, path), &st) != 0
        || !S_ISREG(st.st_mode)) {
        return 0;
    }
    uint64_t mark = hash_mix((uint64_t)st.st_ino, (uint64_t)st.st_size);
    mark = hash_mix(mark, (uint64_t)st.st_mtim.tv_sec);
    mark = hash_mix(mark, (uint64_t)st.st_mtim.tv_nsec);
    mark = hash_mix(mark, (uint64_t)st.st_ctim.tv_sec);
    return hash_mix(mark, (uint64_t)st.st_ctim.tv_nsec);
}

plan_marks plan_marks_of(const plan *p, arena scratch)
{
    bool has_files =
        p->has_source && !engine_driver_is_server(p->source.driver);
    plan_marks m = {arena_new(p->a, uint64_t, p->n_dbs + 1),
                    arena_new(p->a, uint64_t, p->n_runs + 1)};
    for (ptrdiff_t i = 0; has_files && i <= p->n_dbs; i++) {
        str path = p->dbs[i].path;
        bool is_copied = engine_image_of(&p->images, path).len > 0;
        m.dbs[i] = path.len > 0 && !is_copied
                       ? file_mark(source_file(&p->source, path), scratch)
                       : 0;
    }
    for (ptrdiff_t i = 0; i <= p->n_runs; i++) {
        const dataset *set = i < p->n_runs ? &p->runs[i].set : &p->gold;
        m.inputs[i] =
            set->is_in_memory ? 0 : file_mark(set->file.path, scratch);
    }
    return m;
}

uint64_t *plan_fingerprints(const plan *p, arena *a, diag *d, arena scratch)
{
    // A look at all tables may take as long as it likes.
    engine_options patient = {.driver = p->source.driver,
                              .limits.timeout_ms = 3600000};
    engine *server = engine_driver_is_server(p->source.driver)
                         ? engine_open(&patient, d)
                         : NULL;
    uint64_t *prints = arena_new(a, uint64_t, p->n_dbs + 1);
    for (ptrdiff_t i = 0; i <= p->n_dbs; i++) {
        str path = p->dbs[i].path;
        if (path.len == 0) {
            continue;
        }
        if (!server) {
            prints[i] =
                file_fingerprint(source_file(&p->source, path), d, scratch);
            continue;
        }
        database *db = engine_database(server, path, d, scratch);
        if (db && !engine_fingerprint(db, &prints[i], d, scratch)) {
            prints[i] = 0;
        }
    }
    engine_close(server);
    return prints;
}

void plan_drop_databases(plan *p)
{
    diag ignored = diag_new(p->a);
    engine *server = p->made.len > 0 ? open_server(p, 0, &ignored) : NULL;
    for (ptrdiff_t i = 0; server && i < p->made.len; i++) {
        arena scratch = *p->a;
        engine_drop_database(server, p->source.path, p->made.ptr[i], scratch);
    }
    engine_close(server);
    if (p->made.len > 0) {
        p->made.len = 0;
        sigprocmask(SIG_SETMASK, &p->signals, NULL);
    }
}
