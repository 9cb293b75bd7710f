/*
 * law_facts.c - what must hold for facts and for the two worlds.
 *
 * Facts mined from a database hold on it, and read from their own text they are
 * the same. What is told apart in the realistic world is told apart in the
 * declared one, what is proved in the declared world is proved in the realistic
 * one; a witness that is called realistic breaks no fact; a pair proved under
 * facts has no witness that obeys them. The sieve lets pass what is a spelling
 * of a text in it, and of other texts few.
 *
 * ASSAY_WORLDS says on how many random databases (6), ASSAY_RUNS how many
 * neighbors of a gold are tried on each (8), ASSAY_SEED which.
 */
#define _DEFAULT_SOURCE  // mkstemps
#include "base/rng.h"
#include "check/checker.h"
#include "engine/engine.h"
#include "facts/fact.h"
#include "law_option.h"
#include "schema/schema_ddl.h"
#include "sql/parse.h"
#include "suite/neighbor.h"
#include "temporary.h"

#include <stdio.h>
#include <unistd.h>

enum {
    WORLDS = 6,
    NEIGHBORS = 8,  // of a gold
    STORES = 5,
};

static const char ddl[] =
    "CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT, country TEXT,"
    " born TEXT);"
    "CREATE TABLE song(id INTEGER PRIMARY KEY, artist_id INTEGER REFERENCES"
    " artist(id), title TEXT, year INTEGER, rating REAL);";

static const char *const golds[] = {
    "SELECT name FROM artist WHERE country = 'France'",
    "SELECT count(*) FROM song WHERE year >= 2000",
    "SELECT count(country) FROM artist",
    "SELECT a.name, count(*) FROM artist AS a JOIN song AS s"
    " ON a.id = s.artist_id GROUP BY a.id",
    "SELECT title FROM song WHERE artist_id NOT IN (SELECT id FROM artist"
    " WHERE born < '1980-01-01')",
    "SELECT DISTINCT title FROM song",
    "SELECT title FROM song ORDER BY rating DESC LIMIT 1",
};

typedef struct world {
    arena_store stores[STORES];
    rng r;
    schema schema;
    instance rows;
    engine *engine;
    facts facts;
    checker *real;
    checker *declared;
    int n;
    int n_facts;
    int n_needed;  // pairs that are proved under facts only
    int failures;
} world;

static void expect(world *w, bool holds, const char *what, str left, str right)
{
    if (!holds) {
        w->failures++;
        printf("%s:\n  %.*s\n  %.*s\n", what, STR_ARG(left), STR_ARG(right));
    }
}

// A text of a column: of some columns all alike, of others seldom NULL, or
// spelled in two ways.
static value draw_text(world *w, int habit)
{
    static const char *const texts[] = {"France", "Italy", "Chad", "france"};
    static const char *const days[] = {"1970-02-03", "1980-01-01",
                                       "1991-11-30"};
    if (habit == 0 && rng_below(&w->r, 6) == 0) {
        return value_null();
    }
    int64_t n = habit == 1 ? 4 : 3;
    return value_text(str_from(habit == 2 ? days[rng_below(&w->r, 3)]
                                          : texts[rng_below(&w->r, n)]));
}

static void fill(world *w, arena *a)
{
    ptrdiff_t n_artists = 10 + rng_below(&w->r, 10);
    ptrdiff_t n_songs = 10 + rng_below(&w->r, 30);
    int habits[] = {(int)rng_below(&w->r, 4), (int)rng_below(&w->r, 4),
                    (int)rng_below(&w->r, 4)};
    int64_t orphans = rng_below(&w->r, 3);
    w->rows = (instance){&w->schema, arena_new(a, instance_table, 2)};
    value *cells = arena_new(a, value, 4 * n_artists);
    for (ptrdiff_t i = 0; i < n_artists; i++) {
        cells[4 * i] = value_int(i + 1);
        cells[4 * i + 1] = habits[0] == 3
                               ? value_text(arena_printf(a, "artist %td", i))
                               : draw_text(w, habits[0]);
        cells[4 * i + 2] = draw_text(w, habits[1]);
        cells[4 * i + 3] = draw_text(w, 2);
    }
    w->rows.tables[0] = (instance_table){cells, n_artists};
    cells = arena_new(a, value, 5 * n_songs);
    for (ptrdiff_t i = 0; i < n_songs; i++) {
        int64_t artist = 1 + rng_below(&w->r, n_artists);
        cells[5 * i] = value_int(i + 1);
        cells[5 * i + 1] = value_int(i < orphans ? artist + 50 : artist);
        cells[5 * i + 2] = draw_text(w, habits[2]);
        cells[5 * i + 3] = value_int(1990 + rng_below(&w->r, 30));
        cells[5 * i + 4] = value_real((double)rng_below(&w->r, 100) / 10);
    }
    w->rows.tables[1] = (instance_table){cells, n_songs};
}

static database *load(world *w, const char *path, arena a, arena scratch)
{
    buf sql = buf_new(&a);
    diag d = diag_new(&scratch);
    buf_add(&sql, str_from(ddl));
    buf_char(&sql, '\n');
    instance_to_sql(&sql, &w->rows, scratch);
    FILE *f = fopen(path, "w");
    if (f) {
        fwrite(sql.ptr, 1, (size_t)sql.len, f);
        fclose(f);
    }
    return engine_database(w->engine, str_from(path), &d, scratch);
}

static str text_of(const facts *f, arena *a)
{
    buf text = buf_new(a);
    facts_to_text(&text, f);
    return buf_str(&text);
}

static void try_facts(world *w, arena *a, arena scratch)
{
    const fact_view all = {.kinds = FACTS_ALL};
    for (ptrdiff_t i = 0; i < w->facts.list.len; i++) {
        const fact *f = &w->facts.list.ptr[i];
        buf says = buf_new(a);
        fact_show(&says, w->facts.schema, f);
        expect(w, f->broken > 0 || !fact_is_broken(&w->rows, f, &all),
               "a fact does not hold where it was mined", buf_str(&says),
               (str){0});
    }
    str text = text_of(&w->facts, a);
    facts again;
    diag d = diag_new(a);
    bool ok =
        facts_from_text(&again, a, &w->schema, S("facts"), text, &d, scratch);
    expect(w, ok && str_equal(text, text_of(&again, a)),
           "facts change when they are read", text, (str){0});
    w->n_facts += (int)w->facts.list.len;
}

// Firm facts are the same when they alone are asked for; a schema that they
// were applied to demands them, and no others.
static void try_firm(world *w, database *db, arena *a, arena scratch)
{
    facts firm = fact_mine(a, db, S("law"), FACTS_FIRM, scratch);
    facts part = {.schema = firm.schema, .db = firm.db};
    firm = facts_move(a, &firm, &w->schema);
    part = facts_move(a, &part, &w->schema);
    const schema *filled =
        facts_apply(a, &w->schema, &firm, 1 << FACT_NOT_EMPTY, scratch);
    const schema *all = facts_apply(a, &w->schema, &firm, FACTS_FIRM, scratch);
    for (ptrdiff_t i = 0; i < w->facts.list.len; i++) {
        const fact *f = &w->facts.list.ptr[i];
        if (!(FACTS_FIRM & 1u << f->kind)) {
            continue;
        }
        *vec_push(a, &part.list) = *f;
        buf says = buf_new(a);
        fact_show(&says, w->facts.schema, f);
        bool is_loose = f->broken * 100 > f->rows * (100 - FACT_FOREIGN_SHARE);
        bool is_declared =
            f->kind == FACT_FOREIGN_KEY
            || (f->kind == FACT_NEVER_NULL && f->columns[0] == 0);
        expect(w, fact_is_demanded(f, all) || is_loose,
               "a fact is not demanded", buf_str(&says), (str){0});
        expect(w,
               fact_is_demanded(f, filled)
                   == (is_declared || f->kind == FACT_NOT_EMPTY),
               "a fact is demanded where it was not applied", buf_str(&says),
               (str){0});
    }
    expect(w, str_equal(text_of(&part, a), text_of(&firm, a)),
           "firm facts are others when they alone are mined", text_of(&part, a),
           text_of(&firm, a));
}

static str random_text(world *w, arena *a)
{
    static const char letters[] = "aAbB ";
    buf text = buf_new(a);
    for (ptrdiff_t n = rng_below(&w->r, 7); n > 0; n--) {
        buf_char(&text, letters[rng_below(&w->r, countof(letters) - 1)]);
    }
    return buf_str(&text);
}

static bool try_sieve(world *w, arena a)
{
    enum {
        PAIRS = 4000
    };
    int n_spelled = 0;
    int n_stopped = 0;
    for (int i = 0; i < PAIRS; i++) {
        arena memory = a;
        str x = random_text(w, &memory);
        str y = random_text(w, &memory);
        bool is_spelling = str_equal(x, y) || fact_is_respelled(x, y);
        fact_sieve sieve = {{0}};
        fact_sieve_add(&sieve, x);
        bool passes = fact_sieve_holds(&sieve, y);
        expect(w, passes || !is_spelling, "a spelling is held back", x, y);
        n_spelled += is_spelling;
        n_stopped += !passes;
    }
    return n_spelled > 0 && n_stopped > PAIRS / 2;
}

static void try_pair(world *w, str left, str right)
{
    arena a = arena_store_clear(&w->stores[3]);
    arena scratch = arena_store_clear(&w->stores[4]);
    check_verdict v =
        checker_pair(w->declared, left, right, DIALECT_SQLITE, &a, scratch);
    check_verdict r =
        checker_pair(w->real, left, right, DIALECT_SQLITE, &a, scratch);
    w->n++;
    w->n_needed += r.needs.len > 0;
    expect(w, !r.is_contradicted, "proved under facts, and refuted", left,
           right);
    expect(w, r.answer != CHECK_DIFFERENT || v.answer == CHECK_DIFFERENT,
           "realistic, and not declared", left, right);
    expect(w, v.answer != CHECK_EQUIVALENT || r.answer == CHECK_EQUIVALENT,
           "proved, and not in the realistic world", left, right);
    expect(w, r.illegal == 0, "an illegal database", left, right);
    if (r.answer == CHECK_DIFFERENT && r.evidence == EVIDENCE_WITNESS) {
        expect(w, r.realism == REALISM_YES && r.breaks.len == 0,
               "told apart by what is not realistic", left, right);
    }
}

static void try_gold(world *w, str gold)
{
    arena a = arena_store_clear(&w->stores[2]);
    arena scratch = arena_store_clear(&w->stores[4]);
    parse_result r = parse_sql(&a, gold, DIALECT_SQLITE, scratch);
    binding *b =
        bind_query(&a, r.statements, &w->schema, DIALECT_SQLITE, scratch);
    neighbor_options o = {DIALECT_SQLITE, (uint64_t)rng_below(&w->r, 1 << 20),
                          (int32_t)law_option("ASSAY_RUNS", NEIGHBORS)};
    neighbor_list list = neighbors_of(&a, r.statements, b, &o, scratch);
    for (ptrdiff_t i = 0; i < list.len; i++) {
        try_pair(w, gold, list.ptr[i].sql);
    }
}

static bool open_checkers(world *w, arena *a, arena scratch)
{
    diag d = diag_new(a);
    check_options o = check_default_options();
    o.databases = law_option("ASSAY_DATABASES", 60);
    o.timeout_ms = 0;
    o.tries_all = true;
    // What the data break is not declared, either.
    w->schema.n_keys = 0;
    w->declared = checker_open(a, &w->schema, &o, &d, scratch);
    o.facts = &w->facts;
    o.is_realistic = true;
    w->real = checker_open(a, &w->schema, &o, &d, scratch);
    return w->real && w->declared;
}

static bool try_world(world *w)
{
    arena a = arena_store_clear(&w->stores[1]);
    arena scratch = arena_store_clear(&w->stores[4]);
    diag d = diag_new(&a);
    char path[TEMPORARY_SIZE];
    temporary_pattern(path, ".sql");
    int file = mkstemps(path, 4);
    bool ok = schema_from_ddl(&w->schema, &a, S("ddl"), str_from(ddl),
                              DIALECT_SQLITE, DIALECT_SQLITE, &d, scratch);
    fill(w, &a);
    if (file < 0) {
        return false;
    }
    close(file);
    database *db =
        ok ? load(w, path, scratch, arena_store_clear(&w->stores[3])) : NULL;
    remove(path);
    if (!db) {
        return false;
    }
    w->facts = fact_mine(&a, db, S("law"), FACTS_ALL, scratch);
    w->facts = facts_move(&a, &w->facts, &w->schema);
    try_facts(w, &a, scratch);
    try_firm(w, db, &a, scratch);
    ok = open_checkers(w, &a, scratch);
    for (ptrdiff_t i = 0; ok && i < countof(golds); i++) {
        try_gold(w, str_from(golds[i]));
    }
    checker_close(w->real);
    checker_close(w->declared);
    return ok;
}

int main(void)
{
    static world w;
    temporary_begin();
    for (int i = 0; i < STORES; i++) {
        if (!arena_store_open(&w.stores[i], (ptrdiff_t)2 << 30)) {
            return 1;
        }
    }
    w.r = (rng){(uint64_t)law_option("ASSAY_SEED", 11)};
    arena a = arena_store_clear(&w.stores[0]);
    diag d = diag_new(&a);
    const engine_options options = {.limits = {.timeout_ms = 10000,
                                               .max_rows = 100000,
                                               .max_bytes = (int64_t)1 << 28}};
    w.engine = engine_open(&options, &d);
    bool ok = w.engine != NULL;
    for (int no = 0; ok && no < law_option("ASSAY_WORLDS", WORLDS); no++) {
        ok = try_world(&w);
    }
    ok = ok && try_sieve(&w, arena_store_clear(&w.stores[1]));
    engine_close(w.engine);
    for (int i = 0; i < STORES; i++) {
        arena_store_close(&w.stores[i]);
    }
    printf("%d facts, %d pairs, %d proved under facts; %d faults\n", w.n_facts,
           w.n, w.n_needed, w.failures);
    return !ok || w.failures > 0 || w.n_needed == 0;
}
