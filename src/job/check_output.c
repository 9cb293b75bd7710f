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
        grid_add(&g, value_shown(a, t->cells[i], CELL_MAX));
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

static void add_causes(doc *d, unsigned causes)
{
    for (int c = 0; c < CAUSE_COUNT; c++) {
        if (causes & (1u << c)) {
            doc_say(d, "  %.*s: %.*s\n", STR_ARG(cause_word((cause)c)),
                    STR_ARG(cause_text((cause)c)));
        }
    }
}

// What the data say: at most so many of each.
enum {
    SENTENCES = 8
};

static void add_sentences(doc *d, const char *before, const str_list *list)
{
    for (ptrdiff_t i = 0; i < list->len && i < SENTENCES; i++) {
        doc_say(d, "  %s%.*s\n", before, STR_ARG(list->ptr[i]));
    }
    if (list->len > SENTENCES) {
        doc_say(d, "  ... and %td more\n", list->len - SENTENCES);
    }
}

static void add_world(doc *d, const check_verdict *v)
{
    if (v->realism == REALISM_YES) {
        doc_add(d, DOC_TEXT,
                S("  realistic: this database looks like your data\n"));
    }
    add_sentences(d, "breaks: ", &v->breaks);
    add_sentences(d, "equivalent as long as ", &v->needs);
}

static void add_witness(doc *d, const check_verdict *v)
{
    arena *a = d->a;
    const check_witness *w = &v->witness;
    if (v->is_translated) {
        doc_say(d, "  assuming sqlite-semantics%s\n",
                v->has_used_types ? ", types-as-used" : "");
    }
    if (v->is_stable) {
        doc_add(d, DOC_TEXT,
                S("  this engine gives different results in every order "
                  "of the rows tried; another may not\n"));
    }
    add_causes(d, v->causes);
    add_world(d, v);
    doc_say(d, "\n");
    doc_add(d, DOC_TEXT, w->sql);
    layout_block *tables = arena_new(a, layout_block, w->n_tables);
    for (ptrdiff_t t = 0; t < w->n_tables; t++) {
        tables[t] = draw(w->tables[t].name, &w->tables[t].rows, (str){0}, a);
    }
    layout_block *results = arena_new(a, layout_block, 2);
    results[0] = draw(S("left"), &w->left, w->left_error, a);
    results[1] = draw(S("right"), &w->right, w->right_error, a);
    if (w->n_tables > 0) {
        doc_say(d, "\n");
    }
    doc_beside(d, tables, w->n_tables, 0);
    doc_say(d, "\n");
    doc_beside(d, results, 2, 0);
}

static void add_columns(doc *d, const proof *p)
{
    doc_add(d, DOC_TEXT,
            S("  columns: those of the left result match those of the right "
              "result"));
    for (ptrdiff_t i = 0; i < p->n_columns; i++) {
        doc_say(d, "%s %d", i == 0 ? "" : ",", p->columns[i] + 1);
    }
    doc_say(d, "\n");
}

static void add_steps(doc *d,
                      const proof *p,
                      prove_side which,
                      str sql,
                      bool explains)
{
    for (ptrdiff_t i = 0; i < p->steps.len; i++) {
        const proof_step *s = &p->steps.ptr[i];
        if (s->side != which) {
            continue;
        }
        doc_say(d, "  %s %.*s",
                which == PROVE_LEFT ? "left: " : "right:", STR_ARG(s->rule));
        if (s->len > 0 && s->len < sql.len && s->pos + s->len <= sql.len) {
            str part = str_sub(sql, s->pos, s->pos + s->len);
            doc_say(d, " in (%.*s)", STR_ARG(part));
        }
        doc_say(d, "\n");
        if (explains && s->form.len > 0) {
            doc_say(d, "         %.*s\n", STR_ARG(s->form));
        }
    }
}

static void add_proof(doc *d,
                      const check_verdict *v,
                      str left,
                      str right,
                      bool explains)
{
    const proof *p = &v->proof;
    if (p->is_rounded) {
        doc_add(d, DOC_TEXT,
                S("  within rounding: numbers may differ in their last "
                  "digits\n"));
    }
    add_steps(d, p, PROVE_LEFT, left, explains);
    add_steps(d, p, PROVE_RIGHT, right, explains);
    if (p->is_permuted) {
        add_columns(d, p);
    }
    buf assumed = buf_new(d->a);
    for (unsigned bit = 1; bit != 0 && bit <= p->assumptions; bit <<= 1) {
        if (p->assumptions & bit) {
            buf_list(&assumed, assume_word(bit));
        }
    }
    if (v->is_translated) {
        buf_list(&assumed, S("sqlite-semantics"));
    }
    if (v->has_used_types) {
        buf_list(&assumed, S("types-as-used"));
    }
    doc_say(d, "  assuming %.*s\n",
            STR_ARG(assumed.len > 0 ? buf_str(&assumed) : S("nothing")));
}

static void add_tried(doc *d, const check_verdict *v)
{
    if (v->databases > 0) {
        doc_say(d, "  no proof, and no counterexample among %lld database%s",
                (long long)v->databases, plural(v->databases));
        if (v->most_rows > 0) {
            doc_say(d, " of up to %lld row%s per table",
                    (long long)v->most_rows, plural(v->most_rows));
        }
        bool was_searched = v->most_rows > 0 && v->reason.len == 0;
        doc_add(d, DOC_TEXT,
                was_searched ? S(
                    "\n  --databases and --seconds extend the search; --data "
                    "FILE counts only databases that look like your data\n")
                             : S("\n"));
    }
    if (v->proof.obstacle.len > 0) {
        doc_say(d, "  the prover does not support: %.*s\n",
                STR_ARG(v->proof.obstacle));
    }
    if (v->proof.gave_up) {
        doc_add(d, DOC_TEXT,
                S("  the solver found no answer within its limits\n"));
    } else if (v->proof.lacks_solver) {
        doc_add(d, DOC_TEXT,
                S("  no solver: the library Z3 "
                  "(Debian: libz3-4) is missing\n"));
    }
    if (v->unstable > 0) {
        doc_say(d,
                "  on %lld of them the results differed, but may also agree\n",
                (long long)v->unstable);
    }
}

void check_output_doc(doc *d,
                      const check_verdict *v,
                      str left,
                      str right,
                      bool explains)
{
    doc_mark(d, DOC_BOLD, check_answer_word(v->answer));
    if (v->reason.len > 0) {
        doc_say(d, ": %.*s", STR_ARG(v->reason));
    }
    if (v->detail.len > 0) {
        doc_say(d, " (%.*s)", STR_ARG(v->detail));
    }
    doc_say(d, "\n");
    if (v->evidence == EVIDENCE_WITNESS) {
        add_witness(d, v);
    } else if (v->answer == CHECK_EQUIVALENT) {
        add_proof(d, v, left, right, explains);
        add_world(d, v);
    } else if (v->answer == CHECK_UNKNOWN) {
        add_tried(d, v);
        add_world(d, v);
    }
    if (v->is_vacuous) {
        doc_add(d, DOC_TEXT,
                S("  neither query returned a row on any of them\n"));
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
    check_line_add(&line, &asked, v, look.with_times, scratch);
    buf_add(out,
            shard_mark(look.shard, buf_str(&line), item->position, &scratch));
}

bool check_output_is_line(const check_item *item,
                          str text,
                          check_line_look look,
                          arena scratch)
{
    buf b = buf_new(&scratch);
    buf_char(&b, '{');
    json_write(
        &b,
        member_if(look.shard.n > 0, member_int(S("position"), item->position)),
        member_text(S("id"), item->id));
    return str_starts(text, buf_str(&b))
           && str_find(text, S("\n"), 0) == text.len - 1;
}
