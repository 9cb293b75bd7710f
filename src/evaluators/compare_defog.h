/*
 * compare_defog.h - the parts of the rules `defog`: a result as the data frame
 * that the reference program makes of it, and how that program sorts one.
 *
 * Internal to compare_defog*.c.
 */
#ifndef ASSAY_EVALUATORS_COMPARE_DEFOG_H
#define ASSAY_EVALUATORS_COMPARE_DEFOG_H

#include "evaluators/evaluator.h"
#include "table/value_key.h"

typedef enum frame_kind {
    FRAME_OBJECT,  // anything; missing values stay NULL
    FRAME_INT,
    FRAME_BOOL,
    FRAME_FLOAT,  // integers and decimals have become doubles
    FRAME_TIME,   // timestamps and NULL
} frame_kind;

typedef struct frame_column {
    str name;
    frame_kind kind;
    const value *cells;   // by source row
    const hash128 *keys;  // the same as keys
    hash128 bag;          // key of all cells as a bag
    ptrdiff_t n_missing;
    uint32_t families;  // bit set of value_kind, numbers as VALUE_REAL
    bool has_big;       // numbers are there that a double may not hold
    bool has_nested;    // arrays or JSON are there
    double least;       // of the numbers
    double most;
    int32_t *sorted;  // source rows by value, missing last; NULL: not yet
} frame_column;

typedef struct frame {
    const table *source;
    frame_column *columns;
    ptrdiff_t n_columns;
    const int32_t *rows;  // source row of each row
    ptrdiff_t n_rows;
} frame;

frame frame_from_table(arena *a, const table *t);

// True when a value of the family is there; numbers are VALUE_REAL.
bool frame_column_has(const frame_column *c, value_kind family);

value frame_at(const frame *f, ptrdiff_t row, ptrdiff_t column);

// The frame of some columns, in that order, all rows.
frame frame_take(arena *a, const frame *f, const int32_t *columns, ptrdiff_t n);

// Without repeated rows, the first kept. False: the reference raises.
bool frame_drop_repeated(frame *f, arena *a);

// The key of all rows as a bag, columns in the frame's order.
hash128 frame_bag(const frame *f);

// The first row of `other` that is no row of f, or -1.
ptrdiff_t frame_first_other(const frame *f, const frame *other, arena scratch);

bool frame_names_repeat(const frame *f, arena scratch);

bool frame_name_repeats(const frame *f, ptrdiff_t column);

// The frame where each repeated name x is x_<position>.
frame frame_names_apart(arena *a, const frame *f);

// Which rows come first. Columns are indexes into the frame.
typedef struct frame_order {
    const int32_t *columns;
    ptrdiff_t n;
    bool
        is_several;  // the reference sorts by several names, perhaps equal ones
    bool is_descending;
} frame_order;

// True when the reference can sort by these columns: one column must hold
// values of one family, several may mix text with one other family.
bool frame_can_sort(const frame *f, frame_order order);

// The row that frame_sort would put first. n_rows > 0.
ptrdiff_t frame_first_row(const frame *f, frame_order order);

// Sorts the rows, stable, missing values last in either direction.
void frame_sort(frame *f, frame_order order, arena *a);

// The source rows of one column by value, computed once.
const int32_t *frame_sorted_column(frame *f, ptrdiff_t column, arena *a);

typedef struct defog_keys {
    vec_of(int32_t) columns;  // kept names in order, repetitions included
    bool has_order_by;        // the text holds one
    bool is_descending;
} defog_keys;

// What the reference reads out of the text of a query about its order.
defog_keys defog_read_keys(arena *a, str sql, const frame *f);

/*
 * A frame as the reference prepares it for comparison: repeated rows dropped,
 * columns in the order of their names, and perhaps sorted.
 */
typedef struct defog_normal {
    frame f;
    bool is_sorted;  // by `order`, once it is looked at row by row
    frame_order order;
    const int32_t *shown;  // columns of f in the order of the comparison
    ptrdiff_t n_shown;
    str error;  // why the reference raises; empty: it does not
} defog_normal;

// Whether the integers of a side become doubles when the two meet; doubles
// swallow the last digits of integers beyond 2^53.
typedef struct lossy {
    bool gold;
    bool pred;
} lossy;

// When two prepared frames are the same.
typedef struct defog_test {
    // Can cells of the two columns fit although their keys differ?
    bool (*may_mislead)(const frame_column *x, const frame_column *y);
    bool (*fit)(const frame_column *x,
                value a,
                const frame_column *y,
                value b,
                lossy is);
    lossy is;
} defog_test;

// Prepares both, by the texts of their queries, and compares them. No with
// REASON_COMPARE_ERROR where the reference raises.
verdict defog_compare(const defog_test *t,
                      const frame *gold,
                      const frame *pred,
                      const str sql[2],
                      const compare_options *o,
                      arena *a,
                      arena scratch);

// Why two prepared frames differ, as a verdict. Their shapes may differ.
verdict defog_explain(const defog_normal *gold,
                      const defog_normal *pred,
                      arena *a);

// The reference's two tests. No with REASON_COMPARE_ERROR where it raises.
verdict defog_exact(const frame *gold,
                    const frame *pred,
                    const compare_options *o,
                    arena *a,
                    arena scratch);
verdict defog_subset(frame *gold,
                     frame *pred,
                     const compare_options *o,
                     arena *a,
                     arena scratch);

#endif  // ASSAY_EVALUATORS_COMPARE_DEFOG_H
