/*
 * value_form.h - values whose text has a form: UUIDs, JSON, intervals, arrays,
 * addresses.
 *
 * SQLite keeps such values as it keeps any text; PostgreSQL takes no others
 * for such a column, nor does DuckDB, whose arrays stand in [ ].
 */
#ifndef ASSAY_SAMPLE_VALUE_FORM_H
#define ASSAY_SAMPLE_VALUE_FORM_H

#include "sample/sample_internal.h"
#include "sample/type_value.h"

// A plain text of the form, the i-th of an endless list: of different ones as
// far as the type has so many.
str form_plain(str type, type_form form, dialect d, int64_t i, arena *a);

// The text as a value of the type in this system; false when there is none like
// it.
bool form_fit(str type, type_form form, dialect d, str *text, arena *a);

// The i-th number of the smallest that a decimal with few digits before the
// point has: 0.01, 0.02, ...
value form_smaller(const schema_column *c, int64_t i);

// Would the system whose types count take all rows? With types_read() of it.
bool form_takes_rows(const instance *i,
                     const column_type *types,
                     arena scratch);

// The shape of values near constants: texts that look like dates may have a
// time, unless real data say otherwise.
value_shape form_near(const sampler *m,
                      const schema_column *c,
                      value_shape shape);

// Texts that begin as the constant does, or hold it as a month, and are no
// dates: '2014-05', '2014/05/05'.
void form_no_date(const constant *c, value_list *out, arena *a);

// Whether a date or a moment is of a year of four digits from the year 0 on.
bool form_has_plain_year(value time);

#endif  // ASSAY_SAMPLE_VALUE_FORM_H
