// help_man.c - the manual page, in roff.
#include "base/version.h"
#include "cli/help.h"

// Text of a line: dashes as they are typed, nothing taken for a request.
static void add_text(buf *b, str s)
{
    if (s.len > 0 && (s.ptr[0] == '.' || s.ptr[0] == '\'')) {
        buf_add(b, S("\\&"));
    }
    for (ptrdiff_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        if (c == '\\') {
            buf_add(b, S("\\e"));
        } else if (c == '-') {
            buf_add(b, S("\\-"));
        } else {
            buf_char(b, c);
        }
    }
}

static void add_request(buf *b, const char *request, str text)
{
    buf_printf(b, ".%s ", request);
    add_text(b, text);
    buf_char(b, '\n');
}

static void add_entry(buf *b, str label, str text)
{
    buf_add(b, S(".TP\n"));
    add_request(b, "B", label);
    add_text(b, text);
    buf_char(b, '\n');
}

static void add_section(buf *b, command c, const help_section *s)
{
    if (s->n > 0) {
        buf_add(b, S(".PP\n"));
        add_request(b, "I", s->heading);
    }
    for (int i = 0; i < s->n; i++) {
        char memory[1024];
        arena a = {.next = memory, .end = memory + sizeof memory};
        str label = help_option_label(&a, opt_spec_at(s->ids[i]));
        add_entry(b, label, help_option_text(&a, c, s->ids[i]));
    }
}

static void add_command(buf *b, command c)
{
    str what;
    str line;
    buf_printf(b, ".SS assay %.*s\n", STR_ARG(command_word(c)));
    add_text(b, command_line(c));
    buf_printf(b, "\n.PP\n.B assay %.*s\n", STR_ARG(command_word(c)));
    add_text(b, command_usage(c));
    buf_char(b, '\n');
    help_section section;
    for (int i = 0; help_section_at(c, i, &section); i++) {
        add_section(b, c, &section);
    }
    for (ptrdiff_t i = 0; help_example(c, i, &what, &line); i++) {
        buf_add(b, S(".PP\n"));
        add_text(b, what);
        buf_add(b, S(":\n.PP\n.RS\n.nf\n"));
        add_text(b, line);
        buf_add(b, S("\n.fi\n.RE\n"));
    }
}

void help_man(page *p)
{
    buf *b = &p->text;
    buf_printf(
        b,
        ".TH ASSAY 1 \"%.*s\" \"assay %.*s\"\n"
        ".SH NAME\n"
        "assay \\- tell whether SQL written by a language model is right\n"
        ".SH SYNOPSIS\n"
        ".B assay\n"
        "COMMAND [options]\n"
        ".SH COMMANDS\n",
        STR_ARG(version_date()), STR_ARG(version_text()));
    for (int c = 0; c < COMMAND_COUNT; c++) {
        add_command(b, (command)c);
    }
    buf_add(b, S(".SH TOPICS\n"
                 "Read them with\n"
                 ".BR \"assay help\" .\n"));
    for (int t = 0; t < HELP_TOPIC_COUNT; t++) {
        add_entry(b, help_topic_word((help_topic)t),
                  help_topic_line((help_topic)t));
    }
    buf_add(b, S(".SH EXIT STATUS\n"));
#define EXIT(constant, number, text) add_entry(b, S(#number), S(text));
#include "cli/exit.def"
#undef EXIT
}
