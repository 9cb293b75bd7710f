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
#include "sql/name.h"

#include <string.h>

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

// Runs the first statement of *sql and moves past it. False when it failed.
static bool run_one(sqlite_database *db,
                    str *sql,
                    script_outcome *out,
                    arena *a)
{
    execution x = {.offset = -1, .stop = ENGINE_READ_ALL};
    int64_t work = out->run.work;
    db->looks = 0;
    db->was_refused = false;
    const char *tail = NULL;
    sqlite3_stmt *statement = sqlite_statement(db, *sql, &tail, &x, a);
    *sql = str_skip(*sql, tail ? tail - sql->ptr : sql->len);
    if (statement) {
        db->running = statement;
        sqlite_read_names(statement, &x, a);
        sqlite_read_rows(db, statement, &x, a);
        x.work = work + sqlite_work(db);
        sqlite_finish(db);
    }
    bool has_rows = x.status == REASON_NONE && x.result.n_columns > 0;
    if (has_rows || x.status != REASON_NONE) {
        out->run = x;
    }
    out->run.work = x.work > work ? x.work : work;
    out->has_rows |= has_rows;
    out->n_done += statement && x.status == REASON_NONE;
    return x.status == REASON_NONE;
}

static bool run_text(sqlite_database *db,
                     str text,
                     script_outcome *out,
                     arena *a)
{
    if (text.len > 0 && memchr(text.ptr, '\0', (size_t)text.len)) {
        return engine_fails(&out->run, REASON_SYNTAX_ERROR,
                            S("a NUL byte in the text"));
    }
    bool ok = true;
    while (ok && str_trim(text).len > 0) {
        ok = run_one(db, &text, out, a);
    }
    return ok;
}

/* What is left behind. */

static str text_at(sqlite3_stmt *row, int column, arena *a)
{
    const char *text = (const char *)sqlite3_column_text(row, column);
    return text ? arena_str(a, str_from(text)) : (str){0};
}

static bool read_objects(sqlite_database *db, script_outcome *out, arena *a)
{
    static const char sql[] =
        "SELECT type, name, tbl_name, sql FROM sqlite_schema"
        " WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        " ORDER BY type = 'table' DESC, type, name COLLATE NOCASE";
    vec_of(script_object) list = {0};
    sqlite3_stmt *row = NULL;
    int rc = sqlite3_prepare_v2(db->db, sql, -1, &row, NULL);
    while (rc == SQLITE_OK && (rc = sqlite3_step(row)) == SQLITE_ROW) {
        *vec_push(a, &list) =
            (script_object){text_at(row, 0, a), text_at(row, 1, a),
                            text_at(row, 2, a), text_at(row, 3, a)};
        rc = SQLITE_OK;
    }
    sqlite3_finalize(row);
    out->objects = list.ptr;
    out->n_objects = list.len;
    return rc == SQLITE_DONE;
}

// Tables that were not there before have been written, whatever made them.
static void touch_new(sqlite_database *db,
                      const script_outcome *before,
                      const script_outcome *after,
                      arena *a)
{
    map known = {.ignores_case = true};
    for (ptrdiff_t i = 0; i < before->n_objects; i++) {
        map_add(&known, a, before->objects[i].name);
    }
    for (ptrdiff_t i = 0; i < after->n_objects; i++) {
        if (map_find(&known, after->objects[i].name) < 0) {
            map_add(db->touched, a, after->objects[i].name);
        }
    }
}

static void read_table(sqlite_database *db,
                       str name,
                       script_table *out,
                       arena *a)
{
    str sql = name_statement(a, "SELECT * FROM $0", &name, DIALECT_SQLITE);
    execution x = {.offset = -1, .stop = ENGINE_READ_ALL};
    db->looks = 0;
    sqlite3_stmt *statement = sqlite_query(db, sql, 0, &x, a);
    if (statement) {
        db->running = statement;
        sqlite_read_names(statement, &x, a);
        sqlite_read_rows(db, statement, &x, a);
        sqlite_finish(db);
    }
    *out = (script_table){name, x};
}

static bool read_outcome(sqlite_database *db,
                         const script_outcome *before,
                         script_outcome *out,
                         arena *a)
{
    db->is_own = true;
    if (!sqlite3_get_autocommit(db->db)) {
        sqlite3_exec(db->db, "ROLLBACK", NULL, NULL, NULL);
    }
    if (!read_objects(db, out, a)) {
        return false;
    }
    touch_new(db, before, out, a);
    script_table *tables = arena_new(a, script_table, out->n_objects);
    for (ptrdiff_t i = 0; i < out->n_objects; i++) {
        const script_object *o = &out->objects[i];
        if (str_equal(o->kind, S("table"))
            && map_find(db->touched, o->name) >= 0) {
            read_table(db, o->name, &tables[out->n_tables++], a);
        }
    }
    out->tables = tables;
    return true;
}

static void run_all(sqlite_database *db,
                    const script *s,
                    script_outcome *out,
                    arena *a)
{
    for (ptrdiff_t i = 0; i < s->n_first && !out->is_first; i++) {
        out->is_first = !run_text(db, s->first[i], out, a);
    }
    out->n_done = 0;
    bool ok = !out->is_first;
    for (ptrdiff_t i = 0; i < s->n && ok; i++) {
        ok = run_text(db, s->texts[i], out, a);
    }
}

script_outcome sqlite_run_script(database *base, const script *s, arena *a)
{
    script_outcome out = {.run = {.offset = -1}};
    script_outcome before = {0};
    map touched = {.ignores_case = true};
    sqlite_database db = {
        .base.owner = base->owner, .touched = &touched, .notes = a};
    db.deadline_ns =
        clock_limit_ns() + base->owner->options.limits.timeout_ms * 1000000;
    int rc = open_copy(&db, (const sqlite_database *)base);
    db.is_own = true;
    if (rc != SQLITE_OK || !read_objects(&db, &before, a)) {
        engine_fails(&out.run,
                     rc == SQLITE_NOMEM ? REASON_MEMORY : REASON_NO_DATABASE,
                     S("the database cannot be copied"));
    }
    db.is_own = false;
    if (out.run.status == REASON_NONE) {
        run_all(&db, s, &out, a);
    }
    if (out.run.status == REASON_NONE && !read_outcome(&db, &before, &out, a)) {
        engine_fails(&out.run, REASON_NO_DATABASE,
                     S("the database that the script left cannot be read"));
    }
    sqlite_finish(&db);
    sqlite3_close(db.db);
    sqlite3_free(db.broken);
    return out;
}
