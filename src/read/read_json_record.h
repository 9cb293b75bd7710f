// read_json_record.h - a JSON value as a record.
#ifndef ASSAY_READ_READ_JSON_RECORD_H
#define ASSAY_READ_READ_JSON_RECORD_H

#include "base/json.h"
#include "read/reader.h"

typedef struct json_found {
    record r;         // borrows texts from the tree
    bool is_known;    // has a question, a gold or a prediction
    str interaction;  // name or number of the session; empty: none
    str turn;         // as written
    str failure;      // why the request for its prediction failed; empty: none
} json_found;

json_found read_json_record(const dataset *set, const json *j, arena *a);

#endif  // ASSAY_READ_READ_JSON_RECORD_H
