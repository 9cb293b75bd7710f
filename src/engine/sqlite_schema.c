/*
 * sqlite_schema.c - the schema of a database, from its own CREATE statements.
 *
 * Method      sqlite_master keeps the text of every table, view and index; our
 *             parser reads them, so that checks, computed columns and views are
 *             known. Where it reads other columns than SQLite has, SQLite is
 *             right (virtual tables, a syntax we do not know).
 *
 * Cost        Read once for each database, when first asked for.
 */
#include "engine/engine_sqlite.h"
#include "schema/schema_build.h"
#include "schema/schema_ddl.h"

// All statements, tables first, in the order in which they were made.
static str read_statements(sqlite_database *db, arena *a)
{
    static const char sql[] =
        "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND type IN"
        " ('table', 'view', 'index') ORDER BY type = 'index', rowid";
    buf out = buf_new(a);
    sqlite3_stmt *rows = NULL;
    int rc = sqlite3_prepare_v2(db->db, sql, -1, &rows, NULL);
    while (rc == SQLITE_OK && sqlite3_step(rows) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(rows, 0);
        buf_add(&out, str_from(text));
        buf_add(&out, S("\n;\n"));
        rc = text ? SQLITE_OK : SQLITE_NOMEM;
    }
    // Finalizing tells what the last step ended with.
    int last = sqlite3_finalize(rows);
    db->lacked_memory |= rc == SQLITE_NOMEM || last == SQLITE_NOMEM;
    return buf_str(&out);
}

static bool has_same_columns(const schema_table *a, const schema_table *b)
{
    bool same = a->n_columns == b->n_columns;
    for (ptrdiff_t i = 0; same && i < a->n_columns; i++) {
        same = str_equal(a->columns[i].name, b->columns[i].name);
    }
    return same;
}

static const schema_table *find_same(const schema *s, const schema_table *t)
{
    int32_t at = schema_find_table(s, t->name);
    return at >= 0 && !s->tables[at].view && has_same_columns(&s->tables[at], t)
               ? &s->tables[at]
               : NULL;
}

// Does `read` know exactly the tables of `own`, in their order?
static bool knows_all(const schema *read, const schema *own)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < read->n_tables; i++) {
        n += !read->tables[i].view;
    }
    for (ptrdiff_t i = 0; i < own->n_tables; i++) {
        if (!find_same(read, &own->tables[i])) {
            return false;
        }
    }
    return n == own->n_tables;
}

// SQLite's own word on the tables, with what could be read of each, and the
// views.
static schema merge(const schema *own, const schema *read, arena *a)
{
    schema_table *tables =
        arena_new(a, schema_table, own->n_tables + read->n_tables);
    schema out = *own;
    out.tables = tables;
    for (ptrdiff_t i = 0; i < own->n_tables; i++) {
        const schema_table *same = find_same(read, &own->tables[i]);
        tables[i] = same ? *same : own->tables[i];
    }
    for (ptrdiff_t i = 0; i < read->n_tables; i++) {
        if (read->tables[i].view) {
            tables[out.n_tables++] = read->tables[i];
        }
    }
    schema_index_tables(&out, a);
    return out;
}

// The upper half of what is left of `a` serves as scratch memory.
static schema read_schema(sqlite_database *db, arena *a)
{
    arena lower = *a;
    arena scratch = arena_half(&lower);
    schema read;
    diag d = diag_new(&lower);
    schema own = sqlite_pragma_schema(db, &lower);
    str sql = read_statements(db, &lower);
    schema_from_ddl(&read, &lower, S("sqlite_master"), sql, DIALECT_SQLITE,
                    DIALECT_SQLITE, &d, scratch);
    schema s = knows_all(&read, &own) ? read : merge(&own, &read, &lower);
    a->next = lower.next;
    return s;
}

bool sqlite_read_schema(database *base, schema *s, arena *a, diag *d)
{
    sqlite_database *db = (sqlite_database *)base;
    // Our own look at the schema needs what predictions may not use.
    sqlite3_set_authorizer(db->db, NULL, NULL);
    sqlite3_progress_handler(db->db, 0, NULL, NULL);
    db->lacked_memory = false;
    *s = read_schema(db, a);
    sqlite_guard(db);
    // A file whose schema is broken could not be opened.
    return !db->lacked_memory
           || diag_add(d, (diag_place){0}, "its schema: out of memory");
}
