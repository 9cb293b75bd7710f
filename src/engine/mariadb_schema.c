/*
 * mariadb_schema.c - the schema of a database, from its catalogue.
 *
 * Method      As postgres_schema.c, from information_schema; fingerprints are
 *             the server's own CHECKSUM TABLE.
 */
#include "base/hash.h"
#include "engine/engine_mariadb.h"
#include "schema/schema_catalogue.h"

#define COLUMNS                                                               \
    "SELECT c.table_name, c.column_name, c.column_type, c.is_nullable = 'NO'" \
    " FROM information_schema.columns c JOIN information_schema.tables t"     \
    " USING (table_schema, table_name)"                                       \
    " WHERE c.table_schema = DATABASE() AND t.table_type = 'BASE TABLE'"      \
    " ORDER BY c.table_name, c.ordinal_position"

#define UNIQUES                                                          \
    "SELECT table_name, index_name, column_name, index_name = 'PRIMARY'" \
    " FROM information_schema.statistics"                                \
    " WHERE table_schema = DATABASE() AND non_unique = 0"                \
    " ORDER BY table_name, index_name <> 'PRIMARY', index_name, seq_in_index"

#define KEYS                                                                  \
    "SELECT table_name, constraint_name, column_name, referenced_table_name," \
    " referenced_column_name FROM information_schema.key_column_usage"        \
    " WHERE table_schema = DATABASE() AND referenced_table_name IS NOT NULL"  \
    " ORDER BY table_name, constraint_name, ordinal_position"

static const str queries[CATALOGUE_PARTS] = {
    [CATALOGUE_COLUMNS] = S_INIT(COLUMNS),
    [CATALOGUE_UNIQUES] = S_INIT(UNIQUES),
    [CATALOGUE_CHECKS] = {0},
    [CATALOGUE_KEYS] = S_INIT(KEYS),
};

// False with a message where the query fails or the connection is lost.
static bool add_rows(mariadb_database *db,
                     str sql,
                     catalogue_rows *rows,
                     arena *a,
                     diag *d)
{
    const mariadb_api *my = mariadb_api_of(db);
    bool ok =
        db->conn
        && my->mysql_real_query(db->conn, sql.ptr, (unsigned long)sql.len) == 0;
    MYSQL_RES *result = ok ? my->mysql_store_result(db->conn) : NULL;
    unsigned n = result ? my->mysql_num_fields(result) : 0;
    MYSQL_ROW row = NULL;
    while (result && (row = my->mysql_fetch_row(result))) {
        str *cells = catalogue_add(rows, a);
        for (unsigned i = 0; i < n && i < CATALOGUE_MOST_COLUMNS; i++) {
            cells[i] = arena_str(a, str_from(row[i]));
        }
    }
    my->mysql_free_result(result);
    return result
           || diag_add(d, (diag_place){0}, "the catalogue cannot be read: %s",
                       db->conn ? my->mysql_error(db->conn)
                                : "the connection was closed");
}

static bool ask(void *context,
                catalogue_part part,
                catalogue_rows *rows,
                arena *a,
                diag *d)
{
    str sql = queries[part];
    return sql.len == 0 || add_rows(context, sql, rows, a, d);
}

bool mariadb_read_schema(database *base, schema *s, arena *a, diag *d)
{
    catalogue c = {ask, base, DIALECT_SQLITE, DIALECT_MYSQL};
    return schema_from_catalogue(s, &c, a, d);
}

void mariadb_learn_own(mariadb_database *db)
{
    arena *a = &db->base.owner->a;
    diag ignored = diag_new(a);
    catalogue_rows rows = {0};
    db->knows_routines =
        add_rows(db,
                 S("SELECT DISTINCT CAST(LOWER(routine_name) AS CHAR) COLLATE "
                   "utf8mb4_bin FROM information_schema.routines"
                   " WHERE routine_type = 'FUNCTION' ORDER BY 1"),
                 &rows, a, &ignored);
    ptrdiff_t n = rows.len / CATALOGUE_MOST_COLUMNS;
    str *names = arena_new(a, str, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        names[i] = rows.ptr[i * CATALOGUE_MOST_COLUMNS];
    }
    db->own.attributes = (guard_names){names, n};
}

bool mariadb_fingerprint(database *base, uint64_t *out, diag *d, arena scratch)
{
    mariadb_database *db = (mariadb_database *)base;
    *out = 1;
    catalogue_rows tables = {0};
    bool ok = add_rows(
        db,
        S("SELECT concat('`', replace(table_name, '`', '``'), '`')"
          " FROM information_schema.tables WHERE table_schema = DATABASE()"
          " AND table_type <> 'VIEW' ORDER BY 1"),
        &tables, &scratch, d);
    for (ptrdiff_t i = 0; ok && i < tables.len; i += CATALOGUE_MOST_COLUMNS) {
        arena local = scratch;
        catalogue_rows sum = {0};
        str name = tables.ptr[i];
        str sql = arena_printf(&local, "CHECKSUM TABLE %.*s", STR_ARG(name));
        ok = add_rows(db, sql, &sum, &local, d);
        *out = hash_mix(*out, hash64(name));
        *out = hash_mix(*out, hash64(ok && sum.len > 1 ? sum.ptr[1] : S("")));
    }
    return ok;
}
