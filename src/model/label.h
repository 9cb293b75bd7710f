/*
 * label.h - what people say of a prediction, in their own words.
 */
#ifndef ASSAY_MODEL_LABEL_H
#define ASSAY_MODEL_LABEL_H

#include "base/json.h"

typedef enum label_answer {
    LABEL_YES,
    LABEL_NO,
    LABEL_NONE,  // nothing is said: null, an empty text
    LABEL_ODD,   // it cannot be read as a yes or a no
} label_answer;

// A word of label.def, in any case; 1 and 0 also as 1.0 and 0.0; a truth
// value; else it is odd.
label_answer label_from_json(const json *value, arena scratch);

#endif  // ASSAY_MODEL_LABEL_H
