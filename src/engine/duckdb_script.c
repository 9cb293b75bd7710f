/*
 * duckdb_script.c - scripts of DuckDB: a database in memory that is a copy.
 *
 * Method      A dump is run again; of a file definitions and rows are copied.
 *             The copy is locked as what it was made of is: no files, no
 *             extensions, no settings. Each statement passes the guard of
 *             queries but for its verb, and is of a kind that writes to the
 *             copy alone.
 *
 *             Nothing tells which tables were written to. There are no triggers
 *             and no keys that write, so it is one that the script names, or a
 *             new one: only those are read in the end.
 */
#include "base/clock.h"
#include "engine/engine_duckdb.h"
#include "sql/name.h"

/* What is left behind. */

// Keys are here again, for the text of a table leaves out those that refer to
// itself. The text of a sequence says where it stands, not where it began.
static const char objects_sql[] =
    "SELECT kind, CASE WHEN s = 'main' THEN name ELSE s || '.' || name END,"
    " owner, sql FROM (SELECT 'table' AS kind, database_name AS d,"
    " schema_name AS s, table_name AS name, '' AS owner, sql"
    " FROM duckdb_tables()"
    " UNION ALL SELECT 'view', database_name, schema_name, view_name, '', sql"
    " FROM duckdb_views() WHERE NOT internal"
    " UNION ALL SELECT 'index', database_name, schema_name, index_name,"
    " table_name, sql FROM duckdb_indexes()"
    " UNION ALL SELECT 'sequence', database_name, schema_name, sequence_name,"
    " '', regexp_replace(sql, ' START -?[0-9]+', ' START ' || start_value)"
    " FROM duckdb_sequences()"
    " UNION ALL SELECT 'type', database_name, schema_name, type_name, '', ''"
    " FROM duckdb_types() WHERE NOT internal"
    " UNION ALL SELECT 'schema', database_name, 'main', schema_name, '', ''"
    " FROM duckdb_schemas() WHERE NOT internal"
    " UNION ALL SELECT 'foreign key of', database_name, schema_name,"
    " table_name || ' ' || CAST(constraint_column_names AS VARCHAR),"
    " table_name,"
    " referenced_table || CAST(referenced_column_names AS VARCHAR)"
    " FROM duckdb_constraints() WHERE constraint_type = 'FOREIGN KEY')"
    " WHERE d = 'memory' ORDER BY kind <> 'table', kind, s, name";

// Of a type made by the script: what it stands for.
static bool look(database *base,
                 const script *s,
                 script_outcome *out,
                 catalogue_rows *rows,
                 arena *a)
{
    duckdb_database *db = (duckdb_database *)base;
    arena side = *a;
    str ignored;
    map named = {.ignores_case = true};
    (void)out;
    duckdb_execute(db, (str){0}, S("ROLLBACK"), engine_side_diag(&side));
    bool ok = duckdb_rows(base, S(objects_sql), rows, a, &ignored);
    script_names(&named, s, DIALECT_DUCKDB, a);
    for (ptrdiff_t i = 0; ok && i < rows->len; i += CATALOGUE_MOST_COLUMNS) {
        str *of = &rows->ptr[i];
        if (str_equal(of[0], S("type"))) {
            str sql = name_statement(a, "SELECT typeof(CAST(NULL AS @0))",
                                     &of[1], DIALECT_DUCKDB);
            of[3] = engine_ask_text(base, sql.ptr, a);
            ok = of[3].len > 0;
        }
        of[SCRIPT_IS_WRITTEN] =
            script_has_name(&named, of[1]) ? S("1") : (str){0};
    }
    return ok;
}

static void close_copy(database *base, arena scratch)
{
    (void)scratch;
    duckdb_close_all((duckdb_database *)base);
}

static database *open_copy(database *of, execution *x, arena *a)
{
    duckdb_database *db = arena_new(a, duckdb_database, 1);
    diag *why = engine_side_diag(a);
    if (duckdb_open_copy(db, (const duckdb_database *)of, why, *a)) {
        duckdb_seed(db, a);
        return &db->base;
    }
    engine_fails(x, REASON_NO_REFERENCE,
                 arena_printf(a, "the database cannot be copied: %.*s",
                              STR_ARG(diag_first(why))));
    close_copy(&db->base, *a);
    return NULL;
}

const script_driver script_duckdb = {
    .open = open_copy,
    .close = close_copy,
    .now = clock_limit_ns,
    .run = duckdb_run_statement,
    .look = look,
};
