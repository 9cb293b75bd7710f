// help_man.c - the manual page, in roff.
#include "base/version.h"
#include "cli/help.h"

void help_man(doc *d)
{
    d->look.is_roff = true;
    doc_say(d,
            ".TH ASSAY 1 \"%.*s\" \"assay %.*s\"\n"
            ".SH NAME\n"
            "assay \\- tell whether SQL written by a language model is right\n"
            ".SH SYNOPSIS\n"
            ".B assay\n"
            "COMMAND [options]\n"
            ".SH COMMANDS\n",
            STR_ARG(version_date()), STR_ARG(version_text()));
    for (int c = 0; c < COMMAND_COUNT; c++) {
        help_command(d, (command)c);
    }
    doc_add(d, DOC_TEXT,
            S(".SH TOPICS\n"
              "Read them with\n"
              ".BR \"assay help\" .\n"));
    for (int t = 0; t < HELP_TOPIC_COUNT; t++) {
        help_entry(d, 0, help_topic_word((help_topic)t),
                   help_topic_line((help_topic)t));
    }
    doc_add(d, DOC_TEXT, S(".SH EXIT STATUS\n"));
    help_topic_page(d, HELP_TOPIC_EXIT_CODES);
}
