/*
 * law_pairs.c - random queries, each beside something like it, through the
 * whole check: nothing that is proved is killed by any database.
 *
 * Laws   (1) What is proved has no certain witness among many databases.
 *        (2) Its proof can be done again, step by step.
 *        (3) The sides exchanged, no proof becomes a witness or a witness a
 *            proof, and a query is never told apart from itself.
 *        (4) No database breaks a constraint, no witness falls when it is
 *            loaded from its own text.
 *
 * Queries come from random_sql.c; the other side is one of its neighbors, a
 * change of one token, the same in other words, or the query again.
 *
 * ASSAY_RUNS says how many pairs (600), ASSAY_SEED where to begin (1),
 * ASSAY_DATABASES how many databases a proof has to stand (100). A broken law
 * prints the pair and its number.
 */
#include "check/checker.h"
#include "law_option.h"
#include "prove/solver.h"
#include "random_sql.h"
#include "schema/schema_ddl.h"
#include "sql/parse.h"
#include "sql/print.h"
#include "suite/neighbor.h"

#include <stdio.h>

enum {
    RUNS = 600,
    DATABASES = 100,      // that a proof has to stand
    DATABASES_FIRST = 8,  // for pairs without a proof
    NEIGHBORS = 20,
    FAILURES_MAX = 10,
};

typedef struct world {
    arena_store stores[4];
    arena keep;
    schema schema;
    solver *solver;  // asked of every pair, where it is there
    checker *quick;
    checker *thorough;
    int64_t run;
    int64_t n_proved;
    int64_t answers[CHECK_DIFFERENT + 1];
    int64_t n_databases;  // that proofs stood
    int failures;
} world;

static void fail(world *w, const char *what, str left, str right, str more)
{
    w->failures++;
    printf("run %lld: %s:\n  %.*s\n  %.*s\n%.*s\n", (long long)w->run, what,
           STR_ARG(left), STR_ARG(right), STR_ARG(more));
}

static const binding *bind(world *w, str sql, arena *a, arena scratch)
{
    parse_result r = parse_sql(a, sql, DIALECT_SQLITE, scratch);
    bool is_query = r.errors.len == 0 && r.statements && !r.statements->next
                    && ast_is_query(r.statements);
    const binding *b = is_query ? bind_query(a, r.statements, &w->schema,
                                             DIALECT_SQLITE, scratch)
                                : NULL;
    return b && b->problems.len == 0 ? b : NULL;
}

static str near_miss(world *w, str sql, rng *r, arena *a, arena scratch)
{
    parse_result parsed = parse_sql(a, sql, DIALECT_SQLITE, scratch);
    if (!bind(w, sql, a, scratch)) {
        return sql;
    }
    const binding *b =
        bind_query(a, parsed.statements, &w->schema, DIALECT_SQLITE, scratch);
    neighbor_options o = {DIALECT_SQLITE, (uint64_t)w->run, NEIGHBORS};
    neighbor_list list = neighbors_of(a, parsed.statements, b, &o, scratch);
    return list.len > 0 ? list.ptr[rng_below(r, list.len)].sql : sql;
}

// The same, laid out by us and in a query around it.
static str in_other_words(world *w, str sql, rng *r, arena *a, arena scratch)
{
    const binding *b = bind(w, sql, a, scratch);
    buf out = buf_new(a);
    if (!b) {
        return sql;
    }
    bool is_inside = rng_below(r, 2) == 0;
    buf_add(&out, is_inside ? S("SELECT * FROM (") : S(""));
    print_sql(&out, b->query->node, DIALECT_SQLITE, PRINT_ONE_LINE, scratch);
    buf_add(&out, is_inside ? S(")") : S(""));
    return buf_str(&out);
}

static str other_side(world *w, str sql, rng *r, arena *a, arena scratch)
{
    switch (rng_below(r, 8)) {
    case 0: return sql;
    case 1: return random_comments(a, r, sql, DIALECT_SQLITE, scratch);
    case 2:
    case 3: return in_other_words(w, sql, r, a, scratch);
    case 4:
    case 5: return random_change(a, r, sql, DIALECT_SQLITE, scratch);
    default: return near_miss(w, sql, r, a, scratch);
    }
}

static void check_verdict_of(world *w, str left, str right, check_verdict *v)
{
    if (v->is_contradicted) {
        fail(w, "proved and refuted", left, right, v->witness.sql);
    }
    if (v->cannot_replay) {
        fail(w, "a proof that cannot be done again", left, right, (str){0});
    }
    if (v->illegal > 0) {
        fail(w, "an illegal database", left, right, (str){0});
    }
    if (str_find(v->detail, S("second trial"), 0) >= 0) {
        fail(w, "a witness fell", left, right, v->detail);
    }
}

// A proof stands many databases, and can be done again.
static void try_proof(world *w, str left, str right, arena a, arena scratch)
{
    check_verdict v =
        checker_pair(w->thorough, left, right, DIALECT_SQLITE, &a, scratch);
    check_verdict_of(w, left, right, &v);
    w->n_databases += v.searched;
}

static void try_pair(world *w, str left, str right)
{
    arena a = arena_store_clear(&w->stores[2]);
    arena scratch = arena_store_clear(&w->stores[3]);
    check_verdict v =
        checker_pair(w->quick, left, right, DIALECT_SQLITE, &a, scratch);
    check_verdict back =
        checker_pair(w->quick, right, left, DIALECT_SQLITE, &a, scratch);
    check_verdict_of(w, left, right, &v);
    w->answers[v.answer]++;
    if ((v.answer == CHECK_EQUIVALENT) != (back.answer == CHECK_EQUIVALENT)) {
        fail(w, "proved one way only", left, right, (str){0});
    }
    if (str_equal(left, right) && v.answer == CHECK_DIFFERENT) {
        fail(w, "told apart from itself", left, right, v.witness.sql);
    }
    if (v.answer == CHECK_EQUIVALENT) {
        w->n_proved++;
        try_proof(w, left, right, a, scratch);
    }
}

static checker *open_checker(world *w, int64_t databases, arena scratch)
{
    diag d = diag_new(&w->keep);
    check_options o = check_default_options();
    o.databases = databases;
    o.timeout_ms = 0;
    o.tries_all = true;
    o.solver = w->solver;
    o.seed = law_option("ASSAY_SEED", 1);
    return checker_open(&w->keep, &w->schema, &o, &d, scratch);
}

static bool open_world(world *w)
{
    for (int i = 0; i < 4; i++) {
        if (!arena_store_open(&w->stores[i], (ptrdiff_t)2 << 30)) {
            return false;
        }
    }
    w->keep = arena_store_clear(&w->stores[0]);
    arena scratch = arena_store_clear(&w->stores[3]);
    diag d = diag_new(&w->keep);
    bool ok = schema_from_ddl(&w->schema, &w->keep, S("ddl"),
                              str_from(random_sql_schema), DIALECT_SQLITE,
                              DIALECT_SQLITE, &d, scratch);
    w->solver = solver_new(&w->keep, solver_default_limits());
    int64_t deep = law_option("ASSAY_DATABASES", DATABASES);
    w->quick = ok ? open_checker(w, DATABASES_FIRST, scratch) : NULL;
    w->thorough = ok ? open_checker(w, deep, scratch) : NULL;
    return w->quick && w->thorough;
}

int main(void)
{
    static world w;
    int64_t seed = law_option("ASSAY_SEED", 1);
    int64_t runs = law_option("ASSAY_RUNS", RUNS);
    if (!open_world(&w)) {
        printf("no memory or no schema\n");
        return 1;
    }
    for (int64_t i = 0; i < runs && w.failures < FAILURES_MAX; i++) {
        w.run = seed + i;
        rng r = {(uint64_t)w.run};
        arena a = arena_store_clear(&w.stores[1]);
        arena scratch = arena_store_clear(&w.stores[3]);
        str left = random_sql(&a, &r, scratch);
        str right = other_side(&w, left, &r, &a, scratch);
        try_pair(&w, left, right);
    }
    checker_close(w.quick);
    checker_close(w.thorough);
    solver_close(w.solver);
    for (int i = 0; i < 4; i++) {
        arena_store_close(&w.stores[i]);
    }
    printf("%lld pairs: %lld equivalent, %lld different, %lld unknown; proofs "
           "stood %lld databases; %d faults\n",
           (long long)runs, (long long)w.answers[CHECK_EQUIVALENT],
           (long long)w.answers[CHECK_DIFFERENT],
           (long long)w.answers[CHECK_UNKNOWN], (long long)w.n_databases,
           w.failures);
    return w.failures > 0 || w.n_databases == 0;
}
