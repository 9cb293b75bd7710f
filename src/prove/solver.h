/*
 * solver.h - Z3, if this machine has it: can formulas be true together?
 *
 * The library is loaded when the first question comes, and one context serves
 * all questions of a process. Each question has limits, and so have all
 * questions of a pair together; what goes beyond them has no answer. Nothing
 * here fails otherwise: after a failure every later question is unknown
 * until solver_begin().
 *
 * ASSAY_Z3 names the library file; without it the system's loader looks for
 * libz3.so.4.
 *
 * Order of    solver_new()
 * calls         solver_begin()    for each pair
 *                 formula_...(), solver_push(), solver_assert(), ...
 *                 solver_refutes()
 *             solver_close()
 */
#ifndef ASSAY_PROVE_SOLVER_H
#define ASSAY_PROVE_SOLVER_H

#include "base/arena.h"
#include "base/diag.h"

typedef struct solver solver;
typedef struct formula formula;

typedef struct solver_limits {
    int64_t steps;       // of Z3, for a question: what should stop it first
    int64_t timeout_ms;  // of a question: a safety net
    int64_t pair_ms;     // of all questions between two solver_begin()
    int64_t memory_mb;   // of Z3 in this process
} solver_limits;

solver_limits solver_default_limits(void);

// The library file that is loaded, or its name.
const char *solver_file(void);

solver *solver_new(arena *a, solver_limits limits);
void solver_close(solver *s);  // does nothing with NULL

// Loads the library if that was not tried yet; false with a message when it
// cannot be used.
bool solver_load(solver *s, diag *d);

// Whether a solver is there for a new pair; forgets what was asserted.
bool solver_begin(solver *s);

// Whether the library was looked for and cannot be used.
bool solver_is_absent(const solver *s);

// Whether a limit kept a question since solver_begin() from being answered.
bool solver_gave_up(const solver *s);

// Memory that Z3 has taken in this process.
int64_t solver_bytes(const solver *s);

void solver_push(solver *s);
void solver_pop(solver *s);
void solver_assert(solver *s, formula *f);

// Whether what was asserted cannot be true together with `f`. False when it
// can, and when that was not found out.
bool solver_refutes(solver *s, formula *f);

// Poisons the solver: every later question is unknown. For terms that are too
// large to be asked about.
void solver_fail(solver *s);

/*
 * Formulas. They live until the next solver_begin(). Variables of one name and
 * sort are one variable.
 */
typedef enum formula_sort {
    SORT_OF_TRUTH,
    SORT_OF_WHOLE,
    SORT_OF_NUMBER,
} formula_sort;

formula *formula_truth(solver *s, bool value);
formula *formula_whole(solver *s, int64_t n);
formula *formula_number(solver *s, const char *decimal);
formula *formula_variable(solver *s, formula_sort sort, str name);

// The value of an unknown function of these arguments.
formula *formula_apply(solver *s,
                       formula_sort sort,
                       str name,
                       formula *const *args,
                       const formula_sort *sorts,
                       int n);

formula *formula_not(solver *s, formula *f);
formula *formula_and(solver *s, formula *a, formula *b);
formula *formula_or(solver *s, formula *a, formula *b);
formula *formula_if(solver *s, formula *test, formula *yes, formula *no);
formula *formula_equal(solver *s, formula *a, formula *b);  // of any one sort
formula *formula_less(solver *s, formula *a, formula *b);
formula *formula_less_equal(solver *s, formula *a, formula *b);
formula *formula_sum(solver *s, formula *a, formula *b);
formula *formula_product(solver *s, formula *a, formula *b);
formula *formula_minus(solver *s, formula *a);
formula *formula_to_number(solver *s, formula *whole);

#endif  // ASSAY_PROVE_SOLVER_H
