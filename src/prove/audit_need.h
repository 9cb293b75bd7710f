// audit_need.h - the side conditions of need.def, each found out about a step.
#ifndef ASSAY_PROVE_AUDIT_NEED_H
#define ASSAY_PROVE_AUDIT_NEED_H

#include "prove/audit_stage.h"

typedef enum need {
#define NEED(name, says) NEED_##name,
#include "prove/need.def"
    NEED_COUNT,
} need;

typedef struct need_step {
    prover *p;
    const stage *was;
    const block *is;
} need_step;

typedef bool need_holds(const need_step *s);

#define NEED(name, says) need_holds need_##name;
#include "prove/need.def"

#endif  // ASSAY_PROVE_AUDIT_NEED_H
