/*
 * table_code.h - a result table as numbers: one 64-bit code for each cell.
 *
 * Two cells have the same code exactly when the coding counts their values as
 * equal (but for a chance of 2^-64, which we call never). All searching and
 * counting is done on codes; values are looked at again only to show them, and
 * where a tolerance makes equality something that no code can express.
 */
#ifndef ASSAY_TABLE_TABLE_CODE_H
#define ASSAY_TABLE_TABLE_CODE_H

#include "base/hash.h"
#include "table/table.h"

typedef enum coding_kind {
    CODING_VALUE,    // by value: 1 = 1.0 = true, text by NFC, date = midnight
    CODING_EXACT,    // by value_key.h: 1 = 1.0 = true, text by bytes
    CODING_STRICT,   // by value within one kind: 1 is not 1.0
    CODING_LOOSE,    // as CODING_VALUE, and '1' = 1, '2023-01-31' = that date
    CODING_ROUNDED,  // as CODING_VALUE, numbers rounded to `digits` places
} coding_kind;

typedef struct coding {
    coding_kind kind;
    int digits;  // CODING_ROUNDED
} coding;

typedef struct coded {
    ptrdiff_t n_rows;
    ptrdiff_t n_columns;
    uint64_t *codes;  // column by column
} coded;

coded table_code(arena *a, const table *t, coding how);

uint64_t *coded_column(const coded *t, ptrdiff_t c);

// Appends the cell codes[r] to the row whose hash is rows[r]. Called for one
// column after the other it makes hashes of whole rows.
void code_append(uint64_t *rows, const uint64_t *codes, ptrdiff_t n);

// Such hashes of all rows, over n columns: these, NULL: the first ones.
uint64_t *coded_rows(arena *a,
                     const coded *t,
                     const int32_t *columns,
                     ptrdiff_t n);

// The numbers of the rows, of repeated hashes only the first when `are_sets`.
ptrdiff_t coded_list(const uint64_t *hashes,
                     ptrdiff_t n,
                     bool are_sets,
                     ptrdiff_t *rows,
                     arena scratch);

// The table without repeated rows, first kept.
coded coded_distinct(arena *a, const coded *t);

// Is it a text that spells a number or a time (CODING_LOOSE)?
bool value_is_spelled(value v);

// Bit set of 1 << value_kind over all cells.
unsigned table_kinds(const table *t);

#endif  // ASSAY_TABLE_TABLE_CODE_H
