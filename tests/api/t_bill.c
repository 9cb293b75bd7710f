// t_bill.c - costs, confidence and abstaining against values computed by hand.
#include "check.h"
#include "report/abstained.h"
#include "report/bill.h"

#include <math.h>

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-12;
}

static void calibration_by_hand(void **state)
{
    (void)state;
    // Of three at 0.6 two are right, of one at 1 none is: (|2 - 1.8| + 1) / 4.
    calibration c = {0};
    calibration_add(&c, 0.6, true);
    calibration_add(&c, 0.6, true);
    calibration_add(&c, 0.6, false);
    calibration_add(&c, 1, false);
    assert_int_equal(c.n[5], 3);
    assert_int_equal(c.n[9], 1);
    assert_true(near(calibration_error(&c), 0.3));
    assert_true(isnan(calibration_error(&(calibration){0})));
}

// A bin holds its upper end, however the sum of tenths is rounded.
static void bins_hold_their_upper_ends(void **state)
{
    (void)state;
    static const double ends[] = {0.1, 0.2, 0.3, 0.4, 0.5,
                                  0.6, 0.7, 0.8, 0.9, 1};
    calibration c = {0};
    for (ptrdiff_t i = 0; i < countof(ends); i++) {
        calibration_add(&c, ends[i], true);
        assert_int_equal(c.n[i], 1);
    }
    calibration_add(&c, 0, true);
    assert_int_equal(c.n[0], 2);
}

static sure_answers copy(arena *a, const sure_answer *list, ptrdiff_t n)
{
    sure_answers out = {0};
    for (ptrdiff_t i = 0; i < n; i++) {
        *vec_push(a, &out) = list[i];
    }
    return out;
}

static void sureness_by_hand(void **state)
{
    check_memory *m = *state;
    static const sure_answer list[] = {
        {0.3, false}, {0.8, true}, {0.9, true}, {0.8, false}, {0.3, true}};
    sureness s = sureness_of(copy(&m->a, list, countof(list)));
    assert_int_equal(s.n_right, 3);
    assert_true(s.is_probability);
    // |.9 - 1| + |1.6 - 1| + |.6 - 1|, and the squares of the distances.
    assert_true(near(calibration_error(&s.calibration), 1.1 / 5));
    assert_true(near(s.brier, (0.01 + 0.64 + 0.04 + 0.09 + 0.49) / 5));
    // The right ones win 2, 1.5 and .5 of their two pairs.
    assert_true(near(s.auroc, 4.0 / 6));
    // Wrong among the first 1, 2, ...: 0, .5, 1, 1.5, 2; at best 0, 0, 0, 1, 2.
    assert_true(near(s.area, (0 + 0.5 / 2 + 1.0 / 3 + 1.5 / 4 + 2.0 / 5) / 5));
    assert_true(near(s.least, (1.0 / 4 + 2.0 / 5) / 5));
    assert_true(near(s.chance, 2.0 / 5));
    assert_true(near(sureness_risk(&s, 2), 0.25));
    assert_true(near(sureness_risk(&s, 5), 0.4));
}

// What no confidence says, in either order.
static void constant_confidence(void **state)
{
    check_memory *m = *state;
    static const sure_answer list[] = {
        {-2, false}, {-2, true}, {-2, false}, {-2, false}};
    sureness s = sureness_of(copy(&m->a, list, countof(list)));
    assert_false(s.is_probability);
    assert_true(near(s.auroc, 0.5));
    assert_true(near(s.area, s.chance));
    assert_true(near(s.chance, 0.75));
    sureness right = sureness_of(copy(&m->a, list + 1, 1));
    assert_true(isnan(right.auroc));
    assert_true(near(right.area, 0));
    assert_true(isnan(sureness_of((sure_answers){0}).area));
}

static void abstained_by_hand(void **state)
{
    (void)state;
    // Of 8 with an answer 5 right, 1 wrong; of 4 without one 3 declined.
    const abstained c = {
        .right = 5, .wrong = 1, .withheld = 2, .answered = 1, .declined = 3};
    assert_int_equal(abstained_cases(&c), 12);
    assert_true(near(abstained_coverage(&c), 7.0 / 12));
    assert_true(near(abstained_risk(&c), 2.0 / 7));
    assert_true(near(abstained_score(&c, 0), 8.0 / 12));
    assert_true(near(abstained_score(&c, 10), -12.0 / 12));
    assert_true(near(abstained_score(&c, 12), -16.0 / 12));
    assert_true(isnan(abstained_risk(&(abstained){.withheld = 1})));
    assert_true(isnan(abstained_score(&(abstained){0}, 0)));
}

static void bill_by_hand(void **state)
{
    check_memory *m = *state;
    bill_answers list = {0};
    for (int i = 1; i <= 20; i++) {
        bill_answer one = {.judged = i > 2, .right = i > 2 && i % 2 == 0};
        told_set(&one.told, TOLD_LATENCY_MS, 100 * (21 - i));
        if (i <= 10) {
            told_set(&one.told, TOLD_COST, i);
        }
        *vec_push(&m->a, &list) = one;
    }
    bill b = bill_of(&list, 0, m->scratch);
    assert_int_equal(b.n[TOLD_COST], 10);
    assert_true(near(b.sum[TOLD_COST], 55));
    // The first two were not judged: 52 for the right ones at 4, 6, 8, 10.
    assert_true(near(b.per_right, 52.0 / 4));
    assert_true(near(b.latency[0], 1000));
    assert_true(near(b.latency[1], 1900));
    assert_true(isnan(bill_of(&list, 1, m->scratch).per_right));
}

// a is right more often, c costs least, b is no better than a at its cost.
static void best_runs(void **state)
{
    (void)state;
    bill_run runs[] = {
        {.right = 0.8}, {.right = 0.7}, {.right = 0.5}, {.right = 0.9}};
    static const double costs[] = {2, 2, 1};
    for (int i = 0; i < 3; i++) {
        runs[i].bill.n[TOLD_COST] = 1;
        runs[i].bill.sum[TOLD_COST] = costs[i];
    }
    assert_true(bill_is_best(runs, 4, 0));
    assert_false(bill_is_best(runs, 4, 1));
    assert_true(bill_is_best(runs, 4, 2));
    assert_false(bill_is_best(runs, 4, 3));  // its cost is not known
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calibration_by_hand),
        cmocka_unit_test(bins_hold_their_upper_ends),
        CHECK_TEST(sureness_by_hand),
        CHECK_TEST(constant_confidence),
        cmocka_unit_test(abstained_by_hand),
        CHECK_TEST(bill_by_hand),
        cmocka_unit_test(best_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
