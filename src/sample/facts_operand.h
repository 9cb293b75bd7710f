// facts_operand.h - what an operand of a comparison is; for the facts alone.
#ifndef ASSAY_SAMPLE_FACTS_OPERAND_H
#define ASSAY_SAMPLE_FACTS_OPERAND_H

#include "sample/sample_internal.h"

typedef struct operand {
    bool is_constant;
    function_leaves leaves;  // of the column; VALUE: it, or one to one of it
    int32_t id;              // of the column; -1: none, or of several tables
    value v;                 // of a constant
    double scale;  // column * scale + added is what is compared; 0 counts as 1
    double added;
} operand;

// Where names are looked up.
typedef struct operand_place {
    sampler *m;
    const binding *b;  // NULL: in a check
    int32_t table;     // of the check
    arena *a;
} operand_place;

operand operand_of(const operand_place *at, const ast *n);

// The column of the schema that a column of a source or query is; -1: none.
int32_t operand_source_id(const sampler *m, const bound_source *s, int32_t c);
int32_t operand_output_id(const sampler *m, const bound_query *q, ptrdiff_t i);

#endif  // ASSAY_SAMPLE_FACTS_OPERAND_H
