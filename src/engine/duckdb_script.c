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
static bool read_objects(duckdb_database *db, script_outcome *out, arena *a)
{
    catalogue_rows rows = {0};
    str ignored;
    bool ok = duckdb_rows(&db->base, S(objects_sql), &rows, a, &ignored);
    for (ptrdiff_t i = 0; ok && i < rows.len; i += CATALOGUE_MOST_COLUMNS) {
        str *of = &rows.ptr[i];
        if (str_equal(of[0], S("type"))) {
            str sql = name_statement(a, "SELECT typeof(CAST(NULL AS @0))",
                                     &of[1], DIALECT_DUCKDB);
            of[3] = engine_ask_text(&db->base, sql.ptr, a);
            ok = of[3].len > 0;
        }
    }
    script_objects(out, &rows, a);
    return ok;
}

static bool read_outcome(duckdb_database *db,
                         const script *s,
                         int64_t deadline_ns,
                         script_outcome *out,
                         arena *a)
{
    arena side = *a;
    duckdb_execute(db, (str){0}, S("ROLLBACK"), engine_side_diag(&side));
    if (!read_objects(db, out, a)) {
        return false;
    }
    map named = {.ignores_case = true};
    script_names(&named, s, DIALECT_DUCKDB, a);
    script_table *tables = arena_new(a, script_table, out->n_objects);
    for (ptrdiff_t i = 0; i < out->n_objects; i++) {
        const script_object *o = &out->objects[i];
        if (str_equal(o->kind, S("table"))
            && script_has_name(&named, o->name)) {
            script_read(out, tables, o->name, (str){0}, duckdb_run_statement,
                        &db->base, deadline_ns, a);
        }
    }
    out->tables = tables;
    return true;
}

script_outcome duckdb_run_script(database *base, const script *s, arena *a)
{
    script_outcome out = {.run = {.offset = -1}};
    duckdb_database db = {0};
    diag *why = engine_side_diag(a);
    if (duckdb_open_copy(&db, (const duckdb_database *)base, why, *a)) {
        duckdb_seed(&db, a);
        int64_t deadline_ns =
            clock_limit_ns() + base->owner->options.limits.timeout_ms * 1000000;
        script_run(&out, s, duckdb_run_statement, &db.base, deadline_ns, a);
        if (out.run.status == REASON_NONE
            && !read_outcome(&db, s, deadline_ns, &out, a)) {
            engine_fails(&out.run, REASON_NO_DATABASE,
                         S("the database that the script left cannot be read"));
        }
    } else {
        engine_fails(&out.run, REASON_NO_REFERENCE,
                     arena_printf(a, "the database cannot be copied: %.*s",
                                  STR_ARG(diag_first(why))));
    }
    duckdb_close_all(&db);
    return out;
}
