// t_agree.c - figures of agreement against values computed by hand.
#include "check.h"
#include "report/agreement.h"

#include <math.h>

static agreement table(int64_t yy, int64_t yn, int64_t ny, int64_t nn)
{
    agreement t = {0};
    t.n[ANSWER_YES][ANSWER_YES] = yy;
    t.n[ANSWER_YES][ANSWER_NO] = yn;
    t.n[ANSWER_NO][ANSWER_YES] = ny;
    t.n[ANSWER_NO][ANSWER_NO] = nn;
    return t;
}

static void kappa_by_hand(void **state)
{
    (void)state;
    // Agree 35 of 50; by chance 0.5 * 0.6 + 0.5 * 0.4 = 0.5: (0.7-0.5)/0.5.
    agreement t = table(20, 5, 10, 15);
    assert_true(fabs(agreement_kappa(&t) - 0.4) < 1e-12);
    // One word on both sides: chance explains all of it.
    t = table(9, 0, 0, 0);
    assert_true(isnan(agreement_kappa(&t)));
    t = table(5, 0, 0, 5);
    assert_true(agreement_kappa(&t) == 1);
}

static void unclear_disagrees(void **state)
{
    (void)state;
    agreement t = table(3, 0, 0, 3);
    agreement_add(&t, ANSWER_YES, ANSWER_UNKNOWN);
    agreement_add(&t, ANSWER_UNKNOWN, ANSWER_YES);
    assert_int_equal(agreement_cases(&t), 7);
    assert_int_equal(agreement_same(&t), 6);
    assert_int_equal(agreement_unclear(&t), 1);
    assert_true(agreement_false_negative(&t) == 0);
}

static void rates(void **state)
{
    (void)state;
    agreement t = table(90, 10, 1, 3);
    assert_true(fabs(agreement_false_positive(&t) - 0.25) < 1e-12);
    assert_true(fabs(agreement_false_negative(&t) - 0.1) < 1e-12);
    t = table(1, 1, 0, 0);
    assert_true(isnan(agreement_false_positive(&t)));
}

static void people_by_hand(void **state)
{
    (void)state;
    // Three agree of one case, two of three of another: 1 and 2 of 6 pairs.
    // (2/3 - 5/9) / (1 - 5/9), with 4 of 6 labels yes.
    people p = {0};
    people_add(&p, 3, 0);
    people_add(&p, 1, 2);
    people_add(&p, 1, 0);  // one label says nothing of agreement
    assert_true(fabs(people_kappa(&p) - 0.25) < 1e-12);
    assert_int_equal(p.n_cases, 2);
    assert_int_equal(p.n_unanimous, 1);
    people_add(&p, 1, 1);
    assert_int_equal(p.n_tied, 1);
    assert_true(isnan(people_kappa(&(people){0})));
}

static void mcnemar_by_hand(void **state)
{
    (void)state;
    assert_true(fabs(mcnemar_p(0, 0) - 1) < 1e-9);
    assert_true(fabs(mcnemar_p(5, 5) - 1) < 1e-9);
    // 2 * (1 + 10) / 2^10
    assert_true(fabs(mcnemar_p(1, 9) - 22.0 / 1024) < 1e-9);
    assert_true(fabs(mcnemar_p(9, 1) - 22.0 / 1024) < 1e-9);
}

static void tau_by_hand(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 4};
    const double up[] = {10, 20, 30, 40};
    const double one_swap[] = {10, 30, 20, 40};
    const double tied[] = {10, 10, 20, 30};
    const double flat[] = {1, 1, 1, 1};
    assert_true(fabs(kendall_tau(x, up, 4) - 1) < 1e-12);
    assert_true(fabs(kendall_tau(x, one_swap, 4) - 4.0 / 6) < 1e-12);
    assert_true(fabs(kendall_tau(x, tied, 4) - 5 / sqrt(30)) < 1e-12);
    assert_true(isnan(kendall_tau(x, flat, 4)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kappa_by_hand),   cmocka_unit_test(unclear_disagrees),
        cmocka_unit_test(rates),           cmocka_unit_test(people_by_hand),
        cmocka_unit_test(mcnemar_by_hand), cmocka_unit_test(tau_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
