/*
 * suite_set.c - finding suites, and opening one for scoring.
 *
 * Method      A folder with *.suite files is one that `assay distill` wrote;
 *             otherwise every subfolder with SQLite files is a suite of its
 *             name. Names are sorted, so that the order does not depend on the
 *             file system. A suite file is mapped when it is found and read
 *             when a worker first needs it; databases are filled into one
 *             scratch connection, one at a time.
 *
 * Invariant   `filled` is the database whose rows the connection holds, -1 when
 *             that is not certain.
 *
 * Cost        Opening is linear in the folder; reading, in the suite file.
 */
#include "suite/suite_set.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <string.h>

enum {
    // A prediction may be clumsy; the databases are tiny.
    MOST_STEPS = 20000000,
    MOST_ROWS = 200000,
    MOST_BYTES = 256 << 20,
    // Of the images of one suite. One of ten tables takes 60 KB.
    MOST_IMAGE_BYTES = 64 << 20,
};

static const scratch_limits bench_limits = {MOST_STEPS, MOST_ROWS, MOST_BYTES};

// Sorted; NULL when it is no folder that can be read.
static bool list_folder(str_list *out, arena *a, str path, arena scratch)
{
    DIR *folder = opendir(arena_cstr(&scratch, path));
    *out = (str_list){0};
    if (!folder) {
        return false;
    }
    for (const struct dirent *e = readdir(folder); e; e = readdir(folder)) {
        str name = str_from(e->d_name);
        if (name.ptr[0] != '.') {
            *vec_push(a, out) = arena_str(a, name);
        }
    }
    closedir(folder);
    str_sort(out->ptr, out->len);
    return true;
}

static bool is_sqlite(str name)
{
    static const str journals[] = {S_INIT("-wal"), S_INIT("-shm"),
                                   S_INIT("-journal")};
    bool is_other = false;
    for (ptrdiff_t i = 0; i < countof(journals); i++) {
        is_other |= str_ends(name, journals[i]);
    }
    return !is_other && str_find(name, S(".sqlite"), 0) > 0;
}

static suite_entry *add_entry(suite_set *s, arena *a, str db)
{
    ptrdiff_t id = map_add(&s->names, a, db);
    if (id == s->entries.len) {
        *vec_push(a, &s->entries) =
            (suite_entry){.db = map_key_at(&s->names, id)};
    }
    return &s->entries.ptr[id];
}

static bool add_file(suite_set *s, arena *a, str name, diag *d)
{
    assert(str_ends(name, S(".suite")));
    str db = str_sub(name, 0, name.len - S(".suite").len);
    suite_entry *e = add_entry(s, a, db);
    str path = arena_printf(a, "%.*s/%.*s", STR_ARG(s->folder), STR_ARG(name));
    // Nobody writes into a pipe that lies in a folder of files.
    if (file_is_special(path.ptr)) {
        return diag_add(d, (diag_place){.file = path}, "not a regular file");
    }
    return file_open(&e->file, a, path, d);
}

static void add_folder(suite_set *s, arena *a, str db, arena scratch)
{
    str_list names;
    str folder =
        arena_printf(&scratch, "%.*s/%.*s", STR_ARG(s->folder), STR_ARG(db));
    str_list paths = {0};
    if (!list_folder(&names, a, folder, scratch)) {
        return;
    }
    for (ptrdiff_t i = 0; i < names.len; i++) {
        if (is_sqlite(names.ptr[i])) {
            *vec_push(a, &paths) = arena_printf(a, "%.*s/%.*s", STR_ARG(folder),
                                                STR_ARG(names.ptr[i]));
        }
    }
    if (paths.len > 0) {
        suite_entry *e = add_entry(s, a, db);
        e->paths = paths.ptr;
        e->n_paths = paths.len;
    }
}

bool suite_set_open(suite_set *s, arena *a, str folder, diag *d, arena scratch)
{
    str_list names;
    *s = (suite_set){.folder = str_from(arena_cstr(a, folder))};
    diag_place place = {.file = s->folder};
    if (!list_folder(&names, a, folder, scratch)) {
        return diag_add(d, place, "no suite there: %s", strerror(errno));
    }
    bool ok = true;
    bool has_files = false;
    for (ptrdiff_t i = 0; i < names.len; i++) {
        if (str_ends(names.ptr[i], S(".suite"))) {
            has_files = true;
            ok = add_file(s, a, names.ptr[i], d) && ok;
        }
    }
    for (ptrdiff_t i = 0; !has_files && i < names.len; i++) {
        add_folder(s, a, names.ptr[i], scratch);
    }
    return ok
           && (s->entries.len > 0
               || diag_add(d, place,
                           "no suite there: no DB.suite files (assay distill) "
                           "and no folders DB with .sqlite files"));
}

void suite_set_close(suite_set *s)
{
    for (ptrdiff_t i = 0; i < s->entries.len; i++) {
        if (s->entries.ptr[i].file.bytes.len > 0) {
            file_close(&s->entries.ptr[i].file);
        }
    }
}

const suite_entry *suite_set_find(const suite_set *s, str name)
{
    ptrdiff_t id = map_find(&s->names, name);
    if (id < 0 && name.len == 0 && s->entries.len == 1) {
        id = 0;
    }
    return id >= 0 ? &s->entries.ptr[id] : NULL;
}

// Where databases can be kept as images, and are not too large for it, each is
// filled in once.
static void keep_images(suite_bench *b, const engine_options *options)
{
    diag ignored = diag_new(b->a);
    str empty = b->db ? scratch_image(b->db, b->a) : (str){0};
    if (empty.len == 0 || empty.len * b->suite.n_databases > MOST_IMAGE_BYTES) {
        return;
    }
    scratch_db *shows = scratch_open_images(b->a, &b->suite.schema, empty,
                                            options, bench_limits, &ignored);
    if (shows) {
        b->filler = b->db;
        b->db = shows;
        b->images = arena_new(b->a, str, b->suite.n_databases);
    }
}

// Who runs queries on the suite: SQLite, or who keeps the database of the case.
static bool choose_engine(const suite *s,
                          str beside,
                          engine_options *options,
                          diag *d)
{
    dialect kept_by = s->schema.dialect;
    const engine_driver *here = engine_driver_of(beside);
    if (kept_by == DIALECT_SQLITE) {
        options->scratch_url = (str){0};
        return true;
    }
    options->scratch_url = beside;
    return (here && engine_driver_dialect(here) == kept_by)
           || diag_add(d, (diag_place){0}, "the suite was made on %s in --db",
                       kept_by == DIALECT_POSTGRES
                           ? "PostgreSQL; it needs a server"
                           : "DuckDB; it needs a DuckDB database");
}

suite_bench *suite_bench_open(const suite_entry *e,
                              const engine_options *options,
                              str beside,
                              arena *a,
                              arena scratch)
{
    assert(e->file.bytes.len > 0);
    suite_bench *b = arena_new(a, suite_bench, 1);
    b->filled = -1;
    b->a = a;
    diag d = diag_new(a);
    if (suite_from_text(&b->suite, a, e->file.path, e->file.bytes, &d,
                        scratch)) {
        engine_options here = *options;
        if (choose_engine(&b->suite, beside, &here, &d)) {
            b->db = scratch_open(a, &b->suite.schema, b->suite.ddl, &here,
                                 bench_limits, &d);
            keep_images(b, &here);
        }
    }
    if (!b->db) {
        b->error = d.messages.len > 0 ? diag_format(a, d.messages.ptr[0])
                                      : S("the suite cannot be read");
    }
    return b;
}

void suite_bench_close(suite_bench *b)
{
    scratch_close(b->db);
    scratch_close(b->filler);
    b->db = b->filler = NULL;
}

static bool show_image(suite_bench *b, ptrdiff_t no, diag *refused)
{
    if (b->images[no].len == 0
        && scratch_fill(b->filler, &b->suite.databases[no], (scratch_order){0},
                        refused)) {
        b->images[no] = scratch_image(b->filler, b->a);
    }
    if (b->images[no].len > 0) {
        scratch_show(b->db, b->images[no]);
    }
    return b->images[no].len > 0;
}

bool suite_bench_fill(suite_bench *b, ptrdiff_t no, arena scratch)
{
    assert(no >= 0 && no < b->suite.n_databases);
    diag refused = diag_new(&scratch);
    if (b->filled != no || scratch_is_lost(b->db)) {
        bool ok = b->filler ? show_image(b, no, &refused)
                            : scratch_fill(b->db, &b->suite.databases[no],
                                           (scratch_order){0}, &refused);
        b->filled = ok ? no : -1;
    }
    return b->filled == no;
}
