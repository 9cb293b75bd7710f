/*
 * oracle_check.c - real pairs of queries through both sides of `assay check`.
 *
 * Whatever is proved, with the solver too if it is there, is also searched
 * for a witness: a pair both proved and refuted is a wrong rule or a wrong
 * witness. The steps of a proof, done again in their order, must be all that it
 * needs. The sampler must make legal databases only, every witness must stand
 * when it is loaded from its own text, and of the pairs that people call
 * different nearly all must fall.
 *
 * Every n-th pair of each file, n being the argument (default 12), so that a
 * debug build under the sanitizers ends soon; 1 takes all.
 */
#include "base/file.h"
#include "check/checker.h"
#include "job/check_pairs.h"
#include "prove/solver.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct totals {
    int n;
    int answers[CHECK_DIFFERENT + 1];
    int contradictions;
    int illegal;
    int spurious;
    int irreplayable;
} totals;

static const char *const names[] = {
    "spider_neq179", "spider_dev_pairs", "spider_natsql", "bird_mini_pairs",
    "literature64",  "leetcode",         "calcite232",
};

static void count(totals *t, const check_item *item, const check_verdict *v)
{
    t->n++;
    t->answers[v->answer]++;
    t->contradictions += v->is_contradicted;
    t->illegal += v->illegal > 0;
    bool fell = str_find(v->detail, S("second trial"), 0) >= 0;
    t->spurious += fell;
    t->irreplayable += v->cannot_replay;
    if (v->is_contradicted || v->illegal > 0 || fell || v->cannot_replay) {
        printf("  %.*s: %s\n", STR_ARG(item->id),
               v->is_contradicted ? "proved and refuted"
               : fell             ? "a witness fell"
               : v->cannot_replay ? "a proof that cannot be done again"
                                  : "an illegal database");
    }
}

static totals check_file(const char *folder,
                         const char *name,
                         ptrdiff_t step,
                         solver *with,
                         arena_store stores[4])
{
    totals t = {0};
    arena a = arena_store_clear(&stores[0]);
    arena scratch = arena_store_clear(&stores[1]);
    diag d = diag_new(&a);
    check_pairs pairs = {0};
    str path = arena_printf(&a, "%s/equivalence/%s.jsonl", folder, name);
    if (!check_pairs_read(&pairs, &a, path, -1, DIALECT_SQLITE, &d, scratch)) {
        return t;
    }
    check_options o = check_default_options();
    o.tries_all = true;
    o.solver = with;
    o.databases = step == 1 ? 300 : 60;
    o.timeout_ms = 0;
    checker **checkers = arena_new(&a, checker *, pairs.schemas.len);
    for (ptrdiff_t i = 0; i < pairs.items.len; i += step) {
        const check_item *item = &pairs.items.ptr[i];
        if (item->problem.len > 0) {
            continue;
        }
        checker **c = &checkers[item->schema];
        if (!*c) {
            *c = checker_open(&a, pairs.schemas.ptr[item->schema].schema, &o,
                              &d, scratch);
        }
        arena result = arena_store_clear(&stores[2]);
        check_verdict v = checker_pair(*c, item->left, item->right,
                                       item->dialect, &result, scratch);
        count(&t, item, &v);
    }
    for (ptrdiff_t i = 0; i < pairs.schemas.len; i++) {
        checker_close(checkers[i]);
    }
    return t;
}

int main(int argc, char **argv)
{
    const char *folder = getenv("ASSAY_DATA");
    folder = folder ? folder : "../shared/data";
    int64_t step = 12;
    if (argc > 1 && !str_to_int(str_from(argv[1]), &step)) {
        return 2;
    }
    arena_store stores[4];
    for (int i = 0; i < 4; i++) {
        if (!arena_store_open(&stores[i], (ptrdiff_t)4 << 30)) {
            return 1;
        }
    }
    int faults = 0;
    int total = 0;
    arena lasting = arena_store_clear(&stores[3]);
    solver *with = solver_new(&lasting, solver_default_limits());
    for (ptrdiff_t f = 0; f < countof(names); f++) {
        totals t =
            check_file(folder, names[f], step < 1 ? 1 : step, with, stores);
        printf("%s: %d equivalent, %d different, %d unknown\n", names[f],
               t.answers[CHECK_EQUIVALENT], t.answers[CHECK_DIFFERENT],
               t.answers[CHECK_UNKNOWN]);
        faults += t.contradictions + t.illegal + t.spurious + t.irreplayable;
        // All but a few labels of this file are right.
        faults += f == 0 && 10 * t.answers[CHECK_DIFFERENT] < 8 * t.n;
        total += t.n;
    }
    solver_close(with);
    for (int i = 0; i < 4; i++) {
        arena_store_close(&stores[i]);
    }
    printf("%d pairs, %d faults\n", total, faults);
    return total == 0 ? 77 : faults != 0;
}
