/*
 * mariadb_schema.c - the schema of a database, from its catalogue.
 *
 * Method      As postgres_schema.c, from information_schema; fingerprints are
 *             the server's own CHECKSUM TABLE.
 */
#include "engine/engine_mariadb.h"
#include "sql/name.h"

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

// A stored function may do anything.
guard_said mariadb_ask_routine(void *context,
                               str home,
                               str name,
                               bool is_quoted,
                               arena scratch)
{
    (void)home;
    (void)is_quoted;
    str literal = name_literal(&scratch, name);
    str sql = name_statement(
        &scratch,
        "SELECT COUNT(*) FROM information_schema.routines WHERE"
        " routine_type = 'FUNCTION' AND LOWER(routine_name) = LOWER(#0)",
        &literal, DIALECT_MYSQL);
    str n = engine_ask_text(context, sql.ptr, &scratch);
    return n.len == 0 || str_equal(n, S("0")) ? GUARD_SAYS_NOTHING
                                              : GUARD_SAYS_MORE;
}
