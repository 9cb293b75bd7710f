/*
 * control.h - predictors that must pass, or must fail: what `assay selftest`
 * scores.
 *
 * If a metric passes none of these wrong predictions, it may still pass others;
 * if it passes some, it is too lenient.
 */
#ifndef ASSAY_JOB_CONTROL_H
#define ASSAY_JOB_CONTROL_H

#include "base/arena.h"
#include "sql/dialect.h"

typedef enum control_id {
#define CONTROL(constant, ...) CONTROL_##constant,
#include "job/control.def"
    CONTROL_COUNT,
} control_id;

typedef enum control_should {
    CONTROL_SHOULD_ALL,
    CONTROL_SHOULD_NONE,
    CONTROL_SHOULD_FEW,  // of near misses some are no misses
} control_should;

str control_word(control_id id);
control_should control_should_be(control_id id);
str control_text(control_id id);

// What the predictors see of a case.
typedef struct control_case {
    str gold;      // one query
    str other;     // of another case of its database; empty: there is none
    str neighbor;  // empty: there is none
    ptrdiff_t no;  // of the case, from 0
    dialect dialect;
} control_case;

// The prediction, on one line. False where it would be none of this kind: the
// gold has no constants, or is what is predicted.
bool control_predict(str *out,
                     arena *a,
                     control_id id,
                     const control_case *c,
                     arena scratch);

#endif  // ASSAY_JOB_CONTROL_H
