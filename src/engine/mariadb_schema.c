/*
 * mariadb_schema.c - the schema of a database, from its catalogue.
 *
 * Method      As postgres_schema.c, from information_schema; fingerprints are
 *             the server's own CHECKSUM TABLE.
 */
#include "base/hash.h"
#include "engine/engine_mariadb.h"

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

static bool ask(void *context,
                catalogue_part part,
                catalogue_rows *rows,
                arena *a,
                diag *d)
{
    str sql = queries[part];
    return sql.len == 0 || mariadb_ask(context, sql, rows, a, d);
}

bool mariadb_read_schema(database *base, schema *s, arena *a, diag *d)
{
    catalogue c = {ask, base, DIALECT_SQLITE, DIALECT_MYSQL};
    return schema_from_catalogue(s, &c, a, d);
}

void mariadb_learn_own(mariadb_database *db)
{
    arena *a = &db->base.owner->a;
    catalogue_rows rows = {0};
    db->knows_routines = mariadb_ask(
        db,
        S("SELECT DISTINCT CAST(LOWER(routine_name) AS CHAR) COLLATE "
          "utf8mb4_bin FROM information_schema.routines"
          " WHERE routine_type = 'FUNCTION' ORDER BY 1"),
        &rows, a, NULL);
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
    bool ok = mariadb_ask(
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
        ok = mariadb_ask(db, sql, &sum, &local, d);
        *out = hash_mix(*out, hash64(name));
        *out = hash_mix(*out, hash64(ok && sum.len > 1 ? sum.ptr[1] : S("")));
    }
    return ok;
}
