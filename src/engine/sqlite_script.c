/*
 * sqlite_script.c - scripts of SQLite: a connection on a copy of the image.
 *
 * Method      The bytes of the database are copied and deserialized so that
 *             they can grow; the guard is that of queries but for writes, which
 *             the authorizer lets pass and notes by table. Only those tables
 *             are read in the end: the others are what they were.
 *
 *             Foreign keys are not enforced, as by SQLite's own default; what
 *             would enforce them is a PRAGMA, and refused.
 *
 * Invariants  (1) The connection knows no file but the copy: the file system
 *                 under it opens none (sqlite_vfs.c).
 *             (2) Triggers and keys write through statements that the
 *                 authorizer sees, too: a table that it did not see written is
 *                 unchanged.
 */
#include "base/clock.h"
#include "engine/engine_sqlite.h"
#include "engine/script.h"
#include "sql/outline.h"

#include <string.h>

typedef struct sqlite_script {
    sqlite_database db;
    map touched;  // tables that were written to
    map known;    // what was there before
} sqlite_script;

// A connection on a writable copy; its image is its own.
static int open_copy(sqlite_database *copy, const sqlite_database *of)
{
    const sqlite_engine *owner = (const sqlite_engine *)of->base.owner;
    sqlite3_int64 most = owner->base.options.limits.max_bytes;
    unsigned char *bytes = sqlite3_malloc64((sqlite3_uint64)of->size);
    if (!bytes) {
        return SQLITE_NOMEM;
    }
    memcpy(bytes, of->image, (size_t)of->size);
    int rc = sqlite3_open_v2(":memory:", &copy->db,
                             SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                 | SQLITE_OPEN_NOMUTEX,
                             owner->vfs_name);
    if (rc != SQLITE_OK) {
        sqlite3_free(bytes);
        return rc;
    }
    rc = sqlite3_deserialize(copy->db, "main", bytes, of->size, of->size,
                             SQLITE_DESERIALIZE_FREEONCLOSE
                                 | SQLITE_DESERIALIZE_RESIZEABLE);
    if (rc == SQLITE_OK) {
        most = most > of->size ? most : of->size;
        sqlite3_file_control(copy->db, "main", SQLITE_FCNTL_SIZE_LIMIT, &most);
        rc = sqlite3_exec(copy->db, "PRAGMA temp_store=MEMORY", NULL, NULL,
                          NULL);
    }
    if (rc == SQLITE_OK) {
        sqlite_connect_virtual(copy);
        sqlite_guard(copy);
    }
    return rc;
}

static execution run(database *base, str sql, int64_t deadline_ns, arena *a)
{
    sqlite_database *db = (sqlite_database *)base;
    execution x = {.offset = -1, .stop = ENGINE_READ_ALL};
    db->deadline_ns = deadline_ns;
    db->looks = 0;
    db->was_refused = false;
    db->running = sqlite_statement(db, sql, &x, a);
    if (db->running) {
        sqlite_read_names(db->running, &x, a);
        sqlite_read_rows(db, db->running, &x, a);
        x.work = sqlite_work(db);
        sqlite_finish(db);
    }
    return x;
}

// A trigger holds statements that end in the middle of it.
static ptrdiff_t end_of(str text, arena scratch)
{
    ptrdiff_t end = 0;
    bool is_whole = false;
    while (!is_whole && end < text.len) {
        arena local = scratch;
        end = sql_statement_end(text, end, DIALECT_SQLITE);
        is_whole = sqlite3_complete(arena_cstr(&local, str_sub(text, 0, end)));
    }
    return end;
}

static bool read_objects(sqlite_script *s, catalogue_rows *rows, arena *a)
{
    static const char sql[] =
        "SELECT type, name, tbl_name, sql FROM sqlite_schema"
        " WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        " ORDER BY type = 'table' DESC, type, name COLLATE NOCASE";
    sqlite3_stmt *row = NULL;
    s->db.is_own = true;
    int rc = sqlite3_prepare_v2(s->db.db, sql, -1, &row, NULL);
    while (rc == SQLITE_OK && (rc = sqlite3_step(row)) == SQLITE_ROW) {
        str *cells = catalogue_add(rows, a);
        for (int c = 0; c < SCRIPT_IS_WRITTEN; c++) {
            const char *text = (const char *)sqlite3_column_text(row, c);
            cells[c] = arena_str(a, str_from(text));
        }
        rc = SQLITE_OK;
    }
    sqlite3_finalize(row);
    return rc == SQLITE_DONE;
}

// Tables that were not there before have been written, whatever made them.
static bool look(database *base,
                 const script *of,
                 script_outcome *out,
                 catalogue_rows *rows,
                 arena *a)
{
    sqlite_script *s = (sqlite_script *)base;
    (void)of;
    (void)out;
    s->db.is_own = true;
    if (!sqlite3_get_autocommit(s->db.db)) {
        sqlite3_exec(s->db.db, "ROLLBACK", NULL, NULL, NULL);
    }
    bool ok = read_objects(s, rows, a);
    for (ptrdiff_t i = 0; i < rows->len; i += CATALOGUE_MOST_COLUMNS) {
        str *cells = &rows->ptr[i];
        if (map_find(&s->touched, cells[1]) >= 0
            || map_find(&s->known, cells[1]) < 0) {
            cells[SCRIPT_IS_WRITTEN] = S("1");
        }
    }
    return ok;
}

static void close_copy(database *base, arena scratch)
{
    sqlite_database *db = (sqlite_database *)base;
    (void)scratch;
    sqlite_finish(db);
    sqlite3_close(db->db);
    sqlite3_free(db->broken);
}

static database *open_to_write(database *of, execution *x, arena *a)
{
    sqlite_script *s = arena_new(a, sqlite_script, 1);
    catalogue_rows before = {0};
    *s = (sqlite_script){.db = {.base.owner = of->owner, .notes = a},
                         .touched.ignores_case = true,
                         .known.ignores_case = true};
    s->db.touched = &s->touched;
    s->db.deadline_ns =
        clock_limit_ns() + of->owner->options.limits.timeout_ms * 1000000;
    int rc = open_copy(&s->db, (const sqlite_database *)of);
    if (rc != SQLITE_OK || !read_objects(s, &before, a)) {
        engine_fails(x, rc == SQLITE_NOMEM ? REASON_MEMORY : REASON_NO_DATABASE,
                     S("the database cannot be copied"));
        close_copy(&s->db.base, *a);
        return NULL;
    }
    for (ptrdiff_t i = 0; i < before.len; i += CATALOGUE_MOST_COLUMNS) {
        map_add(&s->known, a, before.ptr[i + 1]);
    }
    s->db.is_own = false;
    return &s->db.base;
}

const script_driver script_sqlite = {
    .open = open_to_write,
    .close = close_copy,
    .now = clock_limit_ns,
    .run = run,
    .end = end_of,
    .look = look,
};
