/*
 * report_show.c - cases of a journal for people's eyes.
 *
 * Method      Gold and prediction are printed in one layout, a clause on each
 *             line, so that only what they say differs; what the parser does
 *             not understand stays as it was written. Everything from the
 *             journal is made harmless before it reaches a terminal.
 */
#include "report/report_show.h"

#include "base/utf8.h"
#include "report/case_queries.h"
#include "report/layout.h"
#include "report/query_diff.h"
#include "report/rerun.h"
#include "report/wilson.h"
#include "table/verdict.h"

enum {
    KEY_WIDTH = 10,  // of a verdict's metric, at least
    WORD_WIDTH = 9,  // of its answer, with blanks
};

typedef struct shower {
    doc *d;
    str metric;             // whose verdict comes first
    ptrdiff_t text_column;  // of a verdict's reason and evidence
} shower;

static str visible(shower *s, str text)
{
    return utf8_visible(s->d->a, text);
}

// A further line of a verdict.
static void add_evidence(shower *s, str label, str text)
{
    if (text.len > 0) {
        text = label.len > 0 ? arena_printf(s->d->a, "%.*s %.*s",
                                            STR_ARG(label), STR_ARG(text))
                             : text;
        doc_entry(s->d, s->text_column, (str){0}, visible(s, text));
    }
}

/* --- the queries --------------------------------------------------------- */

static void add_query(doc *d,
                      str heading,
                      const query_words *q,
                      char sign,
                      str color)
{
    buf text = buf_new(d->a);
    query_diff_print(&text, q, sign, d->look.has_color ? color : (str){0});
    doc_add(d, DOC_HEADING, heading);
    doc_add(d, DOC_TEXT, buf_str(&text));
}

static void add_other_golds(shower *s, const case_queries *q)
{
    if (q->n_queries < 2) {
        return;
    }
    doc_say(s->d, "    one of the %td queries that the gold accepts:\n",
            q->n_queries);
    for (ptrdiff_t i = 0; i < q->n_golds; i++) {
        doc_entry(s->d, 4, (str){0}, visible(s, q->golds[i]));
    }
}

static void add_queries(shower *s, const json *line, dialect of)
{
    doc *d = s->d;
    arena scratch = arena_half(d->a);
    case_queries c = case_queries_of(d->a, line, s->metric, of, scratch);
    query_diff q = query_diff_of(c.gold, c.pred, of, d->a);
    add_query(d, S("gold"), &q.left, '+', S("\033[32m"));
    add_other_golds(s, &c);
    if (c.pred.len == 0) {
        doc_add(d, DOC_HEADING, S("prediction"));
        doc_say(d, "    (no SQL)\n");
        return;
    }
    add_query(d, S("prediction"), &q.right, '-', S("\033[31m"));
}

/* --- the verdicts -------------------------------------------------------- */

static str sentence_of(str word)
{
    reason r = REASON_NONE;
    return reason_from_word(word, &r) ? reason_row_of(r)->text : (str){0};
}

static str notes_of(shower *s, const json *v)
{
    buf b = buf_new(s->d->a);
    for (const json *j = json_children(v, S("notes")); j; j = j->next) {
        buf_list(&b, j->text);
    }
    return buf_str(&b);
}

// The rows of the database that tells gold and prediction apart, to paste.
static void add_rows(shower *s, const json *v)
{
    for (str rest = json_get_text(v, S("rows")); rest.len > 0;) {
        str row = str_trim(str_cut(&rest, '\n'));
        if (row.len > 0) {
            row = visible(s, row);
            doc_say(s->d, "%*s%.*s\n", (int)s->text_column, "", STR_ARG(row));
        }
    }
}

/* --- results side by side ------------------------------------------------- */

// "('a', 1) ('b', 2) and 3 more rows", a row on each line.
static layout_block result_of(shower *s, str heading, str text)
{
    layout_block r = {0};
    layout_line(&r, s->d->a, heading);
    text = visible(s, text);
    bool is_quoted = false;
    ptrdiff_t from = 0;
    for (ptrdiff_t i = 0; i + 1 < text.len; i++) {
        is_quoted ^= text.ptr[i] == '\'';
        if (!is_quoted && text.ptr[i] == ')' && text.ptr[i + 1] == ' ') {
            layout_line(&r, s->d->a, str_sub(text, from, i + 1));
            from = i + 2;
        }
    }
    layout_line(&r, s->d->a, str_skip(text, from));
    return r;
}

static void add_results(shower *s, const json *v)
{
    str texts[2] = {json_get_text(v, S("gold_result")),
                    json_get_text(v, S("pred_result"))};
    if (texts[0].len == 0 || texts[1].len == 0) {
        return;
    }
    layout_block *both = arena_new(s->d->a, layout_block, 2);
    both[0] = result_of(s, S("gold returns"), texts[0]);
    both[1] = result_of(s, S("prediction returns"), texts[1]);
    bool fits = s->text_column + layout_width(both, 2) <= s->d->look.width;
    for (int side = 0; side < 2 && !fits; side++) {
        add_evidence(s, both[side].lines.ptr[0], texts[side]);
    }
    if (fits) {
        doc_beside(s->d, both, 2, s->text_column);
    }
}

/* --- all verdicts --------------------------------------------------------- */

// A verdict, and the metrics that say the very same.
typedef struct statement {
    const json *v;
    str text;
    str_list others;
} statement;

typedef vec_of(statement) statements;

// What it says but for both results, which stand beside one of several metrics.
static str said_by(shower *s, const json *v)
{
    buf b = buf_new(s->d->a);
    for (const json *m = v->child; m; m = m->next) {
        if (!str_ends(m->key, S("_result"))
            && !str_ends(m->key, S("_columns"))) {
            json_key(&b, m->key);
            json_add(&b, m);
        }
    }
    return buf_str(&b);
}

static void add_statement(shower *s, statements *all, const json *v)
{
    str text = said_by(s, v);
    for (ptrdiff_t i = 0; i < all->len; i++) {
        statement *known = &all->ptr[i];
        if (known->v == v) {
            return;
        }
        if (str_equal(known->text, text)) {
            *vec_push(s->d->a, &known->others) = v->key;
            return;
        }
    }
    *vec_push(s->d->a, all) = (statement){.v = v, .text = text};
}

// What a verdict of pragmatic rests on, and how often people accept that.
static void add_class(shower *s, str word)
{
    verdict_class c = CLASS_NONE;
    if (!verdict_class_from_word(word, &c)) {
        return;
    }
    add_evidence(s, arena_printf(s->d->a, "%.*s:", STR_ARG(word)),
                 verdict_class_of(c)->text);
    class_figures f = verdict_class_of(c)->people;
    buf b = buf_new(s->d->a);
    for (int i = 0; i < CLASS_SETS; i++) {
        int yes = f.by_set[i].yes;
        int n = yes + f.by_set[i].no;
        interval w = wilson_interval(yes, n);
        str name = class_set_name(i);
        if (n > 0) {
            buf_printf(&b, "%s%.*s %d of %d (%.0f-%.0f %%)",
                       b.len > 0 ? "; " : "", STR_ARG(name), yes, n,
                       100 * w.low, 100 * w.high);
        }
    }
    add_evidence(s, S("people accepted of such, in the norm data:"),
                 buf_str(&b));
}

static void add_verdict(shower *s, const statement *of)
{
    static const doc_style styles[] = {
        [ANSWER_UNKNOWN] = DOC_YELLOW,
        [ANSWER_NO] = DOC_RED,
        [ANSWER_YES] = DOC_GREEN,
    };
    const json *v = of->v;
    answer how = ANSWER_UNKNOWN;
    str word = json_get_text(v, S("v"));
    str key = visible(s, v->key);
    str why = json_get_text(v, S("reason"));
    str detail = json_get_text(v, S("detail"));
    str sentence = sentence_of(why);
    str text = sentence.len > 0 ? arena_printf(s->d->a, "%.*s: %.*s",
                                               STR_ARG(why), STR_ARG(sentence))
               : why.len > 0    ? why
                                : notes_of(s, v);
    bool is_alone = text.len == 0;
    ptrdiff_t before = s->text_column - WORD_WIDTH;
    answer_from_word(word, &how);
    doc_say(s->d, "%.*s%*s", STR_ARG(key), (int)(before - utf8_width(key)), "");
    doc_mark(s->d, styles[how], word);
    doc_entry_at(s->d, before + word.len, s->text_column,
                 visible(s, is_alone ? detail : text));
    bool compares = str_find(detail, S("against"), 0) >= 0
                    || str_find(detail, S("!="), 0) >= 0;
    if (!is_alone) {
        add_evidence(s, compares ? S("gold against prediction:") : S(""),
                     detail);
    }
    add_class(s, json_get_text(v, S("class")));
    add_evidence(s, S("on database"), json_get_text(v, S("database")));
    add_evidence(s, S("on which the gold differs from:"),
                 json_get_text(v, S("neighbor")));
    add_rows(s, v);
    add_results(s, v);
    for (ptrdiff_t i = 0; i < of->others.len; i++) {
        str other = visible(s, of->others.ptr[i]);
        add_evidence(s, S(""),
                     arena_printf(s->d->a, "%.*s %.*s%s", STR_ARG(other),
                                  STR_ARG(visible(s, word)),
                                  why.len > 0 ? ", for the same reason" : ""));
    }
}

static void add_verdicts(shower *s, const json *line)
{
    const json *first = json_get(json_get(line, S("verdicts")), s->metric);
    statements all = {0};
    if (first) {
        add_statement(s, &all, first);
    }
    ptrdiff_t key_width = KEY_WIDTH;
    for (const json *v = json_children(line, S("verdicts")); v; v = v->next) {
        add_statement(s, &all, v);
    }
    for (ptrdiff_t i = 0; i < all.len; i++) {
        ptrdiff_t width = utf8_width(visible(s, all.ptr[i].v->key));
        key_width = width > key_width ? width : key_width;
    }
    s->text_column = key_width + 1 + WORD_WIDTH;
    doc_say(s->d, "\n");
    for (ptrdiff_t i = 0; i < all.len; i++) {
        add_verdict(s, &all.ptr[i]);
    }
}

// "select: a is missing, b is too much" as the run file has it, for people:
// "select: expected a, found b". What says more than that stays as it is.
static str plain_difference(arena *a, str text)
{
    static const str missing = S_INIT(" is missing");
    static const str extra = S_INIT(" is too much");
    str rest = text;
    str clause = str_cut(&rest, ':');
    buf expected = buf_new(a);
    buf found = buf_new(a);
    for (rest = str_trim(rest); rest.len > 0;) {
        ptrdiff_t to_missing = str_find(rest, missing, 0);
        ptrdiff_t to_extra = str_find(rest, extra, 0);
        bool is_missing =
            to_missing >= 0 && (to_extra < 0 || to_missing < to_extra);
        ptrdiff_t n = is_missing ? to_missing : to_extra;
        ptrdiff_t next = n + (is_missing ? missing.len : extra.len);
        str item = str_sub(rest, 0, n < 0 ? 0 : n);
        bool is_whole = next == rest.len
                        || str_starts(str_sub(rest, next, rest.len), S(", "));
        if (n < 0 || !is_whole || str_find(item, S(" instead of "), 0) >= 0
            || str_find(item, S(" is about "), 0) >= 0) {
            return text;
        }
        buf *to = is_missing ? &expected : &found;
        buf_list(to, item);
        rest = str_trim(str_sub(rest, next + (next < rest.len), rest.len));
    }
    return arena_printf(a, "%.*s: %s%.*s%s%.*s", STR_ARG(clause),
                        expected.len > 0 ? "expected " : "",
                        STR_ARG(buf_str(&expected)),
                        found.len == 0      ? ""
                        : expected.len == 0 ? "not expected: "
                                            : "; found ",
                        STR_ARG(buf_str(&found)));
}

static void add_messages(shower *s, const json *line)
{
    static const struct {
        str key;
        const char *label;
    } messages[] = {
        {S_INIT("gold_message"), "the gold: "},
        {S_INIT("pred_message"), "the prediction: "},
        {S_INIT("pred_note"), "removed from the answer: "},
    };
    for (ptrdiff_t i = 0; i < countof(messages); i++) {
        str text = json_get_text(line, messages[i].key);
        if (text.len > 0) {
            str label = str_from(messages[i].label);
            doc_entry(s->d, label.len, label, visible(s, text));
        }
    }
    for (const json *j = json_children(line, S("clauses")); j; j = j->next) {
        str text = plain_difference(s->d->a, j->text);
        doc_entry(s->d, 11, S("differs in "), visible(s, text));
    }
}

/* --- the case ------------------------------------------------------------ */

static void add_title(shower *s, const json *line)
{
    static const str members[] = {S_INIT("run"), S_INIT("id"), S_INIT("db"),
                                  S_INIT("hardness"), S_INIT("category")};
    buf title = buf_new(s->d->a);
    for (ptrdiff_t i = 0; i < countof(members); i++) {
        str text = json_get_text(line, members[i]);
        if (text.len > 0) {
            buf_add(&title, i > 0 ? S("  ") : S(""));
            buf_add(&title, visible(s, text));
        }
    }
    doc_add(s->d, DOC_TITLE, buf_str(&title));
    str question = json_get_text(line, S("question"));
    if (question.len > 0) {
        doc_entry(s->d, 0, (str){0}, visible(s, question));
    }
}

void report_show(doc *d,
                 const json *line,
                 const json *head,
                 dialect of,
                 str metric)
{
    shower s = {.d = d, .metric = metric};
    str command = rerun_command(d->a, head, line);
    add_title(&s, line);
    add_queries(&s, line, of);
    add_verdicts(&s, line);
    add_messages(&s, line);
    if (command.len > 0) {
        doc_say(d, "\nrun again: %.*s\n", STR_ARG(command));
    }
}
