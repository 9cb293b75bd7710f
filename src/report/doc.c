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
#include "base/utf8.h"
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

void doc_entry(doc *d, ptrdiff_t column, str label, str text)
{
    *vec_push(d->a, &d->nodes) = (doc_node){
        .kind = DOC_ENTRY, .column = column, .label = label, .text = text};
}

void doc_entry_at(doc *d, ptrdiff_t at, ptrdiff_t column, str text)
{
    *vec_push(d->a, &d->nodes) =
        (doc_node){.kind = DOC_ENTRY, .column = column, .at = at, .text = text};
}

void doc_mark(doc *d, doc_style style, str text)
{
    *vec_push(d->a, &d->nodes) =
        (doc_node){.kind = DOC_MARK, .text = text, .style = style};
}

void doc_beside(doc *d, const layout_block *b, ptrdiff_t n, ptrdiff_t column)
{
    *vec_push(d->a, &d->nodes) = (doc_node){
        .kind = DOC_BESIDE, .blocks = b, .n_blocks = n, .column = column};
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
    case DOC_MARK:
    case DOC_ENTRY:
    case DOC_BESIDE:
    case DOC_PLOT: break;  // no command asks for them
    }
}

// In roff: dashes as they are typed, nothing taken for a request.
static void add_roff(buf *out, const char *before, str text)
{
    static const char *const signs[128] = {['\\'] = "\\e", ['-'] = "\\-"};
    bool is_request = before[0] == '\0' && text.len > 0
                      && (text.ptr[0] == '.' || text.ptr[0] == '\'');
    buf_add(out, str_from(before));
    buf_add(out, is_request ? S("\\&") : S(""));
    buf_escape(out, text, signs);
    buf_char(out, '\n');
}

// Of what the manual page has.
static void write_roff(const doc_node *n, buf *out)
{
    if (n->kind == DOC_TEXT) {
        buf_add(out, n->text);
    } else if (n->kind == DOC_HEADING) {
        add_roff(out, ".PP\n.I ", n->text);
    } else if (n->kind == DOC_ENTRY) {
        add_roff(out, ".TP\n.B ", str_trim(n->label));
        add_roff(out, "", n->text);
    } else {
        add_roff(out, "", n->text);
    }
}

static void write_entry(const doc_node *n, buf *out, ptrdiff_t width)
{
    ptrdiff_t at = n->at + utf8_width(n->label);
    buf_add(out, n->label);
    if (at > n->column || n->text.len == 0) {
        buf_trim(out);
        buf_char(out, '\n');
        at = 0;
    }
    if (n->text.len > 0) {
        buf_repeat(out, ' ', n->column - at);
        layout_wrapped(out, n->text, n->column, width);
    }
}

// As many in a row as fit, and an empty line before each further row.
static void write_beside(const doc_node *n, buf *out, ptrdiff_t width)
{
    const layout_block *b = n->blocks;
    for (ptrdiff_t left = n->n_blocks; left > 0;) {
        ptrdiff_t fit = 1;
        while (fit < left && n->column + layout_width(b, fit + 1) <= width) {
            fit++;
        }
        layout_beside(out, b, fit, n->column);
        b += fit;
        left -= fit;
        buf_add(out, left > 0 ? S("\n") : S(""));
    }
}

// Titles and headings are bold.
static void write_styled(const doc_node *n, buf *out, bool has_color)
{
    static const char *const signs[] = {
        [DOC_BOLD] = "\033[1m",
        [DOC_GREEN] = "\033[32m",
        [DOC_YELLOW] = "\033[33m",
        [DOC_RED] = "\033[31m",
    };
    buf_printf(out, "%s%.*s%s", has_color ? signs[n->style] : "",
               STR_ARG(n->text), has_color ? "\033[0m" : "");
}

static void write_text(const doc_node *n,
                       buf *out,
                       const report_look *look,
                       arena scratch)
{
    switch (n->kind) {
    case DOC_TEXT: buf_add(out, n->text); break;
    case DOC_LINE: buf_printf(out, "%.*s\n", STR_ARG(n->text)); break;
    case DOC_HEADING:
    case DOC_TITLE:
        buf_add(out, n->kind == DOC_HEADING && out->len > 0 ? S("\n") : S(""));
        write_styled(n, out, look->has_color);
        buf_char(out, '\n');
        break;
    case DOC_MARK: write_styled(n, out, look->has_color); break;
    case DOC_ENTRY: write_entry(n, out, look->width); break;
    case DOC_BESIDE: write_beside(n, out, look->width); break;
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
        } else if (d->look.is_roff) {
            write_roff(n, out);
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
