// other_word.h - assay's own word for an option or command of another tool.
#ifndef ASSAY_CLI_OTHER_WORD_H
#define ASSAY_CLI_OTHER_WORD_H

#include "cli/command.h"

typedef enum other_kind {
    OTHER_COMMAND,
    OTHER_OPTION,
    OTHER_METRIC,
} other_kind;

// Empty where none is known. `c`: of an option, the command that has it.
str other_word(other_kind kind, str word, command c);

#endif  // ASSAY_CLI_OTHER_WORD_H
