/*
 * report_html.c - journals as one HTML file that needs nothing else.
 */
#include "report/render.h"
#include "report/report_figures.h"

// Text between tags, or in an attribute in double quotes.
static void add_escaped(buf *out, str text)
{
    for (ptrdiff_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        switch (c) {
        case '&': buf_add(out, S("&amp;")); break;
        case '<': buf_add(out, S("&lt;")); break;
        case '>': buf_add(out, S("&gt;")); break;
        case '"': buf_add(out, S("&quot;")); break;
        case '\0': buf_add(out, S("\xef\xbf\xbd")); break;
        default: buf_char(out, c);
        }
    }
}

static void add_cell(buf *out, const char *tag, str text)
{
    buf_printf(out, "<%s>", tag);
    add_escaped(out, text);
    buf_printf(out, "</%s>", tag);
}

// The figures for a reader without JavaScript.
static void add_figures(const render *r, buf *out, arena scratch)
{
    buf_add(out, S("<table>\n<tr><th>run</th>"));
    for (ptrdiff_t m = 0; m < r->n_keys; m++) {
        add_cell(out, "th", r->keys[m]);
    }
    buf_add(out, S("</tr>\n"));
    for (ptrdiff_t run = 0; run < map_count(&r->tally.runs); run++) {
        buf_add(out, S("<tr>"));
        add_cell(out, "th", map_key_at(&r->tally.runs, run));
        for (ptrdiff_t m = 0; m < r->n_keys; m++) {
            const tally_metric *metric = tally_metric_at(&r->tally, run, m);
            add_cell(out, "td", figures_cell(&scratch, metric));
        }
        buf_add(out, S("</tr>\n"));
    }
    buf_add(out, S("</table>\n"));
}

void html_head(render *r, buf *out, arena scratch)
{
    buf_add(out, S("<!doctype html>\n<html lang=\"en\">\n"
                   "<meta charset=\"utf-8\">\n"));
    add_cell(out, "title", render_title(r, &scratch));
    add_figures(r, out, scratch);
}

void html_line(render *r, buf *out, const render_line *l, arena scratch)
{
    (void)r;
    (void)out;
    (void)l;
    (void)scratch;
}

void html_tail(render *r, buf *out, arena scratch)
{
    (void)r;
    (void)scratch;
    buf_add(out, S("</html>\n"));
}
