// help.c - the overview and the page of a command; topics: help_topics.c.
#include "cli/help.h"

#include <assert.h>

enum {
    COMMAND_COLUMN = 14,
    OPTION_COLUMN = 28
};

void help_entry(doc *d, ptrdiff_t column, str label, str text)
{
    doc_entry(d, column, arena_printf(d->a, "  %.*s  ", STR_ARG(label)), text);
}

void help_overview(doc *d)
{
    doc_entry(d, 0, (str){0},
              S("assay finds out whether SQL written by a language model is "
                "right, and "
                "why not: by text, by execution and by proof."));
    doc_add(d, DOC_HEADING, S("usage"));
    doc_say(d, "  assay COMMAND [options]\n");
    doc_add(d, DOC_HEADING, S("commands"));
    for (int c = 0; c < COMMAND_COUNT; c++) {
        help_entry(d, COMMAND_COLUMN, command_word((command)c),
                   command_of((command)c)->line);
    }
    doc_add(d, DOC_HEADING, S("more: assay help COMMAND, or assay help TOPIC"));
    for (int t = 0; t < HELP_TOPIC_COUNT; t++) {
        help_entry(d, COMMAND_COLUMN, help_topic_word((help_topic)t),
                   help_topic_line((help_topic)t));
    }
}

static const char *const group_headings[] = {
    [OPT_GROUP_INPUT] = "input",
    [OPT_GROUP_CASES] = "which cases",
    [OPT_GROUP_COMPARE] = "what counts as right",
    [OPT_GROUP_OUTPUT] = "output",
    [OPT_GROUP_GATES] = "gates for CI",
    [OPT_GROUP_LIMITS] = "limits",
    [OPT_GROUP_GENERAL] = "general",
    [OPT_GROUP_MODEL] = "the language model",
};

_Static_assert(countof(group_headings) == OPT_GROUP_COUNT,
               "every group has a heading");

// The names of the options that the page of a command shows first.
static const str common_options[COMMAND_COUNT] = {
#define COMMON(command, options) [COMMAND_##command] = S_INIT(options),
#define SAYS(command, option, text)
#include "cli/help_option.def"
#undef SAYS
#undef COMMON
};

static const struct {
    command command;
    opt_id option;
    const char *text;
} texts[] = {
#define COMMON(command, options)
#define SAYS(command, option, text) {COMMAND_##command, OPT_##option, text},
#include "cli/help_option.def"
#undef SAYS
#undef COMMON
};

// Options of a command under one heading; there may be none.
typedef struct help_section {
    str heading;
    opt_id ids[OPT_COUNT];
    int n;
} help_section;

// Section number i of the page of command c: the common options, then those of
// each group; false when there are not so many.
static bool help_section_at(command c, int i, help_section *out)
{
    bool is_common[OPT_COUNT] = {false};
    *out = (help_section){.heading = S("common options")};
    for (str rest = common_options[c]; rest.len > 0;) {
        int id = opt_named(c, str_cut(&rest, ' '));
        assert(id >= 0 && "help_option.def names options of the command");
        is_common[id] = true;
        out->ids[out->n++] = (opt_id)id;
    }
    if (i == 0) {
        return true;
    }
    opt_group group = (opt_group)(i - 1);
    if (group >= OPT_GROUP_COUNT) {
        return false;
    }
    *out = (help_section){.heading = str_from(group_headings[group])};
    for (int id = 0; id < OPT_COUNT; id++) {
        if (opt_spec_at((opt_id)id)->group == group && opt_is_for((opt_id)id, c)
            && !is_common[id]) {
            out->ids[out->n++] = (opt_id)id;
        }
    }
    return true;
}

// "-j, --jobs N"
static str help_option_label(arena *a, const opt_spec *spec)
{
    buf b = buf_new(a);
    if (spec->letter) {
        buf_printf(&b, "-%c, ", spec->letter);
    }
    buf_printf(&b, "--%.*s", STR_ARG(spec->name));
    if (spec->arg.len > 0) {
        buf_printf(&b, " %.*s", STR_ARG(spec->arg));
    }
    if (spec->flags & OPT_MANY) {
        buf_add(&b, S("..."));
    }
    return buf_str(&b);
}

str help_option_text(arena *a, command c, opt_id id)
{
    const opt_spec *spec = opt_spec_at(id);
    str text = spec->text;
    for (ptrdiff_t i = 0; i < countof(texts); i++) {
        if (texts[i].command == c && texts[i].option == id) {
            text = str_from(texts[i].text);
        }
    }
    return spec->fallback.len == 0
               ? text
               : arena_printf(a, "%.*s [%.*s]", STR_ARG(text),
                              STR_ARG(spec->fallback));
}

static void add_options(doc *d, command c, const help_section *s)
{
    if (s->n > 0) {
        doc_add(d, DOC_HEADING, s->heading);
    }
    for (int i = 0; i < s->n; i++) {
        help_entry(d, OPTION_COLUMN,
                   help_option_label(d->a, opt_spec_at(s->ids[i])),
                   help_option_text(d->a, c, s->ids[i]));
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

// What a command does, and its usage.
static void add_command(doc *d, command c)
{
    str word = command_word(c);
    const command_row *row = command_of(c);
    if (d->look.is_roff) {
        doc_say(d, ".SS assay %.*s\n", STR_ARG(word));
        doc_add(d, DOC_LINE, row->line);
        doc_say(d, ".PP\n.B assay %.*s\n", STR_ARG(word));
        doc_add(d, DOC_LINE, row->usage);
        return;
    }
    doc_say(d, "assay %.*s: %.*s\n", STR_ARG(word), STR_ARG(row->line));
    doc_add(d, DOC_HEADING, S("usage"));
    doc_say(d, "  assay %.*s %.*s\n", STR_ARG(word), STR_ARG(row->usage));
}

// A command line, and what it is an example of.
static void add_example(doc *d, str what, str line)
{
    if (d->look.is_roff) {
        doc_say(d, ".PP\n");
        doc_add(d, DOC_LINE, arena_printf(d->a, "%.*s:", STR_ARG(what)));
        doc_say(d, ".PP\n.RS\n.nf\n");
        doc_add(d, DOC_LINE, line);
        doc_say(d, ".fi\n.RE\n");
        return;
    }
    doc_say(d, "  # %.*s\n  $ %.*s\n", STR_ARG(what), STR_ARG(line));
}

void help_command(doc *d, command c)
{
    help_section section;
    add_command(d, c);
    for (int i = 0; help_section_at(c, i, &section); i++) {
        add_options(d, c, &section);
    }
    if (!d->look.is_roff) {
        doc_add(d, DOC_HEADING, S("examples"));
    }
    for (ptrdiff_t i = 0; i < countof(examples); i++) {
        if (examples[i].command == c) {
            add_example(d, str_from(examples[i].what),
                        str_from(examples[i].line));
        }
    }
}
