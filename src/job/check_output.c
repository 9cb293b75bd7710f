/*
 * check_output.c - a witness drawn as tables.
 *
 * Method      Each table becomes a block of lines of known width; as many
 *             blocks stand next to each other as the page has room for.
 *
 * Cost        Linear in what is shown, at most ROWS_MAX rows of a table.
 */
#include "job/check_output.h"

#include "base/json_write.h"
#include "base/shard.h"
#include "base/utf8.h"
#include "check/check_line.h"
#include "report/grid.h"

enum {
    CELL_MAX = 40,  // characters of a value
    ROWS_MAX = 30,  // of a table that are shown
};

static str cell_text(value v, arena *a)
{
    buf b = buf_new(a);
    value_show(&b, v, CELL_MAX);
    return buf_str(&b);
}

// A label of a column is often a whole expression.
static str short_name(str name, arena *a)
{
    ptrdiff_t cut = utf8_prefix(name, CELL_MAX);
    return cut < name.len ? arena_printf(a, "%.*s...", (int)cut, name.ptr)
                          : name;
}

static layout_block draw(str title, const table *t, str error, arena *a)
{
    layout_block d = {0};
    grid g = {.a = a};
    layout_line(&d, a, title);
    if (error.len > 0) {
        layout_line(&d, a, error);
        return d;
    }
    ptrdiff_t n_rows = t->n_rows < ROWS_MAX ? t->n_rows : ROWS_MAX;
    grid_begin(&g);
    for (ptrdiff_t c = 0; c < t->n_columns; c++) {
        grid_add(&g, short_name(t->names[c], a));
    }
    for (ptrdiff_t i = 0; i < n_rows * t->n_columns; i++) {
        if (i % t->n_columns == 0) {
            grid_begin(&g);
        }
        grid_add(&g, cell_text(t->cells[i], a));
    }
    grid_lines(&g, &d);
    if (t->n_rows == 0) {
        layout_line(&d, a, S("  (no rows)"));
    } else if (t->n_rows > n_rows) {
        layout_line(&d, a,
                    arena_printf(a, "  and %td more row%s", t->n_rows - n_rows,
                                 plural(t->n_rows - n_rows)));
    }
    return d;
}

// Drawings next to each other, as many as the page has room for.
static void add_side_by_side(buf *out,
                             const layout_block *d,
                             ptrdiff_t n,
                             ptrdiff_t page)
{
    while (n > 0) {
        ptrdiff_t fit = 1;
        while (fit < n && layout_width(d, fit + 1) <= page) {
            fit++;
        }
        buf_char(out, '\n');
        layout_beside(out, d, fit, 0);
        d += fit;
        n -= fit;
    }
}

static void add_causes(buf *out, unsigned causes)
{
    for (int c = 0; c < CAUSE_COUNT; c++) {
        if (causes & (1u << c)) {
            buf_printf(out, "  %.*s: %.*s\n", STR_ARG(cause_word((cause)c)),
                       STR_ARG(cause_text((cause)c)));
        }
    }
}

// What the data say: at most so many of each.
enum {
    SENTENCES = 8
};

static void add_sentences(buf *out, const char *before, const str_list *list)
{
    for (ptrdiff_t i = 0; i < list->len && i < SENTENCES; i++) {
        buf_printf(out, "  %s%.*s\n", before, STR_ARG(list->ptr[i]));
    }
    if (list->len > SENTENCES) {
        buf_printf(out, "  ... and %td more\n", list->len - SENTENCES);
    }
}

static void add_world(buf *out, const check_verdict *v)
{
    if (v->realism == REALISM_YES) {
        buf_add(out, S("  realistic: this database looks like your data\n"));
    }
    add_sentences(out, "breaks: ", &v->breaks);
    add_sentences(out, "equivalent as long as ", &v->needs);
}

static void add_witness(buf *out,
                        const check_verdict *v,
                        const check_look *look,
                        arena *a)
{
    const check_witness *w = &v->witness;
    if (v->is_translated) {
        buf_printf(out, "  assuming sqlite-semantics%s\n",
                   v->has_used_types ? ", types-as-used" : "");
    }
    if (v->is_stable) {
        buf_add(out, S("  this engine gives different results in every order "
                       "of the rows tried; another may not\n"));
    }
    add_causes(out, v->causes);
    add_world(out, v);
    buf_char(out, '\n');
    buf_add(out, w->sql);
    layout_block *tables = arena_new(a, layout_block, w->n_tables);
    for (ptrdiff_t t = 0; t < w->n_tables; t++) {
        tables[t] = draw(w->tables[t].name, &w->tables[t].rows, (str){0}, a);
    }
    add_side_by_side(out, tables, w->n_tables, look->width);
    layout_block results[] = {
        draw(S("left"), &w->left, w->left_error, a),
        draw(S("right"), &w->right, w->right_error, a),
    };
    add_side_by_side(out, results, 2, look->width);
}

static void add_columns(buf *out, const proof *p)
{
    buf_add(out, S("  columns: the left result's are the right one's"));
    for (ptrdiff_t i = 0; i < p->n_columns; i++) {
        buf_printf(out, "%s %d", i == 0 ? "" : ",", p->columns[i] + 1);
    }
    buf_char(out, '\n');
}

static void add_steps(buf *out,
                      const proof *p,
                      prove_side which,
                      str sql,
                      const check_look *look)
{
    for (ptrdiff_t i = 0; i < p->steps.len; i++) {
        const proof_step *s = &p->steps.ptr[i];
        if (s->side != which) {
            continue;
        }
        buf_printf(out, "  %s %.*s",
                   which == PROVE_LEFT ? "left: " : "right:", STR_ARG(s->rule));
        if (s->len > 0 && s->len < sql.len && s->pos + s->len <= sql.len) {
            str part = str_sub(sql, s->pos, s->pos + s->len);
            buf_printf(out, " in (%.*s)", STR_ARG(part));
        }
        buf_char(out, '\n');
        if (look->explains && s->form.len > 0) {
            buf_printf(out, "         %.*s\n", STR_ARG(s->form));
        }
    }
}

static void add_proof(buf *out,
                      const check_verdict *v,
                      str left,
                      str right,
                      const check_look *look)
{
    const proof *p = &v->proof;
    if (p->is_rounded) {
        buf_add(out, S("  within rounding: numbers may differ in their last "
                       "digits\n"));
    }
    add_steps(out, p, PROVE_LEFT, left, look);
    add_steps(out, p, PROVE_RIGHT, right, look);
    if (p->is_permuted) {
        add_columns(out, p);
    }
    str before = S("  assuming ");
    for (unsigned bit = 1; bit != 0 && bit <= p->assumptions; bit <<= 1) {
        if (p->assumptions & bit) {
            buf_add(out, before);
            buf_add(out, assume_word(bit));
            before = S(", ");
        }
    }
    if (v->is_translated) {
        buf_add(out, before);
        buf_add(out, S("sqlite-semantics"));
    }
    if (v->has_used_types) {
        buf_add(out, S(", types-as-used"));
    }
    buf_add(out, p->assumptions || v->is_translated
                     ? S("\n")
                     : S("  assuming nothing\n"));
}

static void add_tried(buf *out, const check_verdict *v)
{
    if (v->databases > 0) {
        buf_printf(out,
                   "  no proof, and no counterexample among %lld database%s",
                   (long long)v->databases, plural(v->databases));
        if (v->most_rows > 0) {
            buf_printf(out, " of up to %lld row%s a table",
                       (long long)v->most_rows, plural(v->most_rows));
        }
        bool was_searched = v->most_rows > 0 && v->reason.len == 0;
        buf_add(out, was_searched
                         ? S("\n  --databases and --seconds look longer; "
                             "--data FILE counts only what is like "
                             "your data\n")
                         : S("\n"));
    }
    if (v->proof.obstacle.len > 0) {
        buf_printf(out, "  the prover does not support: %.*s\n",
                   STR_ARG(v->proof.obstacle));
    }
    if (v->proof.gave_up) {
        buf_add(out, S("  the solver found no answer within its limits\n"));
    } else if (v->proof.lacks_solver) {
        buf_add(out, S("  no solver: the library Z3 "
                       "(Debian: libz3-4) is missing\n"));
    }
    if (v->unstable > 0) {
        buf_printf(
            out, "  on %lld of them the results differed, but may also agree\n",
            (long long)v->unstable);
    }
}

void check_output_add(buf *out,
                      const check_verdict *v,
                      str left,
                      str right,
                      const check_look *look,
                      arena scratch)
{
    if (look->has_color) {
        buf_add(out, S("\x1b[1m"));
    }
    buf_add(out, check_answer_word(v->answer));
    if (look->has_color) {
        buf_add(out, S("\x1b[0m"));
    }
    if (v->reason.len > 0) {
        buf_printf(out, ": %.*s", STR_ARG(v->reason));
    }
    if (v->detail.len > 0) {
        buf_printf(out, " (%.*s)", STR_ARG(v->detail));
    }
    buf_char(out, '\n');
    if (v->evidence == EVIDENCE_WITNESS) {
        add_witness(out, v, look, &scratch);
    } else if (v->answer == CHECK_EQUIVALENT) {
        add_proof(out, v, left, right, look);
        add_world(out, v);
    } else if (v->answer == CHECK_UNKNOWN) {
        add_tried(out, v);
        add_world(out, v);
    }
    if (v->is_vacuous) {
        buf_add(out, S("  neither query returned a row on any of them\n"));
    }
}

void check_output_line(buf *out,
                       const check_item *item,
                       const check_verdict *v,
                       check_line_look look,
                       arena scratch)
{
    const check_asked asked = {item->id, item->left, item->right, item->label};
    arena texts = arena_half(&scratch);
    buf line = buf_new(&texts);
    check_line_add(look.is_shard ? &line : out, &asked, v, look.with_times,
                   scratch);
    shard_mark(out, buf_str(&line), item->position);
}

bool check_output_is_line(const check_item *item,
                          str text,
                          check_line_look look,
                          arena scratch)
{
    buf b = buf_new(&scratch);
    buf_char(&b, '{');
    json_write(
        &b, member_if(look.is_shard, member_int(S("position"), item->position)),
        member_text(S("id"), item->id));
    return str_starts(text, buf_str(&b))
           && str_find(text, S("\n"), 0) == text.len - 1;
}
