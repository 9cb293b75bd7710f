/*
 * kind_ddl.c - the kind of schemas read from CREATE statements.
 *
 *   ddl  sql: the schema, a line a column, key, index and check, then the
 *        mistakes;
 *        with `ddl: yes` and `bare: yes` the statements that SQLite gets, with
 *        and without keys. The kind also checks that SQLite takes them, that
 *        reading them gives the same ones, and the law of print.h; with
 *        `postgres: yes` the statements that PostgreSQL gets, which must give
 *        the same ones when they are read, too
 */
#include "kind.h"
#include "schema/schema_ddl.h"
#include "sql/parse.h"
#include "sql/print.h"

#include <sqlite3.h>

static const char *const affinities[] = {"BLOB", "TEXT", "NUMERIC", "INTEGER",
                                         "REAL"};
static const char *const collations[] = {"", " nocase", " rtrim", " other"};
static const char *const kinds[] = {
    "any",  "integer", "real",      "decimal", "text",
    "date", "time",    "timestamp", "boolean", "bytes",
};

static void add_expr(buf *out, const char *head, const ast *expr, test_case *c)
{
    buf_printf(out, "%s", head);
    print_sql(out, expr, DIALECT_SQLITE, PRINT_ONE_LINE, case_scratch(c));
}

static void add_column(buf *out, const schema_column *column, test_case *c)
{
    buf_printf(out, "  %.*s [%.*s] %s %s%s%s%s", STR_ARG(column->name),
               STR_ARG(column->type), affinities[column->affinity],
               kinds[column->kind], collations[column->collation],
               column->is_not_null ? " not-null" : "",
               column->is_rowid ? " rowid" : "");
    if (column->fallback) {
        add_expr(out, " default ", column->fallback, c);
    }
    if (column->generated) {
        add_expr(out, " generated ", column->generated, c);
    }
    buf_char(out, '\n');
}

static void add_places(buf *out,
                       const schema_table *t,
                       const int32_t *columns,
                       ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        str name = columns[i] >= 0 ? t->columns[columns[i]].name : S("?");
        buf_printf(out, " %.*s", STR_ARG(name));
    }
}

static void add_table(buf *out, const schema *s, int32_t table, test_case *c)
{
    const schema_table *t = &s->tables[table];
    buf_printf(out, "%s %.*s%s%s\n", t->view ? "view" : "table",
               STR_ARG(t->name),
               t->view || t->has_rowid ? "" : " without-rowid",
               t->is_strict ? " strict" : "");
    for (ptrdiff_t i = 0; i < t->n_columns; i++) {
        add_column(out, &t->columns[i], c);
    }
    for (ptrdiff_t i = 0; i < t->n_uniques; i++) {
        buf_printf(out, "  %s:", t->uniques[i].is_primary ? "key" : "unique");
        add_places(out, t, t->uniques[i].columns, t->uniques[i].n);
        buf_char(out, '\n');
    }
    for (ptrdiff_t i = 0; i < t->n_indexes; i++) {
        const schema_unique_index *u = &t->indexes[i];
        for (const ast *key = u->keys; key; key = key->next) {
            add_expr(out, key == u->keys ? "  unique index: " : ", ",
                     key->kid[SORT_EXPR], c);
        }
        if (u->where) {
            add_expr(out, " where ", u->where, c);
        }
        buf_char(out, '\n');
    }
    for (ptrdiff_t i = 0; i < t->n_checks; i++) {
        add_expr(out, "  check: ", t->checks[i], c);
        buf_char(out, '\n');
    }
    if (t->view) {
        add_expr(out, "  as: ", t->view, c);
        buf_char(out, '\n');
    }
}

static void add_key(buf *out, const schema *s, const schema_key *k)
{
    const schema_table *child = &s->tables[k->child];
    buf_printf(out, "foreign key %.*s:", STR_ARG(child->name));
    add_places(out, child, k->columns, k->n);
    buf_printf(out, " -> %.*s:", STR_ARG(k->parent_name));
    if (k->parent >= 0) {
        add_places(out, &s->tables[k->parent], k->targets, k->n);
    }
    buf_printf(out, "%s\n", k->is_sound ? "" : " unsound");
}

static str describe(const schema *s, test_case *c)
{
    buf out = buf_new(case_arena(c));
    for (ptrdiff_t i = 0; i < s->n_tables; i++) {
        add_table(&out, s, (int32_t)i, c);
    }
    for (ptrdiff_t i = 0; i < s->n_keys; i++) {
        add_key(&out, s, &s->keys[i]);
    }
    return buf_str(&out);
}

static str to_ddl(const schema *s, bool keeps_keys, test_case *c)
{
    buf out = buf_new(case_arena(c));
    schema_to_ddl(&out, s, keeps_keys, case_scratch(c));
    sqlite3 *db = NULL;
    char *error = NULL;
    sqlite3_open(":memory:", &db);
    buf sql = buf_new(case_arena(c));
    buf_add(&sql, buf_str(&out));
    buf_char(&sql, 0);
    if (sqlite3_exec(db, sql.ptr, NULL, NULL, &error) != SQLITE_OK) {
        buf_printf(&out, "SQLite: %s\n", error);
    }
    sqlite3_free(error);
    sqlite3_close(db);
    return buf_str(&out);
}

static str without_comments(str ddl, test_case *c)
{
    buf out = buf_new(case_arena(c));
    while (ddl.len > 0) {
        str line = str_cut(&ddl, '\n');
        ptrdiff_t end = str_find(line, S(" -- "), 0);
        buf_add(&out, str_sub(line, 0, end < 0 ? line.len : end));
        buf_char(&out, '\n');
    }
    return buf_str(&out);
}

static schema read_again(str sql, test_case *c)
{
    schema s;
    diag d = diag_new(case_arena(c));
    schema_from_ddl(&s, case_arena(c), S("ddl"), sql, DIALECT_SQLITE,
                    DIALECT_SQLITE, &d, case_scratch(c));
    return s;
}

// Printing the statements and reading them gives the same trees.
static void check_print(buf *out, test_case *c, dialect d, print_layout layout)
{
    arena *a = case_arena(c);
    parse_result r = parse_ddl(a, case_section(c, "sql"), d, case_scratch(c));
    for (const ast *n = r.errors.len ? NULL : r.statements; n; n = n->next) {
        buf first = buf_new(a);
        print_sql(&first, n, d, layout, case_scratch(c));
        parse_result again = parse_ddl(a, buf_str(&first), d, case_scratch(c));
        if (again.errors.len > 0 || !again.statements
            || !ast_equal(n, again.statements)) {
            buf_printf(out, "reads as another tree: %.*s\n",
                       STR_ARG(buf_str(&first)));
        }
    }
}

// The statements for PostgreSQL, and what is wrong with them.
static str to_postgres(schema s, test_case *c)
{
    s.dialect = DIALECT_POSTGRES;
    buf out = buf_new(case_arena(c));
    schema_to_ddl(&out, &s, true, case_scratch(c));
    schema again;
    diag d = diag_new(case_arena(c));
    schema_from_ddl(&again, case_arena(c), S("ddl"), buf_str(&out),
                    DIALECT_POSTGRES, DIALECT_SQLITE, &d, case_scratch(c));
    again.dialect = DIALECT_POSTGRES;
    buf once_more = buf_new(case_arena(c));
    schema_to_ddl(&once_more, &again, true, case_scratch(c));
    if (!str_equal(without_comments(buf_str(&out), c), buf_str(&once_more))) {
        buf_printf(&out, "reads as:\n%.*s", STR_ARG(buf_str(&once_more)));
    }
    return buf_str(&out);
}

static void run_ddl(test_case *c)
{
    dialect d = DIALECT_SQLITE;
    str word = case_key(c, "dialect");
    if (word.len > 0 && !dialect_from_word(word, &d)) {
        case_broken(c, "no dialect '%.*s'", STR_ARG(word));
        return;
    }
    schema s;
    diag messages = diag_new(case_arena(c));
    bool whole =
        schema_from_ddl(&s, case_arena(c), S("sql"), case_section(c, "sql"), d,
                        DIALECT_SQLITE, &messages, case_scratch(c));
    buf out = buf_new(case_arena(c));
    buf_add(&out, describe(&s, c));
    for (ptrdiff_t i = 0; i < messages.messages.len; i++) {
        str line = diag_format(case_arena(c), messages.messages.ptr[i]);
        buf_printf(&out, "%.*s\n", STR_ARG(line));
    }
    buf_add(&out, whole == (messages.count == 0) ? S("") : S("not said\n"));
    check_print(&out, c, d, PRINT_ONE_LINE);
    check_print(&out, c, d, PRINT_PRETTY);
    str ddl = to_ddl(&s, true, c);
    schema again = read_again(ddl, c);
    str once_more = to_ddl(&again, true, c);
    if (!str_equal(without_comments(ddl, c), once_more)) {
        buf_printf(&out, "reads as:\n%.*s", STR_ARG(once_more));
    }
    case_output(c, "", buf_str(&out));
    if (case_key(c, "ddl").len > 0) {
        case_output(c, "ddl", ddl);
    }
    str bare = to_ddl(&s, false, c);
    if (case_key(c, "bare").len > 0) {
        case_output(c, "bare", bare);
    }
    if (case_key(c, "postgres").len > 0) {
        case_output(c, "postgres", to_postgres(s, c));
    }
}

const test_kind kind_ddl = {
    .name = "ddl",
    .sections = "sql",
    .keys = "dialect ddl bare postgres",
    .run = run_ddl,
};
