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

// Pages for programs: scripts for bash, zsh and fish, and roff.
void help_completion(page *p);
void help_completion_zsh(page *p);
void help_completion_fish(page *p);
void help_man(page *p);

// What follows an option.
typedef enum help_value_kind {
    HELP_VALUE_NONE,  // nothing: it is a flag
    HELP_VALUE_WORD,  // one of `words`
    HELP_VALUE_LIST,  // some of `words`, with commas between them
    HELP_VALUE_FILE,  // the name of a file or a folder
    HELP_VALUE_FREE,
} help_value_kind;

typedef struct help_values {
    str words;  // with spaces between them; empty but for WORD and LIST
    help_value_kind kind;
} help_values;

help_values help_values_of(arena *a, opt_id id);

// Example number i of command c; false when there are not so many.
bool help_example(command c, ptrdiff_t i, str *what, str *line);

// Options of a command under one heading; there may be none.
typedef struct help_section {
    str heading;
    opt_id ids[OPT_COUNT];
    int n;
} help_section;

// Section number i of the page of command c: the common options, then those of
// each group; false when there are not so many.
bool help_section_at(command c, int i, help_section *out);

// "-j, --jobs N"; "what it does [fallback]", in the words of command c.
str help_option_label(arena *a, const opt_spec *spec);
str help_option_text(arena *a, command c, opt_id id);

#endif  // ASSAY_CLI_HELP_H
