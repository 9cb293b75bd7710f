/*
 * report_html.c - journals as one HTML file that needs nothing else.
 *
 * Method      The page (page/, put together by tools/page.py) has places for a
 *             title, for figures that show without JavaScript, and for the
 *             data: a head, then the lines of the journals, packed (pack.h).
 *             Each line goes as the journal has it, with a `view` of what the
 *             page cannot know: both queries in one layout, cut where words
 *             begin and end that only one has; and with `who`, what lint found
 *             out about who is wrong, where that was asked for.
 *
 * Safety      Text of others stands in two places only: escaped between tags,
 *             and in base64.
 */
#include "base/embedded.h"
#include "base/json_write.h"
#include "report/case_queries.h"
#include "report/pack.h"
#include "report/query_diff.h"
#include "report/render.h"
#include "report/report_figures.h"
#include "report/report_versus.h"
#include "report/rerun.h"
#include "report/xml.h"
#include "table/verdict.h"

#include <assert.h>

extern const embedded_file report_page[];

enum {
    COMPARED_RUNS_MAX = 12,  // more give too many pairs to read
};

typedef struct html_state {
    pack *data;
    str rest;  // of the page
    str metric;
    versus versus;
    const journal_file *journal;  // that versus reads
    diag d;                       // why runs cannot be compared
} html_state;

/* --- the page ------------------------------------------------------------ */

// Appends the page up to a place, "@data@", and steps over it.
static void add_page(html_state *h, buf *out, str place)
{
    ptrdiff_t at = str_find(h->rest, place, 0);
    assert(at >= 0);
    buf_add(out, str_sub(h->rest, 0, at));
    h->rest = str_skip(h->rest, at + place.len);
}

/* --- what the whole is made of ------------------------------------------- */

// What chose the cases may quote values; where databases are is not said, too.
static void add_made(const render *r, buf *b, const json *head)
{
    json_write(b, member_or_null(head, member_open(S("head"), '{')));
    for (const json *m = head ? head->child : NULL; m; m = m->next) {
        if (!r->o.redacts || !str_among(m->key, "only filters source")) {
            json_key(b, m->key);
            json_add(b, m);
        }
    }
    json_write(b, member_if(head, json_end("}")));
}

// "main","redacted","keys","reasons":{word:sentence},
// "journals":[{"file","head"}]
static void add_head(const render *r, buf *b, str metric)
{
    json_write(b, member_text(S("main"), metric),
               member_bool(S("redacted"), r->o.redacts),
               member_texts(S("keys"), r->keys.ptr, r->keys.len),
               member_open(S("reasons"), '{'));
    for (int i = 1; i < REASON_COUNT; i++) {
        json_write(b, member_text(reason_word((reason)i),
                                  reason_row_of((reason)i)->text));
    }
    json_write(b, json_end("}"), member_open(S("journals"), '['));
    for (ptrdiff_t i = 0; i < r->journals.files.len; i++) {
        const journal_file *it = &r->journals.files.ptr[i];
        json_write(b, json_begin('{'), member_text(S("file"), it->file.path));
        add_made(r, b, it->head);
        buf_char(b, '}');
    }
    buf_char(b, ']');
}

// {"tables":[[row,...],...],"runs":[{"run","confidence"}]}: what answers cost,
// how sure they are, who abstains. Nothing where no line tells it.
static void add_told(const render *r, buf *b, arena *a, ptrdiff_t metric)
{
    doc told = doc_new(a, (report_look){0});
    figures_tables(&told, &r->tally, metric);
    if (told.nodes.len == 0) {
        return;
    }
    json_write(b, member_open(S("told"), '{'), member_open(S("tables"), '['));
    doc_json(&told, b);
    json_write(b, json_end("]"), member_open(S("runs"), '['));
    for (ptrdiff_t i = 0; i < map_count(&r->tally.runs); i++) {
        sureness sure =
            bill_sureness(&r->tally.by_run.ptr[i].answers, metric, a);
        json_write(b, json_begin('{'),
                   member_text(S("run"), map_key_at(&r->tally.runs, i)));
        sureness_json(b, &sure);
        buf_char(b, '}');
    }
    buf_add(b, S("]}"));
}

/* --- a line --------------------------------------------------------------- */

// The text in turns: what both have, what only this one has, what both have...
static void add_turns(buf *b, str key, const query_words *w)
{
    json_write(b, member_open(key, '['));
    bool is_other = false;
    ptrdiff_t from = 0;
    ptrdiff_t end = 0;
    for (ptrdiff_t i = 0; i < w->n; i++) {
        const token *t = &w->tokens[i];
        if (w->is_other[i] != is_other) {
            ptrdiff_t cut = is_other ? end : t->pos;
            json_write(b, json_text(str_sub(w->text, from, cut)));
            from = cut;
            is_other = !is_other;
        }
        end = t->pos + t->len;
    }
    if (from < w->text.len) {
        json_write(b, json_text(str_sub(w->text, from, w->text.len)));
    }
    buf_char(b, ']');
}

// The command that runs the case again, the id apart: what stands before it is
// the same for a whole run.
static void add_command(buf *b, const render_line *l, arena a)
{
    str command = rerun_command(&a, l->journal->head, l->j);
    str id = rerun_word(&a, l->c->id);
    bool ends_so = str_ends(command, id) && command.len > id.len;
    str before = str_sub(command, 0, command.len - id.len - 1);
    if (command.len > 0) {
        json_write(b, member_open(S("again"), '['),
                   json_text(ends_so ? before : command),
                   member_if(ends_so, json_text(id)), json_end("]"));
    }
}

static void add_view(const render *r, buf *b, const render_line *l, arena a)
{
    const html_state *h = r->state;
    arena scratch = arena_half(&a);
    case_queries c =
        case_queries_of(&a, l->j, h->metric, r->o.dialect, scratch);
    query_diff q = query_diff_of(c.gold, c.pred, r->o.dialect, &scratch);
    json_write(b, member_open(S("view"), '{'));
    add_turns(b, S("gold"), &q.left);
    if (c.pred.len > 0) {
        add_turns(b, S("pred"), &q.right);
    }
    json_write(b,
               member_if(c.n_queries > 1, member_int(S("golds"), c.n_queries)));
    if (!r->o.redacts) {
        add_command(b, l, a);
    }
    buf_char(b, '}');
}

// Members that may quote values.
static void drop_quotes(json *j)
{
    for (json **link = &j->child; *link;) {
        if (str_among((*link)->key, "detail prediction variant")) {
            *link = (*link)->next;
        } else {
            drop_quotes(*link);
            link = &(*link)->next;
        }
    }
}

static void add_who(const render *r, buf *b, const render_line *l, arena a)
{
    arena scratch = arena_half(&a);
    str text = r->o.who_of ? r->o.who_of(r->o.who, l->c->id, l->c->db, scratch)
                           : (str){0};
    json *who = text.len > 0 ? json_parse(&a, text, NULL) : NULL;
    if (who && r->o.redacts) {
        drop_quotes(who);
    }
    if (who) {
        json_key(b, S("who"));
        json_add(b, who);
    }
}

/* --- runs side by side ---------------------------------------------------- */

void html_count(render *r, const render_line *l)
{
    html_state *h = r->state;
    if (!h) {
        const line_verdict *v = case_line_main(l->c);
        h = r->state = arena_new(r->a, html_state, 1);
        h->d = diag_new(r->a);
        str key = v ? arena_str(r->a, v->key) : S("");
        h->versus = versus_new(r->a, key, VERSUS_CLUSTER_AUTO,
                               r->o.need_of(key).clock ? VERSUS_CLOCK_MATTERS
                                                       : VERSUS_CLOCK_IGNORED);
    }
    if (h->journal != l->journal) {
        h->journal = l->journal;
        versus_begin_file(&h->versus, l->journal->file.path,
                          json_get_text(l->journal->head, S("clock")));
    }
    if (h->d.count == 0) {
        versus_add(&h->versus, l->c, (diag_place){0}, &h->d);
    }
}

// What assay compare says, or why it says nothing.
static void add_versus(render *r, buf *b, arena scratch)
{
    html_state *h = r->state;
    ptrdiff_t n = map_count(&r->tally.runs);
    if (n < 2 || n > COMPARED_RUNS_MAX
        || !str_equal(h->versus.metric, h->metric)) {
        return;
    }
    if (h->d.count > 0
        || !comparable_journals(&r->journals, r->o.need_of(h->metric), &h->d,
                                scratch)
        || !versus_end(&h->versus, &h->d, scratch)) {
        json_write(b, member_text(S("not_compared"), diag_first(&h->d)));
        return;
    }
    // Which cases they are is for the page to find.
    const versus_pair *pairs = versus_all(&h->versus, r->a, scratch);
    json_key(b, S("versus"));
    versus_json(b, &h->versus, pairs, false, scratch);
}

/* --- the parts of the document ------------------------------------------- */

void html_head(render *r, buf *out, arena scratch)
{
    html_state *h = r->state;
    h->data = pack_new(r->a);
    h->rest = (str){report_page[0].bytes, report_page[0].size};
    ptrdiff_t metric = tally_main_metric(&r->tally);
    h->metric = metric < 0 ? (str){0} : r->keys.ptr[metric];
    for (int i = 0; i < 2; i++) {
        add_page(h, out, S("@title@"));
        xml_add(out, render_title(r, &scratch));
    }
    add_page(h, out, S("@figures@"));
    doc figures = doc_new(&scratch, (report_look){0});
    figures_runs(&figures, &r->tally);
    doc_html(&figures, out);
    add_page(h, out, S("@data@"));
    arena step = arena_half(&scratch);
    buf text = buf_new(&scratch);
    arena rest = arena_half(&step);
    json_write(&text, json_begin('{'));
    add_head(r, &text, h->metric);
    add_told(r, &text, &rest, metric);
    add_versus(r, &text, rest);
    buf_char(&text, '}');
    json *head = json_parse(&scratch, buf_str(&text), NULL);
    pack_add(h->data, out, head, step);
}

void html_line(render *r, buf *out, const render_line *l, arena scratch)
{
    html_state *h = r->state;
    arena step = arena_half(&scratch);
    buf text = buf_new(&scratch);
    buf_char(&text, '{');
    render_members(&text, l);
    add_view(r, &text, l, step);
    add_who(r, &text, l, step);
    buf_char(&text, '}');
    const json *line = json_parse(&scratch, buf_str(&text), NULL);
    pack_add(h->data, out, line, step);
}

void html_tail(render *r, buf *out, arena scratch)
{
    (void)scratch;
    html_state *h = r->state;
    pack_end(h->data, out);
    buf_add(out, h->rest);
}
