/*
 * read_turned.h - a table that is written column by column, turned into one
 * that is written record by record; private to src/read.
 *
 *     {"id": ["a", "b"], "sql": ["SELECT 1", "SELECT 2"]}    to_dict("list")
 *     {"id": {"0": "a", "1": "b"}, "sql": {"0": ..., ...}}   to_json()
 *     {"columns": ["id", "sql"], "index": [0, 1], "data": [["a", ...], ...]}
 */
#ifndef ASSAY_READ_READ_TURNED_H
#define ASSAY_READ_READ_TURNED_H

#include "base/hash.h"
#include "base/json.h"
#include "read/field.h"

// JSON lines of the records in the object, one line each; empty: the object is
// no such table. A column that is a text or number belongs to every record.
str read_turned(str object, field_aliases own, arena *a);

// The same of objects one after another, batches of a table. A list of
// questions, ids or databases says that they are such: a list of golds alone is
// what one case accepts.
str read_turned_lines(str text, field_aliases own, arena *a);

#endif  // ASSAY_READ_READ_TURNED_H
