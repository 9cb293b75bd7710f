/*
 * report_agree_people.c - several people's labels: with each of them, and among
 * them (report_agree.h).
 */
#include "report/report_agree.h"

#include <math.h>

enum {
    COLUMNS_MAX = 8,
};

void agree_add_opinions(agree *t, const agree_opinion *o, ptrdiff_t n)
{
    int64_t counts[ANSWER_COUNT] = {0};
    for (ptrdiff_t i = 0; i < n; i++) {
        counts[o[i].answer]++;
        for (ptrdiff_t k = 0; k < n; k++) {
            if (i != k) {
                agreement_cells_add(&t->among, t->a,
                                    agreement_at(o[i].person, o[k].person),
                                    o[k].answer, o[i].answer);
            }
        }
    }
    people_add(&t->people, counts[ANSWER_YES], counts[ANSWER_NO]);
}

void agree_add_beside(agree *t,
                      const case_line *line,
                      const agree_opinion *o,
                      ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < line->verdicts.len; i++) {
        const line_verdict *v = &line->verdicts.ptr[i];
        ptrdiff_t metric = map_find(&t->metrics, v->key);
        for (ptrdiff_t k = 0; metric >= 0 && k < n; k++) {
            agreement_cells_add(&t->by_person, t->a,
                                agreement_at(metric, o[k].person), o[k].answer,
                                v->v);
        }
    }
}

// The metrics, then (from -1 downwards) the people.
static str same_cell(const void *what, arena *a, cell_at p)
{
    const agree *t = what;
    ptrdiff_t judge = p.at[AXIS_METRIC];
    ptrdiff_t person = p.at[AXIS_ITEM];
    agreement c =
        judge < 0 ? agreement_sum(&t->among, agreement_at(-1 - judge, person))
                  : agreement_sum(&t->by_person, agreement_at(judge, person));
    int64_t cases = agreement_cases(&c);
    double kappa = agreement_kappa(&c);
    double same = 100 * (double)agreement_same(&c) / (double)cases;
    return cases == 0 ? S("-")
           : isnan(kappa)
               ? arena_printf(a, "%.1f %% of %lld", same, (long long)cases)
               : arena_printf(a, "%.1f %% of %lld (%.3f)", same,
                              (long long)cases, kappa);
}

void agree_people_doc(doc *d, const agree *t, const map *names)
{
    ptrdiff_t n = map_count(names);
    axis across = {.of = AXIS_ITEM};
    axis judges = axis_of_map(AXIS_METRIC, &t->metrics, NULL, d->a);
    for (ptrdiff_t i = 0; i < n; i++) {
        axis_add(&across, d->a, map_key_at(names, i), i);
        axis_add(&judges, d->a, map_key_at(names, i), -1 - i);
    }
    if (n > 1 && n <= COLUMNS_MAX) {
        grid_cross(doc_table(d, S("same as (kappa)")), &judges, &across,
                   (cell_at){0}, same_cell, t);
    }
}
