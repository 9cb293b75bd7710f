/*
 * help_completion.c - a script that completes our command lines in bash.
 *
 * Method      Commands, topics, options and the words of choices are written
 *             out; where none of them fits bash goes on with file names.
 */
#include "cli/help.h"

static void add_commands(buf *b)
{
    for (int c = 0; c < COMMAND_COUNT; c++) {
        buf_add(b, command_word((command)c));
        buf_char(b, ' ');
    }
}

static void add_topics(buf *b)
{
    for (int t = 0; t < HELP_TOPIC_COUNT; t++) {
        buf_add(b, help_topic_word((help_topic)t));
        buf_char(b, ' ');
    }
}

// The arm of a case that offers the words of one choice.
static void add_choices(buf *b)
{
    for (int id = 0; id < OPT_COUNT; id++) {
        const opt_spec *spec = opt_spec_at((opt_id)id);
        if (spec->kind != OPT_KIND_CHOICE) {
            continue;
        }
        buf_printf(b, "    --%.*s) words='", STR_ARG(spec->name));
        for (str rest = spec->arg; rest.len > 0;) {
            buf_add(b, str_cut(&rest, '|'));
            buf_char(b, ' ');
        }
        buf_add(b, S("' ;;\n"));
    }
}

static void add_options(buf *b, command c)
{
    buf_printf(b, "    %.*s) words='", STR_ARG(command_word(c)));
    for (int id = 0; id < OPT_COUNT; id++) {
        if (opt_is_for((opt_id)id, c)) {
            buf_add(b, S("--"));
            buf_add(b, opt_spec_at((opt_id)id)->name);
            buf_char(b, ' ');
        }
    }
    if (c == COMMAND_HELP) {
        add_commands(b);
        add_topics(b);
    }
    buf_add(b, S("' ;;\n"));
}

void help_completion(page *p)
{
    buf *b = &p->text;
    buf_add(b, S("_assay() {\n"
                 "  local words='' before=${COMP_WORDS[COMP_CWORD-1]}\n"
                 "  case $before in\n"));
    add_choices(b);
    buf_add(b, S("    assay) words='"));
    add_commands(b);
    buf_add(b, S("--help --version ' ;;\n"
                 "    *) case ${COMP_WORDS[1]} in\n"));
    for (int c = 0; c < COMMAND_COUNT; c++) {
        add_options(b, (command)c);
    }
    buf_add(b, S("    esac ;;\n"
                 "  esac\n"
                 "  COMPREPLY=($(compgen -W \"$words\" -- "
                 "\"${COMP_WORDS[COMP_CWORD]}\"))\n"
                 "}\n"
                 "complete -o default -F _assay assay\n"));
}
