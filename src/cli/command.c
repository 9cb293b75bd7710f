// command.c - see command.h; the words are command.def's.
#include "cli/command.h"

#include "base/words.h"

#include <assert.h>

static const command_row commands[] = {
#define COMMAND(constant, word, usage, operands, line)  \
    [COMMAND_##constant] = {{#word, sizeof(#word) - 1}, \
                            {usage, sizeof(usage) - 1}, \
                            {line, sizeof(line) - 1},   \
                            operands},
#include "cli/command.def"
#undef COMMAND
};

WORDS_OF(command, command, commands)

const command_row *command_of(command c)
{
    assert(c < COMMAND_COUNT);
    return &commands[c];
}
