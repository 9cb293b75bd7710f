/*
 * law_check.c - what must hold for verdicts of pairs of a gold and each of its
 * neighbors: queries that differ in one thing and nearly always in meaning.
 *
 * Nothing that is proved has a certain witness; no database of the sampler is
 * illegal and no witness falls in its second trial; the two sides exchanged
 * give the same answer; a second checker gives the same bytes; most neighbors
 * are told apart.
 *
 * ASSAY_RUNS says how many neighbors of a gold are tried (40), ASSAY_SEED which
 * and on which databases, ASSAY_DATABASES on how many (60).
 */
#include "check/check_line.h"
#include "law_option.h"
#include "schema/schema_ddl.h"
#include "sql/parse.h"
#include "suite/neighbor.h"

#include <stdio.h>

enum {
    NEIGHBORS = 40,  // of a gold
    DATABASES = 60,
};

static const char ddl[] =
    "CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT, country TEXT,"
    " born DATE);"
    "CREATE TABLE song(id INTEGER PRIMARY KEY, artist_id INTEGER REFERENCES"
    " artist(id), title TEXT NOT NULL, year INTEGER, rating REAL);"
    "CREATE TABLE sold(song_id INTEGER NOT NULL REFERENCES song(id),"
    " shop TEXT NOT NULL, copies INTEGER CHECK (copies > 0),"
    " PRIMARY KEY (song_id, shop));";

static const char *const golds[] = {
    "SELECT name FROM artist WHERE country = 'France' AND born > '1980-01-01'",
    "SELECT count(*) FROM song WHERE year >= 2000",
    "SELECT a.name, count(*) FROM artist AS a JOIN song AS s"
    " ON a.id = s.artist_id GROUP BY a.id HAVING count(*) > 1",
    "SELECT title FROM song ORDER BY rating DESC LIMIT 1",
    "SELECT DISTINCT a.country FROM artist AS a JOIN song AS s"
    " ON a.id = s.artist_id WHERE s.year BETWEEN 1990 AND 1999",
    "SELECT title FROM song WHERE id NOT IN (SELECT song_id FROM sold)",
    "SELECT avg(rating), max(year) FROM song WHERE title LIKE '%love%'",
    "SELECT name FROM artist EXCEPT SELECT a.name FROM artist AS a JOIN song"
    " AS s ON a.id = s.artist_id WHERE s.year < 1970",
    "SELECT s.title, sum(o.copies) FROM song AS s LEFT JOIN sold AS o"
    " ON s.id = o.song_id GROUP BY s.id ORDER BY sum(o.copies) DESC",
    "SELECT title FROM song WHERE rating > (SELECT avg(rating) FROM song)",
};

typedef struct world {
    arena_store stores[4];
    schema schema;
    checker *one;
    checker *two;
    int n;
    int answers[CHECK_DIFFERENT + 1];
    int failures;
} world;

static bool open_world(world *w, arena *a, arena scratch)
{
    diag d = diag_new(a);
    check_options o = check_default_options();
    o.databases = law_option("ASSAY_DATABASES", DATABASES);
    o.seed = law_option("ASSAY_SEED", o.seed);
    o.timeout_ms = 0;
    o.tries_all = true;
    bool ok = schema_from_ddl(&w->schema, a, S("ddl"), str_from(ddl),
                              DIALECT_SQLITE, DIALECT_SQLITE, &d, scratch);
    w->one = ok ? checker_open(a, &w->schema, &o, &d, scratch) : NULL;
    w->two = ok ? checker_open(a, &w->schema, &o, &d, scratch) : NULL;
    return w->one && w->two;
}

static void expect(world *w, bool holds, const char *what, str left, str right)
{
    if (!holds) {
        w->failures++;
        printf("%s:\n  %.*s\n  %.*s\n", what, STR_ARG(left), STR_ARG(right));
    }
}

static str line_of(const check_verdict *v, arena *a, arena scratch)
{
    buf line = buf_new(a);
    check_line_add(&line, &(check_asked){.id = S("0")}, v, false, scratch);
    return buf_str(&line);
}

static void try_pair(world *w, str left, str right)
{
    arena a = arena_store_clear(&w->stores[2]);
    arena scratch = arena_store_clear(&w->stores[3]);
    check_verdict v =
        checker_pair(w->one, left, right, DIALECT_SQLITE, &a, scratch);
    check_verdict again =
        checker_pair(w->two, left, right, DIALECT_SQLITE, &a, scratch);
    check_verdict turned =
        checker_pair(w->two, right, left, DIALECT_SQLITE, &a, scratch);
    w->n++;
    w->answers[v.answer]++;
    expect(w, !v.is_contradicted, "proved and refuted", left, right);
    expect(w, !v.cannot_replay, "a proof that cannot be done again", left,
           right);
    expect(w, v.illegal == 0, "an illegal database", left, right);
    expect(w, str_find(v.detail, S("second trial"), 0) < 0, "a witness fell",
           left, right);
    expect(w, str_equal(line_of(&v, &a, scratch), line_of(&again, &a, scratch)),
           "another line the second time", left, right);
    // The sampler may find other databases with the sides exchanged.
    bool opposed =
        (v.answer == CHECK_EQUIVALENT) != (turned.answer == CHECK_EQUIVALENT);
    expect(w, !opposed, "another answer with the sides exchanged", left, right);
}

static void try_gold(world *w, str gold)
{
    arena a = arena_store_clear(&w->stores[1]);
    arena scratch = arena_store_clear(&w->stores[3]);
    parse_result r = parse_sql(&a, gold, DIALECT_SQLITE, scratch);
    binding *b =
        bind_query(&a, r.statements, &w->schema, DIALECT_SQLITE, scratch);
    neighbor_options o = {DIALECT_SQLITE, (uint64_t)law_option("ASSAY_SEED", 7),
                          (int32_t)law_option("ASSAY_RUNS", NEIGHBORS)};
    neighbor_list list = neighbors_of(&a, r.statements, b, &o, scratch);
    try_pair(w, gold, gold);
    for (ptrdiff_t i = 0; i < list.len; i++) {
        try_pair(w, gold, list.ptr[i].sql);
    }
}

int main(void)
{
    static world w;
    for (int i = 0; i < 4; i++) {
        if (!arena_store_open(&w.stores[i], (ptrdiff_t)2 << 30)) {
            return 1;
        }
    }
    arena a = arena_store_clear(&w.stores[0]);
    if (!open_world(&w, &a, arena_store_clear(&w.stores[3]))) {
        return 1;
    }
    for (ptrdiff_t i = 0; i < countof(golds); i++) {
        try_gold(&w, str_from(golds[i]));
    }
    checker_close(w.one);
    checker_close(w.two);
    for (int i = 0; i < 4; i++) {
        arena_store_close(&w.stores[i]);
    }
    printf("%d pairs: %d equivalent, %d different, %d unknown; %d faults\n",
           w.n, w.answers[CHECK_EQUIVALENT], w.answers[CHECK_DIFFERENT],
           w.answers[CHECK_UNKNOWN], w.failures);
    bool enough = 10 * w.answers[CHECK_DIFFERENT] > 8 * w.n;
    return w.failures > 0 || !enough;
}
