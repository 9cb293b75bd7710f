// language.h - is a question in a language whose words are known? English is.
#ifndef ASSAY_INTENT_LANGUAGE_H
#define ASSAY_INTENT_LANGUAGE_H

#include "base/arena.h"

// Only then may words of the question be looked for, or missed: a question in
// another language tells nothing, whatever words it lacks. docs/rules.md#assay
bool language_is_known(str question, arena scratch);

#endif  // ASSAY_INTENT_LANGUAGE_H
