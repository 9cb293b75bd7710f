// audit_need.h - the side conditions of need.def, each found out about a step.
#ifndef ASSAY_PROVE_AUDIT_NEED_H
#define ASSAY_PROVE_AUDIT_NEED_H

#include "prove/audit_stage.h"

typedef enum need {
#define NEED(place, name, says) NEED_##name,
#include "prove/need.def"
    NEED_COUNT,
} need;

typedef struct need_step {
    prover *p;
    const stage *was;
    const block *is;
} need_step;

typedef bool need_of_step(const need_step *s);
typedef bool need_of_gone(const need_step *s, const stage_source *gone);
typedef bool need_of_inner(const need_step *s, const stage_source *source);
typedef bool need_of_dropped(const need_step *s, const term *t);
typedef bool need_of_body(const need_step *s,
                          const stage_source *source,
                          const block *is);

#define NEED(place, name, says) need_##place need_##name;
#include "prove/need.def"

#endif  // ASSAY_PROVE_AUDIT_NEED_H
