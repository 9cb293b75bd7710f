/*
 * law_relation.c - a block that is printed as SQL returns what the query
 * returns that it was read from.
 *
 * Random queries (random_sql.c) are read into blocks, printed by relation_sql.c
 * and run by SQLite beside the query itself: on tables with NULL, and on the
 * same tables with other values in its place. Rows are compared as a bag;
 * queries that leave a choice to the engine (relation_choice.h) are left out,
 * and where the query itself has a LIMIT only the rows are counted. Of 1 and
 * 1.0 a DISTINCT shows either; a SUM that leaves 64 bits fails where the AVG
 * that it is read from does not (the assumption no-overflow).
 *
 * ASSAY_RUNS says how many (20000), ASSAY_SEED where to begin (1). A broken law
 * prints the query, what was made of it and its number.
 */
#include "base/hash.h"
#include "law_option.h"
#include "random_sql.h"
#include "relation/relation_choice.h"
#include "relation_sql.h"
#include "schema/schema_ddl.h"
#include "sql/parse.h"

#include <sqlite3.h>
#include <stdio.h>

enum {
    RUNS = 20000,
    STEPS = 1000,     // of SQLite's machine between two looks
    STEPS_MAX = 100,  // looks after which a query is cut
    FAILURES_MAX = 10,
    DATABASES = 2,
};

static const char without_null[] =
    "UPDATE t SET b = coalesce(b, 'n'), c = coalesce(c, 4.5),"
    " d = coalesce(d, 7);"
    "UPDATE u SET a = coalesce(a, 4), e = coalesce(e, 40),"
    " f = coalesce(f, 'n');"
    "UPDATE \"v w\" SET \"x y\" = coalesce(\"x y\", 8), g = coalesce(g, 'h'),"
    " \"order\" = coalesce(\"order\", 'd');";

typedef struct world {
    sqlite3 *databases[DATABASES];
    schema schema;
    rng r;
    arena_store stores[3];
    int steps;
    int64_t run;
    int64_t n_read;
    int64_t n_compared;
    int failures;
} world;

typedef struct rows {
    uint64_t bag;
    uint64_t values;  // the same, with whole numbers as REALs
    int64_t n;
    bool is_whole;  // SQLite took it and came to the end
} rows;

static int count_steps(void *context)
{
    world *w = context;
    return ++w->steps > STEPS_MAX;
}

static uint64_t cell_hash(sqlite3_stmt *s, int i, bool by_value)
{
    char number[40];
    int type = sqlite3_column_type(s, i);
    type = by_value && type == SQLITE_INTEGER ? SQLITE_FLOAT : type;
    if (type == SQLITE_FLOAT) {
        int n = snprintf(number, sizeof number, "%.12g",
                         sqlite3_column_double(s, i));
        return hash_mix((uint64_t)type, hash64((str){number, n}));
    }
    const char *bytes = sqlite3_column_blob(s, i);
    str text = {bytes, sqlite3_column_bytes(s, i)};
    return hash_mix((uint64_t)type, text.len > 0 ? hash64(text) : 0);
}

static rows run(world *w, sqlite3 *db, str sql)
{
    rows out = {0};
    sqlite3_stmt *s = NULL;
    w->steps = 0;
    if (sqlite3_prepare_v2(db, sql.ptr, (int)sql.len, &s, NULL) != SQLITE_OK) {
        return out;
    }
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        uint64_t h[] = {1, 1};
        for (int i = 0; i < sqlite3_column_count(s); i++) {
            h[0] = hash_mix(h[0], cell_hash(s, i, false));
            h[1] = hash_mix(h[1], cell_hash(s, i, true));
        }
        out.bag += h[0];
        out.values += h[1];
        out.n++;
    }
    out.is_whole = code == SQLITE_DONE;
    sqlite3_finalize(s);
    return out;
}

static bool drops_repeats(str sql)
{
    return str_find_fold(sql, S("DISTINCT"), 0) >= 0
           || str_find_fold(sql, S("UNION"), 0) >= 0
           || str_find_fold(sql, S("INTERSECT"), 0) >= 0
           || str_find_fold(sql, S("EXCEPT"), 0) >= 0;
}

static bool same_rows(rows own, rows other, str sql, bool counts_only)
{
    return other.is_whole && own.n == other.n
           && (counts_only || own.bag == other.bag
               || (drops_repeats(sql) && own.values == other.values));
}

static void compare(world *w, str sql, str printed, bool counts_only)
{
    for (int i = 0; i < DATABASES; i++) {
        rows own = run(w, w->databases[i], sql);
        if (!own.is_whole) {
            continue;
        }
        rows other = run(w, w->databases[i], printed);
        bool is_cut =
            !other.is_whole
            && (w->steps > STEPS_MAX
                || str_equal(str_from(sqlite3_errmsg(w->databases[i])),
                             S("integer overflow")));
        bool same = same_rows(own, other, sql, counts_only);
        w->n_compared += !is_cut;
        if (!same && !is_cut) {
            w->failures++;
            printf("run %lld, database %d: %lld rows, %lld%s\n  %.*s\n  %.*s\n",
                   (long long)w->run, i, (long long)own.n, (long long)other.n,
                   other.is_whole ? "" : " and an error", STR_ARG(sql),
                   STR_ARG(printed));
            if (!other.is_whole) {
                printf("  %s\n", sqlite3_errmsg(w->databases[i]));
            }
            return;
        }
    }
}

static void try_one(world *w)
{
    arena a = arena_store_clear(&w->stores[1]);
    arena scratch = arena_store_clear(&w->stores[2]);
    str sql = random_sql(&a, &w->r, scratch);
    parse_result p = parse_sql(&a, sql, DIALECT_SQLITE, scratch);
    if (p.errors.len > 0 || !p.statements || !ast_is_query(p.statements)) {
        return;
    }
    const binding *b =
        bind_query(&a, p.statements, &w->schema, DIALECT_SQLITE, scratch);
    relation *r = relation_of(&a, b, 0);
    str printed = relation_sql(&a, r);
    if (printed.len == 0) {
        return;
    }
    w->n_read++;
    engine_choices c = engine_choices_of(&a, b, false, scratch);
    if (c.inner.len == 0) {
        compare(w, sql, printed, c.has_limit);
    }
}

static bool open_world(world *w, arena *a, arena scratch)
{
    diag d = diag_new(a);
    bool ok =
        schema_from_ddl(&w->schema, a, S("ddl"), str_from(random_sql_schema),
                        DIALECT_SQLITE, DIALECT_SQLITE, &d, scratch);
    for (int i = 0; ok && i < DATABASES; i++) {
        sqlite3 **db = &w->databases[i];
        ok = sqlite3_open(":memory:", db) == SQLITE_OK
             && sqlite3_exec(*db, random_sql_schema, NULL, NULL, NULL)
                    == SQLITE_OK
             && (i == 0
                 || sqlite3_exec(*db, without_null, NULL, NULL, NULL)
                        == SQLITE_OK);
        sqlite3_progress_handler(*db, STEPS, count_steps, w);
    }
    return ok;
}

int main(void)
{
    static world w;
    for (int i = 0; i < countof(w.stores); i++) {
        if (!arena_store_open(&w.stores[i], (ptrdiff_t)1 << 30)) {
            return 1;
        }
    }
    arena keep = arena_store_clear(&w.stores[0]);
    if (!open_world(&w, &keep, arena_store_clear(&w.stores[2]))) {
        return 1;
    }
    int64_t first = law_option("ASSAY_SEED", 1);
    int64_t runs = law_option("ASSAY_RUNS", RUNS);
    for (w.run = first; w.run < first + runs && w.failures < FAILURES_MAX;
         w.run++) {
        w.r = (rng){(uint64_t)w.run};
        try_one(&w);
    }
    for (int i = 0; i < DATABASES; i++) {
        sqlite3_close(w.databases[i]);
    }
    printf("%lld queries, %lld printed, %lld compared, %d faults\n",
           (long long)runs, (long long)w.n_read, (long long)w.n_compared,
           w.failures);
    return w.failures > 0 || w.n_compared * 5 < runs;
}
