/*
 * odbc_schema.c - the schema of a database, by ODBC's catalogue functions.
 *
 * Tables and columns of the schemas that users make, and primary keys where the
 * driver tells them. Foreign keys likewise. A fingerprint is made of all rows
 * of all tables, in any order, which are read one by one; nothing is kept.
 */
#include "base/hash.h"
#include "engine/engine_odbc.h"
#include "schema/schema_catalogue.h"
#include "sql/name.h"

#include <string.h>

// A table that users made.
typedef struct odbc_table {
    str name;
    str all_rows;  // the query for them
} odbc_table;

typedef vec_of(odbc_table) odbc_table_list;

enum {
    MOST_CELLS = 18  // of a row that is looked at
};

// What the first rows of a statement say, as texts: column places[i] is cell i,
// 0 none. It is freed. False with a message when it could not be run.
static bool take(const odbc_database *db,
                 SQLHSTMT s,
                 SQLRETURN rc,
                 const SQLUSMALLINT *places,
                 catalogue_rows *rows,
                 arena *a,
                 str *why)
{
    const odbc_api *api = odbc_api_of(db);
    SQLSMALLINT n = 0;
    bool ok = (SQL_SUCCEEDED(rc) || rc == SQL_NO_DATA)
              && SQL_SUCCEEDED(api->SQLNumResultCols(s, &n));
    while (ok && rows && n > 0 && SQL_SUCCEEDED(api->SQLFetch(s))) {
        str texts[MOST_CELLS + 1] = {0};
        for (SQLSMALLINT c = 1; c <= n && c <= MOST_CELLS; c++) {
            value v = value_null();
            bool ignored = false;
            odbc_cell(api, s, (SQLUSMALLINT)c, SQL_WVARCHAR, &ignored, &v, a);
            texts[c] = value_has_bytes(v) ? value_bytes(v) : (str){0};
        }
        str *cells = catalogue_add(rows, a);
        for (int i = 0; i < CATALOGUE_MOST_COLUMNS; i++) {
            cells[i] = texts[places[i]];
        }
    }
    if (!ok) {
        char state[6];
        SQLINTEGER code = 0;
        *why = odbc_message(api, SQL_HANDLE_STMT, s, state, &code, a);
    }
    api->SQLFreeHandle(SQL_HANDLE_STMT, s);
    return ok;
}

static SQLHSTMT statement_of(const odbc_database *db)
{
    SQLHSTMT s = SQL_NULL_HSTMT;
    if (db->is_open) {
        odbc_api_of(db)->SQLAllocHandle(SQL_HANDLE_STMT, db->conn, &s);
    }
    return s;
}

bool odbc_ask(database *base, str sql, catalogue_rows *rows, arena *a, str *why)
{
    static const SQLUSMALLINT in_order[CATALOGUE_MOST_COLUMNS] = {1, 2, 3, 4,
                                                                  5, 6, 7};
    odbc_database *db = (odbc_database *)base;
    SQLHSTMT s = statement_of(db);
    return take(db, s,
                odbc_api_of(db)->SQLExecDirect(s, (SQLCHAR *)arena_cstr(a, sql),
                                               SQL_NTS),
                in_order, rows, a, why);
}

static bool is_systems_own(str name)
{
    return str_among_fold(
        name,
        "information_schema pg_catalog pg_toast sys mysql performance_schema");
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

static bool complain(str why, diag *d)
{
    return diag_add(d, (diag_place){0}, "the catalogue cannot be read: %.*s",
                    STR_ARG(why));
}

static bool read_tables(const odbc_database *db,
                        odbc_table_list *tables,
                        arena *a,
                        diag *d)
{
    static const SQLUSMALLINT places[CATALOGUE_MOST_COLUMNS] = {2, 3};
    const odbc_api *api = odbc_api_of(db);
    SQLCHAR kind[] = "TABLE";
    SQLCHAR here[256] = "";  // else MariaDB names the tables of all databases
    SQLHSTMT s = statement_of(db);
    catalogue_rows rows = {0};
    str why;
    api->SQLGetInfo(db->conn, SQL_DATABASE_NAME, here, sizeof here, NULL);
    SQLRETURN rc =
        api->SQLTables(s, here[0] ? here : NULL, here[0] ? SQL_NTS : 0, NULL, 0,
                       NULL, 0, kind, SQL_NTS);
    bool ok = take(db, s, rc, places, &rows, a, &why) || complain(why, d);
    for (ptrdiff_t i = 0; i < rows.len; i += CATALOGUE_MOST_COLUMNS) {
        str home = rows.ptr[i];
        str name = rows.ptr[i + 1];
        if (!is_systems_own(home) && name.len > 0) {
            *vec_push(a, tables) =
                (odbc_table){name, all_rows(db, home, name, a)};
        }
    }
    return ok;
}

// The table's part of the listing; the driver sorts it.
static SQLRETURN list(const odbc_api *api,
                      SQLHSTMT s,
                      catalogue_part part,
                      SQLCHAR *of)
{
    switch (part) {
    case CATALOGUE_COLUMNS:
        return api->SQLColumns(s, NULL, 0, NULL, 0, of, SQL_NTS, NULL, 0);
    case CATALOGUE_UNIQUES:
        return api->SQLPrimaryKeys(s, NULL, 0, NULL, 0, of, SQL_NTS);
    case CATALOGUE_KEYS:
        return api->SQLForeignKeys(s, NULL, 0, NULL, 0, NULL, 0, NULL, 0, NULL,
                                   0, of, SQL_NTS);
    case CATALOGUE_INDEXES:
    case CATALOGUE_CHECKS:
    case CATALOGUE_OTHERS:
    case CATALOGUE_PARTS: break;
    }
    return SQL_NO_DATA;
}

// Keys are told by few drivers; columns must be.
static bool add_part(const odbc_database *db,
                     catalogue_part part,
                     str of,
                     catalogue_rows *rows,
                     arena *a,
                     diag *d)
{
    static const SQLUSMALLINT places[CATALOGUE_PARTS][CATALOGUE_MOST_COLUMNS] =
        {
            [CATALOGUE_COLUMNS] = {3, 4, 6, 18},
            [CATALOGUE_UNIQUES] = {3, 0, 4},
            [CATALOGUE_KEYS] = {7, 9, 8, 3, 4},
        };
    SQLHSTMT s = statement_of(db);
    catalogue_rows all = {0};
    str why;
    SQLRETURN rc = list(odbc_api_of(db), s, part, (SQLCHAR *)arena_cstr(a, of));
    bool ok = take(db, s, rc, places[part], &all, a, &why)
              || part != CATALOGUE_COLUMNS || complain(why, d);
    int n_keys = 0;
    for (ptrdiff_t i = 0; i < all.len; i += CATALOGUE_MOST_COLUMNS) {
        const str *from = &all.ptr[i];
        if (!str_equal(from[0], of)) {
            continue;  // '_' in a name is a pattern
        }
        // The first column of a key is number 1.
        n_keys += n_keys == 0 || str_equal(from[1], S("1"));
        bool is_flagged =
            part == CATALOGUE_UNIQUES || str_equal(from[3], S("NO"));
        str *cells = catalogue_add(rows, a);
        memcpy(cells, from, sizeof *cells * CATALOGUE_MOST_COLUMNS);
        if (part == CATALOGUE_KEYS) {
            cells[1] = arena_printf(a, "%d", n_keys);
        } else {
            cells[3] = is_flagged ? S("1") : S("0");
        }
    }
    return ok;
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
                  ? read_tables(db, &tables, a, d)
                  : diag_add(d, (diag_place){0}, "the connection was closed");
    for (ptrdiff_t i = 0; ok && i < tables.len; i++) {
        ok = add_part(db, part, tables.ptr[i].name, rows, a, d);
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

/* Fingerprints. */

// A row as a number; false when a cell cannot be read.
static bool hash_row(const odbc_api *api,
                     SQLHSTMT rows,
                     const SQLSMALLINT *types,
                     SQLSMALLINT n_columns,
                     uint64_t *hash,
                     arena scratch)
{
    bool ok = true;
    bool ignored = false;
    *hash = 1;
    for (SQLSMALLINT c = 1; ok && c <= n_columns; c++) {
        arena local = scratch;
        value v = value_null();
        ok = odbc_cell(api, rows, (SQLUSMALLINT)c, types[c - 1], &ignored, &v,
                       &local);
        *hash = hash_mix(*hash, value_has_bytes(v)
                                    ? hash64(value_bytes(v))
                                    : hash_mix(v.kind, (uint64_t)v.i));
    }
    return ok;
}

static bool hash_rows(const odbc_api *api,
                      SQLHSTMT rows,
                      uint64_t *out,
                      arena scratch)
{
    SQLSMALLINT n_columns = 0;
    uint64_t sum = 0;
    uint64_t n = 0;
    SQLRETURN rc = api->SQLNumResultCols(rows, &n_columns);
    SQLSMALLINT *types = arena_new(&scratch, SQLSMALLINT, n_columns);
    execution x = {.result.n_columns = n_columns};
    bool ok =
        SQL_SUCCEEDED(rc) && odbc_describe(api, rows, types, &x, &scratch);
    while (ok && SQL_SUCCEEDED(rc = api->SQLFetch(rows))) {
        uint64_t hash = 0;
        ok = hash_row(api, rows, types, n_columns, &hash, scratch);
        sum += hash;
        n++;
    }
    *out = hash_mix(hash_mix(*out, n), sum);
    return ok && rc == SQL_NO_DATA;
}

bool odbc_fingerprint(database *base, uint64_t *out, diag *d, arena scratch)
{
    odbc_database *db = (odbc_database *)base;
    const odbc_api *api = odbc_api_of(db);
    odbc_table_list tables = {0};
    *out = 1;
    bool ok = read_tables(db, &tables, &scratch, d);
    for (ptrdiff_t i = 0; ok && i < tables.len; i++) {
        arena local = scratch;
        SQLHSTMT rows = SQL_NULL_HSTMT;
        char *sql = arena_cstr(&local, tables.ptr[i].all_rows);
        ok =
            SQL_SUCCEEDED(api->SQLAllocHandle(SQL_HANDLE_STMT, db->conn, &rows))
            && SQL_SUCCEEDED(api->SQLExecDirect(rows, (SQLCHAR *)sql, SQL_NTS))
            && hash_rows(api, rows, out, local);
        if (!ok) {
            char state[6];
            SQLINTEGER code = 0;
            str why =
                odbc_message(api, SQL_HANDLE_STMT, rows, state, &code, &local);
            diag_add(d, (diag_place){0}, "a table cannot be read: %.*s",
                     STR_ARG(why));
        }
        api->SQLFreeHandle(SQL_HANDLE_STMT, rows);
        *out = hash_mix(*out, hash64(tables.ptr[i].all_rows));
    }
    if (db->has_transactions) {
        api->SQLEndTran(SQL_HANDLE_DBC, db->conn, SQL_ROLLBACK);
    }
    return ok;
}
