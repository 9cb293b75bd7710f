/*
 * law_sample.c - on random schemas and queries: every instance that the
 * sampler makes loads by plain INSERT with foreign keys on; the same seed gives
 * the same instance, by itself and after others; some instance has rows, and
 * some makes the query return rows.
 *
 * Schemas have keys of all sorts: composite, self-referring, cyclic, sharing
 * columns; checks, computed columns, NOT NULL, collations, WITHOUT ROWID.
 */
#include "base/rng.h"
#include "engine/scratch.h"
#include "sample/sample.h"
#include "schema/schema_ddl.h"
#include "sql/parse.h"

#include <stdio.h>

enum {
    WORLDS = 150,
    INSTANCES = 2 * SAMPLE_TRIALS,
    TABLES_MAX = 5,
    COLUMNS_MAX = 6,
};

typedef struct world {
    rng r;
    arena_store memory;
    arena_store scratch;
    arena_store each;
    ptrdiff_t n_wrong;
    ptrdiff_t n_instances;
    ptrdiff_t n_filled;    // instances with rows
    ptrdiff_t n_answered;  // worlds whose query returned rows
} world;

static bool chance(world *w, int percent)
{
    return rng_below(&w->r, 100) < percent;
}

static void add_column(world *w, buf *ddl, int t, int c)
{
    static const char *const types[] = {
        "INTEGER",    "TEXT",    "REAL",     "DATE", "NUMERIC(8,2)",
        "VARCHAR(5)", "BOOLEAN", "DATETIME", "",     "INT",
    };
    buf_printf(ddl, "%sc%d %s", c > 0 ? ", " : "", c,
               types[rng_below(&w->r, countof(types))]);
    if (chance(w, 25)) {
        buf_add(ddl, S(" NOT NULL"));
    }
    if (chance(w, 10)) {
        buf_add(ddl, S(" COLLATE NOCASE"));
    }
    if (chance(w, 8)) {
        buf_printf(ddl, " CHECK (c%d > 3 OR c%d IS NULL)", c, c);
    } else if (chance(w, 8)) {
        buf_printf(ddl, " CHECK (c%d IN ('x', 'Y', 7, '2021-05-06'))", c);
    } else if (chance(w, 5)) {
        buf_printf(ddl, " CHECK (length(c%d) BETWEEN 1 AND 12)", c);
    }
    if (chance(w, 6)) {
        buf_add(ddl, S(" UNIQUE"));
    }
    if (chance(w, 12)) {
        buf_printf(ddl, " REFERENCES t%d (c0)", (int)rng_below(&w->r, t + 1));
    }
}

static int below(world *w, int n)
{
    return (int)rng_below(&w->r, n);
}

// Any table may refer to any other, so that there are cycles.
static void add_keys(world *w, buf *ddl, int n_tables, int n_columns)
{
    bool pair = chance(w, 30);
    buf_add(ddl, pair ? S(", PRIMARY KEY (c0, c1), UNIQUE (c0)")
                      : S(", PRIMARY KEY (c0)"));
    int first = 1 + below(w, n_columns - 1);
    int second = below(w, n_columns);
    int parent = below(w, n_tables);
    if (chance(w, 25)) {
        buf_printf(ddl, ", FOREIGN KEY (c%d, c%d) REFERENCES t%d (c0, c1)",
                   first, second, parent);
    }
    if (chance(w, 35)) {
        parent = below(w, n_tables);
        buf_printf(ddl, ", FOREIGN KEY (c%d) REFERENCES t%d", first, parent);
    }
    if (chance(w, 15)) {
        buf_add(ddl, S(", CHECK (c1 < c2 OR c0 IS NOT NULL)"));
    }
    if (chance(w, 10)) {
        buf_add(ddl, S(", CHECK (c1 <= c2)"));
    }
}

// Unique ones that are no keys.
static void add_index(world *w, buf *ddl, int t)
{
    static const char *const indexes[] = {
        "(c1) WHERE c2 > 3",
        "(c1 COLLATE NOCASE, c2) WHERE c0 IS NOT NULL OR c1 = 'x'",
        "(lower(c1))",
        "(c1 + c0, c2) WHERE c2 <> ''",
        "(c2) WHERE length(c1) < 3 OR c1 IS NULL",
    };
    buf_printf(ddl, "CREATE UNIQUE INDEX i%d ON t%d %s;\n", t, t,
               indexes[below(w, countof(indexes))]);
}

static str random_ddl(world *w, arena *a, int n_tables)
{
    buf ddl = buf_new(a);
    for (int t = 0; t < n_tables; t++) {
        int n = 3 + (int)rng_below(&w->r, COLUMNS_MAX - 3);
        buf_printf(&ddl, "CREATE TABLE t%d (", t);
        for (int c = 0; c < n; c++) {
            add_column(w, &ddl, t, c);
        }
        if (chance(w, 20)) {
            buf_printf(&ddl, ", c%d INTEGER AS (c0 + 1)", n);
        }
        add_keys(w, &ddl, n_tables, n);
        buf_add(&ddl, chance(w, 10) ? S(") WITHOUT ROWID;\n") : S(");\n"));
        if (chance(w, 20)) {
            add_index(w, &ddl, t);
        }
    }
    return buf_str(&ddl);
}

static str random_query(world *w, arena *a, int n_tables)
{
    static const char *const wheres[] = {
        "",
        " WHERE a.c1 > 4 AND b.c2 <> 'x'",
        " WHERE a.c2 LIKE 'ab%' OR a.c1 BETWEEN 2 AND 5",
        " WHERE a.c1 IN (SELECT c0 FROM t0) AND b.c1 IS NOT NULL",
        " WHERE NOT EXISTS (SELECT 1 FROM t0 WHERE t0.c1 = a.c1)",
        " GROUP BY a.c1 HAVING count(*) >= 3",
        " WHERE strftime('%Y', a.c2) = '2014' ORDER BY a.c1 LIMIT 2",
    };
    int x = below(w, n_tables);
    int y = below(w, n_tables);
    int column = below(w, 3);
    const char *join = chance(w, 30) ? "LEFT JOIN" : "JOIN";
    const char *where = wheres[below(w, (int)countof(wheres))];
    return arena_printf(
        a,
        "SELECT a.c1, count(b.c2) FROM t%d AS a %s t%d AS b ON a.c%d = b.c0%s",
        x, join, y, column, where);
}

static void complain(world *w, str ddl, str sql, int no, const char *what)
{
    if (w->n_wrong++ < 5) {
        printf("instance %d of %.*s\n%.*s\n: %s\n", no, STR_ARG(sql),
               STR_ARG(ddl), what);
    }
}

static str text_of(const instance *i, arena *a, arena scratch)
{
    buf out = buf_new(a);
    instance_to_sql(&out, i, scratch);
    return buf_str(&out);
}

typedef struct subject {
    str ddl;
    str sql;
    schema s;
    const binding *b;
    scratch_db *db;
    scratch_query *query;
} subject;

static bool has_rows(const subject *x, arena *a)
{
    execution run = scratch_run(x->query, ENGINE_READ_ALL, a);
    if (run.status != REASON_NONE || run.result.n_rows == 0) {
        return false;
    }
    value first = run.result.cells[run.result.n_columns - 1];
    return run.result.n_rows > 1 || first.kind != VALUE_INT || first.i > 0;
}

// Every second one is of those on which proofs are tried.
static instance instance_of(sampler *m, const subject *x, int no, arena *a)
{
    return no % 2 == 1   ? sampler_try(m, no / 2 % SAMPLE_TRIALS, a)
           : no % 4 == 0 ? sampler_aim(m, x->b, no, a)
                         : sampler_make(m, 5 * no, a);
}

static void try_instances(world *w, subject *x, arena *a, arena scratch)
{
    sample_options o = {.assume = {true, true, true, true},
                        .seed = rng_next(&w->r),
                        .fills_all = chance(w, 50)};
    sampler *m = sampler_new(a, &x->s, &x->b, 1, &o, scratch);
    sampler *again = sampler_new(a, &x->s, &x->b, 1, &o, scratch);
    bool answers = false;
    for (int no = 0; no < INSTANCES; no++) {
        arena each = arena_store_clear(&w->each);
        instance i = instance_of(m, x, no, &each);
        str text = text_of(&i, &each, scratch);
        diag d = diag_new(&each);
        w->n_instances++;
        w->n_filled += text.len > 0;
        if (!scratch_fill(x->db, &i, (scratch_order){0}, &d)) {
            complain(w, x->ddl, x->sql, no,
                     arena_cstr(&each, d.messages.ptr[0].text));
            printf("%.*s\n", STR_ARG(text));
        } else {
            answers = answers || has_rows(x, &each);
        }
        if (no == INSTANCES - 2) {
            i = instance_of(again, x, no, &each);
            if (!str_equal(text, text_of(&i, &each, scratch))) {
                complain(w, x->ddl, x->sql, no, "not the same again");
            }
        }
    }
    w->n_answered += answers;
}

static void try_world(world *w)
{
    arena a = arena_store_clear(&w->memory);
    arena scratch = arena_store_clear(&w->scratch);
    int n_tables = 1 + (int)rng_below(&w->r, TABLES_MAX);
    subject x = {.ddl = random_ddl(w, &a, n_tables),
                 .sql = random_query(w, &a, n_tables)};
    diag d = diag_new(&a);
    bool whole = schema_from_ddl(&x.s, &a, S("law"), x.ddl, DIALECT_SQLITE,
                                 DIALECT_SQLITE, &d, scratch);
    parse_result r = parse_sql(&a, x.sql, DIALECT_SQLITE, scratch);
    x.b = bind_query(&a, r.statements, &x.s, DIALECT_SQLITE, scratch);
    buf ddl = buf_new(&a);
    schema_to_ddl(&ddl, &x.s, true, scratch);
    static const engine_options options = {.limits.timeout_ms = 5000,
                                           .seed = 1};
    static const scratch_limits limits = {200000, 1000, 1 << 20};
    x.db = scratch_open(&a, &x.s, buf_str(&ddl), &options, limits, &d);
    execution failed;
    x.query = x.db ? scratch_prepare(x.db, x.sql, &failed, &a) : NULL;
    if (whole && x.query) {
        try_instances(w, &x, &a, scratch);
    } else {
        complain(w, x.ddl, x.sql, -1,
                 d.count > 0 ? arena_cstr(&a, d.messages.ptr[0].text)
                             : "does not compile");
    }
    scratch_forget(x.query);
    scratch_close(x.db);
}

int main(void)
{
    world w = {.r = {20260}};
    if (!arena_store_open(&w.memory, (ptrdiff_t)1 << 30)
        || !arena_store_open(&w.scratch, (ptrdiff_t)1 << 30)
        || !arena_store_open(&w.each, (ptrdiff_t)1 << 30)) {
        return 1;
    }
    for (int i = 0; i < WORLDS; i++) {
        try_world(&w);
    }
    printf("%td instances, %td with rows; %td of %d queries had rows; "
           "%td wrong\n",
           w.n_instances, w.n_filled, w.n_answered, WORLDS, w.n_wrong);
    // Some tables cannot have rows at all: keys that need each other.
    bool enough =
        w.n_filled * 10 > w.n_instances * 7 && w.n_answered * 4 > WORLDS;
    return w.n_wrong == 0 && enough ? 0 : 1;
}
