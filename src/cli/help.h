// help.h - the pages of `assay help`, made from the tables.
#ifndef ASSAY_CLI_HELP_H
#define ASSAY_CLI_HELP_H

#include "cli/opt.h"
#include "cli/page.h"

void help_overview(page *p);
void help_command(page *p, command c);

typedef enum help_topic {
#define TOPIC(constant, word, line) HELP_TOPIC_##constant,
#include "cli/topic.def"
#undef TOPIC
    HELP_TOPIC_COUNT,
} help_topic;

str help_topic_word(help_topic t);
str help_topic_line(help_topic t);
bool help_topic_from_word(str word, help_topic *out);
void help_topic_page(page *p, help_topic t);

// Pages for programs: a script for bash, and roff.
void help_completion(page *p);
void help_man(page *p);

// Example number i of command c; false when there are not so many.
bool help_example(command c, ptrdiff_t i, str *what, str *line);

// The heading of a group of options.
str help_group(opt_group group);

// "-j, --jobs N"; "what it does [fallback]".
str help_option_label(arena *a, const opt_spec *spec);
str help_option_text(arena *a, const opt_spec *spec);

#endif  // ASSAY_CLI_HELP_H
