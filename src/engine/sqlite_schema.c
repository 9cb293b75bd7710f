// sqlite_schema.c - the schema of a database, in the order of sqlite_master.
#include "engine/engine_sqlite.h"

#include <string.h>

typedef struct name_list {
    str *ptr;
    ptrdiff_t len;
    ptrdiff_t cap;
} name_list;

static str column_text(sqlite3_stmt *row, int i, arena *a)
{
    const char *text = (const char *)sqlite3_column_text(row, i);
    return arena_str(a, str_from(text));
}

// Runs a query with one parameter; NULL when it cannot be prepared.
static sqlite3_stmt *query(database *db, const char *sql, str argument)
{
    sqlite3_stmt *rows = NULL;
    if (sqlite3_prepare_v2(db->db, sql, -1, &rows, NULL) != SQLITE_OK) {
        return NULL;
    }
    sqlite3_bind_text(rows, 1, argument.ptr, (int)argument.len, SQLITE_STATIC);
    return rows;
}

static void read_columns(database *db, schema_table *t, arena *a)
{
    name_list names = {0};
    sqlite3_stmt *rows =
        query(db, "SELECT name FROM pragma_table_info(?)", t->name);
    while (rows && sqlite3_step(rows) == SQLITE_ROW) {
        str name = column_text(rows, 0, a);
        *vec_push(a, &names) = name;
    }
    sqlite3_finalize(rows);
    t->columns = names.ptr;
    t->n_columns = names.len;
}

typedef struct key_list {
    schema_key *ptr;
    ptrdiff_t len;
    ptrdiff_t cap;
} key_list;

static void read_keys(database *db,
                      const schema_table *t,
                      key_list *keys,
                      arena *a)
{
    sqlite3_stmt *rows = query(
        db,
        "SELECT \"from\", \"table\", \"to\" FROM pragma_foreign_key_list(?)",
        t->name);
    while (rows && sqlite3_step(rows) == SQLITE_ROW) {
        schema_key key = {
            .child_table = t->name,
            .child_column = column_text(rows, 0, a),
            .parent_table = column_text(rows, 1, a),
            .parent_column = column_text(rows, 2, a),
        };
        *vec_push(a, keys) = key;
    }
    sqlite3_finalize(rows);
}

static const schema *read_schema(database *db, arena *a)
{
    schema *s = arena_new(a, schema, 1);
    struct {
        schema_table *ptr;
        ptrdiff_t len;
        ptrdiff_t cap;
    } tables = {0};
    sqlite3_stmt *rows =
        query(db, "SELECT name FROM sqlite_master WHERE type = 'table'", S(""));
    while (rows && sqlite3_step(rows) == SQLITE_ROW) {
        schema_table t = {.name = column_text(rows, 0, a)};
        *vec_push(a, &tables) = t;
    }
    sqlite3_finalize(rows);
    key_list keys = {0};
    for (ptrdiff_t i = 0; i < tables.len; i++) {
        read_columns(db, &tables.ptr[i], a);
        read_keys(db, &tables.ptr[i], &keys, a);
    }
    s->tables = tables.ptr;
    s->n_tables = tables.len;
    s->keys = keys.ptr;
    s->n_keys = keys.len;
    return s;
}

const schema *engine_schema(database *db)
{
    if (!db->schema) {
        // Our own look at the schema needs what predictions may not use.
        sqlite3_set_authorizer(db->db, NULL, NULL);
        sqlite3_progress_handler(db->db, 0, NULL, NULL);
        db->schema = read_schema(db, &db->owner->a);
        sqlite_guard(db);
    }
    return db->schema;
}
