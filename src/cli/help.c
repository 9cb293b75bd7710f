// help.c - the overview and the page of a command; topics: help_topics.c.
#include "cli/help.h"

#include <assert.h>

enum {
    COMMAND_COLUMN = 14,
    OPTION_COLUMN = 28
};

void help_overview(page *p)
{
    page_text(p, 0,
              S("assay tells whether SQL written by a model is right, by "
                "testing it against gold."));
    page_heading(p, S("usage"));
    page_line(p, 2, S("assay COMMAND [options]"));
    page_heading(p, S("commands"));
    for (int c = 0; c < COMMAND_COUNT; c++) {
        page_entry(p, COMMAND_COLUMN, command_word((command)c),
                   command_line((command)c));
    }
    page_heading(p, S("more: assay help COMMAND, or assay help TOPIC"));
    for (int t = 0; t < HELP_TOPIC_COUNT; t++) {
        page_entry(p, COMMAND_COLUMN, help_topic_word((help_topic)t),
                   help_topic_line((help_topic)t));
    }
}

static const char *const group_headings[] = {
    [OPT_GROUP_INPUT] = "input",
    [OPT_GROUP_MODEL] = "the model",
    [OPT_GROUP_COMPARE] = "what is scored, and how",
    [OPT_GROUP_LIMITS] = "limits",
    [OPT_GROUP_CASES] = "which cases",
    [OPT_GROUP_OUTPUT] = "output",
    [OPT_GROUP_GATES] = "gates",
    [OPT_GROUP_GENERAL] = "general",
};

_Static_assert(countof(group_headings) == OPT_GROUP_COUNT,
               "every group has a heading");

str help_group(opt_group group)
{
    assert(group < OPT_GROUP_COUNT);
    return str_from(group_headings[group]);
}

// "-j, --jobs N"
str help_option_label(arena *a, const opt_spec *spec)
{
    buf b = buf_new(a);
    if (spec->letter) {
        buf_printf(&b, "-%c, ", spec->letter);
    }
    buf_printf(&b, "--%.*s", STR_ARG(spec->name));
    if (spec->arg.len > 0) {
        buf_printf(&b, " %.*s", STR_ARG(spec->arg));
    }
    if (spec->flags & OPT_REPEATS) {
        buf_add(&b, S("..."));
    }
    return buf_str(&b);
}

str help_option_text(arena *a, const opt_spec *spec)
{
    if (spec->fallback.len == 0) {
        return spec->text;
    }
    return arena_printf(a, "%.*s [%.*s]", STR_ARG(spec->text),
                        STR_ARG(spec->fallback));
}

static void add_options(page *p, command c, opt_group group, arena *a)
{
    bool is_empty = true;
    for (int id = 0; id < OPT_COUNT; id++) {
        const opt_spec *spec = opt_spec_at((opt_id)id);
        if (spec->group != group || !opt_is_for((opt_id)id, c)) {
            continue;
        }
        if (is_empty) {
            page_heading(p, help_group(group));
            is_empty = false;
        }
        page_entry(p, OPTION_COLUMN, help_option_label(a, spec),
                   help_option_text(a, spec));
    }
}

static const struct {
    command command;
    const char *what;
    const char *line;
} examples[] = {
#define EXAMPLE(command, what, line) {COMMAND_##command, what, line},
#include "cli/example.def"
#undef EXAMPLE
};

bool help_example(command c, ptrdiff_t i, str *what, str *line)
{
    for (ptrdiff_t k = 0; k < countof(examples); k++) {
        if (examples[k].command == c && i-- == 0) {
            *what = str_from(examples[k].what);
            *line = str_from(examples[k].line);
            return true;
        }
    }
    return false;
}

void help_command(page *p, command c)
{
    char memory[4096];
    arena labels = {.next = memory, .end = memory + sizeof memory};
    str word = command_word(c);
    buf_printf(&p->text, "assay %.*s: %.*s\n", STR_ARG(word),
               STR_ARG(command_line(c)));
    page_heading(p, S("usage"));
    buf_printf(&p->text, "  assay %.*s %.*s\n", STR_ARG(word),
               STR_ARG(command_usage(c)));
    for (int group = 0; group < OPT_GROUP_COUNT; group++) {
        arena scratch = labels;
        add_options(p, c, (opt_group)group, &scratch);
    }
    page_heading(p, S("examples"));
    str what;
    str line;
    for (ptrdiff_t i = 0; help_example(c, i, &what, &line); i++) {
        buf_printf(&p->text, "  # %.*s\n", STR_ARG(what));
        buf_printf(&p->text, "  $ %.*s\n", STR_ARG(line));
    }
}
