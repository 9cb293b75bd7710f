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
dataset_format shape_of(str first_object);

bool shape_is(dataset_format f);

// The list of records in a file that is one object, as part of `object`; empty
// where records are not wrapped.
str shape_root(dataset_format f, str object);

// The value of a field of this kind in the object of a record, in `a` or of the
// object; NULL: there is none.
const json *shape_field(dataset_format f,
                        field_kind kind,
                        const json *object,
                        arena *a);

// Why the request for an answer failed; empty: it did not. Asked where the
// record holds no prediction.
str shape_failure(dataset_format f, const json *object, arena *a);

// The i-th object in a record whose members go by their names, NULL in *out
// where the record lacks it; false after the last.
bool shape_named(dataset_format f,
                 ptrdiff_t i,
                 const json *object,
                 const json **out);

#endif  // ASSAY_READ_SHAPE_H
