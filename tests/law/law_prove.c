/*
 * law_prove.c - what is proved equivalent must not be told apart by any
 * database, on pairs of random queries that differ in a choice or two.
 *
 * A query is written from a row of dice: how two tables are linked, what is
 * shown, asked, grouped. The second query of a pair has one to three dice
 * thrown again. Many throws keep the meaning (a join for EXISTS), many do not
 * (LEFT for inner); the prover must know which. Also: proofs do not depend on
 * the order of the sides, nor on whether the left side was opened before; a
 * query is equivalent to itself, equal canonical forms are a proof, and the
 * steps of a proof, done again in their order, are all that it needs.
 *
 * ASSAY_RUNS says how many pairs (6000), ASSAY_SEED where to begin,
 * ASSAY_DATABASES how many each proof has to stand (40).
 */
#include "base/rng.h"
#include "check/checker.h"
#include "law_option.h"
#include "schema/schema_ddl.h"
#include "sql/parse.h"

#include <stdio.h>

enum {
    PAIRS = 6000,
    DICE = 24,
    FACES = 45,
    DATABASES = 40,
};

static const char ddl[] =
    "CREATE TABLE p(id INTEGER PRIMARY KEY, name TEXT, k INTEGER UNIQUE);"
    "CREATE TABLE c(id INTEGER PRIMARY KEY, pid INTEGER REFERENCES p(id),"
    " x INTEGER, s TEXT COLLATE NOCASE, must INTEGER NOT NULL REFERENCES "
    "p(id));"
    "CREATE TABLE t(a INTEGER, b INTEGER NOT NULL, s TEXT, r REAL);";

typedef struct writer {
    buf out;
    const uint8_t *dice;
    int next;
} writer;

static const char *pick(writer *w, const char *const *list, int n)
{
    return list[w->dice[w->next++ % DICE] % n];
}

#define ONE_OF(w, list) pick((w), (list), (int)countof(list))

// FROM with c in sight as c, and p as p where the first letter is '+'.
static const char *const links[] = {
    "+c JOIN p ON c.pid = p.id WHERE 1",
    "+p, c WHERE p.id = c.pid",
    "+c LEFT JOIN p ON c.pid = p.id WHERE 1",
    "+c LEFT JOIN p ON c.pid = p.id WHERE p.k > 0",
    "+c JOIN p ON c.must = p.id WHERE 1",
    "+c LEFT JOIN p ON c.must = p.id WHERE 1",
    "+p LEFT JOIN c ON c.pid = p.id WHERE 1",
    "+c JOIN (SELECT * FROM p WHERE k > 0) AS p ON c.pid = p.id WHERE 1",
    "+c JOIN p ON c.pid = p.id WHERE p.k >= 1",
    "-c WHERE pid IS NOT NULL",
    "-c WHERE 1",
    "-c WHERE pid IN (SELECT id FROM p)",
    "-c WHERE pid IN (SELECT id FROM p WHERE k > 0)",
    "-c WHERE EXISTS (SELECT 1 FROM p WHERE p.id = c.pid AND p.k > 0)",
    "-c WHERE x IN (SELECT a FROM t)",
    "-c WHERE EXISTS (SELECT b FROM t WHERE t.a = c.x)",
    "-c JOIN (SELECT DISTINCT a FROM t) AS d ON d.a = c.x WHERE 1",
    "-c JOIN t ON t.a = c.x WHERE 1",
    "-c WHERE x NOT IN (SELECT a FROM t)",
    "-c WHERE NOT EXISTS (SELECT 1 FROM t WHERE t.a = c.x)",
    "-c LEFT JOIN t ON t.a = c.x WHERE t.b IS NULL",
    "-c LEFT JOIN t ON t.a = c.x WHERE t.s IS NULL",
    "-c WHERE (SELECT COUNT(*) FROM t WHERE t.a = c.x) = 0",
    "-c JOIN (SELECT a, COUNT(*) AS n FROM t GROUP BY a) AS d ON d.a = c.x "
    "WHERE 1",
    "-c JOIN c AS o ON o.x = c.x WHERE 1",
    "-c JOIN c AS o ON o.id = c.id WHERE 1",
    "-c JOIN t ON t.a = c.x JOIN t AS o ON o.a = c.x WHERE t.b > 0",
    "-c JOIN t ON t.a = c.x WHERE t.b > 0",
    "-c WHERE x IN (SELECT a FROM t WHERE b > 0) AND x IN (SELECT a FROM t)",
    "-c WHERE (must, x) IN (SELECT must, MAX(x) FROM c GROUP BY must)",
    "-c JOIN (SELECT must, MAX(x) AS m FROM c GROUP BY must) AS d"
    " ON d.must = c.must AND d.m = c.x WHERE 1",
    "-(SELECT c.*, MAX(x) OVER (PARTITION BY must) AS m FROM c) AS c"
    " WHERE c.x = c.m",
    "-(SELECT c.*, RANK() OVER (PARTITION BY must ORDER BY x DESC) AS m"
    " FROM c) AS c WHERE c.m = 1",
    "-(SELECT c.*, ROW_NUMBER() OVER (PARTITION BY must ORDER BY id) AS m"
    " FROM c) AS c WHERE c.m = 1",
    "-c WHERE (must, id) IN (SELECT must, MIN(id) FROM c GROUP BY must)",
    "-(SELECT * FROM c WHERE x > 0 UNION ALL SELECT * FROM c WHERE x < 2) AS c"
    " WHERE 1",
    "-(SELECT id, x, s, pid, must FROM c WHERE x > 0 UNION SELECT id, x, s,"
    " pid, must FROM c WHERE x < 2) AS c WHERE 1",
    "-c WHERE (x > 0 OR x < 2)",
    "-c WHERE x IN (SELECT a FROM t UNION SELECT b FROM t)",
    "-c WHERE (x IN (SELECT a FROM t) OR x IN (SELECT b FROM t))",
    "-c WHERE x = (SELECT k FROM p WHERE id = 1)",
    "-c WHERE x = (SELECT MAX(a) FROM t)",
    "-c JOIN (SELECT MAX(a) AS m FROM t) AS d ON c.x = d.m WHERE 1",
    "-c WHERE NOT EXISTS (SELECT 1 FROM c AS o JOIN t ON t.a = o.x"
    " WHERE o.id = c.id)",
};

static const char *const conditions[] = {
    "",
    " AND c.x > 1",
    " AND c.x >= 2",
    " AND NOT c.x <= 1",
    " AND c.x BETWEEN 1 AND 3",
    " AND c.x >= 1 AND 3 >= c.x",
    " AND c.s = 'a'",
    " AND c.s LIKE 'A'",
    " AND c.s LIKE 'a'",
    " AND c.x IN (1, 2)",
    " AND (c.x = 1 OR 2 = c.x)",
    " AND c.x IS NOT NULL",
    " AND c.x > 0 AND c.x > 1",
    " AND (c.x = 1 AND c.s = 'a' OR c.x = 1 AND c.s > 'b')",
    " AND c.x = 1 AND (c.s = 'a' OR c.s > 'b')",
};

static const char *const plain_items[] = {
    "c.x",
    "c.id",
    "c.pid, c.x",
    "c.x, c.pid",
    "DISTINCT c.x",
    "DISTINCT c.id, c.x",
    "DISTINCT c.pid",
    "c.s, c.id",
    "CASE WHEN c.x = 1 THEN 'a' ELSE NULL END",
    "IIF(c.x = 1, 'a', NULL)",
    "c.x * 1.0 / 2",
    "CAST(c.x AS REAL) / 2",
};

static const char *const parent_items[] = {
    "p.id",       "p.name, c.x",           "DISTINCT p.id",
    "p.id, c.id", "DISTINCT p.id, p.name",
};

static const char *const aggregates[] = {
    "COUNT(*)",
    "COUNT(c.id)",
    "COUNT(c.x)",
    "COUNT(c.pid)",
    "COUNT(DISTINCT c.id)",
    "COUNT(DISTINCT c.x)",
    "SUM(c.x)",
    "AVG(c.x)",
    "SUM(c.x) * 1.0 / COUNT(c.x)",
    "SUM(c.x) * 1.0 / COUNT(*)",
    "SUM(CASE WHEN c.x > 1 THEN 1 ELSE 0 END)",
    "COUNT(CASE WHEN c.x > 1 THEN 1 END)",
    "MAX(c.x)",
    "MAX(DISTINCT c.x)",
};

static const char *const groups[] = {
    "c.pid", "c.x", "c.id", "c.id, c.x", "c.x, c.pid", "c.must",
};

static const char *const havings[] = {
    "",
    " HAVING COUNT(*) > 1",
    " HAVING COUNT(*) >= 2",
    " HAVING COUNT(*) > 0",
    " HAVING COUNT(c.x) > 0",
    " HAVING MAX(c.x) > 1",
    " HAVING SUM(c.x) >= 2",
};

static const char *const orders[] = {
    "", "", "", " ORDER BY c.x", " ORDER BY c.x DESC", " ORDER BY c.x, c.x",
};

static void write_grouped(writer *w, const char *link)
{
    const char *group = ONE_OF(w, groups);
    const char *shown = ONE_OF(w, aggregates);
    bool is_grouped = w->dice[w->next++ % DICE] % 3 > 0;
    buf_printf(&w->out, "SELECT %s%s%s FROM %s%s", is_grouped ? group : "",
               is_grouped ? ", " : "", shown, link, ONE_OF(w, conditions));
    if (is_grouped) {
        buf_printf(&w->out, " GROUP BY %s%s", group, ONE_OF(w, havings));
    }
}

static void write_plain(writer *w, const char *link, bool has_parent)
{
    bool shows_parent = has_parent && w->dice[w->next++ % DICE] % 2;
    const char *items =
        shows_parent ? ONE_OF(w, parent_items) : ONE_OF(w, plain_items);
    buf_printf(&w->out, "SELECT %s FROM %s%s%s", items, link,
               ONE_OF(w, conditions), ONE_OF(w, orders));
}

// Derived tables with a key g and a value v.
static const char *const derived[] = {
    "SELECT must AS g, x AS v FROM c",
    "SELECT DISTINCT must AS g, x AS v FROM c",
    "SELECT must AS g, x AS v FROM c GROUP BY must, x",
    "SELECT must AS g, id AS v FROM c",
    "SELECT DISTINCT must AS g, id AS v FROM c",
    "SELECT must AS g, COUNT(*) AS v FROM c GROUP BY must",
    "SELECT must AS g, COUNT(x) AS v FROM c GROUP BY must",
    "SELECT must AS g, COUNT(*) AS v FROM c GROUP BY must, pid",
    "SELECT must AS g, SUM(x) AS v FROM c GROUP BY must",
    "SELECT must AS g, SUM(x) AS v FROM c GROUP BY must, pid",
    "SELECT must AS g, MAX(x) AS v FROM c GROUP BY must, pid",
    "SELECT must AS g, MAX(x) AS v FROM c GROUP BY must",
    "SELECT must AS g, COUNT(*) AS v FROM c GROUP BY must HAVING COUNT(*) > 1",
    "SELECT must AS g, x AS v FROM c UNION ALL SELECT b, a FROM t",
    "SELECT must AS g, x AS v FROM c UNION SELECT b, a FROM t",
    "SELECT must AS g, SUM(x) AS v FROM c GROUP BY must"
    " UNION ALL SELECT b, SUM(a) FROM t GROUP BY b",
    "SELECT must AS g, COUNT(x) AS v FROM c GROUP BY must"
    " UNION ALL SELECT b, COUNT(a) FROM t GROUP BY b",
    "SELECT b AS g, a AS v FROM t",
    "SELECT DISTINCT b AS g, a AS v FROM t",
    "SELECT must AS g, x AS v FROM c ORDER BY x",
    "SELECT 1 AS g, COUNT(*) AS v FROM c",
    "SELECT 1 AS g, MAX(x) AS v FROM c",
};

static const char *const outer_items[] = {
    "COUNT(*)",     "COUNT(s.v)", "COUNT(DISTINCT s.v)",
    "SUM(s.v)",     "MAX(s.v)",   "MIN(s.v)",
    "AVG(s.v)",     "MAX(s.g)",   "COUNT(s.g)",
    "SUM(s.v) + 1",
};

static const char *const outer_conditions[] = {
    "",
    "",
    "",
    " WHERE s.v > 1",
    " WHERE s.g > 0",
    " WHERE s.v IS NOT NULL",
    " WHERE s.v >= 2",
};

static void write_nested(writer *w)
{
    const char *from = ONE_OF(w, derived);
    const char *item = ONE_OF(w, outer_items);
    const char *condition = ONE_OF(w, outer_conditions);
    switch (w->dice[w->next++ % DICE] % 4) {
    case 0:
        buf_printf(&w->out, "SELECT %s FROM (%s) AS s%s", item, from,
                   condition);
        break;
    case 1:
        buf_printf(&w->out, "SELECT s.g, s.v FROM (%s) AS s%s", from,
                   condition);
        break;
    default:
        buf_printf(&w->out, "SELECT s.g, %s FROM (%s) AS s%s GROUP BY s.g",
                   item, from, condition);
        break;
    }
}

static str write_query(arena *a, const uint8_t *dice)
{
    writer w = {.out = buf_new(a), .dice = dice};
    if (dice[DICE - 1] % 3 == 0) {
        write_nested(&w);
        return buf_str(&w.out);
    }
    const char *link = ONE_OF(&w, links);
    if (w.dice[w.next++] % 2) {
        write_grouped(&w, link + 1);
    } else {
        write_plain(&w, link + 1, link[0] == '+');
    }
    return buf_str(&w.out);
}

typedef struct world {
    schema s;
    arena lasting;  // what the checker lives in
    arena_store keep;
    arena_store memory;
    arena_store scratch;
    checker *c;
    int n_proved;
    int n_wrong;
} world;

static binding *bind(world *w, arena *a, str sql, arena scratch)
{
    parse_result r = parse_sql(a, sql, DIALECT_SQLITE, scratch);
    return r.errors.len > 0 || !r.statements
               ? NULL
               : bind_query(a, r.statements, &w->s, DIALECT_SQLITE, scratch);
}

static void complain(world *w, const char *what, str left, str right)
{
    w->n_wrong++;
    printf("%s:\n  %.*s\n  %.*s\n", what, STR_ARG(left), STR_ARG(right));
}

static bool same_proof(const proof *x, const proof *y)
{
    bool same = x->is_proved == y->is_proved && x->assumptions == y->assumptions
                && x->is_permuted == y->is_permuted
                && x->steps.len == y->steps.len
                && str_equal(x->obstacle, y->obstacle);
    for (ptrdiff_t i = 0; same && i < x->steps.len; i++) {
        same = x->steps.ptr[i].side == y->steps.ptr[i].side
               && str_equal(x->steps.ptr[i].rule, y->steps.ptr[i].rule);
    }
    return same;
}

// A left side that is opened once, and asked about itself in between, proves
// what each pair by itself does.
static void judge_left(world *w,
                       str left,
                       str right,
                       const binding *l,
                       const binding *r,
                       arena a,
                       arena scratch)
{
    for (int keeps_order = 0; keeps_order < 2; keeps_order++) {
        const prove_options options = {.assume = ASSUME_DEFAULT,
                                       .keeps_order = keeps_order != 0};
        proof alone = prove_pair(&a, l, r, &options, scratch);
        const prove_left *kept = prove_left_open(&a, l, &options);
        for (int again = 0; again < 2; again++) {
            proof p = prove_beside(&a, kept, r, scratch);
            if (!same_proof(&p, &alone)) {
                complain(w, "another proof beside a kept side", left, right);
            }
            if (!prove_beside(&a, kept, l, scratch).is_proved) {
                complain(w, "kept, not equivalent to itself", left, left);
            }
        }
    }
}

static void judge(world *w, str left, str right)
{
    arena a = arena_store_clear(&w->memory);
    arena scratch = arena_store_clear(&w->scratch);
    const prove_options options = {.assume = ASSUME_DEFAULT};
    const binding *l = bind(w, &a, left, scratch);
    const binding *r = bind(w, &a, right, scratch);
    if (!l || !r || l->problems.len > 0 || r->problems.len > 0) {
        complain(w, "no query", left, right);
        return;
    }
    proof p = prove_pair(&a, l, r, &options, scratch);
    proof back = prove_pair(&a, r, l, &options, scratch);
    if (p.is_proved != back.is_proved) {
        complain(w, "proved one way only", left, right);
    }
    if (!prove_pair(&a, l, l, &options, scratch).is_proved) {
        complain(w, "not equivalent to itself", left, left);
    }
    judge_left(w, left, right, l, r, a, scratch);
    str one = prove_canonical(&a, l, &options, NULL, scratch);
    str other = prove_canonical(&a, r, &options, NULL, scratch);
    if (one.len > 0 && str_equal(one, other) && !p.is_proved) {
        complain(w, "equal forms and no proof", left, right);
    }
    w->n_proved += p.is_proved;
    if (p.is_proved && !prove_replay(l, r, &options, &p, a, scratch)) {
        complain(w, "a proof that cannot be done again", left, right);
    }
    if (p.is_proved && !str_equal(left, right)) {
        check_verdict v =
            checker_pair(w->c, left, right, DIALECT_SQLITE, &a, scratch);
        if (v.is_contradicted) {
            complain(w, "proved and refuted", left, right);
            printf("%.*s\n", STR_ARG(v.witness.sql));
        }
    }
}

// A proof without its steps is none: else the law about doing it again would
// hold of anything.
static void judge_replay(world *w)
{
    arena a = arena_store_clear(&w->memory);
    arena scratch = arena_store_clear(&w->scratch);
    const prove_options options = {.assume = ASSUME_DEFAULT};
    str left = S("SELECT c.x FROM c JOIN p ON c.must = p.id");
    str right = S("SELECT x FROM c");
    const binding *l = bind(w, &a, left, scratch);
    const binding *r = bind(w, &a, right, scratch);
    proof p = prove_pair(&a, l, r, &options, scratch);
    bool can = p.is_proved && prove_replay(l, r, &options, &p, a, scratch);
    p.steps.len = 0;
    if (!can || prove_replay(l, r, &options, &p, a, scratch)) {
        complain(w, "done again without its steps", left, right);
    }
}

static void throw_dice(rng *r, uint8_t *dice)
{
    for (int i = 0; i < DICE; i++) {
        dice[i] = (uint8_t)rng_below(r, 4 * FACES);
    }
}

static bool open_world(world *w)
{
    if (!arena_store_open(&w->keep, (ptrdiff_t)1 << 30)
        || !arena_store_open(&w->memory, (ptrdiff_t)1 << 30)
        || !arena_store_open(&w->scratch, (ptrdiff_t)1 << 30)) {
        return false;
    }
    w->lasting = arena_store_clear(&w->keep);
    arena *a = &w->lasting;
    arena scratch = arena_store_clear(&w->scratch);
    diag d = diag_new(a);
    check_options o = check_default_options();
    o.tries_all = true;
    o.databases = law_option("ASSAY_DATABASES", DATABASES);
    o.timeout_ms = 0;
    w->c = schema_from_ddl(&w->s, a, S("ddl"), str_from(ddl), DIALECT_SQLITE,
                           DIALECT_SQLITE, &d, scratch)
               ? checker_open(a, &w->s, &o, &d, scratch)
               : NULL;
    return w->c != NULL;
}

int main(void)
{
    world w = {0};
    rng r = {.state = (uint64_t)law_option("ASSAY_SEED", 20261121)};
    int64_t pairs = law_option("ASSAY_RUNS", PAIRS);
    if (!open_world(&w)) {
        printf("no memory or no schema\n");
        return 1;
    }
    judge_replay(&w);
    for (int64_t i = 0; i < pairs; i++) {
        uint8_t dice[DICE];
        arena_store text;
        if (!arena_store_open(&text, 1 << 20)) {
            return 1;
        }
        arena a = arena_store_clear(&text);
        throw_dice(&r, dice);
        str left = write_query(&a, dice);
        for (ptrdiff_t n = 1 + rng_below(&r, 3); n > 0; n--) {
            dice[rng_below(&r, 9)] = (uint8_t)rng_below(&r, 4 * FACES);
        }
        str right = write_query(&a, dice);
        judge(&w, left, right);
        arena_store_close(&text);
    }
    checker_close(w.c);
    printf("%lld pairs, %d proved, %d wrong\n", (long long)pairs, w.n_proved,
           w.n_wrong);
    // A prover that proves nothing obeys every other law.
    return w.n_wrong > 0 || w.n_proved < pairs / 10;
}
