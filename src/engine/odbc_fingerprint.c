/*
 * odbc_fingerprint.c - a number made of all rows of all tables, in any order.
 *
 * Rows are read one by one; nothing of them is kept.
 */
#include "base/hash.h"
#include "engine/engine_odbc.h"

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
    bool ok = odbc_read_tables(db, &tables, &scratch, d);
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
