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

const str mariadb_catalogue[CATALOGUE_PARTS] = {
    [CATALOGUE_COLUMNS] = S_INIT(COLUMNS),
    [CATALOGUE_UNIQUES] = S_INIT(UNIQUES),
    [CATALOGUE_KEYS] = S_INIT(KEYS),
};

const char mariadb_names[] =
    "SELECT concat('`', replace(table_name, '`', '``'), '`')"
    " FROM information_schema.tables WHERE table_schema = DATABASE()"
    " AND table_type <> 'VIEW' ORDER BY 1";

void mariadb_learn_own(mariadb_database *db)
{
    arena *a = &db->base.owner->a;
    catalogue_rows rows = {0};
    str ignored;
    db->knows_routines = mariadb_ask(
        &db->base,
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
