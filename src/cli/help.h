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

str help_topic_word(help_topic v);
str help_topic_line(help_topic t);
bool help_topic_from_word(str word, help_topic *out);
void help_topic_page(page *p, help_topic t);

void help_man(page *p);  // for programs: the manual page, as roff

// "what it does [fallback]", in the words of command c.
str help_option_text(arena *a, command c, opt_id id);

#endif  // ASSAY_CLI_HELP_H
