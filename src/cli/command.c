// command.c - see command.h; the words are command.def's.
#include "cli/command.h"

#include "base/words.h"

#include <assert.h>

static const struct {
    str word;
    str usage;
    str line;
    ptrdiff_t operands;
} commands[] = {
#define COMMAND(constant, word, usage, operands, line)  \
    [COMMAND_##constant] = {{word, sizeof(word) - 1},   \
                            {usage, sizeof(usage) - 1}, \
                            {line, sizeof(line) - 1},   \
                            operands},
#include "cli/command.def"
#undef COMMAND
};

WORDS_OF(command, command, commands)

str command_usage(command c)
{
    assert(c < COMMAND_COUNT);
    return commands[c].usage;
}

str command_line(command c)
{
    assert(c < COMMAND_COUNT);
    return commands[c].line;
}

ptrdiff_t command_operands(command c)
{
    assert(c < COMMAND_COUNT);
    return commands[c].operands;
}
