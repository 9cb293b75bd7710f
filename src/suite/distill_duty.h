// distill_duty.h - what a kept database is there for, and whether changed rows
// still do it. Internal to src/suite/distill*.c.
#ifndef ASSAY_SUITE_DISTILL_DUTY_H
#define ASSAY_SUITE_DISTILL_DUTY_H

#include "suite/distill_part.h"

// The neighbors of one gold that a database is kept for.
typedef struct duty {
    target *target;
    int32_t *rivals;
    ptrdiff_t n;
} duty;

typedef struct duties {
    duty *ptr;
    ptrdiff_t len;
    int tries;
} duties;

duties distill_duties(distiller *d, int32_t killer, arena *a);

// Do the rows kill them all, with golds that are settled? A neighbor that does
// not is asked first the next time.
bool distill_keeps(distiller *d, const instance *rows, duties *all);

#endif  // ASSAY_SUITE_DISTILL_DUTY_H
