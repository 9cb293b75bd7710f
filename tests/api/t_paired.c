// t_paired.c - paired differences against values computed by hand.
#include "check.h"
#include "report/agreement.h"
#include "report/paired.h"

#include <math.h>

static bool near(double a, double b, double within)
{
    return fabs(a - b) <= within;
}

static void student_of_tables(void **state)
{
    (void)state;
    // Printed tables of Student's t.
    assert_true(near(student_quantile(0.975, 1), 12.7062, 1e-4));
    assert_true(near(student_quantile(0.975, 2), 4.302653, 1e-6));
    assert_true(near(student_quantile(0.975, 3), 3.182446, 1e-6));
    assert_true(near(student_quantile(0.975, 19), 2.093024, 1e-6));
    assert_true(near(student_quantile(0.8, 19), 0.860951, 1e-6));
    assert_true(near(student_quantile(0.975, 1000), 1.962339, 1e-6));
    assert_true(near(student_quantile(0.975, 100000), 1.959964, 1e-6));
    assert_true(near(student_quantile(0.025, 7), -2.364624, 1e-6));
    assert_true(near(student_quantile(0.5, 7), 0, 1e-9));
}

static void mcnemar_by_hand(void **state)
{
    (void)state;
    // 2 * (1 + 10) / 2^10, 2 / 2^5, and a tie.
    assert_true(near(mcnemar_p(1, 9), 22.0 / 1024, 1e-12));
    assert_true(near(mcnemar_p(5, 0), 2.0 / 32, 1e-12));
    assert_true(mcnemar_p(4, 4) == 1);
    assert_true(mcnemar_p(0, 0) == 1);
}

static void holm_by_hand(void **state)
{
    check_memory *m = *state;
    const double p[] = {0.01, 0.04, 0.03, 0.5};
    double adjusted[4];
    holm_adjust(p, 4, adjusted, m->scratch);
    assert_true(near(adjusted[0], 0.04, 1e-12));  // 4 * 0.01
    assert_true(near(adjusted[2], 0.09, 1e-12));  // 3 * 0.03
    assert_true(near(adjusted[1], 0.09, 1e-12));  // 2 * 0.04, not below
    assert_true(near(adjusted[3], 0.5, 1e-12));
}

static void two_clusters_by_hand(void **state)
{
    check_memory *m = *state;
    // Differences 0.2 and 0.4 of ten cases each: mean 0.3, residuals -1 and 1,
    // each squared over 1 - 1/2; the error is sqrt(4) / 20 = 0.1.
    const paired_counts clusters[] = {
        {.both = 5, .only_a = 1, .only_b = 3, .neither = 1},
        {.both = 5, .only_b = 4, .neither = 1},
    };
    paired_difference d = paired_compare(clusters, 2);
    assert_int_equal(paired_cases(&d.all), 20);
    assert_int_equal(d.n_clusters, 2);
    assert_true(near(d.difference, 0.3, 1e-12));
    assert_true(near(d.high, 1, 1e-12));  // 0.3 + 12.7 * 0.1, cut off at 1
    assert_true(near(d.low, 0.3 - 1.27062, 1e-5));
    assert_true(near(d.p, mcnemar_p(1, 7), 1e-12));
    // Only the two means and the mean of both can be drawn.
    interval i = paired_bootstrap(clusters, 2, 1, m->scratch);
    assert_true(near(i.low, 0.2, 1e-12) && near(i.high, 0.4, 1e-12));
    assert_true(isnan(paired_bootstrap(clusters, 1, 1, m->scratch).low));
}

static void nothing_to_see(void **state)
{
    (void)state;
    paired_difference d = paired_compare(NULL, 0);
    assert_true(isnan(d.difference) && isnan(d.p));
    // No case where the runs differ: not certainty.
    const paired_counts same[] = {{.both = 30}, {.neither = 20}};
    d = paired_compare(same, 2);
    assert_true(d.difference == 0 && d.p == 1);
    assert_true(near(d.high, 1 - pow(0.025, 1.0 / 50), 1e-12));
    assert_true(d.low == -d.high);
    assert_int_equal(paired_cases_needed(&d), 0);
    // One cluster says nothing of how clusters differ.
    d = paired_compare(same, 1);
    assert_true(d.low == -1 && d.high == 1);
}

static void unequal_clusters_by_hand(void **state)
{
    (void)state;
    // Shares 2/3, 1/6, 1/6: 1 / (1/2 + 2 (4/3 * 1/30 * 2 + 1/30 * 1/30)).
    const paired_counts clusters[] = {{.both = 40}, {.both = 10}, {.both = 10}};
    assert_int_equal(paired_compare(clusters, 3).freedom, 1);
    const paired_counts alike[] = {{.both = 9}, {.both = 9}, {.both = 9}, {0}};
    assert_int_equal(paired_compare(alike, 4).freedom, 2);
    assert_int_equal(paired_compare(clusters, 1).freedom, 1);
    assert_int_equal(paired_compare(NULL, 0).freedom, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHECK_TEST(student_of_tables), CHECK_TEST(mcnemar_by_hand),
        CHECK_TEST(holm_by_hand),      CHECK_TEST(two_clusters_by_hand),
        CHECK_TEST(nothing_to_see),    CHECK_TEST(unequal_clusters_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
