/*
 * checker.c - one pair in the world that is declared and in the one where the
 * facts hold, and on the tables of the system whose dialect it is in.
 *
 * Method      The declared world says what is so on every legal database; a
 *             counterexample of it is weighed by the facts, and where they
 *             speak against it, the pair is decided again where they hold.
 *
 * Not here    A pair in one world (testbed.c).
 */
#include "check/checker.h"

#include "base/clock.h"
#include "check/foreign.h"
#include "check/testbed.h"
#include "check/used_types.h"
#include "check/world.h"
#include "sql/semantics.h"

#include <assert.h>

struct checker {
    testbed *bed;
    checker *real;  // of the same tables where the facts hold; NULL: no facts
    testbed *away[DIALECT_COUNT][2];  // of that system's tables, which SQLite
                                      // keeps; NULL: not asked for yet
    arena *a;
};

static checker *open_one(arena *a,
                         const schema *s,
                         const check_options *o,
                         diag *d,
                         arena scratch)
{
    checker *c = arena_new(a, checker, 1);
    c->a = a;
    c->bed = testbed_open(a, s, o, d, scratch);
    return c->bed ? c : NULL;
}

checker *checker_open(arena *a,
                      const schema *s,
                      const check_options *o,
                      diag *d,
                      arena scratch)
{
    check_options declared = *o;
    declared.facts = NULL;
    checker *c = open_one(a, s, &declared, d, scratch);
    if (!c || !o->facts) {
        return c;
    }
    check_options real = *o;
    real.assume |= ASSUME_KEYS | ASSUME_NOT_NULL | ASSUME_FOREIGN_KEYS;
    c->bed->o.is_realistic = o->is_realistic;
    c->real = open_one(
        a, facts_apply(a, c->bed->assumed, o->facts, FACTS_ALL, scratch), &real,
        d, scratch);
    if (!c->real) {
        checker_close(c);
    }
    return c->real ? c : NULL;
}

void checker_close(checker *c)
{
    if (c) {
        checker_close(c->real);
        for (int d = 0; d < DIALECT_COUNT; d++) {
            testbed_close(c->away[d][false]);
            testbed_close(c->away[d][true]);
        }
        testbed_close(c->bed);
    }
}

// Of tables where texts are told apart that fold in the system only a proof
// counts: without what could be one in the end, nothing else is tried.
static testbed *away_at(checker *c, dialect d, bool folds, arena scratch)
{
    testbed **at = &c->away[d][folds];
    if (!*at) {
        diag ignored = diag_new(&scratch);
        const schema *theirs = foreign_schema(c->a, c->bed->declared, d, folds);
        check_options o = c->bed->o;
        o.only_proves |= !folds && dialect_semantics(d).texts_are_folded
                         && !o.solver && !o.rounds && !o.tries_all;
        *at = testbed_open(c->a, theirs, &o, &ignored, scratch);
    }
    return *at;
}

// A counterexample is one of that system's tables. What these leave open is
// equivalent where a proof holds for texts that are told apart.
static check_verdict decide_given(checker *c,
                                  const read_query queries[2],
                                  dialect d,
                                  arena *a,
                                  arena scratch)
{
    bool is_away =
        c->bed->assumed->dialect == DIALECT_SQLITE && d != DIALECT_SQLITE;
    bool folds = is_away && dialect_semantics(d).texts_are_folded;
    testbed *bed = is_away ? away_at(c, d, folds, scratch) : c->bed;
    check_verdict v = testbed_decide(bed, queries, d, a, scratch);
    bool is_open = v.answer == CHECK_UNKNOWN
                   || (v.answer == CHECK_DIFFERENT && v.is_stable);
    if (folds && is_open) {
        bed = away_at(c, d, false, scratch);
        check_verdict apart = testbed_decide(bed, queries, d, a, scratch);
        v = apart.answer == CHECK_EQUIVALENT ? apart : v;
    }
    return v;
}

// One world.
static check_verdict decide_pair(checker *c,
                                 const read_query queries[2],
                                 dialect d,
                                 arena *a,
                                 arena scratch)
{
    const binding *own[2] = {0};
    arena trees = scratch;
    arena temp = arena_half(&trees);
    for (int i = 0; c->bed->assumed->dialect != d && i < countof(own); i++) {
        own[i] = testbed_bind_own(c->bed, queries[i].tree, d, &trees, temp);
    }
    const schema *used = used_types(a, c->bed->declared, own, countof(own));
    diag ignored = diag_new(&scratch);
    checker *other =
        used ? open_one(a, used, &c->bed->o, &ignored, scratch) : NULL;
    if (!other) {
        return decide_given(c, queries, d, a, scratch);
    }
    check_verdict v = decide_given(other, queries, d, a, scratch);
    v.has_used_types = true;
    checker_close(other);
    return v;
}

// Which facts the witness breaks.
static void weigh_witness(const checker *c,
                          check_verdict *v,
                          const read_query texts[2],
                          dialect d,
                          arena *a,
                          arena scratch)
{
    assert(c->real && v->evidence == EVIDENCE_WITNESS);
    const binding *queries[2];
    ptrdiff_t n = 0;
    arena trees = arena_half(&scratch);
    reading reads = reading_new(&trees, c->bed->assumed);
    for (int i = 0; i < countof(queries); i++) {
        const binding *b =
            testbed_bind(c->bed, texts[i].tree, d, &trees, scratch);
        if (b) {
            reading_add(&reads, b);
            queries[n++] = b;
        }
    }
    if (n < countof(queries)) {
        v->realism = REALISM_OPEN;
        return;
    }
    fact_view view = world_view(&trees, &reads, queries, n);
    const instance rows = {c->bed->assumed, v->witness.rows};
    world_breaks(&rows, c->real->bed->o.facts, &view, &v->breaks, a);
    v->realism = v->breaks.len == 0 ? REALISM_YES : REALISM_NO;
}

static void say_needs(const checker *c,
                      check_verdict *v,
                      const check_verdict *real,
                      const read_query queries[2],
                      arena *a,
                      arena scratch)
{
    prove_options options = testbed_options(c->real->bed, NULL);
    for (ptrdiff_t i = 0; i < real->proof.steps.len; i++) {
        if (str_starts(real->proof.steps.ptr[i].rule, S("solver"))) {
            options.solver = c->bed->o.solver;
        }
    }
    world_needs(c->bed->assumed, c->real->bed->o.facts, queries[0].sql,
                queries[1].sql, &options, &v->needs, a, scratch);
}

// What the realistic world says where the declared one has no realistic answer.
static void weigh(const checker *c,
                  check_verdict *v,
                  const check_verdict *real,
                  const read_query queries[2],
                  arena *a,
                  arena scratch)
{
    assert(c->real);  // its verdict is the one that is weighed
    str_list breaks = v->breaks;
    if (real->answer == CHECK_EQUIVALENT) {
        say_needs(c, v, real, queries, a, scratch);
    }
    if (real->answer == CHECK_DIFFERENT) {
        *v = *real;
        v->realism = REALISM_YES;
    } else if (c->bed->o.is_realistic) {
        str_list needs = v->needs;
        *v = *real;
        v->needs = needs;
        v->breaks = needs.len > 0 ? (str_list){0} : breaks;
        bool is_unreal =
            v->answer == CHECK_UNKNOWN && breaks.len > 0 && v->reason.len == 0;
        v->reason = is_unreal ? S("unrealistic") : v->reason;
    }
}

check_verdict checker_pair(checker *c,
                           str left,
                           str right,
                           dialect d,
                           arena *a,
                           arena scratch)
{
    int64_t start = clock_cpu_ns();
    const read_query queries[2] = {
        read_query_of(a, left, d, scratch),
        read_query_of(a, right, d, scratch),
    };
    check_verdict v = decide_pair(c, queries, d, a, scratch);
    if (c->real && v.answer == CHECK_DIFFERENT) {
        v.realism = REALISM_YES;
        if (v.evidence == EVIDENCE_WITNESS) {
            weigh_witness(c, &v, queries, d, a, scratch);
        }
    }
    if (c->real && v.answer != CHECK_EQUIVALENT && v.realism != REALISM_YES) {
        check_verdict real = decide_pair(c->real, queries, d, a, scratch);
        weigh(c, &v, &real, queries, a, scratch);
    }
    v.ns = clock_cpu_ns() - start;
    return v;
}
