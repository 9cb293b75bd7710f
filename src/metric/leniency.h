// leniency.h - differences that a profile of metric pragmatic may pass over.
#ifndef ASSAY_METRIC_LENIENCY_H
#define ASSAY_METRIC_LENIENCY_H

#include "base/diag.h"

typedef enum leniency {
#define LENIENCY(constant, word, wish, text) LENIENCY_##constant,
#include "metric/leniency.def"
#undef LENIENCY
    LENIENCY_COUNT,
} leniency;

#define LENIENCY_BIT(l) (1u << LENIENCY_##l)

str leniency_word(leniency l);

// What is passed over: bits of LENIENCY_BIT. What is in neither set is not.
typedef struct pragmatic_profile {
    uint32_t accepts;
    uint32_t asks;  // somebody else decides: the verdict is unknown
} pragmatic_profile;

pragmatic_profile pragmatic_profile_default(void);

// Changes `p` by lines `word: accept`, `word: reject` or `word: ask`; blank
// lines and what follows # do not count. False with messages.
bool pragmatic_profile_read(pragmatic_profile *p, str file, str text, diag *d);

#endif  // ASSAY_METRIC_LENIENCY_H
