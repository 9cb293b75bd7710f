/*
 * row_template.h - one row for each table of a query, so that the query keeps
 * them; for the sampler alone.
 *
 * A template is what FROM, WHERE and HAVING of a query and of its subqueries
 * say of the cells that they read: some are equal, some must meet a condition.
 * Values are then found for the cells, by trial, so that the conditions hold;
 * or all but a chosen one.
 */
#ifndef ASSAY_SAMPLE_ROW_TEMPLATE_H
#define ASSAY_SAMPLE_ROW_TEMPLATE_H

#include "sample/expr_eval.h"
#include "sample/sample_internal.h"

// One use of a table.
typedef struct template_slot {
    int32_t table;
    int32_t first_cell;
} template_slot;

typedef struct template_cell {
    int32_t id;       // of the column
    bool is_used;     // a condition or a result reads it
    bool is_grouped;  // GROUP BY names it
    bool is_joined;   // of a root: not its only cell
} template_cell;

typedef struct template_frame template_frame;

typedef struct template_rule {
    const ast *expr;
    const template_frame *frame;  // where its names are looked up
    const expr_code *code;        // it, once the roots of cells are known
    bool want;
    int32_t roots[6];  // some of the cells that it reads
    ptrdiff_t n_roots;
} template_rule;

// A block of the query, for one use of it.
struct template_frame {
    const bound_block *block;
    const template_frame *outer;
    // By source: its slot, or the frame of its query; -1 and NULL: neither.
    int32_t *slots;
    const template_frame **inner;
};

// What is worth a try for a cell whatever was drawn; made when first wanted.
typedef struct cell_values {
    value_list own;    // of the rules on it
    value_list plain;  // the first ones of its column
    bool is_made;
} cell_values;

typedef struct row_template {
    const sampler *m;
    const binding *b;
    arena *a;
    rng *r;
    vec_of(template_slot) slots;
    vec_of(template_cell) cells;
    partition roots;      // of cells: those that are equal have one
    cell_values *values;  // by cell
    vec_of(template_rule) rules;
    int depth;
    int64_t count;  // rows of a group, for conditions on COUNT
} row_template;

// By chance one of the ways in which the query can keep rows.
row_template template_new(row_builder *b, const binding *q);

static inline int32_t template_root(const row_template *t, int32_t cell)
{
    return partition_root(&t->roots, cell);
}

// The cell that a name means; -1: none.
int32_t template_cell_of(const row_template *t,
                         const template_frame *f,
                         const ast *n);

// The expression that the name of a result stands for, and where its names are
// looked up; NULL: none.
const ast *template_expr_of(const row_template *t,
                            const template_frame **f,
                            const ast *n);

// row_assign.c: what the rules are computed by.
void template_read_rules(row_template *t);

// Values for the cells, by root.
typedef struct assignment {
    value *values;
    bool *is_set;
    ptrdiff_t n_met;  // rules that hold, or of which we cannot tell
} assignment;

// How likely a root keeps the value that it had before.
typedef struct keep_shares {
    double plain;
    double joined;   // several cells have this root
    double grouped;  // GROUP BY names it
} keep_shares;

keep_shares keep_share(double share);  // groups stay together, or nearly

// `flipped`: the rule that must not hold; -1: all must. NULL for `before`: no
// values to keep.
assignment template_assign(row_builder *b,
                           const row_template *t,
                           ptrdiff_t flipped,
                           const assignment *before,
                           keep_shares shares);

// Wants the rows of an assignment, without those of slot `left_out` (-1: all).
void template_want_rows(row_builder *b,
                        const row_template *t,
                        const assignment *x,
                        ptrdiff_t left_out);

#endif  // ASSAY_SAMPLE_ROW_TEMPLATE_H
