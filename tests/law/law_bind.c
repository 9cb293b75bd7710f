/*
 * law_bind.c - the binder agrees with SQLite on random queries.
 *
 * Queries are drawn from a small grammar over few names, so that most names
 * are ambiguous, unknown, hidden by an alias or meant two scopes out. What
 * SQLite prepares the binder must find nothing wrong with, and know the same
 * columns of; where SQLite says that a name is unknown or ambiguous the binder
 * must find one such name, too. (Known: SQLite binds a CTE where it is used, so
 * that its names may mean columns around that place; one query in 100 000.)
 */
#include "base/rng.h"
#include "schema/bind.h"
#include "schema/schema_ddl.h"
#include "sql/parse.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

enum {
    QUERIES = 20000,
    DEPTH_MAX = 3,
    SHOWN_MAX = 10,
    BYTES_MAX = 1500,
};

static const char ddl[] = "CREATE TABLE a(x INTEGER, y TEXT);"
                          "CREATE TABLE b(y TEXT, z INTEGER);"
                          "CREATE TABLE c(x INTEGER PRIMARY KEY, w REAL);";

typedef struct maker {
    rng *r;
    buf *out;
    int depth;
} maker;

static int draw(maker *m, int n)
{
    return (int)(rng_next(m->r) % (uint64_t)n);
}

static void add(maker *m, const char *text)
{
    buf_add(m->out, str_from(text));
}

static void add_one(maker *m, const char *const *words, int n)
{
    add(m, words[draw(m, n)]);
}

static void add_name(maker *m)
{
    static const char *const names[] = {"x",     "y",     "x",    "y", "z",
                                        "w",     "k",     "q",    "X", "n",
                                        "rowid", "\"x\"", "\"q\""};
    add_one(m, names, countof(names));
}

static void add_source_name(maker *m)
{
    static const char *const names[] = {"a", "b", "c", "t", "u", "T"};
    add_one(m, names, countof(names));
}

static void add_query(maker *m);

static bool is_deep(const maker *m)
{
    return m->depth > DEPTH_MAX || m->out->len > BYTES_MAX;
}

static void add_subquery(maker *m)
{
    add(m, "(");
    add_query(m);
    add(m, ")");
}

static void add_expr(maker *m)
{
    m->depth++;
    switch (draw(m, is_deep(m) ? 5 : 10)) {
    case 0:
        add_source_name(m);
        add(m, ".");
        add_name(m);
        break;
    case 1: add(m, "1"); break;
    case 5:
        add(m, "(SELECT ");
        add_name(m);
        add(m, " FROM ");
        add_source_name(m);
        add(m, draw(m, 2) ? " AS t" : "");
        add(m, " LIMIT 1)");
        break;
    case 6:
        add_expr(m);
        add(m, " + ");
        add_expr(m);
        break;
    case 7:
        add(m, "abs(");
        add_expr(m);
        add(m, ")");
        break;
    case 8:
        add(m, "CASE WHEN EXISTS ");
        add_subquery(m);
        add(m, " THEN 1 END");
        break;
    default: add_name(m); break;
    }
    m->depth--;
}

static void add_source(maker *m)
{
    if (is_deep(m) || draw(m, 4)) {
        static const char *const tables[] = {"a", "b", "c",
                                             "a", "k", "nowhere"};
        add_one(m, tables, draw(m, 10) ? 4 : 6);
    } else {
        add_subquery(m);
    }
    static const char *const aliases[] = {"", "", " AS t", " AS u", " t"};
    add_one(m, aliases, countof(aliases));
}

static void add_from(maker *m)
{
    add(m, " FROM ");
    add_source(m);
    for (int more = draw(m, 3); more > 0; more--) {
        int how = draw(m, 6);
        static const char *const joins[] = {", ",     " JOIN ",
                                            " JOIN ", " LEFT JOIN ",
                                            " JOIN ", " NATURAL JOIN "};
        add(m, joins[how]);
        add_source(m);
        if (how == 1 || how == 3) {
            add(m, " ON ");
            add_expr(m);
        } else if (how == 2) {
            add(m, draw(m, 2) ? " USING (x)" : " USING (y)");
        }
    }
}

static void add_items(maker *m)
{
    for (int i = draw(m, 2); i >= 0; i--) {
        int how = draw(m, 8);
        if (how == 0) {
            add(m, "*");
        } else if (how == 1) {
            add_source_name(m);
            add(m, ".*");
        } else {
            add_expr(m);
            static const char *const aliases[] = {"", "", " AS x", " AS n"};
            add_one(m, aliases, countof(aliases));
        }
        add(m, i > 0 ? ", " : "");
    }
}

static void add_core(maker *m)
{
    add(m, "SELECT ");
    add_items(m);
    add_from(m);
    if (draw(m, 2)) {
        add(m, " WHERE ");
        add_expr(m);
        add(m, " = ");
        add_expr(m);
    }
    if (!draw(m, 4)) {
        add(m, " GROUP BY ");
        add_expr(m);
        if (draw(m, 2)) {
            add(m, " HAVING ");
            add_expr(m);
        }
    }
}

static void add_query(maker *m)
{
    m->depth++;
    if (!draw(m, 8) && !is_deep(m)) {
        add(m, "WITH k AS ");
        add_subquery(m);
        add(m, " ");
    }
    add_core(m);
    bool is_union = !draw(m, 8);
    if (is_union) {
        add(m, " UNION ");
        add_core(m);
    }
    if (!draw(m, 3)) {
        add(m, " ORDER BY ");
        if (is_union || draw(m, 2)) {
            add_name(m);
        } else {
            add_expr(m);
        }
    }
    m->depth--;
}

// What SQLite complains of; -1: of something that the binder does not look at.
static int complaint(const char *message)
{
    return strstr(message, "no such table")              ? BIND_NO_TABLE
           : strstr(message, "no such column")           ? BIND_NO_COLUMN
           : strstr(message, "cannot join using column") ? BIND_NO_COLUMN
           : strstr(message, "not match any column")     ? BIND_NO_COLUMN
           : strstr(message, "ambiguous")                ? BIND_AMBIGUOUS
           : strstr(message, "circular reference")       ? BIND_NO_TABLE
           : strstr(message, "term out of range")        ? BIND_NO_POSITION
           : strstr(message, "number of result columns") ? BIND_COLUMN_COUNT
                                                         : -1;
}

static bool has_kind(const binding *b, int kind)
{
    for (ptrdiff_t i = 0; i < b->problems.len; i++) {
        if ((int)b->problems.ptr[i].kind == kind) {
            return true;
        }
    }
    return b->problems.len == BIND_PROBLEMS_MAX;
}

static bool same_columns(const binding *b, sqlite3_stmt *made)
{
    bool same = b->query->n_outputs == sqlite3_column_count(made);
    for (ptrdiff_t i = 0; same && i < b->query->n_outputs; i++) {
        str name = b->query->outputs[i].name;
        same = name.len == 0
               || str_equal(name, str_from(sqlite3_column_name(made, (int)i)));
    }
    return same;
}

typedef struct counts {
    int n_prepared;
    int n_refused;
    int n_wrong;
} counts;

static void show(counts *c, str sql, const char *what, const binding *b)
{
    if (c->n_wrong++ < SHOWN_MAX) {
        printf("%.*s\n  SQLite: %s\n", STR_ARG(sql), what);
        for (ptrdiff_t i = 0; i < b->problems.len; i++) {
            printf("  binder: %.*s\n", STR_ARG(b->problems.ptr[i].text));
        }
    }
}

static void check(counts *c,
                  sqlite3 *db,
                  const schema *s,
                  str sql,
                  arena a,
                  arena scratch)
{
    parse_result r = parse_sql(&a, sql, DIALECT_SQLITE, scratch);
    if (r.errors.len > 0 || !r.statements) {
        return;
    }
    binding *b = bind_query(&a, r.statements, s, DIALECT_SQLITE, scratch);
    sqlite3_stmt *made = NULL;
    int code = sqlite3_prepare_v2(db, sql.ptr, (int)sql.len, &made, NULL);
    int kind = code == SQLITE_OK ? -1 : complaint(sqlite3_errmsg(db));
    c->n_prepared += code == SQLITE_OK;
    c->n_refused += kind >= 0;
    if (code == SQLITE_OK && b->problems.len > 0) {
        show(c, sql, "nothing wrong", b);
    } else if (code == SQLITE_OK && !same_columns(b, made)) {
        show(c, sql, "other columns", b);
    } else if (kind >= 0 && !has_kind(b, kind)) {
        show(c, sql, sqlite3_errmsg(db), b);
    }
    sqlite3_finalize(made);
}

int main(void)
{
    arena_store stores[3];
    for (int i = 0; i < 3; i++) {
        if (!arena_store_open(&stores[i], (ptrdiff_t)1 << 28)) {
            return 1;
        }
    }
    arena keep = arena_store_clear(&stores[0]);
    arena scratch = arena_store_clear(&stores[2]);
    diag d = diag_new(&keep);
    schema s;
    sqlite3 *db = NULL;
    if (!schema_from_ddl(&s, &keep, S("ddl"), str_from(ddl), DIALECT_SQLITE,
                         DIALECT_SQLITE, &d, scratch)
        || sqlite3_open(":memory:", &db) != SQLITE_OK
        || sqlite3_exec(db, ddl, NULL, NULL, NULL) != SQLITE_OK) {
        return 1;
    }
    counts c = {0};
    rng r = {1};
    for (int i = 0; i < QUERIES; i++) {
        arena a = arena_store_clear(&stores[1]);
        buf text = buf_new(&a);
        maker m = {.r = &r, .out = &text};
        add_query(&m);
        str sql = arena_str(&a, buf_str(&text));
        check(&c, db, &s, sql, a, scratch);
    }
    printf("%d queries, %d prepared, %d refused for a name, %d wrong\n",
           QUERIES, c.n_prepared, c.n_refused, c.n_wrong);
    sqlite3_close(db);
    return c.n_wrong == 0 && c.n_prepared > QUERIES / 50 ? 0 : 1;
}
