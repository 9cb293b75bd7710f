/*
 * law_work.c - the steps that a query takes at least, and those that it takes.
 *
 * Law    What SQLite's program foretells (sqlite_bound.c) is never more than
 *        the steps that the query took: else an honest query would end early.
 *
 * Queries come from random_sql.c, over its tables with more rows and some
 * indexes, so that loops are worth foretelling; every other one is a join of
 * two to four of them, as much of its own as of conditions.
 *
 * ASSAY_RUNS says how many (2000), ASSAY_SEED where to begin (1). A broken law
 * prints the query and its number.
 */
#define _DEFAULT_SOURCE  // mkstemps
#include "engine/engine_sqlite.h"
#include "law_option.h"
#include "random_sql.h"
#include "temporary.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    RUNS = 2000,
    LEAST_SEEN = 50,  // in a thousand: bounds that are at least half of all
    WORTH = 100,      // steps
    JOINED_MAX = 4,
};

static const char more_rows[] =
    "INSERT INTO u SELECT a + 1, e, f FROM u;"
    "INSERT INTO u SELECT a, e + 1, f FROM u;"
    "INSERT INTO u SELECT a + 4, e, f FROM u;"
    "INSERT INTO t SELECT a + 10, b, c, d FROM t;"
    "INSERT INTO t SELECT a + 20, b, c, d FROM t;"
    "INSERT INTO \"v w\" SELECT \"x y\" + 1, g, \"order\" FROM \"v w\";"
    "INSERT INTO \"v w\" SELECT \"x y\", g, \"order\" FROM \"v w\";"
    "CREATE INDEX u_a ON u(a);"
    "CREATE INDEX u_few ON u(f) WHERE e > 10;"
    "CREATE INDEX t_b ON t(b, c);";

static const struct {
    const char *name;
    const char *columns[3];
} tables[] = {
    {"t", {"a", "b", "c"}},
    {"u", {"a", "e", "f"}},
    {"\"v w\"", {"\"x y\"", "g", "\"order\""}},
};

// One of these, the first more often than each other.
static const char *one_of(rng *r, const char *const *words, ptrdiff_t n)
{
    return rng_below(r, 2) ? words[0] : words[rng_below(r, n)];
}
#define ONE_OF(r, words) one_of(r, words, countof(words))

static void add_column(buf *sql, rng *r, const int *from, int n)
{
    ptrdiff_t i = rng_below(r, n);
    buf_printf(sql, "x%td.%s", i, tables[from[i]].columns[rng_below(r, 3)]);
}

static void add_condition(buf *sql, rng *r, const int *from, int n)
{
    static const char *const operators[] = {"=", "<", ">=", "<>", "IS"};
    static const char *const values[] = {"3", "100", "'x'", "NULL"};
    add_column(sql, r, from, n);
    buf_printf(sql, " %s ", ONE_OF(r, operators));
    if (rng_below(r, 2)) {
        add_column(sql, r, from, n);
    } else {
        buf_printf(sql, "%s", ONE_OF(r, values));
    }
}

static str random_join(arena *a, rng *r)
{
    static const char *const heads[] = {
        "count(*)", "max(%)", "DISTINCT %", "%", "sum(%), min(x1.rowid)",
    };
    static const char *const joins[] = {", ", " JOIN ", " LEFT JOIN "};
    static const char *const tails[] = {"", " LIMIT 3", " ORDER BY 1",
                                        " ORDER BY 1 DESC LIMIT 1"};
    int from[JOINED_MAX];
    int n = 2 + (int)rng_below(r, JOINED_MAX - 1);
    for (int i = 0; i < n; i++) {
        from[i] = (int)rng_below(r, countof(tables));
    }
    buf sql = buf_new(a);
    buf_add(&sql, S("SELECT "));
    for (const char *c = ONE_OF(r, heads); *c; c++) {
        if (*c == '%') {
            add_column(&sql, r, from, n);
        } else {
            buf_char(&sql, *c);
        }
    }
    for (int i = 0; i < n; i++) {
        const char *join = i > 0 ? ONE_OF(r, joins) : " FROM ";
        buf_printf(&sql, "%s%s x%d", join, tables[from[i]].name, i);
        if (i > 0 && join[0] == ' ' && rng_below(r, 2)) {
            buf_add(&sql, S(" ON "));
            add_condition(&sql, r, from, i + 1);
        }
    }
    if (rng_below(r, 3) == 0) {
        buf_add(&sql, S(" WHERE "));
        add_condition(&sql, r, from, n);
    }
    if (rng_below(r, 3) == 0) {
        buf_add(&sql, S(" GROUP BY "));
        add_column(&sql, r, from, n);
    }
    buf_printf(&sql, "%s", ONE_OF(r, tails));
    return buf_str(&sql);
}

static engine *open_engine(char path[TEMPORARY_SIZE], diag *d)
{
    static const engine_options options = {.limits = {.timeout_ms = 60000,
                                                      .max_rows = 100000,
                                                      .max_bytes = 256 << 20,
                                                      .work = 2000000}};
    temporary_pattern(path, ".sql");
    int fd = mkstemps(path, 4);
    size_t n = strlen(random_sql_schema);
    bool ok = fd >= 0 && write(fd, random_sql_schema, n) == (ssize_t)n
              && write(fd, more_rows, sizeof more_rows - 1)
                     == (ssize_t)sizeof more_rows - 1;
    return ok && close(fd) == 0 ? engine_open(&options, d) : NULL;
}

int main(void)
{
    temporary_begin();
    arena_store store;
    arena_store local;
    if (!arena_store_open(&store, 1 << 28)
        || !arena_store_open(&local, 1 << 28)) {
        return 1;
    }
    arena keep = arena_store_clear(&store);
    diag d = diag_new(&keep);
    char path[TEMPORARY_SIZE];
    engine *e = open_engine(path, &d);
    database *db = e ? engine_database(e, str_from(path), &d, keep) : NULL;
    int64_t first = law_option("ASSAY_SEED", 1);
    int64_t runs = law_option("ASSAY_RUNS", RUNS);
    int64_t n_run = 0;
    int64_t n_seen = 0;
    int failed = db == NULL;
    for (int64_t i = first; db && i < first + runs; i++) {
        arena a = arena_store_clear(&local);
        arena scratch = arena_cut(&a, 1 << 26);
        rng r = {(uint64_t)i};
        str sql = i % 2 ? random_join(&a, &r) : random_sql(&a, &r, scratch);
        execution x = engine_run(db, sql, ENGINE_READ_ALL, &a);
        int64_t least = sqlite_least_work((sqlite_database *)db, sql);
        n_run += x.status == REASON_NONE;
        n_seen +=
            x.status == REASON_NONE && least > WORTH && least * 2 > x.work;
        if (x.status == REASON_NONE && least > x.work) {
            failed = 1;
            printf("run %lld: at least %lld steps, and took %lld\n    %.*s\n",
                   (long long)i, (long long)least, (long long)x.work,
                   STR_ARG(sql));
        }
    }
    unlink(path);
    failed |= n_seen * 1000 < n_run * LEAST_SEEN;
    printf("%s 1 - what is foretold is not more than what is taken\n1..1\n"
           "# %lld of %lld queries: at least half is foretold\n",
           failed ? "not ok" : "ok", (long long)n_seen, (long long)n_run);
    engine_close(e);
    return failed;
}
