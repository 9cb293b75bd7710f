// duckdb_schema.c - the schema of a DuckDB database, from its own tables.
#include "engine/engine_duckdb.h"
#include "schema/schema_build.h"

static const char COLUMNS[] =
    "SELECT CASE WHEN schema_name = current_schema() THEN table_name"
    " ELSE schema_name || '.' || table_name END, column_name, data_type,"
    " NOT is_nullable FROM duckdb_columns() WHERE NOT internal"
    " ORDER BY schema_name, table_oid, column_index";

// A row for each column of a key, in order.
static const char CONSTRAINTS[] =
    "SELECT CASE WHEN schema_name = current_schema() THEN table_name"
    " ELSE schema_name || '.' || table_name END, constraint_index,"
    " constraint_type, unnest(constraint_column_names),"
    " referenced_table, unnest(referenced_column_names)"
    " FROM duckdb_constraints()"
    " WHERE constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')"
    " ORDER BY schema_name, table_oid, constraint_type <> 'PRIMARY KEY',"
    " constraint_index";

enum {
    MOST_KEY_COLUMNS = 64
};

static str text_at(const table *t, ptrdiff_t row, ptrdiff_t column)
{
    return value_bytes(t->cells[row * t->n_columns + column]);
}

static int64_t int_at(const table *t, ptrdiff_t row, ptrdiff_t column)
{
    return t->cells[row * t->n_columns + column].i;
}

// The end of the rows of the table that row `from` is of; with `key`, of its
// constraint.
static ptrdiff_t group_end(const table *t, ptrdiff_t from, bool key)
{
    ptrdiff_t to = from;
    while (to < t->n_rows && str_equal(text_at(t, to, 0), text_at(t, from, 0))
           && (!key || int_at(t, to, 1) == int_at(t, from, 1))) {
        to++;
    }
    return to;
}

static schema_table *read_tables(schema *s, const table *rows, arena *a)
{
    schema_table *tables = arena_new(a, schema_table, rows->n_rows);
    for (ptrdiff_t at = 0, end = 0; at < rows->n_rows; at = end) {
        end = group_end(rows, at, false);
        schema_column *columns = arena_new(a, schema_column, end - at);
        for (ptrdiff_t i = at; i < end; i++) {
            columns[i - at] =
                schema_column_of(text_at(rows, i, 1), text_at(rows, i, 2));
            columns[i - at].is_not_null = int_at(rows, i, 3) != 0;
        }
        tables[s->n_tables++] = (schema_table){.name = text_at(rows, at, 0),
                                               .columns = columns,
                                               .n_columns = end - at};
    }
    s->tables = tables;
    return tables;
}

typedef struct draft_list {
    key_draft *ptr;
    ptrdiff_t len;
    ptrdiff_t cap;
} draft_list;

// One constraint: rows [at, end).
static void read_key(schema_table *t,
                     int32_t table_no,
                     const table *rows,
                     ptrdiff_t at,
                     ptrdiff_t end,
                     draft_list *keys,
                     arena *a)
{
    int32_t *columns = arena_new(a, int32_t, end - at);
    str *targets = arena_new(a, str, end - at);
    for (ptrdiff_t i = at; i < end; i++) {
        columns[i - at] = schema_find_column(t, text_at(rows, i, 3));
        targets[i - at] = text_at(rows, i, 5);
    }
    str type = text_at(rows, at, 2);
    if (str_equal(type, S("FOREIGN KEY"))) {
        *vec_push(a, keys) = (key_draft){table_no, columns, targets, end - at,
                                         text_at(rows, at, 4)};
        return;
    }
    schema_unique *uniques = arena_new(a, schema_unique, t->n_uniques + 1);
    for (ptrdiff_t i = 0; i < t->n_uniques; i++) {
        uniques[i] = t->uniques[i];
    }
    uniques[t->n_uniques++] = (schema_unique){
        columns, end - at, str_equal(type, S("PRIMARY KEY")), NULL};
    t->uniques = uniques;
}

const schema *duckdb_read_schema(database *base, arena *a)
{
    duckdb_database *db = (duckdb_database *)base;
    schema *s = arena_new(a, schema, 1);
    execution x;
    if (!duckdb_ask(db, str_from(COLUMNS), &x, a)) {
        return s;
    }
    schema_table *tables = read_tables(s, &x.result, a);
    draft_list keys = {0};
    if (duckdb_ask(db, str_from(CONSTRAINTS), &x, a)) {
        const table *rows = &x.result;
        for (ptrdiff_t at = 0, end = 0; at < rows->n_rows; at = end) {
            end = group_end(rows, at, true);
            int32_t t = schema_find_table(s, text_at(rows, at, 0));
            if (t >= 0 && end - at <= MOST_KEY_COLUMNS) {
                read_key(&tables[t], t, rows, at, end, &keys, a);
            }
        }
    }
    schema_set_keys(s, a, keys.ptr, keys.len);
    return s;
}
