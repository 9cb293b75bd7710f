/*
 * law_solver.c - what rules and solver say of conditions, SQLite must say of
 * rows.
 *
 * A query shows one condition and asks another; each is written in one of
 * several ways that mean the same, or nearly: NULL, collations, conversions and
 * fractions are where they part. The second query of a pair writes them in
 * other ways. Pairs that are proved, by rules or by Z3, must give the same rows
 * of a table of random values of all kinds that the types allow.
 */
#include "base/rng.h"
#include "prove/prove.h"
#include "prove/solver.h"
#include "schema/schema_ddl.h"
#include "sql/parse.h"

#include <sqlite3.h>
#include <stdio.h>

enum {
    PAIRS = 1500,
    ROWS = 4000,
    WAYS = 4,
    PARTS = 3,
};

static const char ddl[] =
    "CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, r REAL,"
    " s TEXT, n TEXT COLLATE NOCASE, d DATETIME, k INTEGER NOT NULL, x);";

// Values of the columns after id.
static const char *const pools[] = {
    "NULL 0 1 2 3 4",
    "NULL 0 1 2 3",
    "NULL 0.0 1.0 1.5 2.0 2.5 3.0",
    "NULL 'a' 'A' 'ab' '1' '2' '10' ''",
    "NULL 'a' 'A' 'b' '1'",
    "NULL '2020-01-02' '2020-01-03' '2020-01-02T10:00:00'",
    "0 1 2 3",
    "NULL 0 1 2 1.5 'a' '1' '2'",
};

static const char *const conditions[][WAYS] = {
    {"a < 2", "a <= 1", "NOT a >= 2", "a - 2 < 0"},
    {"a = b", "b = a", "a - b = 0", "NOT a <> b"},
    {"a IS NULL", "NOT a IS NOT NULL", "COALESCE(a, 7) = 7", "a + 1 IS NULL"},
    {"a BETWEEN 1 AND 3", "a IN (1, 2, 3)", "a > 0 AND a < 4",
     "a >= 1 AND NOT a > 3"},
    {"r BETWEEN 1 AND 3", "r IN (1, 2, 3)", "r > 0 AND r < 4",
     "r >= 1 AND NOT r > 3"},
    {"r > 1", "r >= 1 AND r <> 1", "NOT r <= 1.0", "r - 1 > 0"},
    {"s > 'a'", "NOT s <= 'a'", "'a' < s", "s >= 'a' AND s <> 'a'"},
    {"s > '1'", "s >= '1' AND s <> '1'", "s > 1", "CAST(s AS INTEGER) > 1"},
    {"n = 'a'", "n IN ('a')", "NOT n <> 'A'", "n || '' = 'a'"},
    {"n = s", "s = n", "n IN (s)", "NOT n <> s"},
    {"s < a", "a > s", "NOT s >= a", "s < a + 0"},
    {"x < 2", "NOT x >= 2", "x <= 1", "x < 2.0"},
    {"x = a", "a = x", "a IN (x)", "x IN (a)"},
    {"x IN (1, 'a')", "x = 1 OR x = 'a'", "NOT x NOT IN ('a', 1)",
     "x = 1.0 OR x = 'a'"},
    {"d > '2020-01-02'", "d >= '2020-01-03'",
     "d <> '2020-01-02' AND d >= '2020-01-02'", "NOT d <= '2020-01-02'"},
    {"s LIKE 'a%'", "s LIKE 'A%'", "NOT s NOT LIKE 'a%'",
     "s LIKE 'a%' AND s IS NOT NULL"},
    {"CASE WHEN a > 1 THEN b ELSE 1 END = 1", "NOT (a > 1 AND b <> 1)",
     "(a > 1 AND b = 1) OR a <= 1 OR a IS NULL",
     "CASE WHEN a <= 1 THEN 1 WHEN a > 1 THEN b ELSE 1 END = 1"},
    {"COALESCE(a, 0) < 1", "a < 1 OR a IS NULL", "COALESCE(a < 1, 1)",
     "NOT a >= 1"},
    {"a + b > 3", "b + a >= 4", "a > 3 - b", "NOT 2 * a + 2 * b < 8"},
    {"r + a > 3", "a + r > 3", "r > 3 - a", "NOT r + a <= 3"},
    {"k IS NOT NULL", "1 = 1", "k = k", "k IS NOT NULL OR a = 1"},
    {"a > r", "r < a", "NOT a <= r", "a >= r AND a <> r"},
    {"a / 2 = 1", "a IN (2, 3)", "a / 2 > 0 AND a / 2 < 2", "a / 2.0 = 1"},
    {"a IS b", "a = b OR (a IS NULL AND b IS NULL)", "NOT a IS NOT b",
     "COALESCE(a, -1) = COALESCE(b, -1)"},
    {"(a, b) = (1, 2)", "a = 1 AND b = 2", "b = 2 AND (a = 1 OR a = 7)",
     "NOT (a <> 1 OR b <> 2)"},
    {"length(s || a) = 2", "NOT length(s || a) <> 2",
     "length(s || (a + 0)) = 2", "length(s || CAST(a AS REAL)) = 2"},
    {"ABS(a - b) = 1", "a - b IN (1, -1)", "a = b + 1 OR a + 1 = b",
     "(a - b) * (a - b) = 1"},
    {"a IN (1, NULL)", "a = 1 OR NULL", "a = 1", "NOT a NOT IN (1, NULL)"},
    {"MAX(a, b) > 1", "a > 1 OR b > 1", "NOT MAX(a, b) <= 1",
     "CASE WHEN a >= b THEN a ELSE b END > 1"},
};

static const char *const links[][WAYS] = {
    {"(%s) AND (%s)", "NOT (NOT (%s) OR NOT (%s))", "(%s) AND ((%s) OR NULL)",
     "(%s) AND (%s) AND 1"},
    {"(%s) OR (%s)", "NOT (NOT (%s) AND NOT (%s))",
     "CASE WHEN %s THEN 1 ELSE (%s) END", "(%s) OR ((%s) AND k IS NOT NULL)"},
    {"(%s) AND NOT (%s)", "NOT ((%s) <= (%s))",
     "CASE WHEN %s THEN NOT (%s) ELSE 0 END",
     "(%s) AND ((%s) IS NULL OR 1) AND k = k"},
};

typedef struct world {
    schema s;
    arena_store keep;
    arena_store memory;
    arena_store scratch;
    arena lasting;
    solver *solver;
    sqlite3 *db;
    int n_proved;
    int n_solved;
    int n_wrong;
} world;

// What a query says, and in which ways.
typedef struct plan {
    int condition[PARTS];
    int link;
    int way[PARTS + 1];
} plan;

static str write_query(arena *a, const plan *p)
{
    const char *part[PARTS];
    for (int i = 0; i < PARTS; i++) {
        part[i] = conditions[p->condition[i]][p->way[i]];
    }
    str form = str_from(links[p->link][p->way[PARTS]]);
    buf out = buf_new(a);
    buf_printf(&out, "SELECT id, %s FROM t WHERE ", part[0]);
    for (int i = 1; i < PARTS; i++) {
        ptrdiff_t at = str_find(form, S("%s"), 0);
        buf_add(&out, str_sub(form, 0, at));
        buf_add(&out, str_from(part[i]));
        form = str_skip(form, at + 2);
    }
    buf_add(&out, form);
    return buf_str(&out);
}

static plan make_plan(rng *r)
{
    plan p = {.link = (int)rng_below(r, countof(links))};
    for (int i = 0; i < PARTS; i++) {
        p.condition[i] = (int)rng_below(r, countof(conditions));
    }
    return p;
}

static void choose_ways(rng *r, plan *p)
{
    for (int i = 0; i <= PARTS; i++) {
        p->way[i] = (int)rng_below(r, WAYS);
    }
}

static binding *bind(world *w, arena *a, str sql, arena scratch)
{
    parse_result r = parse_sql(a, sql, DIALECT_SQLITE, scratch);
    return r.errors.len > 0 || !r.statements
               ? NULL
               : bind_query(a, r.statements, &w->s, DIALECT_SQLITE, scratch);
}

// Rows of one query that the other one has not; below 0: it failed.
static int64_t rows_alone(world *w, str one, str other, arena scratch)
{
    str sql = arena_printf(&scratch, "SELECT count(*) FROM (%.*s EXCEPT %.*s)",
                           STR_ARG(one), STR_ARG(other));
    sqlite3_stmt *s = NULL;
    int64_t n = -1;
    if (sqlite3_prepare_v2(w->db, sql.ptr, (int)sql.len, &s, NULL) == SQLITE_OK
        && sqlite3_step(s) == SQLITE_ROW) {
        n = sqlite3_column_int64(s, 0);
    }
    sqlite3_finalize(s);
    return n;
}

static void judge(world *w, str left, str right)
{
    arena a = arena_store_clear(&w->memory);
    arena scratch = arena_store_clear(&w->scratch);
    prove_options options = {.assume = ASSUME_DEFAULT, .keeps_columns = true};
    const binding *l = bind(w, &a, left, scratch);
    const binding *r = bind(w, &a, right, scratch);
    if (!l || !r || l->problems.len > 0 || r->problems.len > 0) {
        printf("no query: %.*s\n", STR_ARG(left));
        w->n_wrong++;
        return;
    }
    bool by_rules = prove_pair(&a, l, r, &options, scratch).is_proved;
    options.solver = w->solver;
    proof p = prove_pair(&a, l, r, &options, scratch);
    w->n_proved += by_rules;
    w->n_solved += p.is_proved && !by_rules;
    if (!by_rules && !p.is_proved) {
        return;
    }
    if (rows_alone(w, left, right, scratch) != 0
        || rows_alone(w, right, left, scratch) != 0) {
        w->n_wrong++;
        printf("proved %s, and yet other rows:\n  %.*s\n  %.*s\n",
               by_rules ? "by rules" : "with the solver", STR_ARG(left),
               STR_ARG(right));
    }
}

static str pick(rng *r, str pool)
{
    int64_t n = 1;
    for (ptrdiff_t i = 0; i < pool.len; i++) {
        n += pool.ptr[i] == ' ';
    }
    str word = {0};
    for (int64_t k = rng_below(r, n); k >= 0; k--) {
        word = str_cut(&pool, ' ');
    }
    return word;
}

static bool fill(world *w, rng *r)
{
    bool ok = sqlite3_open(":memory:", &w->db) == SQLITE_OK
              && sqlite3_exec(w->db, ddl, NULL, NULL, NULL) == SQLITE_OK
              && sqlite3_exec(w->db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK;
    for (int i = 0; ok && i < ROWS; i++) {
        arena a = arena_store_clear(&w->scratch);
        buf sql = buf_new(&a);
        buf_add(&sql, S("INSERT INTO t VALUES (NULL"));
        for (ptrdiff_t c = 0; c < countof(pools); c++) {
            str word = pick(r, str_from(pools[c]));
            buf_printf(&sql, ", %.*s", STR_ARG(word));
        }
        buf_add(&sql, S(")"));
        ok =
            sqlite3_exec(w->db, arena_cstr(&a, buf_str(&sql)), NULL, NULL, NULL)
            == SQLITE_OK;
    }
    return ok && sqlite3_exec(w->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}

static bool open_world(world *w, rng *r)
{
    if (!arena_store_open(&w->keep, (ptrdiff_t)1 << 26)
        || !arena_store_open(&w->memory, (ptrdiff_t)1 << 30)
        || !arena_store_open(&w->scratch, (ptrdiff_t)1 << 30)) {
        return false;
    }
    w->lasting = arena_store_clear(&w->keep);
    w->solver = solver_new(&w->lasting, solver_default_limits());
    diag d = diag_new(&w->lasting);
    return schema_from_ddl(&w->s, &w->lasting, S("ddl"), str_from(ddl),
                           DIALECT_SQLITE, DIALECT_SQLITE, &d,
                           arena_store_clear(&w->scratch))
           && fill(w, r);
}

int main(void)
{
    world w = {0};
    rng r = {.state = 20261122};
    if (!open_world(&w, &r)) {
        printf("no memory, no schema or no table\n");
        return 1;
    }
    arena_store text;
    if (!arena_store_open(&text, 1 << 20)) {
        return 1;
    }
    for (int i = 0; i < PAIRS; i++) {
        arena a = arena_store_clear(&text);
        plan p = make_plan(&r);
        choose_ways(&r, &p);
        str left = write_query(&a, &p);
        choose_ways(&r, &p);
        judge(&w, left, write_query(&a, &p));
    }
    bool is_absent = solver_is_absent(w.solver);
    printf("%d pairs, %d proved by rules, %d more with the solver%s, %d "
           "wrong\n",
           PAIRS, w.n_proved, w.n_solved,
           is_absent ? " (which is not there)" : "", w.n_wrong);
    solver_close(w.solver);
    sqlite3_close(w.db);
    // Who proves nothing obeys the law.
    bool is_lazy = !is_absent && w.n_solved < PAIRS / 20;
    return w.n_wrong > 0 || is_lazy;
}
