/*
 * lint_null.h - does a gold take rows for the least, or the greatest, because
 * NULL comes first?
 *
 * SQLite and MySQL sort NULL before all values, PostgreSQL after them, and so
 * first where the order is descending. `ORDER BY time LIMIT 1` then returns a
 * row without a time for "the lowest time".
 */
#ifndef ASSAY_JOB_LINT_NULL_H
#define ASSAY_JOB_LINT_NULL_H

#include "score/judging.h"

// The sort key by which NULL comes first, where the result would be another if
// it came last; empty: there is none, or it cannot be told.
str lint_null_first(judging *j, str sql);

#endif  // ASSAY_JOB_LINT_NULL_H
