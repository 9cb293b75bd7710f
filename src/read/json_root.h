/*
 * json_root.h - what a JSON file is as a whole: records one after another, a
 * list of them that is wrapped in an object, a map from id to record, or a
 * table by columns; private to src/read.
 */
#ifndef ASSAY_READ_JSON_ROOT_H
#define ASSAY_READ_JSON_ROOT_H

#include "read/dataset.h"

typedef enum json_root_shape {
    JSON_ROOT_VALUES,   // records, in whatever way
    JSON_ROOT_KEYED,    // an object whose keys are ids
    JSON_ROOT_SEVERAL,  // maps of cases in an object, and nobody says which
} json_root_shape;

typedef struct json_root {
    json_root_shape shape;
    ptrdiff_t from;  // of the values, or of the object with the keys
    ptrdiff_t end;
    ptrdiff_t most;  // cases in one of several maps
} json_root;

json_root json_root_of(const dataset *set, arena scratch);

// A table by columns becomes one by records, it may be wrapped, too; questions
// with variables become cases.
void json_root_turn(dataset *set, arena *a, arena scratch);

#endif  // ASSAY_READ_JSON_ROOT_H
