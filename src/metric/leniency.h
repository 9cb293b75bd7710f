// leniency.h - differences that a profile of metric pragmatic may pass over.
#ifndef ASSAY_METRIC_LENIENCY_H
#define ASSAY_METRIC_LENIENCY_H

#include "base/diag.h"
#include "table/verdict.h"

typedef enum leniency {
#define LENIENCY(constant, word, data, intent, yes, no, text) \
    LENIENCY_##constant,
#include "metric/leniency.def"
#undef LENIENCY
    LENIENCY_COUNT,
} leniency;

#define LENIENCY_BIT(l) (1u << LENIENCY_##l)

str leniency_word(leniency v);
bool leniency_from_word(str word, leniency *out);

// How often people accepted what it passes.
people_counts leniency_people(leniency l);

// What the asker wants.
typedef enum norm {
    NORM_DATA,    // the rows must be right
    NORM_INTENT,  // the text shows what was meant
    NORM_COUNT,
} norm;

str norm_word(norm v);
bool norm_from_word(str word, norm *out);

// What is passed over: bits of LENIENCY_BIT. What is in neither set is not.
typedef struct pragmatic_profile {
    norm norm;
    uint32_t accepts;
    uint32_t asks;  // somebody else decides: the verdict is unknown
} pragmatic_profile;

pragmatic_profile pragmatic_profile_of(norm n);

// Changes `p` by lines `word: accept`, `word: reject` or `word: ask`, and
// `norm: word`, which sets all of them; blank lines and what follows # do not
// count. False with messages.
bool pragmatic_profile_read(pragmatic_profile *p, str file, str text, diag *d);

#endif  // ASSAY_METRIC_LENIENCY_H
