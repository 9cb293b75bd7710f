// law_option.h - numbers from the environment, so that a law that takes
// seconds in `make test` can run for hours: ASSAY_RUNS, ASSAY_SEED and so on.
#ifndef ASSAY_TESTS_LAW_OPTION_H
#define ASSAY_TESTS_LAW_OPTION_H

#include "base/str.h"

#include <stdlib.h>

static inline int64_t law_option(const char *name, int64_t fallback)
{
    const char *text = getenv(name);
    int64_t n = fallback;
    return text && str_to_int(str_from(text), &n) ? n : fallback;
}

#endif  // ASSAY_TESTS_LAW_OPTION_H
