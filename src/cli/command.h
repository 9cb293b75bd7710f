// command.h - the commands by name, and how assay ends.
#ifndef ASSAY_CLI_COMMAND_H
#define ASSAY_CLI_COMMAND_H

#include "base/str.h"

typedef enum command {
#define COMMAND(constant, word, usage, operands, line) COMMAND_##constant,
#include "cli/command.def"
#undef COMMAND
    COMMAND_COUNT,
} command;

// Sets of commands, for tables.
enum {
#define COMMAND(constant, word, usage, operands, line) \
    FOR_##constant = 1 << COMMAND_##constant,
#include "cli/command.def"
#undef COMMAND
    FOR_ALL = (1 << COMMAND_COUNT) - 1,
};

typedef struct command_row {
    str word;
    str usage;  // what follows "assay WORD"
    str line;   // what it does
    ptrdiff_t operands;
} command_row;

const command_row *command_of(command c);
str command_word(command v);
bool command_from_word(str word, command *out);

typedef enum exit_code {
#define EXIT(constant, number, text) EXIT_CODE_##constant = (number),
#include "cli/exit.def"
#undef EXIT
} exit_code;

#endif  // ASSAY_CLI_COMMAND_H
