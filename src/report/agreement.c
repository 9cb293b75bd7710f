/*
 * agreement.c - measures of agreement: Cohen's kappa (1960), Fleiss' kappa
 * (1971), McNemar's exact test (1947), Kendall's tau-b (1945).
 *
 * Method      All from counts, but for Kendall's tau, which compares all pairs.
 *             McNemar's p is twice the lower tail of the binomial distribution
 *             with p = 1/2, summed over logarithms (lgamma), so that thousands
 *             of cases do not overflow. A quotient without cases is NaN, which
 *             reports show as a dash.
 *
 * Cost        constant, but for mcnemar_p, linear in the rarer of the two
 *             counts, and kendall_tau, quadratic in n: there are as many
 *             numbers as systems or metrics.
 */
#include "report/agreement.h"

#include "report/wilson.h"

#include <assert.h>
#include <math.h>

void agreement_add(agreement *t, answer reference, answer judge)
{
    assert(reference >= 0 && reference <= ANSWER_YES);
    assert(judge >= 0 && judge <= ANSWER_YES);
    t->n[reference][judge]++;
}

void agreement_cells_add(agreement_cells *c,
                         arena *a,
                         agreement_key key,
                         answer reference,
                         answer judge)
{
    str bytes = {(const char *)&key, (ptrdiff_t)sizeof key};
    agreement_cell *cell = vec_at(a, &c->list, map_add(&c->keys, a, bytes));
    cell->key = key;
    agreement_add(&cell->all, reference, judge);
}

static bool fits(agreement_key key, agreement_key asked)
{
    bool is = true;
    for (int i = 0; i < AGREEMENT_KEYS; i++) {
        is &= asked.at[i] == AGREEMENT_ANY || asked.at[i] == key.at[i];
    }
    return is;
}

static void add_times(agreement *to, const agreement *from, int64_t times)
{
    for (int i = 0; i < ANSWER_COUNT * ANSWER_COUNT; i++) {
        to->n[i / ANSWER_COUNT][i % ANSWER_COUNT] +=
            times * from->n[i / ANSWER_COUNT][i % ANSWER_COUNT];
    }
}

agreement agreement_sum(const agreement_cells *c, agreement_key asked)
{
    agreement sum = {0};
    for (ptrdiff_t i = 0; i < c->list.len; i++) {
        add_times(&sum, &c->list.ptr[i].all, fits(c->list.ptr[i].key, asked));
    }
    return sum;
}

agreement agreement_without(agreement all, const agreement *part)
{
    add_times(&all, part, -1);
    return all;
}

int64_t agreement_reference(const agreement *t, answer v)
{
    int64_t sum = 0;
    for (int j = 0; j < ANSWER_COUNT; j++) {
        sum += t->n[v][j];
    }
    return sum;
}

int64_t agreement_judge(const agreement *t, answer v)
{
    return t->n[ANSWER_YES][v] + t->n[ANSWER_NO][v];
}

int64_t agreement_cases(const agreement *t)
{
    return agreement_reference(t, ANSWER_YES)
           + agreement_reference(t, ANSWER_NO);
}

int64_t agreement_same(const agreement *t)
{
    return t->n[ANSWER_YES][ANSWER_YES] + t->n[ANSWER_NO][ANSWER_NO];
}

int64_t agreement_unclear(const agreement *t)
{
    return agreement_judge(t, ANSWER_UNKNOWN);
}

double agreement_kappa(const agreement *t)
{
    double n = (double)agreement_cases(t);
    double observed = (double)agreement_same(t) / n;
    double expected = 0;
    for (int v = ANSWER_NO; v <= ANSWER_YES; v++) {
        expected += (double)agreement_reference(t, (answer)v) / n
                    * ((double)agreement_judge(t, (answer)v) / n);
    }
    return expected < 1 ? (observed - expected) / (1 - expected) : NAN;
}

double agreement_false_positive(const agreement *t)
{
    return part_share(t->n[ANSWER_NO][ANSWER_YES],
                      agreement_reference(t, ANSWER_NO));
}

double agreement_false_negative(const agreement *t)
{
    return part_share(t->n[ANSWER_YES][ANSWER_NO],
                      agreement_reference(t, ANSWER_YES));
}

double mcnemar_p(int64_t a, int64_t b)
{
    assert(a >= 0 && b >= 0);
    int64_t n = a + b;
    int64_t least = a < b ? a : b;
    // The lower tail of the binomial distribution with p = 1/2, twice.
    double tail = 0;
    for (int64_t k = 0; k <= least; k++) {
        double log_choose = lgamma((double)n + 1) - lgamma((double)k + 1)
                            - lgamma((double)(n - k) + 1);
        tail += exp(log_choose - (double)n * log(2));
    }
    return tail * 2 < 1 ? tail * 2 : 1;
}

ptrdiff_t share_rank(const double *shares, ptrdiff_t n, ptrdiff_t i)
{
    ptrdiff_t rank = 1;
    for (ptrdiff_t k = 0; k < n; k++) {
        rank += shares[k] > shares[i];
    }
    return rank;
}

double kendall_tau(const double *x, const double *y, ptrdiff_t n)
{
    assert(n >= 0);
    int64_t balance = 0;
    int64_t untied_x = 0;
    int64_t untied_y = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        for (ptrdiff_t k = 0; k < i; k++) {
            int dx = (x[i] > x[k]) - (x[i] < x[k]);
            int dy = (y[i] > y[k]) - (y[i] < y[k]);
            balance += (int64_t)dx * dy;
            untied_x += dx != 0;
            untied_y += dy != 0;
        }
    }
    double both = sqrt((double)untied_x) * sqrt((double)untied_y);
    return both > 0 ? (double)balance / both : NAN;
}

void people_add(people *p, int64_t n_yes, int64_t n_no)
{
    assert(n_yes >= 0 && n_no >= 0);
    int64_t n = n_yes + n_no;
    if (n < 2) {
        return;
    }
    p->n_cases++;
    p->n_labels += n;
    p->n_yes += n_yes;
    p->n_unanimous += n_yes == 0 || n_no == 0;
    p->n_tied += n_yes == n_no;
    p->agreeing += (double)(n_yes * (n_yes - 1) + n_no * (n_no - 1))
                   / (double)(n * (n - 1));
}

double people_kappa(const people *p)
{
    double yes = part_share(p->n_yes, p->n_labels);
    double expected = yes * yes + (1 - yes) * (1 - yes);
    double observed = p->agreeing / (double)p->n_cases;
    return expected < 1 ? (observed - expected) / (1 - expected) : NAN;
}
