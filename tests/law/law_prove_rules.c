/*
 * law_prove_rules.c - each rule of proofs, attacked at its side conditions.
 *
 * Method      A pair of queries for each rule, over columns of which nothing
 *             is wrong: numbers, not NULL, with keys, by BINARY. There the rule
 *             must be a step of the proof, or the attack would be none. Then
 *             one thing of the schema is another at a time: a type, a
 *             collation, NULL, a key or its collation, a foreign key; then
 *             several at once, thrown by dice. Whatever is proved is run on
 *             legal databases, and no result may differ; the proof must be one
 *             that can be done again.
 *
 * ASSAY_RUNS says how many schemas are thrown (8), ASSAY_SEED where to begin,
 * ASSAY_DATABASES how many each proof has to stand (20).
 */
#include "base/rng.h"
#include "check/checker.h"
#include "law_option.h"
#include "prove/rule.h"
#include "schema/schema_ddl.h"

#include <stdio.h>

enum {
    SCHEMAS = 8,
    DATABASES = 20,
    PARTS = 11,
};

// What the schema is made of, the first of each as it should be.
static const char *const ids[] = {"INTEGER PRIMARY KEY", "INTEGER",
                                  "INT PRIMARY KEY"};
static const char *const columns[] = {
    "INTEGER NOT NULL",
    "INTEGER",
    "TEXT NOT NULL",
    "TEXT",
    "TEXT NOT NULL COLLATE NOCASE",
    "TEXT COLLATE RTRIM",
    "NUMERIC NOT NULL",
    "REAL NOT NULL",
    "NOT NULL",
    "",
};
static const char *const optional[] = {"INTEGER", "TEXT COLLATE NOCASE", "",
                                       "TEXT"};
static const char *const links[] = {"INTEGER NOT NULL REFERENCES t(id)",
                                    "INTEGER REFERENCES t(id)",
                                    "INTEGER NOT NULL"};
static const char *const days[] = {"DATE", "TEXT", "TIMESTAMP NOT NULL",
                                   "DATE COLLATE NOCASE", ""};
static const char *const flags[] = {
    "BOOLEAN", "INTEGER", "BOOLEAN NOT NULL", "TEXT", "BOOL COLLATE NOCASE",
    ""};
static const char *const keys[] = {", UNIQUE(a)", "",
                                   ", UNIQUE(a COLLATE BINARY)",
                                   ", UNIQUE(a COLLATE NOCASE)"};

#define PART(list)               \
    {                            \
        list, (int)countof(list) \
    }
static const struct {
    const char *const *words;
    int n;
} parts[PARTS] = {
    PART(ids),   PART(columns), PART(columns), PART(keys),
    PART(ids),   PART(columns), PART(columns), PART(optional),
    PART(links), PART(days),    PART(flags),
};

static str write_ddl(arena *a, const int *choice)
{
    const char *w[PARTS];
    for (int i = 0; i < PARTS; i++) {
        w[i] = parts[i].words[choice[i]];
    }
    return arena_printf(
        a,
        "CREATE TABLE t(id %s, a %s, b %s%s);"
        "CREATE TABLE u(id %s, a %s, b %s, c %s, tid %s, d %s, f %s);",
        w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10]);
}

// A rule, or none, and two queries that it makes one.
typedef struct attack {
    const char *rule;
    const char *left;
    const char *right;
    dialect in;
} attack;

static const attack attacks[] = {
#define ATTACK(rule, left, right) {rule, left, right, DIALECT_SQLITE},
#define ATTACK_IN(dialect, rule, left, right) \
    {rule, left, right, DIALECT_##dialect},
#include "law_prove_rules.def"
};

typedef struct world {
    arena_store keep;
    arena_store memory;
    arena_store scratch;
    int64_t databases;
    bool *reached;  // by rule
    int n_proved;
    int n_wrong;
} world;

static void complain(world *w, const char *what, str ddl, const attack *t)
{
    w->n_wrong++;
    printf("%s: %s\n  %.*s\n  %s\n  %s\n", what, t->rule, STR_ARG(ddl), t->left,
           t->right);
}

static void note_rules(world *w, const proof *p)
{
    for (ptrdiff_t i = 0; i < p->steps.len; i++) {
        for (ptrdiff_t r = 0; r < rule_count; r++) {
            w->reached[r] |= str_equal(rules[r].name, p->steps.ptr[i].rule);
        }
    }
}

static bool has_step(const proof *p, const char *name)
{
    for (ptrdiff_t i = 0; i < p->steps.len; i++) {
        if (str_equal(p->steps.ptr[i].rule, str_from(name))) {
            return true;
        }
    }
    return name[0] == '\0';
}

static void judge(world *w, checker *c, str ddl, const attack *t, bool is_good)
{
    arena a = arena_store_clear(&w->memory);
    arena scratch = arena_store_clear(&w->scratch);
    check_verdict v = checker_pair(c, str_from(t->left), str_from(t->right),
                                   t->in, &a, scratch);
    w->n_proved += v.proof.is_proved;
    if (is_good) {
        note_rules(w, &v.proof);
        if (!v.proof.is_proved || !has_step(&v.proof, t->rule)) {
            complain(w, "not proved by the rule", ddl, t);
        }
    }
    if (v.is_contradicted) {
        complain(w, "proved and refuted", ddl, t);
        printf("%.*s\n", STR_ARG(v.witness.sql));
    }
    if (v.cannot_replay) {
        complain(w, "a proof that cannot be done again", ddl, t);
    }
}

static bool judge_schema(world *w, const int *choice, bool is_good)
{
    arena a = arena_store_clear(&w->keep);
    arena scratch = arena_store_clear(&w->scratch);
    diag d = diag_new(&a);
    check_options o = check_default_options();
    o.tries_all = true;
    o.rounds = true;
    o.databases = w->databases;
    o.timeout_ms = 0;
    schema s = {0};
    str ddl = write_ddl(&a, choice);
    checker *c = schema_from_ddl(&s, &a, S("ddl"), ddl, DIALECT_SQLITE,
                                 DIALECT_SQLITE, &d, scratch)
                     ? checker_open(&a, &s, &o, &d, scratch)
                     : NULL;
    for (ptrdiff_t i = 0; c && i < countof(attacks); i++) {
        judge(w, c, ddl, &attacks[i], is_good);
    }
    checker_close(c);
    return c != NULL;
}

static bool judge_all(world *w, int64_t thrown, rng *r)
{
    int good[PARTS] = {0};
    bool ok = judge_schema(w, good, true);
    for (int i = 0; i < PARTS; i++) {
        for (int k = 1; ok && k < parts[i].n; k++) {
            int one[PARTS] = {0};
            one[i] = k;
            ok = judge_schema(w, one, false);
        }
    }
    for (int64_t n = 0; ok && n < thrown; n++) {
        int many[PARTS] = {0};
        for (int i = 0; i < PARTS; i++) {
            many[i] = rng_below(r, 2) ? (int)rng_below(r, parts[i].n) : 0;
        }
        ok = judge_schema(w, many, false);
    }
    return ok;
}

int main(void)
{
    world w = {.databases = law_option("ASSAY_DATABASES", DATABASES)};
    rng r = {.state = (uint64_t)law_option("ASSAY_SEED", 20261122)};
    bool reached[256] = {0};
    w.reached = reached;
    if (rule_count > countof(reached)
        || !arena_store_open(&w.keep, (ptrdiff_t)1 << 28)
        || !arena_store_open(&w.memory, (ptrdiff_t)1 << 28)
        || !arena_store_open(&w.scratch, (ptrdiff_t)1 << 28)) {
        printf("no memory\n");
        return 1;
    }
    if (!judge_all(&w, law_option("ASSAY_RUNS", SCHEMAS), &r)) {
        printf("a schema that cannot be read\n");
        w.n_wrong++;
    }
    for (ptrdiff_t i = 0; i < rule_count; i++) {
        // What stands around a subquery is looked at before the first step.
        bool is_first = str_equal(rules[i].name, S("distinct-setlike"))
                        || str_equal(rules[i].name, S("set-distinct"));
        if (!w.reached[i] && !is_first) {
            printf("no attack on the rule %.*s\n", STR_ARG(rules[i].name));
            w.n_wrong++;
        }
    }
    printf("%d attacks, %d proved, %d wrong\n", (int)countof(attacks),
           w.n_proved, w.n_wrong);
    arena_store_close(&w.scratch);
    arena_store_close(&w.memory);
    arena_store_close(&w.keep);
    return w.n_wrong > 0;
}
