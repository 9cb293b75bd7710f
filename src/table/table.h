/*
 * table.h - a result table: what a query returned.
 *
 * Rows in the order in which the engine gave them. A table without rows still
 * has its columns; a table without columns has no rows.
 */
#ifndef ASSAY_TABLE_TABLE_H
#define ASSAY_TABLE_TABLE_H

#include "base/diag.h"
#include "base/json.h"
#include "table/value.h"

typedef struct table {
    ptrdiff_t n_rows;
    ptrdiff_t n_columns;
    const str *names;    // n_columns labels, repeated and empty ones as given
    const value *cells;  // n_rows * n_columns, row by row
    bool is_cut;         // there were more rows; reading stopped because no
                         // comparison asked for could still say yes
} table;

// The cell of row r, column c.
value table_at(const table *t, ptrdiff_t r, ptrdiff_t c);

// The columns of `t` at these places; NULL: the first n.
table table_project(arena *a,
                    const table *t,
                    const int32_t *places,
                    ptrdiff_t n);

// A copy with all its bytes in `a`.
table table_copy(arena *a, const table *t);

// What table_copy would take, in bytes.
ptrdiff_t table_size(const table *t);

// `t` with every text freed of bytes that are not UTF-8; t itself when there
// are none.
table table_drop_invalid(arena *a, const table *t);

// With other values in the same places.
table table_change(arena *a,
                   const table *t,
                   value (*change)(value v, arena *a, const void *context),
                   const void *context);

// Does one of its values pass?
static inline bool table_has(const table *t, bool (*passes)(value v))
{
    for (ptrdiff_t i = 0; i < t->n_rows * t->n_columns; i++) {
        if (passes(t->cells[i])) {
            return true;
        }
    }
    return false;
}

bool table_has_invalid_text(const table *t);

// Nothing but NULL, or nothing at all.
bool table_is_null(const table *t);

// "(1, 'x', NULL)"; long texts and rows are cut.
str table_show_row(arena *a, const table *t, ptrdiff_t r);

// The value of JSON; false when it is a list or an object.
bool value_of_json(value *out, const json *j);

// A list of rows, each a list of values; what JSON has no values for is a text.
void table_add_json(buf *out, const table *t, arena scratch);
// Likewise, each value as `add` writes it.
void table_add_rows(buf *out,
                    const table *t,
                    void (*add)(buf *out, value v, arena scratch),
                    arena scratch);

#endif  // ASSAY_TABLE_TABLE_H
