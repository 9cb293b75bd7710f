/*
 * bench_raw.c - the least that judging by execution can cost: SQLite alone.
 *
 *     bench_raw GOLD PRED DATABASES SECONDS [PASSES]
 *
 * Why         `assay score` runs queries and does more. How much more is only
 *             known beside a program that does nothing but run them.
 *
 * Method      GOLD is Spider text (SQL, TAB, database), PRED has one SQL a
 *             line. One process opens each DATABASES/db/db.sqlite once,
 *             read-only, and for each line prepares the gold and the
 *             prediction, steps to the end and looks at every cell. What runs
 *             longer than SECONDS is cut off and counted: as in assay, nobody
 *             waits for ever. Prints one JSON object.
 *
 * Not here    Ratios and everything about assay itself: bench_score.py.
 */
#include "base/clock.h"
#include "base/file.h"
#include "base/map.h"

#include <sqlite3.h>
#include <stdio.h>

enum {
    STEPS_PER_LOOK = 4000,
    ARENA_BYTES = 64 << 20,
};

typedef struct raw_bench {
    str folder;
    int64_t limit_ns;
    int64_t deadline_ns;
    map names;
    vec_of(sqlite3 *) connections;  // by number of the name
    int64_t n_statements;
    int64_t n_failed;
    int64_t n_cut;
    int64_t n_rows;
    int64_t n_bytes;
    arena *a;
} raw_bench;

static int is_late(void *context)
{
    const raw_bench *b = context;
    return clock_ns() > b->deadline_ns;
}

static sqlite3 *connection_to(raw_bench *b, str db)
{
    ptrdiff_t id = map_find(&b->names, db);
    if (id >= 0 && id < b->connections.len) {
        return b->connections.ptr[id];
    }
    map_add(&b->names, b->a, db);
    sqlite3 **slot = vec_push(b->a, &b->connections);
    str path = arena_printf(b->a, "%.*s/%.*s/%.*s.sqlite", STR_ARG(b->folder),
                            STR_ARG(db), STR_ARG(db));
    if (sqlite3_open_v2(path.ptr, slot, SQLITE_OPEN_READONLY, NULL)
        != SQLITE_OK) {
        fprintf(stderr, "bench_raw: %s: %s\n", path.ptr, sqlite3_errmsg(*slot));
    }
    sqlite3_progress_handler(*slot, STEPS_PER_LOOK, is_late, b);
    return *slot;
}

// Looks at each cell in its own type, as everybody must who compares them.
static void read_row(raw_bench *b, sqlite3_stmt *statement, int n)
{
    b->n_rows++;
    for (int c = 0; c < n; c++) {
        switch (sqlite3_column_type(statement, c)) {
        case SQLITE_INTEGER:
            b->n_bytes += sqlite3_column_int64(statement, c) != 0;
            break;
        case SQLITE_FLOAT:
            b->n_bytes += sqlite3_column_double(statement, c) != 0;
            break;
        case SQLITE_NULL: break;
        default: {
            const char *bytes = sqlite3_column_blob(statement, c);
            int size = sqlite3_column_bytes(statement, c);
            b->n_bytes += size > 0 && bytes[size - 1] ? size : 0;
        }
        }
    }
}

static void run(raw_bench *b, sqlite3 *db, str sql)
{
    sqlite3_stmt *statement = NULL;
    b->n_statements++;
    b->deadline_ns = clock_ns() + b->limit_ns;
    int rc = sqlite3_prepare_v2(db, sql.ptr, (int)sql.len, &statement, NULL);
    if (rc == SQLITE_OK && statement) {
        int n = sqlite3_column_count(statement);
        while ((rc = sqlite3_step(statement)) == SQLITE_ROW) {
            read_row(b, statement, n);
        }
    }
    b->n_cut += rc == SQLITE_INTERRUPT;
    b->n_failed += rc != SQLITE_DONE && rc != SQLITE_INTERRUPT;
    sqlite3_finalize(statement);
}

static void run_all(raw_bench *b, str golds, str preds)
{
    while (golds.len > 0) {
        str db = str_cut(&golds, '\n');
        str gold = str_cut(&db, '\t');
        str pred = str_trim(str_cut(&preds, '\n'));
        db = str_trim(db);
        if (db.len > 0) {
            sqlite3 *connection = connection_to(b, db);
            run(b, connection, gold);
            run(b, connection, pred);
        }
    }
}

static void report(const raw_bench *b, int64_t wall_ns, int64_t cpu_ns)
{
    printf("{\"wall_s\":%.4f,\"cpu_s\":%.4f,\"statements\":%lld,"
           "\"failed\":%lld,\"cut\":%lld,\"rows\":%lld,\"databases\":%td}\n",
           (double)wall_ns / 1e9, (double)cpu_ns / 1e9,
           (long long)b->n_statements, (long long)b->n_failed,
           (long long)b->n_cut, (long long)b->n_rows, b->connections.len);
}

static int bench(raw_bench *b, const char *gold, const char *pred, int64_t n)
{
    diag d = diag_new(b->a);
    file_map golds;
    file_map preds;
    if (!file_open(&golds, b->a, str_from(gold), &d)
        || !file_open(&preds, b->a, str_from(pred), &d)) {
        str text = diag_format(b->a, d.messages.ptr[0]);
        fprintf(stderr, "bench_raw: %.*s\n", STR_ARG(text));
        return 1;
    }
    int64_t wall_ns = clock_ns();
    int64_t cpu_ns = clock_cpu_ns();
    for (int64_t i = 0; i < n; i++) {
        run_all(b, golds.bytes, preds.bytes);
    }
    for (ptrdiff_t i = 0; i < b->connections.len; i++) {
        sqlite3_close(b->connections.ptr[i]);
    }
    report(b, clock_ns() - wall_ns, clock_cpu_ns() - cpu_ns);
    return 0;
}

int main(int argc, char **argv)
{
    arena_store store;
    double seconds = 0;
    int64_t passes = 1;
    if (argc < 5 || argc > 6 || !str_to_double(str_from(argv[4]), &seconds)
        || (argc == 6 && !str_to_int(str_from(argv[5]), &passes))
        || !arena_store_open(&store, ARENA_BYTES)) {
        fputs("usage: bench_raw GOLD PRED DATABASES SECONDS [PASSES]\n",
              stderr);
        return 2;
    }
    arena a = arena_store_clear(&store);
    raw_bench b = {.folder = str_from(argv[3]),
                   .limit_ns = (int64_t)(seconds * 1e9),
                   .a = &a};
    int status = bench(&b, argv[1], argv[2], passes);
    arena_store_close(&store);
    return status;
}
