// help.h - the pages of `assay help`, made from the tables.
#ifndef ASSAY_CLI_HELP_H
#define ASSAY_CLI_HELP_H

#include "cli/opt.h"
#include "report/doc.h"

void help_overview(doc *d);
void help_command(doc *d, command c);

typedef enum help_topic {
#define TOPIC(constant, word, line) HELP_TOPIC_##constant,
#include "cli/topic.def"
#undef TOPIC
    HELP_TOPIC_COUNT,
} help_topic;

str help_topic_word(help_topic v);
str help_topic_line(help_topic t);
bool help_topic_from_word(str word, help_topic *out);
void help_topic_page(doc *d, help_topic t);

void help_man(doc *d);  // for programs: the manual page, as roff

// "  label  text", the text at a column.
void help_entry(doc *d, ptrdiff_t column, str label, str text);

// "what it does [fallback]", in the words of command c.
str help_option_text(arena *a, command c, opt_id id);

#endif  // ASSAY_CLI_HELP_H
