/*
 * expr_eval.h - the value of an expression on given cells, as SQLite would
 * compute it, for what conditions are usually made of.
 *
 * An expression is read once, with what its names stand for, and computed as
 * often as there are cells to try. What it does not know has no value:
 * is_unknown is set, and whoever asked must go on without an answer. The engine
 * decides in the end; this only saves it the rows that are not worth a try.
 */
#ifndef ASSAY_SAMPLE_EXPR_EVAL_H
#define ASSAY_SAMPLE_EXPR_EVAL_H

#include "schema/schema.h"
#include "table/value.h"

// What expressions are computed of.
typedef struct expr_eval {
    const value *cells;
    const bool *is_set;  // by cell; NULL: all are
    int64_t count;       // rows of a group, all of them these cells
    arena *a;
    bool is_unknown;
} expr_eval;

typedef struct expr_code expr_code;
typedef value expr_function(expr_eval *e, const expr_code *x);

// One that has been read.
struct expr_code {
    expr_function *compute;
    const expr_code **kids;  // of computed values; of the parts of a condition
    int32_t n;
    int32_t cell;
    int how;                      // an operator, or what a function says
    value v;                      // of a literal
    const schema_column *column;  // it is a cell of; NULL: it is none
    bool says_collation;          // by COLLATE
    schema_collation collation;   // the one it says
    value (*of_one)(expr_eval *, value);  // what a function makes of its value
};

typedef struct expr_reader expr_reader;

struct expr_reader {
    // What a name, an aggregate or a subquery is; NULL: not known as such.
    const expr_code *(*look)(const expr_reader *r, const ast *n);
    const void *context;
    arena *a;
};

// A literal as a value; false when it is none.
bool expr_literal(const ast *n, value *out, arena *a);

// As SQLite compares them: below, at or above 0. NULL comes first.
int values_order(value a, value b, schema_collation how);

const expr_code *expr_read(const expr_reader *r, const ast *n);

const expr_code *expr_of_cell(arena *a,
                              int32_t cell,
                              const schema_column *column);
const expr_code *expr_of_value(arena *a, value v);

// COUNT over the group.
const expr_code *expr_of_count(arena *a);

// SUM, or another aggregate, over as many rows that are all alike.
const expr_code *expr_of_group(arena *a, const expr_code *arg, bool is_sum);

// The same value without the column that says how it is compared.
const expr_code *expr_plain(arena *a, const expr_code *x);

value expr_value(expr_eval *e, const expr_code *x);

// A number, or what a text spells; false: it is none, or infinite.
bool expr_number_of(value v, value *out);

// As CAST(v AS TEXT): NULL stays.
value expr_text(value v, arena *a);

bool expr_is_false(value v);  // neither NULL nor true
bool expr_is_true(value v);

#endif  // ASSAY_SAMPLE_EXPR_EVAL_H
