// mariadb_schema.c - the schema of a database, from its catalogue.
#include "base/hash.h"
#include "engine/engine_mariadb.h"
#include "schema/schema_build.h"

static const char COLUMNS[] =
    "SELECT c.table_name, c.column_name, c.column_type, c.is_nullable"
    " FROM information_schema.columns c JOIN information_schema.tables t"
    " USING (table_schema, table_name)"
    " WHERE c.table_schema = DATABASE() AND t.table_type = 'BASE TABLE'"
    " ORDER BY c.table_name, c.ordinal_position";

static const char UNIQUES[] =
    "SELECT table_name, index_name, column_name"
    " FROM information_schema.statistics"
    " WHERE table_schema = DATABASE() AND non_unique = 0"
    " ORDER BY table_name, index_name <> 'PRIMARY', index_name, seq_in_index";

static const char KEYS[] =
    "SELECT table_name, constraint_name, column_name, referenced_table_name,"
    " referenced_column_name FROM information_schema.key_column_usage"
    " WHERE table_schema = DATABASE() AND referenced_table_name IS NOT NULL"
    " ORDER BY table_name, constraint_name, ordinal_position";

enum {
    MOST_COLUMNS = 5
};

// The rows of a catalogue query.
typedef struct catalogue {
    struct {
        str *ptr;  // MOST_COLUMNS cells a row
        ptrdiff_t len;
        ptrdiff_t cap;
    } cells;
    ptrdiff_t n;
} catalogue;

static str at(const catalogue *c, ptrdiff_t row, int column)
{
    return c->cells.ptr[row * MOST_COLUMNS + column];
}

static catalogue ask(mariadb_database *db, str sql, arena *a)
{
    const mariadb_api *my = mariadb_api_of(db);
    catalogue c = {0};
    bool ok =
        db->conn
        && my->mysql_real_query(db->conn, sql.ptr, (unsigned long)sql.len) == 0;
    MYSQL_RES *result = ok ? my->mysql_store_result(db->conn) : NULL;
    int n = result ? (int)my->mysql_num_fields(result) : 0;
    MYSQL_ROW row = NULL;
    while (result && (row = my->mysql_fetch_row(result))) {
        for (int i = 0; i < MOST_COLUMNS; i++) {
            str cell = i < n ? arena_str(a, str_from(row[i])) : (str){0};
            *vec_push(a, &c.cells) = cell;
        }
        c.n++;
    }
    my->mysql_free_result(result);
    return c;
}

static ptrdiff_t group_end(const catalogue *c, ptrdiff_t from, int column)
{
    ptrdiff_t to = from;
    while (to < c->n && str_equal(at(c, to, 0), at(c, from, 0))
           && str_equal(at(c, to, column), at(c, from, column))) {
        to++;
    }
    return to;
}

static schema_table *read_tables(mariadb_database *db, schema *s, arena *a)
{
    struct {
        schema_table *ptr;
        ptrdiff_t len;
        ptrdiff_t cap;
    } tables = {0};
    catalogue c = ask(db, str_from(COLUMNS), a);
    for (ptrdiff_t row = 0, end = 0; row < c.n; row = end) {
        end = group_end(&c, row, 0);
        schema_column *columns = arena_new(a, schema_column, end - row);
        for (ptrdiff_t i = row; i < end; i++) {
            columns[i - row] = schema_column_of(at(&c, i, 1), at(&c, i, 2));
            columns[i - row].is_not_null = str_equal(at(&c, i, 3), S("NO"));
        }
        *vec_push(a, &tables) = (schema_table){
            .name = at(&c, row, 0), .columns = columns, .n_columns = end - row};
    }
    s->tables = tables.ptr;
    s->n_tables = tables.len;
    return tables.ptr;
}

static int32_t *places(const catalogue *c,
                       const schema_table *t,
                       ptrdiff_t from,
                       ptrdiff_t to,
                       arena *a)
{
    int32_t *list = arena_new(a, int32_t, to - from);
    for (ptrdiff_t i = from; i < to; i++) {
        list[i - from] = schema_find_column(t, at(c, i, 2));
        if (list[i - from] < 0) {
            return NULL;
        }
    }
    return list;
}

static void read_uniques(mariadb_database *db,
                         const schema *s,
                         schema_table *tables,
                         arena *a)
{
    catalogue c = ask(db, str_from(UNIQUES), a);
    for (ptrdiff_t row = 0, end = 0; row < c.n; row = end) {
        end = group_end(&c, row, 0);
        int32_t t = schema_find_table(s, at(&c, row, 0));
        schema_unique *uniques = arena_new(a, schema_unique, end - row);
        ptrdiff_t n = 0;
        for (ptrdiff_t i = row, next = 0; t >= 0 && i < end; i = next) {
            next = group_end(&c, i, 1);
            const int32_t *list = places(&c, &tables[t], i, next, a);
            if (list) {
                uniques[n++] = (schema_unique){
                    list, next - i, str_equal(at(&c, i, 1), S("PRIMARY")),
                    NULL};
            }
        }
        if (t >= 0) {
            tables[t].uniques = uniques;
            tables[t].n_uniques = n;
        }
    }
}

static void read_keys(mariadb_database *db, schema *s, arena *a)
{
    struct {
        key_draft *ptr;
        ptrdiff_t len;
        ptrdiff_t cap;
    } drafts = {0};
    catalogue c = ask(db, str_from(KEYS), a);
    for (ptrdiff_t row = 0, end = 0; row < c.n; row = end) {
        end = group_end(&c, row, 1);
        int32_t child = schema_find_table(s, at(&c, row, 0));
        const int32_t *list =
            child >= 0 ? places(&c, &s->tables[child], row, end, a) : NULL;
        str *targets = arena_new(a, str, end - row);
        for (ptrdiff_t i = row; i < end; i++) {
            targets[i - row] = at(&c, i, 4);
        }
        if (list) {
            *vec_push(a, &drafts) =
                (key_draft){child, list, targets, end - row, at(&c, row, 3)};
        }
    }
    schema_set_keys(s, a, drafts.ptr, drafts.len);
}

const schema *mariadb_read_schema(database *base, arena *a)
{
    mariadb_database *db = (mariadb_database *)base;
    schema *s = arena_new(a, schema, 1);
    schema_table *tables = read_tables(db, s, a);
    read_uniques(db, s, tables, a);
    read_keys(db, s, a);
    return s;
}

bool mariadb_fingerprint(database *base, uint64_t *out, diag *d, arena scratch)
{
    mariadb_database *db = (mariadb_database *)base;
    *out = 1;
    catalogue tables =
        ask(db,
            S("SELECT concat('`', replace(table_name, '`', '``'), '`')"
              " FROM information_schema.tables WHERE table_schema = DATABASE()"
              " AND table_type <> 'VIEW' ORDER BY 1"),
            &scratch);
    for (ptrdiff_t i = 0; i < tables.n; i++) {
        arena local = scratch;
        str sql = arena_printf(&local, "CHECKSUM TABLE %.*s",
                               STR_ARG(at(&tables, i, 0)));
        catalogue sum = ask(db, sql, &local);
        if (sum.n != 1) {
            return diag_add(d, (diag_place){0}, "a table cannot be read: %s",
                            mariadb_api_of(db)->mysql_error(db->conn));
        }
        *out = hash_mix(*out, hash64(at(&tables, i, 0)));
        *out = hash_mix(*out, hash64(at(&sum, 0, 1)));
    }
    return true;
}
