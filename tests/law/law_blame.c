/*
 * law_blame.c - random queries, each beside something like it: who is wrong?
 *
 * Laws   (1) The sides exchanged, gold and prediction change places in the
 *            class and in every reason.
 *        (2) A query beside itself: all that speaks, speaks against both, and
 *            the suspicion is what it is without a prediction.
 *        (3) The suspicion is the sum of the weights of the gold's reasons, and
 *            the reasons come with falling weights.
 *
 * ASSAY_RUNS says how many pairs (3000), ASSAY_SEED where to begin (1).
 */
#include "blame/blame.h"
#include "law_option.h"
#include "random_sql.h"
#include "schema/schema_ddl.h"

#include <stdio.h>

enum {
    RUNS = 3000,
    FAILURES_MAX = 10,
};

typedef struct world {
    arena_store stores[3];
    schema schema;
    int64_t n_reasons;
    int failures;
} world;

static void fail(world *w, const char *what, const blame_case *c)
{
    w->failures++;
    printf("%s: %.*s\n  %.*s\n  %.*s\n", what, STR_ARG(c->question),
           STR_ARG(c->gold.sql), STR_ARG(c->pred.sql));
}

static blame_class mirrored(blame_class c)
{
    return c == BLAME_GOLD         ? BLAME_PREDICTION
           : c == BLAME_PREDICTION ? BLAME_GOLD
                                   : c;
}

static int sum_against(const blame_verdict *v, unsigned side)
{
    int sum = 0;
    for (ptrdiff_t i = 0; i < v->reasons.len; i++) {
        const blame_reason *r = &v->reasons.ptr[i];
        sum += r->on & side ? r->weight : 0;
    }
    return sum;
}

static bool weights_fall(const blame_verdict *v)
{
    bool fall = true;
    for (ptrdiff_t i = 1; i < v->reasons.len; i++) {
        fall = fall && v->reasons.ptr[i - 1].weight >= v->reasons.ptr[i].weight;
    }
    return fall;
}

static void try_pair(world *w, blame_case c)
{
    arena a = arena_store_clear(&w->stores[1]);
    arena scratch = arena_store_clear(&w->stores[2]);
    blame_verdict v = blame_case_judge(&c, &a, scratch);
    blame_case back = c;
    back.gold = c.pred;
    back.pred = c.gold;
    blame_verdict b = blame_case_judge(&back, &a, scratch);
    w->n_reasons += v.reasons.len;
    if (b.who != mirrored(v.who)
        || sum_against(&v, BLAME_ON_GOLD) != sum_against(&b, BLAME_ON_PRED)
        || sum_against(&v, BLAME_ON_PRED) != sum_against(&b, BLAME_ON_GOLD)) {
        fail(w, "the sides exchanged", &c);
    }
    if (v.suspicion != sum_against(&v, BLAME_ON_GOLD) || !weights_fall(&v)) {
        fail(w, "sums or their order", &c);
    }
    blame_case self = c;
    self.pred = c.gold;
    blame_verdict s = blame_case_judge(&self, &a, scratch);
    blame_case alone = c;
    alone.pred = (blame_side){0};
    blame_verdict o = blame_case_judge(&alone, &a, scratch);
    if (sum_against(&s, BLAME_ON_GOLD) != sum_against(&s, BLAME_ON_PRED)
        || s.who == BLAME_GOLD || s.who == BLAME_PREDICTION
        || s.suspicion != o.suspicion) {
        fail(w, "beside itself", &self);
    }
}

int main(void)
{
    static const char *const questions[] = {
        "How many people of at least 3 are there?",
        "List the people who have the highest number, more than 2",
        "What is the average for each different name?", ""};
    static world w;
    for (int i = 0; i < countof(w.stores); i++) {
        if (!arena_store_open(&w.stores[i], (ptrdiff_t)1 << 30)) {
            return 1;
        }
    }
    arena keep = arena_store_clear(&w.stores[0]);
    arena half = arena_half(&keep);
    diag d = diag_new(&keep);
    if (!schema_from_ddl(&w.schema, &keep, S("ddl"),
                         str_from(random_sql_schema), DIALECT_SQLITE,
                         DIALECT_SQLITE, &d, half)) {
        return 1;
    }
    int64_t runs = law_option("ASSAY_RUNS", RUNS);
    int64_t seed = law_option("ASSAY_SEED", 1);
    for (int64_t i = 0; i < runs && w.failures < FAILURES_MAX; i++) {
        rng r = {(uint64_t)(seed + i)};
        arena a = keep;
        arena scratch = arena_half(&a);
        str gold = random_sql(&a, &r, scratch);
        str pred = rng_below(&r, 2) == 0
                       ? random_sql(&a, &r, scratch)
                       : random_change(&a, &r, gold, DIALECT_SQLITE, scratch);
        try_pair(&w,
                 (blame_case){.question = str_from(
                                  questions[rng_below(&r, countof(questions))]),
                              .evidence = S("COUNT(name) is 'x'"),
                              .d = DIALECT_SQLITE,
                              .schema = rng_below(&r, 4) > 0 ? &w.schema : NULL,
                              .also = rng_below(&r, 2) == 0 ? ~0U : 0,
                              .gold = {.sql = gold},
                              .pred = {.sql = pred}});
    }
    printf("%lld pairs, %lld reasons\n", (long long)runs,
           (long long)w.n_reasons);
    return w.failures > 0 || w.n_reasons == 0;
}
