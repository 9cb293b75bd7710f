// cmd_help.c - `assay help`: the overview, a command or a topic.
#include "cli/cli.h"
#include "cli/doc_out.h"
#include "cli/help.h"
#include "cli/terminal.h"

#include <unistd.h>

enum {
    WIDTH_MIN = 40,
    WIDTH_MAX = 100,
    WIDTH_FALLBACK = 80
};

// As wide as the terminal, within reason: long lines are hard to read.
static ptrdiff_t help_width(void)
{
    ptrdiff_t width = terminal_width(STDOUT_FILENO, WIDTH_FALLBACK);
    width = width < WIDTH_MIN ? WIDTH_MIN : width;
    return width > WIDTH_MAX ? WIDTH_MAX : width;
}

bool cli_unknown(const cli *c,
                 const char *what,
                 str word,
                 str other,
                 int n_topics)
{
    str known[(int)COMMAND_COUNT + (int)HELP_TOPIC_COUNT];
    ptrdiff_t n = 0;
    for (int k = 0; k < COMMAND_COUNT; k++) {
        known[n++] = command_word((command)k);
    }
    for (int t = 0; t < n_topics; t++) {
        known[n++] = help_topic_word((help_topic)t);
    }
    other = other.len > 0 ? other : diag_nearest(word, known, n, c->scratch);
    cli_say(c, "%s '%.*s'%.*s", what, STR_ARG(word),
            STR_ARG(diag_did_you_mean(c->a, other)));
    if (other.len == 0) {
        cli_say(c, "see 'assay help'");
    }
    return cli_ends(c, EXIT_CODE_USAGE);
}

bool cli_help(const cli *c, command about)
{
    doc d = doc_new(c->a, (report_look){.width = help_width(),
                                        .has_color = c->out_has_color});
    help_command(&d, about);
    return doc_out_print(c, &d, stdout);
}

bool cli_help_on(const cli *c, str word)
{
    doc d = doc_new(c->a, (report_look){.width = help_width(),
                                        .has_color = c->out_has_color});
    command about = COMMAND_HELP;
    help_topic topic = HELP_TOPIC_METRICS;
    if (word.len == 0) {
        help_overview(&d);
    } else if (command_from_word(word, &about)) {
        help_command(&d, about);
    } else if (help_topic_from_word(word, &topic)) {
        help_topic_page(&d, topic);
    } else {
        return cli_unknown(c, "no help on", word, (str){0}, HELP_TOPIC_COUNT);
    }
    return doc_out_print(c, &d, stdout);
}

bool cmd_help(cli *c)
{
    return cli_help_on(c, c->o->operands.len > 0 ? c->o->operands.ptr[0]
                                                 : (str){0});
}
