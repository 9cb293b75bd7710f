/*
 * t_solver.c - what prove/solver.h promises: an answer, or none within the
 * limits, and a process that lives on. Skipped where Z3 is not there.
 */
#include "check.h"
#include "prove/solver.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct fixture {
    arena_store store;
    arena a;
    solver *s;
} fixture;

static void open_with(fixture *f, solver_limits limits)
{
    assert_true(arena_store_open(&f->store, (ptrdiff_t)1 << 24));
    f->a = arena_store_clear(&f->store);
    f->s = solver_new(&f->a, limits);
    diag d = diag_new(&f->a);
    if (!solver_load(f->s, &d)) {
        print_message("%.*s\n", STR_ARG(d.messages.ptr[0].text));
        arena_store_close(&f->store);
        skip();
    }
}

static void close_all(fixture *f)
{
    solver_close(f->s);
    arena_store_close(&f->store);
}

static formula *whole(fixture *f, const char *name)
{
    return formula_variable(f->s, SORT_OF_WHOLE, str_from(name));
}

// 1 < x and x < 3, and x is not 2
static formula *impossible(fixture *f)
{
    solver *s = f->s;
    formula *x = whole(f, "x");
    formula *between = formula_and(s, formula_less(s, formula_whole(s, 1), x),
                                   formula_less(s, x, formula_whole(s, 3)));
    formula *two = formula_equal(s, x, formula_whole(s, 2));
    return formula_and(s, between, formula_not(s, two));
}

static void answers_easy_questions(fixture *f)
{
    assert_true(solver_begin(f->s));
    assert_true(solver_refutes(f->s, impossible(f)));
    formula *may_be = formula_less(f->s, whole(f, "x"), whole(f, "y"));
    assert_false(solver_refutes(f->s, may_be));
    solver_push(f->s);
    solver_assert(f->s, formula_less(f->s, whole(f, "y"), whole(f, "x")));
    assert_true(solver_refutes(f->s, may_be));
    solver_pop(f->s);
    assert_false(solver_refutes(f->s, may_be));
    assert_false(solver_gave_up(f->s));
}

// n + 1 pigeons in n holes: impossible, and hard to find out.
static formula *pigeons(fixture *f, int n)
{
    solver *s = f->s;
    formula *all = formula_truth(s, true);
    for (int i = 0; i <= n; i++) {
        formula *somewhere = formula_truth(s, false);
        for (int k = 0; k < n; k++) {
            str name = arena_printf(&f->a, "p%d in %d", i, k);
            formula *here = formula_variable(s, SORT_OF_TRUTH, name);
            somewhere = formula_or(s, somewhere, here);
            for (int other = 0; other < i; other++) {
                name = arena_printf(&f->a, "p%d in %d", other, k);
                formula *too = formula_variable(s, SORT_OF_TRUTH, name);
                all = formula_and(s, all,
                                  formula_not(s, formula_and(s, here, too)));
            }
        }
        all = formula_and(s, all, somewhere);
    }
    return all;
}

static void questions_have_answers(void **state)
{
    (void)state;
    fixture f = {0};
    open_with(&f, solver_default_limits());
    answers_easy_questions(&f);
    answers_easy_questions(&f);
    close_all(&f);
}

static void steps_end_a_question(void **state)
{
    (void)state;
    fixture f = {0};
    solver_limits limits = solver_default_limits();
    limits.steps = 20000;
    limits.timeout_ms = 60000;
    open_with(&f, limits);
    assert_true(solver_begin(f.s));
    assert_false(solver_refutes(f.s, pigeons(&f, 12)));
    assert_true(solver_gave_up(f.s));
    assert_true(solver_refutes(f.s, impossible(&f)));
    answers_easy_questions(&f);
    close_all(&f);
}

static void time_ends_a_question(void **state)
{
    (void)state;
    fixture f = {0};
    solver_limits limits = solver_default_limits();
    limits.steps = 0;  // no limit
    limits.timeout_ms = 500;
    open_with(&f, limits);
    assert_true(solver_begin(f.s));
    assert_false(solver_refutes(f.s, pigeons(&f, 14)));
    assert_true(solver_gave_up(f.s));
    answers_easy_questions(&f);
    close_all(&f);
}

static void a_pair_has_its_time(void **state)
{
    (void)state;
    fixture f = {0};
    solver_limits limits = solver_default_limits();
    limits.steps = 0;
    limits.timeout_ms = 500;
    limits.pair_ms = 10;
    open_with(&f, limits);
    assert_true(solver_begin(f.s));
    assert_false(solver_refutes(f.s, pigeons(&f, 14)));
    assert_false(solver_refutes(f.s, impossible(&f)));
    assert_true(solver_gave_up(f.s));
    answers_easy_questions(&f);
    close_all(&f);
}

static void what_went_wrong_stays_so(void **state)
{
    (void)state;
    fixture f = {0};
    open_with(&f, solver_default_limits());
    assert_true(solver_begin(f.s));
    // A truth is no number: Z3 refuses.
    formula *wrong =
        formula_less(f.s, formula_truth(f.s, true), formula_whole(f.s, 1));
    assert_false(solver_refutes(f.s, wrong));
    assert_false(solver_refutes(f.s, impossible(&f)));
    assert_true(solver_gave_up(f.s));
    answers_easy_questions(&f);
    close_all(&f);
}

static void memory_does_not_grow(void **state)
{
    (void)state;
    fixture f = {0};
    open_with(&f, solver_default_limits());
    arena kept = f.a;
    int64_t most = 0;
    for (int i = 0; i < 400; i++) {
        f.a = kept;
        assert_true(solver_begin(f.s));
        str name = arena_printf(&f.a, "pair %d", i);
        formula *all = formula_truth(f.s, true);
        for (int k = 0; k < 300; k++) {
            formula *x =
                formula_apply(f.s, SORT_OF_WHOLE, name,
                              (formula *[]){formula_whole(f.s, i * 1000 + k)},
                              (formula_sort[]){SORT_OF_WHOLE}, 1);
            all = formula_and(f.s, all,
                              formula_less(f.s, x, formula_whole(f.s, k)));
        }
        assert_false(solver_refutes(f.s, all));
        int64_t now = solver_bytes(f.s);
        most = now > most ? now : most;
    }
    assert_true(most < (int64_t)128 << 20);
    answers_easy_questions(&f);
    close_all(&f);
}

static bool gives_up_without_memory(fixture *f)
{
    bool gave_up = solver_begin(f->s) && !solver_refutes(f->s, pigeons(f, 40))
                   && solver_gave_up(f->s);
    return gave_up && solver_bytes(f->s) < (int64_t)64 << 20;
}

// In a process of its own: the limit is one of the process, and Z3 does not
// give back what it was at work with.
static void too_little_memory(void **state)
{
    (void)state;
    fixture f = {0};
    open_with(&f, solver_default_limits());
    close_all(&f);
    solver_limits limits = solver_default_limits();
    limits.steps = 0;
    limits.timeout_ms = 60000;
    limits.pair_ms = 60000;
    limits.memory_mb = 24;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        open_with(&f, limits);
        _exit(gives_up_without_memory(&f) ? 0 : 1);
    }
    int status = 0;
    assert_true(waitpid(child, &status, 0) == child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void no_library(void **state)
{
    (void)state;
    arena_store store;
    assert_true(arena_store_open(&store, (ptrdiff_t)1 << 20));
    arena a = arena_store_clear(&store);
    setenv("ASSAY_Z3", "/nonexistent/libz3.so", 1);
    solver *s = solver_new(&a, solver_default_limits());
    assert_false(solver_is_absent(s));
    assert_false(solver_begin(s));
    assert_true(solver_is_absent(s));
    assert_false(solver_begin(s));
    diag d = diag_new(&a);
    assert_false(solver_load(s, &d));
    str said = d.messages.ptr[0].text;
    assert_true(str_find(said, S("libz3-4"), 0) >= 0);
    assert_false(solver_begin(NULL));
    solver_close(s);
    solver_close(NULL);
    unsetenv("ASSAY_Z3");
    arena_store_close(&store);
}

static void another_library(void **state)
{
    (void)state;
    arena_store store;
    assert_true(arena_store_open(&store, (ptrdiff_t)1 << 20));
    arena a = arena_store_clear(&store);
    setenv("ASSAY_Z3", "libm.so.6", 1);
    solver *s = solver_new(&a, solver_default_limits());
    assert_false(solver_begin(s));
    diag d = diag_new(&a);
    assert_false(solver_load(s, &d));
    assert_true(str_find(d.messages.ptr[0].text, S("too old"), 0) >= 0);
    solver_close(s);
    unsetenv("ASSAY_Z3");
    arena_store_close(&store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(questions_have_answers),
        cmocka_unit_test(steps_end_a_question),
        cmocka_unit_test(time_ends_a_question),
        cmocka_unit_test(a_pair_has_its_time),
        cmocka_unit_test(what_went_wrong_stays_so),
        cmocka_unit_test(memory_does_not_grow),
        cmocka_unit_test(no_library),
        cmocka_unit_test(another_library),
        cmocka_unit_test(too_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
