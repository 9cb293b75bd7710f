/*
 * odbc_schema.c - the schema of a database, by ODBC's catalogue functions.
 *
 * Tables and columns of the schemas that users make, and primary keys where the
 * driver tells them. Foreign keys likewise.
 */
#include "engine/engine_odbc.h"
#include "schema/schema_catalogue.h"
#include "sql/name.h"

typedef struct catalogue_query {
    const odbc_api *api;
    SQLHSTMT rows;
    arena *a;
} catalogue_query;

static str text_at(const catalogue_query *c, SQLUSMALLINT column)
{
    value v = value_null();
    bool ignored = false;
    bool ok =
        odbc_cell(c->api, c->rows, column, SQL_WVARCHAR, &ignored, &v, c->a);
    return ok ? value_bytes(v) : (str){0};
}

static bool next(const catalogue_query *c)
{
    return SQL_SUCCEEDED(c->api->SQLFetch(c->rows));
}

static bool is_systems_own(str name)
{
    return str_among_fold(
        name,
        "information_schema pg_catalog pg_toast sys mysql performance_schema");
}

static catalogue_query begin(const odbc_database *db, arena *a)
{
    catalogue_query c = {.api = odbc_api_of(db), .a = a};
    c.api->SQLAllocHandle(SQL_HANDLE_STMT, db->conn, &c.rows);
    return c;
}

static void end(catalogue_query *c)
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

// Says what went wrong with a call for `c`.
static bool complain(const catalogue_query *c, diag *d)
{
    char state[6];
    SQLINTEGER code = 0;
    str why =
        odbc_message(c->api, SQL_HANDLE_STMT, c->rows, state, &code, c->a);
    return diag_add(d, (diag_place){0}, "the catalogue cannot be read: %.*s",
                    STR_ARG(why));
}

bool odbc_read_tables(const odbc_database *db,
                      odbc_table_list *tables,
                      arena *a,
                      diag *d)
{
    catalogue_query c = begin(db, a);
    SQLCHAR kind[] = "TABLE";
    SQLCHAR here[256] = "";  // else MariaDB names the tables of all databases
    c.api->SQLGetInfo(db->conn, SQL_DATABASE_NAME, here, sizeof here, NULL);
    bool ok = SQL_SUCCEEDED(c.api->SQLTables(c.rows, here[0] ? here : NULL,
                                             here[0] ? SQL_NTS : 0, NULL, 0,
                                             NULL, 0, kind, SQL_NTS))
              || complain(&c, d);
    while (ok && next(&c)) {
        str schema_name = text_at(&c, 2);
        str name = text_at(&c, 3);
        if (!is_systems_own(schema_name) && name.len > 0) {
            *vec_push(a, tables) =
                (odbc_table){name, all_rows(db, schema_name, name, a)};
        }
    }
    end(&c);
    return ok;
}

static bool add_columns(const odbc_database *db,
                        str of,
                        catalogue_rows *rows,
                        arena *a,
                        diag *d)
{
    catalogue_query c = begin(db, a);
    SQLCHAR *name = (SQLCHAR *)arena_cstr(a, of);
    bool ok = SQL_SUCCEEDED(c.api->SQLColumns(c.rows, NULL, 0, NULL, 0, name,
                                              SQL_NTS, NULL, 0))
              || complain(&c, d);
    while (ok && next(&c)) {
        str owner = text_at(&c, 3);
        str column = text_at(&c, 4);
        str type = text_at(&c, 6);
        bool is_not_null = str_equal(text_at(&c, 18), S("NO"));
        if (str_equal(owner, of)) {  // '_' in a name is a pattern
            str *cells = catalogue_add(rows, a);
            cells[0] = of;
            cells[1] = column;
            cells[2] = type;
            cells[3] = is_not_null ? S("1") : S("0");
        }
    }
    end(&c);
    return ok;
}

// Where the driver tells it; many do not.
static void add_primary(const odbc_database *db,
                        str of,
                        catalogue_rows *rows,
                        arena *a)
{
    catalogue_query c = begin(db, a);
    SQLCHAR *name = (SQLCHAR *)arena_cstr(a, of);
    bool ok = SQL_SUCCEEDED(
        c.api->SQLPrimaryKeys(c.rows, NULL, 0, NULL, 0, name, SQL_NTS));
    while (ok && next(&c)) {
        str *cells = catalogue_add(rows, a);
        cells[0] = of;
        cells[2] = text_at(&c, 4);
        cells[3] = S("1");
    }
    end(&c);
}

// The same of foreign keys; the driver sorts them, column by column.
static void add_keys(const odbc_database *db,
                     str of,
                     catalogue_rows *rows,
                     arena *a)
{
    catalogue_query c = begin(db, a);
    SQLCHAR *name = (SQLCHAR *)arena_cstr(a, of);
    bool ok = SQL_SUCCEEDED(c.api->SQLForeignKeys(
        c.rows, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL, 0, name, SQL_NTS));
    for (int n = 0; ok && next(&c);) {
        str parent = text_at(&c, 3);
        str target = text_at(&c, 4);
        str column = text_at(&c, 8);
        n += n == 0 || str_equal(text_at(&c, 9), S("1"));
        str *cells = catalogue_add(rows, a);
        cells[0] = of;
        cells[1] = arena_printf(a, "%d", n);
        cells[2] = column;
        cells[3] = parent;
        cells[4] = target;
    }
    end(&c);
}

static bool ask(void *context,
                catalogue_part part,
                catalogue_rows *rows,
                arena *a,
                diag *d)
{
    const odbc_database *db = context;
    odbc_table_list tables = {0};
    bool ok = db->is_open
                  ? odbc_read_tables(db, &tables, a, d)
                  : diag_add(d, (diag_place){0}, "the connection was closed");
    for (ptrdiff_t i = 0; ok && i < tables.len; i++) {
        str name = tables.ptr[i].name;
        switch (part) {
        case CATALOGUE_COLUMNS: ok = add_columns(db, name, rows, a, d); break;
        case CATALOGUE_UNIQUES: add_primary(db, name, rows, a); break;
        case CATALOGUE_KEYS: add_keys(db, name, rows, a); break;
        case CATALOGUE_INDEXES:
        case CATALOGUE_CHECKS:
        case CATALOGUE_OTHERS:
        case CATALOGUE_PARTS: break;
        }
    }
    return ok;
}

bool odbc_read_schema(database *base, schema *s, arena *a, diag *d)
{
    odbc_database *db = (odbc_database *)base;
    catalogue c = {ask, db, DIALECT_SQLITE, DIALECT_POSTGRES};
    bool ok = schema_from_catalogue(s, &c, a, d);
    if (db->is_open && db->has_transactions) {
        odbc_api_of(db)->SQLEndTran(SQL_HANDLE_DBC, db->conn, SQL_ROLLBACK);
    }
    return ok;
}
