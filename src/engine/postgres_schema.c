// postgres_schema.c - the schema of a database, from its catalogue.
#include "base/hash.h"
#include "engine/engine_postgres.h"
#include "schema/schema_build.h"
#include "sql/parse.h"

// Tables that a query finds by their bare names come under those; the others
// under SCHEMA.TABLE.
#define TABLE_NAME                                                   \
    "CASE WHEN pg_catalog.pg_table_is_visible(c.oid) THEN c.relname" \
    " ELSE n.nspname || '.' || c.relname END"
#define FROM_TABLES               \
    " FROM pg_catalog.pg_class c" \
    " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
#define WHERE_TABLES                                               \
    " WHERE c.relkind IN ('r', 'p', 'f') AND NOT c.relispartition" \
    " AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'"

static const char COLUMNS[] =
    "SELECT " TABLE_NAME ", a.attname, CASE WHEN y.typtype = 'd'"
    " THEN pg_catalog.format_type(y.typbasetype, y.typtypmod)"
    " ELSE pg_catalog.format_type(a.atttypid, a.atttypmod) END,"
    " a.attnotnull OR y.typnotnull" FROM_TABLES
    " JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid"
    " JOIN pg_catalog.pg_type y ON y.oid = a.atttypid" WHERE_TABLES
    " AND a.attnum > 0 AND NOT a.attisdropped"
    " ORDER BY n.nspname, c.relname, c.oid, a.attnum";

// Conditions on a row: CHECKs, and that an enumeration has only its labels.
static const char CHECKS[] =
    "SELECT " TABLE_NAME
    ", pg_catalog.pg_get_expr(f.conbin, f.conrelid)" FROM_TABLES
    " JOIN pg_catalog.pg_constraint f ON f.conrelid = c.oid"
    " AND f.contype = 'c'" WHERE_TABLES " UNION ALL SELECT " TABLE_NAME
    ", pg_catalog.quote_ident(a.attname) || ' IN ('"
    " || (SELECT string_agg(pg_catalog.quote_literal(l.enumlabel), ', '"
    " ORDER BY l.enumsortorder) FROM pg_catalog.pg_enum l"
    " WHERE l.enumtypid = a.atttypid) || ')'" FROM_TABLES
    " JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid"
    " AND a.attnum > 0 AND NOT a.attisdropped"
    " JOIN pg_catalog.pg_type y ON y.oid = a.atttypid"
    " AND y.typtype = 'e'" WHERE_TABLES " ORDER BY 1, 2";

static const char UNIQUES[] =
    "SELECT " TABLE_NAME ", i.indexrelid, i.indisprimary, a.attname" FROM_TABLES
    " JOIN pg_catalog.pg_index i ON i.indrelid = c.oid"
    " CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY k(num, place)"
    " JOIN pg_catalog.pg_attribute a"
    " ON a.attrelid = c.oid AND a.attnum = k.num" WHERE_TABLES
    " AND i.indisunique AND i.indpred IS NULL AND i.indexprs IS NULL"
    " AND k.place <= i.indnkeyatts"
    " ORDER BY n.nspname, c.relname, i.indisprimary DESC, i.indexrelid, "
    "k.place";

static const char KEYS[] =
    "SELECT " TABLE_NAME ", f.oid, (SELECT CASE WHEN"
    " pg_catalog.pg_table_is_visible(p.oid) THEN p.relname"
    " ELSE m.nspname || '.' || p.relname END FROM pg_catalog.pg_class p"
    " JOIN pg_catalog.pg_namespace m ON m.oid = p.relnamespace"
    " WHERE p.oid = f.confrelid), a.attname, b.attname" FROM_TABLES
    " JOIN pg_catalog.pg_constraint f ON f.conrelid = c.oid AND f.contype = 'f'"
    " CROSS JOIN LATERAL unnest(f.conkey, f.confkey) WITH ORDINALITY"
    " k(child, parent, place)"
    " JOIN pg_catalog.pg_attribute a"
    " ON a.attrelid = f.conrelid AND a.attnum = k.child"
    " JOIN pg_catalog.pg_attribute b"
    " ON b.attrelid = f.confrelid AND b.attnum = k.parent" WHERE_TABLES
    " ORDER BY n.nspname, c.relname, f.conname, f.oid, k.place";

typedef struct place_list {
    int32_t *ptr;
    ptrdiff_t len;
    ptrdiff_t cap;
} place_list;

// Rows of a catalogue query, which come in groups.
typedef struct catalogue {
    const postgres_api *pq;
    PGresult *rows;
    int n;
    arena *a;
} catalogue;

static catalogue ask(postgres_database *db, const char *sql, arena *a)
{
    catalogue c = {postgres_api_of(db), postgres_ask(db, sql), 0, a};
    c.n = c.rows ? c.pq->PQntuples(c.rows) : 0;
    return c;
}

static str text_at(const catalogue *c, int row, int column)
{
    return str_from(c->pq->PQgetvalue(c->rows, row, column));
}

static str keep_at(const catalogue *c, int row, int column)
{
    return arena_str(c->a, text_at(c, row, column));
}

// The end of the rows that are equal to row `from` in column 0 and, where
// `column` is not 0, in that.
static int group_end(const catalogue *c, int from, int column)
{
    int to = from;
    while (to < c->n && str_equal(text_at(c, to, 0), text_at(c, from, 0))
           && str_equal(text_at(c, to, column), text_at(c, from, column))) {
        to++;
    }
    return to;
}

static void read_tables(postgres_database *db, schema *s, arena *a)
{
    struct {
        schema_table *ptr;
        ptrdiff_t len;
        ptrdiff_t cap;
    } tables = {0};
    catalogue c = ask(db, COLUMNS, a);
    for (int row = 0, end = 0; row < c.n; row = end) {
        end = group_end(&c, row, 0);
        schema_column *columns = arena_new(a, schema_column, end - row);
        for (int i = row; i < end; i++) {
            columns[i - row] = schema_column_in(
                keep_at(&c, i, 1), keep_at(&c, i, 2), DIALECT_POSTGRES);
            columns[i - row].is_not_null = str_equal(text_at(&c, i, 3), S("t"));
        }
        *vec_push(a, &tables) = (schema_table){
            .name = keep_at(&c, row, 0),
            .columns = columns,
            .n_columns = end - row,
        };
    }
    c.pq->PQclear(c.rows);
    s->tables = tables.ptr;
    s->n_tables = tables.len;
}

static schema_table *table_named(const schema *s,
                                 schema_table *tables,
                                 str name)
{
    int32_t i = schema_find_table(s, name);
    return i < 0 ? NULL : &tables[i];
}

// Places of the columns that rows [from, to) name in `column`; empty when one
// is not there.
static place_list places(const catalogue *c,
                         const schema_table *t,
                         int from,
                         int to,
                         int column)
{
    place_list list = {0};
    for (int i = from; i < to; i++) {
        int32_t at = schema_find_column(t, text_at(c, i, column));
        if (at < 0) {
            return (place_list){0};
        }
        *vec_push(c->a, &list) = at;
    }
    return list;
}

static void read_uniques(postgres_database *db,
                         const schema *s,
                         schema_table *tables,
                         arena *a)
{
    catalogue c = ask(db, UNIQUES, a);
    for (int row = 0, end = 0; row < c.n; row = end) {
        end = group_end(&c, row, 0);
        schema_table *t = table_named(s, tables, text_at(&c, row, 0));
        schema_unique *uniques = arena_new(a, schema_unique, end - row);
        ptrdiff_t n = 0;
        for (int at = row, next = 0; t && at < end; at = next) {
            next = group_end(&c, at, 1);
            place_list list = places(&c, t, at, next, 3);
            if (list.len > 0) {
                uniques[n++] = (schema_unique){
                    list.ptr, list.len, str_equal(text_at(&c, at, 2), S("t")),
                    NULL};
            }
        }
        if (t) {
            t->uniques = uniques;
            t->n_uniques = n;
        }
    }
    c.pq->PQclear(c.rows);
}

// The condition as a tree; NULL when it calls what only this database has, or
// cannot be read.
static const ast *condition_of(str text, arena *a, arena scratch)
{
    str query = arena_printf(a, "SELECT %.*s", STR_ARG(text));
    parse_result r = parse_sql(a, query, DIALECT_POSTGRES, scratch);
    const ast *q = r.errors.len == 0 ? r.statements : NULL;
    ast *condition = q && q->kind == AST_SELECT ? q->kid[SELECT_ITEMS] : NULL;
    if (!condition || condition->next || q->next) {
        return NULL;
    }
    condition = schema_simplify(a, condition);
    return schema_is_portable(condition) ? condition : NULL;
}

static void read_checks(postgres_database *db,
                        const schema *s,
                        schema_table *tables,
                        arena *a)
{
    arena_store store;
    catalogue c = ask(db, CHECKS, a);
    if (c.n > 0 && !arena_store_open(&store, (ptrdiff_t)64 << 20)) {
        c.n = 0;
    }
    for (int row = 0, end = 0; row < c.n; row = end) {
        end = group_end(&c, row, 0);
        schema_table *t = table_named(s, tables, text_at(&c, row, 0));
        const ast **checks = (const ast **)arena_alloc(
            a, sizeof *checks, _Alignof(max_align_t), end - row);
        ptrdiff_t n = 0;
        for (int i = row; t && i < end; i++) {
            const ast *condition =
                condition_of(text_at(&c, i, 1), a, arena_store_clear(&store));
            if (condition) {
                checks[n++] = condition;
            }
        }
        if (t) {
            t->checks = checks;
            t->n_checks = n;
        }
    }
    if (c.n > 0) {
        arena_store_close(&store);
    }
    c.pq->PQclear(c.rows);
}

static void read_keys(postgres_database *db, schema *s, arena *a)
{
    struct {
        key_draft *ptr;
        ptrdiff_t len;
        ptrdiff_t cap;
    } drafts = {0};
    catalogue c = ask(db, KEYS, a);
    for (int row = 0, end = 0; row < c.n; row = end) {
        end = group_end(&c, row, 1);
        int32_t child = schema_find_table(s, text_at(&c, row, 0));
        place_list list = {0};
        if (child >= 0) {
            list = places(&c, &s->tables[child], row, end, 3);
        }
        str *targets = arena_new(a, str, end - row);
        for (int i = row; i < end; i++) {
            targets[i - row] = keep_at(&c, i, 4);
        }
        if (list.len > 0) {
            *vec_push(a, &drafts) = (key_draft){child, list.ptr, targets,
                                                list.len, keep_at(&c, row, 2)};
        }
    }
    c.pq->PQclear(c.rows);
    schema_set_keys(s, a, drafts.ptr, drafts.len);
}

const schema *postgres_read_schema(database *base, arena *a)
{
    postgres_database *db = (postgres_database *)base;
    schema *s = arena_new(a, schema, 1);
    read_tables(db, s, a);
    schema_table *tables = arena_new(a, schema_table, s->n_tables);
    for (ptrdiff_t i = 0; i < s->n_tables; i++) {
        tables[i] = s->tables[i];
    }
    s->tables = tables;
    read_uniques(db, s, tables, a);
    read_checks(db, s, tables, a);
    read_keys(db, s, a);
    return s;
}

bool postgres_fingerprint(database *base, uint64_t *out, diag *d, arena scratch)
{
    postgres_database *db = (postgres_database *)base;
    const postgres_api *pq = postgres_api_of(db);
    *out = 1;
    // Sequences, too: nextval() leaves no other trace.
    PGresult *tables = postgres_ask(
        db, "SELECT format('%I.%I', n.nspname, c.relname)" FROM_TABLES
            " WHERE c.relkind IN ('r', 'm', 'S')"
            " AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'"
            " ORDER BY 1");
    bool ok = tables;
    for (int i = 0; ok && i < pq->PQntuples(tables); i++) {
        str name = str_from(pq->PQgetvalue(tables, i, 0));
        arena local = scratch;
        str sql = arena_printf(
            &local,
            "SELECT count(*), sum(hashtextextended(t::text, 0)::numeric)"
            " FROM %.*s t",
            STR_ARG(name));
        PGresult *r = postgres_ask(db, sql.ptr);
        ok = r;
        for (int c = 0; ok && c < 2; c++) {
            *out = hash_mix(*out, hash64(str_from(pq->PQgetvalue(r, 0, c))));
        }
        *out = hash_mix(*out, hash64(name));
        pq->PQclear(r);
    }
    pq->PQclear(tables);
    postgres_rest(db);
    return ok
           || diag_add(d, (diag_place){0}, "the tables cannot be read: %s",
                       db->conn ? pq->PQerrorMessage(db->conn) : "");
}
