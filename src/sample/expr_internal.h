// expr_internal.h - what the files of expr_eval.h share; for them alone.
#ifndef ASSAY_SAMPLE_EXPR_INTERNAL_H
#define ASSAY_SAMPLE_EXPR_INTERNAL_H

#include "sample/expr_eval.h"

value expr_unknown(expr_eval *e);
expr_function expr_nothing;  // not known

bool expr_number(value v, double *out);  // false: it is none
value expr_text(value v, arena *a);

expr_code *expr_new(arena *a, expr_function *compute, int32_t room);
void expr_add(expr_code *x, const expr_code *kid);

// expr_call.c
const expr_code *expr_read_call(const expr_reader *r,
                                str name,
                                const ast *args);

#endif  // ASSAY_SAMPLE_EXPR_INTERNAL_H
