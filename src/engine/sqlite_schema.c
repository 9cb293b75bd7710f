/*
 * sqlite_schema.c - the schema of a database, from its own CREATE statements.
 *
 * Method      sqlite_master keeps the text of every table, view and index; our
 *             parser reads them, so that checks, computed columns and views are
 *             known. SQLite says which columns each table has. Where we read
 *             others (virtual tables, a syntax we do not know), the table is
 *             one of SQLite's columns, and of which no more is known.
 *
 * Cost        Read once for each database, when first asked for.
 */
#include "engine/engine_sqlite.h"
#include "schema/schema_ddl.h"
#include "sql/name.h"

typedef struct statement {
    str name;
    str sql;
    str plain;        // of a table: the same, with its columns and no more
    bool is_strange;  // we do not read it as SQLite does
} statement;

typedef vec_of(statement) statement_list;

// What lacked memory once is no schema, however it went on.
static void note(sqlite_database *db, int rc)
{
    db->lacked_memory |= rc == SQLITE_NOMEM;
}

static sqlite3_stmt *ask(sqlite_database *db, const char *sql)
{
    sqlite3_stmt *rows = NULL;
    note(db, sqlite3_prepare_v2(db->db, sql, -1, &rows, NULL));
    return rows;
}

static bool next(sqlite_database *db, sqlite3_stmt *rows)
{
    int rc = rows ? sqlite3_step(rows) : SQLITE_DONE;
    note(db, rc);
    return rc == SQLITE_ROW;
}

static str text_at(sqlite_database *db, sqlite3_stmt *row, int i, arena *a)
{
    str text = str_from((const char *)sqlite3_column_text(row, i));
    note(db, sqlite3_errcode(db->db));
    return arena_str(a, text);
}

// Columns that SQLite cannot tell, for want of a module, nobody can read.
static str plain_of(sqlite_database *db, sqlite3_stmt *columns, str t, arena *a)
{
    sqlite3_bind_text(columns, 1, t.ptr, (int)t.len, SQLITE_STATIC);
    str list = next(db, columns) ? text_at(db, columns, 0, a) : S("rowid");
    sqlite3_reset(columns);
    return arena_printf(
        a, "%.*s (%.*s)",
        STR_ARG(name_statement(a, "CREATE TABLE $0", &t, DIALECT_SQLITE)),
        STR_ARG(list));
}

// All statements, tables first, in the order in which they were made.
static statement_list read_statements(sqlite_database *db, arena *a)
{
    statement_list list = {0};
    sqlite3_stmt *rows =
        ask(db, "SELECT name, sql, type = 'table' FROM sqlite_master WHERE"
                " sql IS NOT NULL AND type IN ('table', 'view', 'index')"
                " ORDER BY type = 'index', rowid");
    sqlite3_stmt *columns =
        ask(db, "SELECT coalesce(group_concat(printf('\"%w\" %s%s', name,"
                " CASE WHEN type GLOB '*[^A-Za-z0-9_(), ]*' THEN ''"
                " ELSE type END, CASE WHEN \"notnull\" THEN ' NOT NULL'"
                " ELSE '' END), ', '), 'rowid')"
                " FROM pragma_table_xinfo(?1) WHERE hidden <> 1");
    while (columns && next(db, rows)) {
        statement s = {.name = text_at(db, rows, 0, a),
                       .sql = text_at(db, rows, 1, a)};
        bool is_table = sqlite3_column_int(rows, 2) != 0;
        s.plain = is_table ? plain_of(db, columns, s.name, a) : (str){0};
        *vec_push(a, &list) = s;
    }
    sqlite3_finalize(rows);
    sqlite3_finalize(columns);
    return list;
}

static schema parse(const statement_list *list,
                    bool is_plain,
                    arena *a,
                    arena scratch)
{
    schema s;
    diag ignored = diag_new(a);
    buf text = buf_new(a);
    for (ptrdiff_t i = 0; i < list->len; i++) {
        const statement *it = &list->ptr[i];
        buf_add(&text, is_plain || it->is_strange ? it->plain : it->sql);
        buf_add(&text, S("\n;\n"));
    }
    schema_from_ddl(&s, a, S("sqlite_master"), buf_str(&text), DIALECT_SQLITE,
                    DIALECT_SQLITE, &ignored, scratch);
    return s;
}

// Does the parser read the columns of a table as SQLite does?
static bool has_same_columns(const schema *read, const schema *own, str name)
{
    int32_t one = schema_find_table(read, name);
    int32_t two = schema_find_table(own, name);
    if (one < 0 || two < 0) {
        return two < 0;
    }
    const schema_table *a = &read->tables[one];
    const schema_table *b = &own->tables[two];
    bool same = !a->view && a->n_columns == b->n_columns;
    for (ptrdiff_t i = 0; same && i < a->n_columns; i++) {
        same = str_equal(a->columns[i].name, b->columns[i].name);
    }
    return same;
}

// The tables of strange statements, of which only the columns are known.
static void mark_strange(schema *s, const statement_list *list, arena *a)
{
    schema_table *tables = arena_copy(a, s->tables, s->n_tables, 0);
    for (ptrdiff_t i = 0; i < list->len; i++) {
        int32_t t = schema_find_table(s, list->ptr[i].name);
        if (t >= 0 && list->ptr[i].is_strange) {
            tables[t].is_virtual = true;
        }
    }
    s->tables = tables;
}

// The upper half of what is left of `a` serves as scratch memory.
static schema read_schema(sqlite_database *db, arena *a)
{
    arena lower = *a;
    arena scratch = arena_half(&lower);
    arena trees = arena_half(&scratch);
    statement_list list = read_statements(db, &scratch);
    schema own = parse(&list, true, &scratch, trees);
    schema s = parse(&list, false, &lower, trees);
    bool is_strange = false;
    for (ptrdiff_t i = 0; i < list.len; i++) {
        statement *it = &list.ptr[i];
        it->is_strange =
            it->plain.len > 0 && !has_same_columns(&s, &own, it->name);
        is_strange |= it->is_strange;
    }
    if (is_strange) {
        s = parse(&list, false, &lower, trees);
        mark_strange(&s, &list, &lower);
    }
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
