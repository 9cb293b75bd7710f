/*
 * doc.c - a document, and how each format writes it.
 *
 * Method      Nodes are kept in order, tables beside them, so that who makes a
 *             table may go on adding rows while lines follow it. Lines are as
 *             they are in every format; words of others are escaped where a
 *             format would obey them.
 */
#include "report/doc.h"

#include "base/json_write.h"
#include "report/xml.h"

doc doc_new(arena *a, report_look look)
{
    return (doc){.a = a, .look = look};
}

void doc_add(doc *d, doc_kind kind, str text)
{
    *vec_push(d->a, &d->nodes) = (doc_node){.kind = kind, .text = text};
}

grid *doc_titled(doc *d, str title)
{
    grid *g = arena_new(d->a, grid, 1);
    g->a = d->a;
    *vec_push(d->a, &d->nodes) = (doc_node){.kind = DOC_TABLE, .table = g};
    grid_row(g, title);
    return g;
}

grid *doc_table(doc *d, str heads)
{
    grid *g = doc_titled(d, str_cut(&heads, '|'));
    grid_heads(g, heads);
    return g;
}

void doc_plot(doc *d, const plot *p)
{
    *vec_push(d->a, &d->nodes) = (doc_node){.kind = DOC_PLOT, .plot = p};
}

static bool is_shown(const doc_node *n)
{
    return n->kind != DOC_TABLE || n->table->rows.len > 1;
}

static void write_markdown(const doc_node *n, buf *out)
{
    switch (n->kind) {
    case DOC_TEXT: buf_add(out, n->text); break;
    case DOC_HEADING: buf_printf(out, "\n## %.*s\n", STR_ARG(n->text)); break;
    case DOC_TITLE:
    case DOC_LINE:
        buf_add(out, n->kind == DOC_TITLE ? S("# ") : S(""));
        grid_markdown_text(out, n->text);
        buf_char(out, '\n');
        break;
    case DOC_TABLE: grid_markdown(n->table, out); break;
    case DOC_PLOT: break;  // no command asks for one
    }
}

static void write_text(const doc_node *n,
                       buf *out,
                       const report_look *look,
                       arena scratch)
{
    switch (n->kind) {
    case DOC_TEXT: buf_add(out, n->text); break;
    case DOC_HEADING:
    case DOC_TITLE:
    case DOC_LINE:
        buf_printf(out, "%s%s%.*s%s\n", n->kind == DOC_HEADING ? "\n" : "",
                   look->has_color ? "\033[1m" : "", STR_ARG(n->text),
                   look->has_color ? "\033[0m" : "");
        break;
    case DOC_TABLE:
        grid_print(n->table, out, look->width, look->has_color);
        break;
    case DOC_PLOT: plot_text(out, n->plot, look->width, scratch); break;
    }
}

void doc_write(const doc *d, buf *out)
{
    arena scratch = arena_half(d->a);
    for (ptrdiff_t i = 0; i < d->nodes.len; i++) {
        const doc_node *n = &d->nodes.ptr[i];
        if (!is_shown(n)) {
            continue;
        }
        bool is_apart = n->kind == DOC_TABLE || n->kind == DOC_PLOT;
        buf_add(out, is_apart && out->len > 0 ? S("\n") : S(""));
        if (d->look.is_markdown) {
            write_markdown(n, out);
        } else {
            write_text(n, out, &d->look, scratch);
        }
    }
}

static void add_html(const grid *g, buf *out)
{
    buf_add(out, S("<table>\n"));
    for (ptrdiff_t row = 0; row < g->rows.len; row++) {
        buf_add(out, S("<tr>"));
        for (ptrdiff_t column = 0; column < g->n_columns; column++) {
            const char *tag = row == 0 || column == 0 ? "th" : "td";
            buf_printf(out, "<%s>", tag);
            xml_add(out, grid_at(g, row, column));
            buf_printf(out, "</%s>", tag);
        }
        buf_add(out, S("</tr>\n"));
    }
    buf_add(out, S("</table>\n"));
}

static void add_json(const grid *g, buf *out)
{
    json_write(out, json_begin('['));
    for (ptrdiff_t row = 0; row < g->rows.len; row++) {
        json_write(out, json_begin('['));
        for (ptrdiff_t column = 0; column < g->n_columns; column++) {
            json_write(out, json_text(grid_at(g, row, column)));
        }
        buf_char(out, ']');
    }
    buf_char(out, ']');
}

// Each table that is shown, in one format.
static void each_table(const doc *d,
                       buf *out,
                       void (*write)(const grid *g, buf *out))
{
    for (ptrdiff_t i = 0; i < d->nodes.len; i++) {
        if (d->nodes.ptr[i].kind == DOC_TABLE && is_shown(&d->nodes.ptr[i])) {
            write(d->nodes.ptr[i].table, out);
        }
    }
}

void doc_html(const doc *d, buf *out)
{
    each_table(d, out, add_html);
}

void doc_json(const doc *d, buf *out)
{
    each_table(d, out, add_json);
}
