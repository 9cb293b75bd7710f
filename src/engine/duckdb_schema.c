// duckdb_schema.c - the schema of a DuckDB database, from its own tables.
#include "engine/engine_duckdb.h"
#include "schema/schema_catalogue.h"

#define TABLE_NAME                                             \
    "CASE WHEN schema_name = current_schema() THEN table_name" \
    " ELSE schema_name || '.' || table_name END"

// A key stays within its schema.
#define PARENT_NAME                                                  \
    "CASE WHEN schema_name = current_schema() THEN referenced_table" \
    " ELSE schema_name || '.' || referenced_table END"

// A row for each column of a key, in order.
#define FROM_CONSTRAINTS(kinds)                                           \
    " FROM duckdb_constraints() WHERE constraint_type IN (" kinds ")"     \
    " ORDER BY schema_name, table_oid, constraint_type <> 'PRIMARY KEY'," \
    " constraint_index"

// How duckdb_indexes() writes columns whose names hold no quotes and commas:
// [a, '"b c"']. Other expressions have brackets.
#define PLAIN_COLUMN  "([A-Za-z_][A-Za-z0-9_]*|''\"[^\"'',\\\\]+\"'')"
#define PLAIN_COLUMNS "'\\[" PLAIN_COLUMN "(, " PLAIN_COLUMN ")*\\]'"

// A view is listed like a table, and has none in duckdb_tables().
const str duckdb_catalogue[CATALOGUE_PARTS] = {
    [CATALOGUE_COLUMNS] =
        S_INIT("SELECT " TABLE_NAME ", column_name,"
               " CASE data_type WHEN 'FLOAT' THEN 'REAL' ELSE data_type END,"
               " CAST(CAST(NOT is_nullable AS INTEGER) AS VARCHAR),"
               " CASE WHEN sql IS NULL OR contains(sql, 'GENERATED ALWAYS AS')"
               " OR contains(sql, ' COLLATE ') THEN '1' ELSE '0' END FROM "
               "duckdb_columns() LEFT JOIN"
               " (SELECT table_oid, sql FROM duckdb_tables()"
               " WHERE database_name = current_database()) USING (table_oid)"
               " WHERE NOT internal AND database_name = current_database()"
               " ORDER BY schema_name, table_oid, column_index"),
    [CATALOGUE_UNIQUES] =
        S_INIT("SELECT owner, CAST(number AS VARCHAR), name,"
               " CASE rank WHEN 0 THEN '1' ELSE '0' END FROM (SELECT"
               " " TABLE_NAME " AS owner, schema_name, table_oid,"
               " CASE constraint_type WHEN 'PRIMARY KEY' THEN 0 ELSE 1 END"
               " AS rank, constraint_index AS number,"
               " unnest(constraint_column_names) AS name,"
               " generate_subscripts(constraint_column_names, 1) AS place"
               " FROM duckdb_constraints()"
               " WHERE constraint_type IN ('PRIMARY KEY', 'UNIQUE')"
               " UNION ALL SELECT " TABLE_NAME ", schema_name, table_oid, 2,"
               " index_oid, trim(unnest(columns), '''\"'),"
               " generate_subscripts(columns, 1) FROM (SELECT *,"
               " string_split(trim(expressions, '[]'), ', ') AS columns"
               " FROM duckdb_indexes() WHERE is_unique AND NOT is_primary"
               " AND database_name = current_database()"
               " AND regexp_full_match(expressions, " PLAIN_COLUMNS ")))"
               " ORDER BY schema_name, table_oid, rank, number, place"),
    [CATALOGUE_INDEXES] =
        S_INIT("SELECT " TABLE_NAME ", sql FROM duckdb_indexes()"
               " WHERE is_unique AND NOT is_primary"
               " AND database_name = current_database()"
               " AND NOT regexp_full_match(expressions, " PLAIN_COLUMNS ")"
               " ORDER BY schema_name, table_oid, index_oid"),
    // An enumeration has only its labels.
    [CATALOGUE_CHECKS] =
        S_INIT("SELECT * FROM (SELECT " TABLE_NAME ", expression"
               " FROM duckdb_constraints() WHERE constraint_type = 'CHECK'"
               " UNION ALL SELECT " TABLE_NAME ", '\"' || "
               "replace(column_name, '\"', '\"\"') || '\" IN '"
               " || substr(data_type, 5) FROM duckdb_columns()"
               " WHERE NOT internal AND data_type LIKE 'ENUM(%)')"
               " ORDER BY 1, 2"),
    [CATALOGUE_KEYS] = S_INIT(
        "SELECT " TABLE_NAME ", CAST(constraint_index AS VARCHAR),"
        " unnest(constraint_column_names), " PARENT_NAME ","
        " unnest(referenced_column_names)" FROM_CONSTRAINTS("'FOREIGN KEY'")),
};

bool duckdb_rows(database *base,
                 str sql,
                 catalogue_rows *rows,
                 arena *a,
                 str *why)
{
    execution x;
    bool ok = duckdb_ask((duckdb_database *)base, sql, &x, a);
    *why = x.message;
    for (ptrdiff_t i = 0; ok && i < x.result.n_rows; i++) {
        str *cells = catalogue_add(rows, a);
        for (ptrdiff_t c = 0; c < x.result.n_columns; c++) {
            value v = table_at(&x.result, i, c);
            cells[c] = value_has_bytes(v) ? value_bytes(v) : (str){0};
        }
    }
    return ok;
}
