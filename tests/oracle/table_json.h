// table_json.h - a recorded table, read from JSON.
#ifndef ASSAY_TESTS_ORACLE_TABLE_JSON_H
#define ASSAY_TESTS_ORACLE_TABLE_JSON_H

#include "base/json.h"
#include "table/table.h"

// {"columns": ["a", ...], "rows": [[1, "x", null, {"date": "2023-01-31"},
// {"ts": "2023-01-31 10:00:00"}, {"blob": "0aff"}], ...]}. False with a message
// when it is not of that form.
bool table_from_json(table *out, arena *a, const json *j, diag *d);

#endif  // ASSAY_TESTS_ORACLE_TABLE_JSON_H
