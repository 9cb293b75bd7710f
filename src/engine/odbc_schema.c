/*
 * odbc_schema.c - the schema of a database, by ODBC's catalogue functions.
 *
 * Tables and columns of the schemas that users make, and primary keys where the
 * driver tells them. Foreign keys likewise.
 */
#include "engine/engine_odbc.h"
#include "schema/schema_build.h"
#include "sql/name.h"

enum {
    MOST_KEY_COLUMNS = 32
};

typedef struct catalogue {
    const odbc_api *api;
    SQLHSTMT rows;
    arena *a;
} catalogue;

static str text_at(const catalogue *c, SQLUSMALLINT column)
{
    value v = value_null();
    bool ignored = false;
    bool ok =
        odbc_cell(c->api, c->rows, column, SQL_WVARCHAR, &ignored, &v, c->a);
    return ok ? value_bytes(v) : (str){0};
}

static bool next(const catalogue *c)
{
    return SQL_SUCCEEDED(c->api->SQLFetch(c->rows));
}

static bool is_systems_own(str name)
{
    return str_equal_fold(name, S("information_schema"))
           || str_equal_fold(name, S("pg_catalog"))
           || str_equal_fold(name, S("pg_toast"))
           || str_equal_fold(name, S("sys")) || str_equal_fold(name, S("mysql"))
           || str_equal_fold(name, S("performance_schema"));
}

static catalogue begin(const odbc_database *db, arena *a)
{
    catalogue c = {.api = odbc_api_of(db), .a = a};
    c.api->SQLAllocHandle(SQL_HANDLE_STMT, db->conn, &c.rows);
    return c;
}

static void end(catalogue *c)
{
    c->api->SQLFreeHandle(SQL_HANDLE_STMT, c->rows);
}

// Names are quoted as the system says; schemas come before tables. What has no
// quotes at all says a blank.
static void add_name(const odbc_database *db, buf *out, str name)
{
    char quote[8] = " ";
    odbc_api_of(db)->SQLGetInfo(db->conn, SQL_IDENTIFIER_QUOTE_CHAR, quote,
                                sizeof quote, NULL);
    if (quote[0] == ' ' && name_is_plain(name, DIALECT_SQLITE)) {
        buf_add(out, name);
    } else {
        char q = quote[0] == ' ' ? '"' : quote[0];
        name_add_between(out, name, q, q);
    }
}

static str all_rows(const odbc_database *db,
                    str schema_name,
                    str name,
                    arena *a)
{
    buf sql = buf_new(a);
    buf_add(&sql, S("SELECT * FROM "));
    if (schema_name.len > 0) {
        add_name(db, &sql, schema_name);
        buf_char(&sql, '.');
    }
    add_name(db, &sql, name);
    return buf_str(&sql);
}

void odbc_read_tables(const odbc_database *db,
                      odbc_table_list *tables,
                      arena *a)
{
    catalogue c = begin(db, a);
    SQLCHAR kind[] = "TABLE";
    SQLCHAR here[256] = "";  // else MariaDB names the tables of all databases
    c.api->SQLGetInfo(db->conn, SQL_DATABASE_NAME, here, sizeof here, NULL);
    bool ok = SQL_SUCCEEDED(c.api->SQLTables(c.rows, here[0] ? here : NULL,
                                             here[0] ? SQL_NTS : 0, NULL, 0,
                                             NULL, 0, kind, SQL_NTS));
    while (ok && next(&c)) {
        str schema_name = text_at(&c, 2);
        str name = text_at(&c, 3);
        if (!is_systems_own(schema_name) && name.len > 0) {
            *vec_push(a, tables) =
                (odbc_table){name, all_rows(db, schema_name, name, a)};
        }
    }
    end(&c);
}

static void read_columns(const odbc_database *db, schema_table *t, arena *a)
{
    struct {
        schema_column *ptr;
        ptrdiff_t len;
        ptrdiff_t cap;
    } columns = {0};
    catalogue c = begin(db, a);
    SQLCHAR *name = (SQLCHAR *)arena_cstr(a, t->name);
    bool ok = SQL_SUCCEEDED(
        c.api->SQLColumns(c.rows, NULL, 0, NULL, 0, name, SQL_NTS, NULL, 0));
    while (ok && next(&c)) {
        str owner = text_at(&c, 3);
        schema_column column = schema_column_of(text_at(&c, 4), text_at(&c, 6));
        column.is_not_null = str_equal(text_at(&c, 18), S("NO"));
        if (str_equal(owner, t->name)) {  // '_' in a name is a pattern
            *vec_push(a, &columns) = column;
        }
    }
    end(&c);
    t->columns = columns.ptr;
    t->n_columns = columns.len;
}

static void read_primary(const odbc_database *db, schema_table *t, arena *a)
{
    int32_t *places = arena_new(a, int32_t, MOST_KEY_COLUMNS);
    ptrdiff_t n = 0;
    catalogue c = begin(db, a);
    SQLCHAR *name = (SQLCHAR *)arena_cstr(a, t->name);
    bool ok = SQL_SUCCEEDED(
        c.api->SQLPrimaryKeys(c.rows, NULL, 0, NULL, 0, name, SQL_NTS));
    while (ok && n < MOST_KEY_COLUMNS && next(&c)) {
        int32_t place = schema_find_column(t, text_at(&c, 4));
        if (place >= 0) {
            places[n++] = place;
        }
    }
    end(&c);
    if (n > 0) {
        schema_unique *key = arena_new(a, schema_unique, 1);
        *key = (schema_unique){places, n, true, NULL};
        t->uniques = key;
        t->n_uniques = 1;
    }
}

typedef struct draft_list {
    key_draft *ptr;
    ptrdiff_t len;
    ptrdiff_t cap;
} draft_list;

// The foreign keys of one table; the driver sorts them, column by column.
static void read_keys(const odbc_database *db,
                      const schema *s,
                      int32_t child,
                      draft_list *drafts,
                      arena *a)
{
    catalogue c = begin(db, a);
    SQLCHAR *name = (SQLCHAR *)arena_cstr(a, s->tables[child].name);
    bool ok = SQL_SUCCEEDED(c.api->SQLForeignKeys(
        c.rows, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, name, SQL_NTS));
    int32_t *columns = NULL;
    str *targets = NULL;
    ptrdiff_t n = MOST_KEY_COLUMNS;
    while (ok && next(&c)) {
        str parent = text_at(&c, 3);
        str target = text_at(&c, 4);
        int32_t column = schema_find_column(&s->tables[child], text_at(&c, 8));
        str place = text_at(&c, 9);
        bool begins = str_equal(place, S("1")) || drafts->len == 0;
        if (begins) {
            columns = arena_new(a, int32_t, MOST_KEY_COLUMNS);
            targets = arena_new(a, str, MOST_KEY_COLUMNS);
            n = 0;
            *vec_push(a, drafts) =
                (key_draft){child, columns, targets, 0, parent};
        }
        if (n < MOST_KEY_COLUMNS && column >= 0) {
            columns[n] = column;
            targets[n] = target;
            drafts->ptr[drafts->len - 1].n = ++n;
        }
    }
    end(&c);
}

const schema *odbc_read_schema(database *base, arena *a)
{
    odbc_database *db = (odbc_database *)base;
    const odbc_api *api = odbc_api_of(db);
    schema *s = arena_new(a, schema, 1);
    odbc_table_list tables = {0};
    draft_list drafts = {0};
    if (!db->is_open) {
        return s;
    }
    odbc_read_tables(db, &tables, a);
    schema_table *found = arena_new(a, schema_table, tables.len);
    s->tables = found;
    s->n_tables = tables.len;
    for (ptrdiff_t i = 0; i < tables.len; i++) {
        found[i].name = tables.ptr[i].name;
        read_columns(db, &found[i], a);
        read_primary(db, &found[i], a);
    }
    for (ptrdiff_t i = 0; i < tables.len; i++) {
        read_keys(db, s, (int32_t)i, &drafts, a);
    }
    schema_set_keys(s, a, drafts.ptr, drafts.len);
    if (db->has_transactions) {
        api->SQLEndTran(SQL_HANDLE_DBC, db->conn, SQL_ROLLBACK);
    }
    return s;
}
