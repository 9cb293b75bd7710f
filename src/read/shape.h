/*
 * shape.h - records as other programs nest them: shape.def read.
 *
 * A shape says where in an object the fields of a record stand. Everything else
 * about the file (arrays, lines, commas) is the JSON reader's.
 */
#ifndef ASSAY_READ_SHAPE_H
#define ASSAY_READ_SHAPE_H

#include "base/json.h"
#include "read/dataset.h"
#include "read/field.h"

// The format that the first object of a file shows; FORMAT_COUNT: none here.
// One with fields of our own (`is_ours`) has a format by the names of these at
// most.
dataset_format shape_of(str first_object, bool is_ours);

// Do paths say where its fields are?
bool shape_is(dataset_format f);

// The list of records in a file that is one object, as part of `object`; empty
// where records are not wrapped.
str shape_root(dataset_format f, str object);

// Counts what a record of the format holds: the members that paths name, those
// of objects whose members go by their names, and what the user named.
void shape_count(dataset_format f,
                 file_columns *c,
                 arena *a,
                 field_aliases own,
                 const json *object,
                 arena scratch);

// Why the request for an answer failed; empty: it did not. Asked where the
// record holds no prediction.
str shape_failure(dataset_format f, const json *object, arena *a);

#endif  // ASSAY_READ_SHAPE_H
