// encode_internal.h - what the files that encode terms share.
#ifndef ASSAY_PROVE_ENCODE_INTERNAL_H
#define ASSAY_PROVE_ENCODE_INTERNAL_H

#include "prove/encode.h"

enum {
    ENCODED_MAX = 20000,  // terms of a side
};

// A variable; `what` says what is meant of the thing of that name.
formula *encode_named(encoder *e, formula_sort sort, char what, str name);

formula_sort encode_sort(known_kind k);
formula *encode_number(encoder *e, encoded x);  // the value, not as whole
encoded encode_known(encoder *e, known_kind kind, formula *value);  // not NULL

#endif  // ASSAY_PROVE_ENCODE_INTERNAL_H
