/*
 * bench_postgres.c - what the engine adds to a query on a PostgreSQL server.
 *
 *     tests/servers/with_postgres.sh build/bench/bench_postgres
 *     ASSAY_PG=... build/bench/bench_postgres FILE
 *
 * With a file of lines DATABASE, TAB, QUERY those are run, all together.
 * Runs the same statements through libpq alone (PQexec, every cell looked at)
 * and through the engine (read-only transaction, limits, typed values), in
 * turns, and prints microseconds a statement by the clock: the least of some
 * rounds.
 */
#include "base/clock.h"
#include "base/file.h"
#include "engine/engine.h"
#include "engine/url.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    ROUNDS = 15,
    STORE_BYTES = 256 << 20,
};

static const struct {
    const char *name;
    const char *sql;
    int times;  // a round
} statements[] = {
    {"1 row", "SELECT 1", 500},
    {"1 of 1000 by its key", "SELECT id, s FROM t WHERE id = 77", 500},
    {"10 groups of 1000",
     "SELECT g, count(*), avg(n) FROM t GROUP BY g ORDER BY g", 100},
    {"join and sort",
     "SELECT a.s, count(*) FROM t a JOIN t b ON a.g = b.g"
     " GROUP BY a.s ORDER BY 2 DESC, 1 LIMIT 10",
     10},
    {"1000 rows of 4", "SELECT id, s, g, n FROM t", 50},
};

static const char setup[] =
    "DROP TABLE IF EXISTS t;"
    "CREATE TABLE t(id int PRIMARY KEY, s text, g int, n numeric(10,2));"
    "INSERT INTO t SELECT i, 'name ' || i, i % 10, i / 7.0"
    " FROM generate_series(1, 1000) i; ANALYZE t";

static long bare(PGconn *conn, const char *sql)
{
    PGresult *r = PQexec(conn, sql);
    long sum = 0;
    for (int i = 0; i < PQntuples(r); i++) {
        for (int c = 0; c < PQnfields(r); c++) {
            sum += PQgetlength(r, i, c) + PQgetvalue(r, i, c)[0];
        }
    }
    PQclear(r);
    return sum;
}

static double measure(PGconn *conn, database *db, arena a, int which)
{
    int n = statements[which].times;
    int64_t start = clock_ns();
    for (int i = 0; i < n; i++) {
        arena copy = a;
        if (conn) {
            bare(conn, statements[which].sql);
        } else if (engine_run(db, str_from(statements[which].sql),
                              ENGINE_READ_ALL, &copy)
                       .status
                   != REASON_NONE) {
            fputs("a statement failed\n", stderr);
            exit(1);
        }
    }
    return (double)(clock_ns() - start) / 1000 / n;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

// Microseconds for all lines of the file of one database after the other, once
// through libpq and once through the engine.
static void measure_file(engine *e,
                         const char *server,
                         const char *path,
                         arena a)
{
    diag d = diag_new(&a);
    file_map f;
    if (!file_open(&f, &a, str_from(path), &d)) {
        fputs("no such file\n", stderr);
        exit(2);
    }
    double sums[2] = {0};
    str rest = f.bytes;
    str last = {0};
    PGconn *conn = NULL;
    database *db = NULL;
    int n = 0;
    while (rest.len > 0) {
        str line = str_cut(&rest, '\n');
        str name = str_cut(&line, '\t');
        if (!str_equal(name, last)) {
            str url = url_with_database(&a, str_from(server), name);
            PQfinish(conn);
            conn = PQconnectdb(arena_cstr(&a, url));
            arena scratch = {arena_new(&a, char, 1 << 16), NULL, NULL, NULL};
            scratch.end = scratch.next + (1 << 16);
            db = engine_database(e, url, &d, scratch);
            last = name;
        }
        const char *sql = arena_cstr(&a, line);
        double times[2] = {1e9, 1e9};
        for (int round = 0; db && round < ROUNDS; round++) {
            for (int who = 0; who < 2; who++) {
                arena copy = a;
                int64_t start = clock_ns();
                if (who == 0) {
                    bare(conn, sql);
                } else {
                    engine_run(db, str_from(sql), ENGINE_READ_ALL, &copy);
                }
                times[who] =
                    least(times[who], (double)(clock_ns() - start) / 1000);
            }
        }
        sums[0] += times[0];
        sums[1] += times[1];
        n++;
    }
    printf("%d lines of a file     %7.1f %7.1f   %.2f\n", n, sums[0] / n,
           sums[1] / n, sums[1] / sums[0]);
    PQfinish(conn);
}

int main(int argc, char **argv)
{
    const char *server = getenv("ASSAY_PG");
    arena_store store;
    if (!server || !arena_store_open(&store, STORE_BYTES)) {
        fputs("set ASSAY_PG to the URL of a server\n", stderr);
        return 77;
    }
    arena a = arena_store_clear(&store);
    str url = url_with_database(&a, str_from(server), S("postgres"));
    PGconn *conn = PQconnectdb(arena_cstr(&a, url));
    PQclear(PQexec(conn, setup));
    engine_options options = {.driver = engine_driver_of(url),
                              .limits = {.timeout_ms = 30000,
                                         .max_rows = 1 << 20,
                                         .max_bytes = 1 << 30}};
    diag d = diag_new(&a);
    arena_store spare;
    engine *e = engine_open(&options, &d);
    database *db = e && arena_store_open(&spare, 1 << 20)
                       ? engine_database(e, url, &d, arena_store_clear(&spare))
                       : NULL;
    if (!db || PQstatus(conn) != CONNECTION_OK) {
        fputs("no connection\n", stderr);
        return 1;
    }
    printf("us a statement          libpq   assay  ratio\n");
    if (argc > 1) {
        measure_file(e, server, argv[1], a);
    }
    for (int i = 0; argc < 2 && i < countof(statements); i++) {
        double ours = 1e9;
        double theirs = 1e9;
        for (int round = 0; round < ROUNDS; round++) {
            theirs = least(theirs, measure(conn, NULL, a, i));
            ours = least(ours, measure(NULL, db, a, i));
        }
        printf("%-21s %7.1f %7.1f   %.2f\n", statements[i].name, theirs, ours,
               ours / theirs);
    }
    engine_close(e);
    PQfinish(conn);
    return 0;
}
