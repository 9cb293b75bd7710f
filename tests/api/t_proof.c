/*
 * t_proof.c - what is proved is tried: a prover that takes all queries for the
 * same is found out.
 *
 * Method      Pairs that a rule would prove without one of its conditions,
 *             each beside one of which the condition holds.
 */
#include "check.h"
#include "check/checker.h"
#include "schema/schema_ddl.h"

static const char ddl[] =
    "CREATE TABLE t(a INTEGER PRIMARY KEY, b INTEGER, c TEXT COLLATE NOCASE,"
    " n INTEGER NOT NULL, m INTEGER UNIQUE);"
    "CREATE TABLE u(a INTEGER PRIMARY KEY, b INTEGER,"
    " t INTEGER NOT NULL REFERENCES t(a), o INTEGER REFERENCES t(a));"
    "CREATE TABLE bag(a INTEGER, b INTEGER);"
    "CREATE TABLE word(x TEXT, y TEXT COLLATE NOCASE, i INTEGER);";

proof __wrap_prove_pair(arena *a,
                        const binding *left,
                        const binding *right,
                        const prove_options *options,
                        arena scratch);
proof __wrap_prove_pair(arena *a,
                        const binding *left,
                        const binding *right,
                        const prove_options *options,
                        arena scratch)
{
    (void)a;
    (void)left;
    (void)right;
    (void)options;
    (void)scratch;
    return (proof){.is_proved = true};
}

typedef struct trial {
    bool is_same;
    const char *left;
    const char *right;
} trial;

static const trial trials[] = {
    // c IS NOT NULL
    {true, "SELECT b FROM t WHERE n IS NOT NULL", "SELECT b FROM t"},
    {false, "SELECT n FROM t WHERE b IS NOT NULL", "SELECT n FROM t"},
    {true, "SELECT COUNT(n) FROM t", "SELECT COUNT(*) FROM t"},
    {false, "SELECT COUNT(b) FROM t", "SELECT COUNT(*) FROM t"},
    // keys
    {true, "SELECT DISTINCT a, b FROM t", "SELECT a, b FROM t"},
    {false, "SELECT DISTINCT b FROM t", "SELECT b FROM t"},
    {true, "SELECT x.b, y.n FROM t x JOIN t y ON x.a = y.a",
     "SELECT b, n FROM t"},
    {false, "SELECT x.b, y.n FROM t x JOIN t y ON x.b = y.b",
     "SELECT b, n FROM t WHERE b IS NOT NULL"},
    {true, "SELECT a, b FROM t GROUP BY a", "SELECT a, b FROM t"},
    {false, "SELECT n FROM t GROUP BY n", "SELECT n FROM t"},
    {true, "SELECT COUNT(DISTINCT a) FROM t", "SELECT COUNT(*) FROM t"},
    {false, "SELECT COUNT(DISTINCT n) FROM t", "SELECT COUNT(*) FROM t"},
    {true, "SELECT a FROM t WHERE b IN (SELECT a FROM u)",
     "SELECT t.a FROM t JOIN u ON u.a = t.b"},
    {false, "SELECT a FROM t WHERE b IN (SELECT b FROM u)",
     "SELECT t.a FROM t JOIN u ON u.b = t.b"},
    {true, "SELECT b FROM t ORDER BY a, b LIMIT 1",
     "SELECT b FROM t ORDER BY a LIMIT 1"},
    {false, "SELECT n FROM t ORDER BY b, n LIMIT 1",
     "SELECT n FROM t ORDER BY b, a LIMIT 1"},
    // foreign keys
    {true, "SELECT u.b FROM u JOIN t ON u.t = t.a", "SELECT b FROM u"},
    {false, "SELECT u.b FROM u JOIN t ON u.o = t.a", "SELECT b FROM u"},
    // outer joins
    {true, "SELECT t.a FROM t LEFT JOIN u ON u.t = t.a WHERE u.b > 1",
     "SELECT t.a FROM t JOIN u ON u.t = t.a WHERE u.b > 1"},
    {false, "SELECT t.a FROM t LEFT JOIN u ON u.t = t.a WHERE u.b IS NULL",
     "SELECT t.a FROM t JOIN u ON u.t = t.a WHERE u.b IS NULL"},
    {true, "SELECT t.b FROM t LEFT JOIN u ON u.a = t.b", "SELECT b FROM t"},
    {false, "SELECT t.b FROM t LEFT JOIN u ON u.b = t.b", "SELECT b FROM t"},
    {false, "SELECT SUM(u.b), COUNT(*) FROM t LEFT JOIN u ON u.t = t.a",
     "SELECT SUM(u.b), COUNT(*) FROM t JOIN u ON u.t = t.a"},
    // collations
    {true, "SELECT b FROM t WHERE n = 1 GROUP BY b HAVING b > 1",
     "SELECT DISTINCT b FROM t WHERE n = 1 AND b > 1"},
    {false, "SELECT COUNT(*) FROM t WHERE c = 'x'",
     "SELECT COUNT(*) FROM t WHERE c || '' = 'x'"},
    {false, "SELECT i FROM word WHERE i IN (SELECT x FROM word)",
     "SELECT w.i FROM word w JOIN (SELECT DISTINCT x FROM word) s ON w.i = "
     "s.x"},
    {false, "SELECT y FROM word v WHERE v.y IN (SELECT y FROM t)",
     "SELECT v.y FROM word v JOIN (SELECT DISTINCT y || '' AS z FROM word) w"
     " ON v.y = w.z"},
    // NULLs
    {false, "SELECT COUNT(b) FROM bag GROUP BY a",
     "SELECT COUNT(b) FROM bag WHERE b IS NOT NULL GROUP BY a"},
    {false, "SELECT a, a IN (SELECT b FROM bag) FROM t",
     "SELECT a, EXISTS (SELECT 1 FROM bag WHERE bag.b = t.a) FROM t"},
    {false, "SELECT AVG(b) FROM bag",
     "SELECT SUM(b) * 1.0 / COUNT(*) FROM bag"},
    {false, "SELECT a FROM t WHERE b > 0 EXCEPT SELECT a FROM t WHERE n < 10",
     "SELECT a FROM t WHERE b > 0 EXCEPT SELECT a FROM t WHERE b < 10"},
    // one of two tables without rows
    {false,
     "SELECT u.a, g.m FROM u LEFT JOIN (SELECT b, MAX(a) AS m FROM bag"
     " GROUP BY b) g ON g.b >= u.b OR g.b < u.b OR u.b IS NULL",
     "SELECT u.a, g.m FROM u JOIN (SELECT b, MAX(a) AS m FROM bag"
     " GROUP BY b) g ON g.b >= u.b OR g.b < u.b OR u.b IS NULL"},
    // repeats
    {true, "SELECT DISTINCT x.b FROM (SELECT DISTINCT b FROM t) x",
     "SELECT DISTINCT b FROM t"},
    {false, "SELECT x.b FROM (SELECT DISTINCT b FROM t) x", "SELECT b FROM t"},
    {false, "SELECT b FROM t UNION ALL SELECT b FROM u",
     "SELECT b FROM t UNION SELECT b FROM u"},
    {false, "SELECT DISTINCT b FROM t EXCEPT SELECT o FROM u",
     "SELECT DISTINCT b FROM t WHERE b NOT IN (SELECT o FROM u)"},
    // groups and limits
    {true, "SELECT COUNT(*) FROM t ORDER BY 1 LIMIT 2",
     "SELECT COUNT(*) FROM t"},
    {false, "SELECT COUNT(*) FROM t LIMIT 0", "SELECT COUNT(*) FROM t"},
    {false, "SELECT x.b FROM (SELECT b FROM t ORDER BY a LIMIT 1) x",
     "SELECT b FROM t"},
    {false, "SELECT SUM(CASE WHEN b > 1 THEN n END), COUNT(*) FROM t",
     "SELECT SUM(n), COUNT(*) FROM t WHERE b > 1"},
    {false, "SELECT a FROM t WHERE (SELECT COUNT(*) FROM u WHERE u.o = a) = 0",
     "SELECT a FROM t WHERE a IN (SELECT o FROM u)"},
    // what the engine chooses
    {true, "SELECT a, b FROM bag GROUP BY a",
     "SELECT a, b FROM bag GROUP BY a"},
    {false, "SELECT a, COUNT(*) FROM bag GROUP BY a HAVING b > 1",
     "SELECT a, COUNT(*) FROM bag WHERE b > 1 GROUP BY a"},
    {false, "SELECT n FROM t WHERE n = (SELECT a FROM bag WHERE b = 3)",
     "SELECT n FROM t WHERE n IN (SELECT a FROM bag WHERE b = 3)"},
    // tables without rows
    {true, "SELECT COUNT(*) FROM bag HAVING COUNT(*) >= 0",
     "SELECT COUNT(*) FROM bag"},
    {false, "SELECT MAX(n) FROM t", "SELECT n FROM t ORDER BY n DESC LIMIT 1"},
    {false, "SELECT SUM(n) FROM t", "SELECT SUM(n) FROM t GROUP BY n * 0"},
    {false, "SELECT b FROM bag UNION ALL SELECT COUNT(*) FROM u",
     "SELECT b FROM bag UNION ALL SELECT COUNT(*) FROM u GROUP BY t * 0"},
    {false,
     "SELECT 1 WHERE (SELECT COUNT(*) FROM t) + (SELECT COUNT(*) FROM u)"
     " + (SELECT COUNT(*) FROM bag) = 0",
     "SELECT 1 WHERE 0"},
};

static bool stands(check_memory *m, const trial *t)
{
    arena a = m->a;
    diag d = diag_new(&a);
    schema s = {0};
    check_options o = check_default_options();
    assert_true(schema_from_ddl(&s, &a, S("ddl"), str_from(ddl), DIALECT_SQLITE,
                                DIALECT_SQLITE, &d, m->scratch));
    checker *c = checker_open(&a, &s, &o, &d, m->scratch);
    assert_non_null(c);
    check_verdict v = checker_pair(c, str_from(t->left), str_from(t->right),
                                   DIALECT_SQLITE, &a, m->scratch);
    checker_close(c);
    assert_true(v.answer == CHECK_EQUIVALENT || v.evidence == EVIDENCE_WITNESS);
    return v.answer == CHECK_EQUIVALENT;
}

static void believes_no_proof_that_a_database_refutes(void **state)
{
    for (ptrdiff_t i = 0; i < countof(trials); i++) {
        const trial *t = &trials[i];
        if (stands(*state, t) != t->is_same) {
            fail_msg("%s: %s; %s", t->is_same ? "falls" : "stands", t->left,
                     t->right);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHECK_TEST(believes_no_proof_that_a_database_refutes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
