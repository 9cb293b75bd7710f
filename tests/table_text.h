/*
 * table_text.h - result tables as people write them in test cases.
 *
 *     uid | name   | born       | share
 *     1   | 'Ann'  | 2001-02-03 | 0.5
 *     2   | ∅      | ∅          | 12.50m
 *
 * The first line has the names, each further line is a row. A cell is NULL or
 * ∅, true or false, an integer, a number with a point or exponent (REAL; also
 * inf, -inf, nan), a decimal 12.50m, 'a text' with '' for ', a date, a
 * timestamp, a timestamp with a zone, x'00ff' (BLOB), t'00ff' (a text by its
 * bytes), o'…' (a value of an unknown type); anything else is a text as it
 * stands. Blanks around a cell do not count.
 */
#ifndef ASSAY_TESTS_TABLE_TEXT_H
#define ASSAY_TESTS_TABLE_TEXT_H

#include "table/table.h"

// False with a message that names the row.
bool table_from_text(table *out, arena *a, str text, diag *d);

#endif  // ASSAY_TESTS_TABLE_TEXT_H
