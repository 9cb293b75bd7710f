// help_man.c - the manual page, in roff.
#include "base/version.h"
#include "cli/help.h"

void help_man(page *p)
{
    p->is_roff = true;
    buf_printf(
        &p->text,
        ".TH ASSAY 1 \"%.*s\" \"assay %.*s\"\n"
        ".SH NAME\n"
        "assay \\- tell whether SQL written by a language model is right\n"
        ".SH SYNOPSIS\n"
        ".B assay\n"
        "COMMAND [options]\n"
        ".SH COMMANDS\n",
        STR_ARG(version_date()), STR_ARG(version_text()));
    for (int c = 0; c < COMMAND_COUNT; c++) {
        help_command(p, (command)c);
    }
    buf_add(&p->text, S(".SH TOPICS\n"
                        "Read them with\n"
                        ".BR \"assay help\" .\n"));
    for (int t = 0; t < HELP_TOPIC_COUNT; t++) {
        page_entry(p, 0, help_topic_word((help_topic)t),
                   help_topic_line((help_topic)t));
    }
    buf_add(&p->text, S(".SH EXIT STATUS\n"));
    help_topic_page(p, HELP_TOPIC_EXIT_CODES);
}
