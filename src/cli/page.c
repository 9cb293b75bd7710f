/*
 * page.c - see page.h.
 *
 * Method      Text goes to one buf, in the form of the page; what is wrapped is
 *             measured as a terminal shows it. In roff nothing is wrapped: man
 *             does that.
 */
#include "cli/page.h"

#include "base/utf8.h"
#include "report/layout.h"

page page_new(arena *a, ptrdiff_t width, bool has_color)
{
    return (page){.text = buf_new(a), .width = width, .has_color = has_color};
}

// In roff: dashes as they are typed, nothing taken for a request.
static void add_roff(page *p, const char *before, str text)
{
    static const char *const signs[128] = {['\\'] = "\\e", ['-'] = "\\-"};
    buf_add(&p->text, str_from(before));
    bool is_request = before[0] == '\0' && text.len > 0
                      && (text.ptr[0] == '.' || text.ptr[0] == '\'');
    buf_add(&p->text, is_request ? S("\\&") : S(""));
    buf_escape(&p->text, text, signs);
    buf_char(&p->text, '\n');
}

void page_command(page *p, str word, str line, str usage)
{
    if (p->is_roff) {
        buf_printf(&p->text, ".SS assay %.*s\n", STR_ARG(word));
        add_roff(p, "", line);
        buf_printf(&p->text, ".PP\n.B assay %.*s\n", STR_ARG(word));
        add_roff(p, "", usage);
        return;
    }
    buf_printf(&p->text, "assay %.*s: %.*s\n", STR_ARG(word), STR_ARG(line));
    page_heading(p, S("usage"));
    buf_printf(&p->text, "  assay %.*s %.*s\n", STR_ARG(word), STR_ARG(usage));
}

void page_example(page *p, str what, str line)
{
    if (p->is_roff) {
        buf_add(&p->text, S(".PP\n"));
        add_roff(p, "", arena_printf(p->text.a, "%.*s:", STR_ARG(what)));
        buf_add(&p->text, S(".PP\n.RS\n.nf\n"));
        add_roff(p, "", line);
        buf_add(&p->text, S(".fi\n.RE\n"));
        return;
    }
    buf_printf(&p->text, "  # %.*s\n  $ %.*s\n", STR_ARG(what), STR_ARG(line));
}

void page_heading(page *p, str heading)
{
    if (p->is_roff) {
        add_roff(p, ".PP\n.I ", heading);
        return;
    }
    if (p->text.len > 0) {
        buf_char(&p->text, '\n');
    }
    buf_add(&p->text, p->has_color ? S("\033[1m") : S(""));
    buf_add(&p->text, heading);
    buf_add(&p->text, p->has_color ? S("\033[0m\n") : S("\n"));
}

void page_text(page *p, ptrdiff_t indent, str text)
{
    buf_repeat(&p->text, ' ', indent);
    layout_wrapped(&p->text, text, indent, p->width);
}

void page_line(page *p, ptrdiff_t indent, str line)
{
    buf_repeat(&p->text, ' ', indent);
    buf_add(&p->text, line);
    buf_char(&p->text, '\n');
}

void page_entry(page *p, ptrdiff_t column, str label, str text)
{
    ptrdiff_t at = 2 + utf8_width(label);
    if (p->is_roff) {
        add_roff(p, ".TP\n.B ", label);
        add_roff(p, "", text);
        return;
    }
    buf_add(&p->text, S("  "));
    buf_add(&p->text, label);
    if (at + 2 > column) {
        buf_char(&p->text, '\n');
        at = 0;
    }
    buf_repeat(&p->text, ' ', column - at);
    layout_wrapped(&p->text, text, column, p->width);
}
