/*
 * expr_eval.h - the value of an expression on given cells, as SQLite would
 * compute it, for what conditions are usually made of.
 *
 * What it does not know has no value: is_unknown is set, and whoever asked
 * must go on without an answer. The engine decides in the end; this only saves
 * it the rows that are not worth a try.
 */
#ifndef ASSAY_SAMPLE_EXPR_EVAL_H
#define ASSAY_SAMPLE_EXPR_EVAL_H

#include "schema/schema.h"
#include "table/value.h"

typedef struct expr_eval {
    // The value of a name, an aggregate or a subquery, and the column that it
    // is (NULL: none), which decides how it is compared. False: not known.
    bool (*look)(void *context,
                 const ast *n,
                 value *v,
                 const schema_column **column);
    void *context;
    arena *a;
    bool is_unknown;
} expr_eval;

value expr_value(expr_eval *e, const ast *n);

// As CAST(v AS TEXT): NULL stays.
value expr_text(value v, arena *a);

bool expr_is_false(value v);  // neither NULL nor true
bool expr_is_true(value v);

#endif  // ASSAY_SAMPLE_EXPR_EVAL_H
