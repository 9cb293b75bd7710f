// doc_out.c - see doc_out.h.
#include "cli/doc_out.h"

#include "cli/terminal.h"

#include <unistd.h>

doc doc_out_new(const cli *c, arena *a, ptrdiff_t width)
{
    report_look look = {
        .width = terminal_width(STDOUT_FILENO, width),
        .has_color = c->out_has_color,
        .has_unicode = c->out_is_terminal,
        .is_markdown = opt_is(c->o, OPT_RENDER, S("markdown")),
        .is_verbose = opt_flag(c->o, OPT_VERBOSE),
        .show = (ptrdiff_t)opt_int(c->o, OPT_SHOW),
    };
    return doc_new(a, look);
}

bool doc_out_print(const cli *c, const doc *d, FILE *to)
{
    buf text = buf_new(d->a);
    doc_write(d, &text);
    return to == stdout ? cli_print(c, buf_str(&text))
                        : cli_write(c, to, buf_str(&text));
}
