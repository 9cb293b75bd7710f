/*
 * report_agree_people.c - several people's labels: with each of them, and among
 * them (report_agree.h).
 */
#include "report/report_agree.h"
#include "report/sheet.h"

#include <math.h>

enum {
    COLUMNS_MAX = 8,
};

void agree_add_opinions(agree *t, const agree_opinion *o, ptrdiff_t n)
{
    int64_t counts[LINE_ANSWER_COUNT] = {0};
    for (ptrdiff_t i = 0; i < n; i++) {
        counts[o[i].answer]++;
        for (ptrdiff_t k = 0; k < n; k++) {
            agreement_list *of = vec_at(t->a, &t->among, o[i].person);
            agreement *pair = vec_at(t->a, of, o[k].person);
            if (i != k) {
                agreement_add(pair, o[k].answer, o[i].answer);
            }
        }
    }
    people_add(&t->people, counts[LINE_ANSWER_YES], counts[LINE_ANSWER_NO]);
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
            agreement_list *list = &t->by_metric.ptr[metric].by_person;
            agreement_add(vec_at(t->a, list, o[k].person), o[k].answer, v->v);
        }
    }
}

static void add_row(grid *g,
                    arena *a,
                    str name,
                    const agreement_list *list,
                    ptrdiff_t n)
{
    grid_cell(g, name);
    for (ptrdiff_t i = 0; i < n; i++) {
        agreement c = i < list->len ? list->ptr[i] : (agreement){0};
        int64_t cases = agreement_cases(&c);
        double kappa = agreement_kappa(&c);
        if (cases == 0) {
            grid_cell(g, S("-"));
            continue;
        }
        double same = 100 * (double)agreement_same(&c) / (double)cases;
        grid_cell(
            g, isnan(kappa)
                   ? arena_printf(a, "%.1f %% of %lld", same, (long long)cases)
                   : arena_printf(a, "%.1f %% of %lld (%.3f)", same,
                                  (long long)cases, kappa));
    }
}

void agree_people_text(buf *out,
                       const agree *t,
                       const map *names,
                       const report_look *look,
                       arena scratch)
{
    const sheet s = {out, look, &scratch};
    ptrdiff_t n = t->among.len;
    if (n < 2 || n > COLUMNS_MAX) {
        return;
    }
    grid g = sheet_grid(&s, n + 1, S("same as (kappa)"));
    for (ptrdiff_t i = 0; i < n; i++) {
        grid_cell(&g, map_key_at(names, i));
    }
    for (ptrdiff_t m = 0; m < map_count(&t->metrics); m++) {
        add_row(&g, &scratch, map_key_at(&t->metrics, m),
                &t->by_metric.ptr[m].by_person, n);
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        add_row(&g, &scratch, map_key_at(names, i), &t->among.ptr[i], n);
    }
    sheet_add(&s, &g);
}
