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

// Has the declared type such a form?
bool form_is_known(str type);

// A plain text of the form, the i-th of an endless list of different ones.
str form_plain(str type, int64_t i, arena *a);

// The text as a value of the type in this system; false when there is none like
// it.
bool form_fit(str type, dialect d, str *text, arena *a);

// Would a system that knows its types take the value? What the type says of a
// length or of a size counts: varchar(3), smallint, numeric(4,1).
bool form_holds(const schema_column *c, value_shape shape, value v);

// The i-th number of the smallest that a decimal with few digits before the
// point has: 0.01, 0.02, ...
value form_smaller(const schema_column *c, int64_t i);

bool form_is_time(str s);  // 10:00, 10:00:00.5

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
