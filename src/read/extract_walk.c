/*
 * extract_walk.c - finds the queries in an answer.
 *
 * Method      An answer is made of parts: thoughts, channels, turns, tags,
 *             labelled sections, fences, boxes, quotations, members of objects.
 *             A part opens and ends in a way of its own, and has a name, which
 *             says what role the part has (extract_mark.c): thought, draft,
 *             SQL, answer, what a tool gave back, what somebody else said.
 *
 *             One walk from left to right knows which parts are open. Where a
 *             part closes is known at once (fences, boxes, quotations, data):
 *             its inside is walked through as a whole text is, so that parts
 *             nest as they like. Between them extract_spot.c says where SQL
 *             begins.
 *
 *             What is found goes to extract_choice.c, with what it stands in.
 *
 * Invariants  (1) No byte between the first and the last of the SQL changes,
 *                 but that escapes of programs and the marks of quotations and
 *                 diffs are read.
 *             (2) Cost is linear in the text, whatever it is: the walk goes on
 *                 behind what it found, and what it looks at in vain is paid
 *                 from a budget.
 *             (3) What is found, searched again, is found whole.
 */
#include "read/extract_walk.h"

#include "base/buf.h"
#include "base/json.h"
#include "read/extract_end.h"
#include "read/extract_line.h"
#include "read/extract_mark.h"
#include "read/extract_scan.h"
#include "read/extract_spot.h"
#include "read/json_scan.h"
#include "read/literal.h"
#include "read/member_value.h"

#include <string.h>

enum {
    DEPTH_MAX = 10,  // of fences, boxes and texts in JSON within each other
    OPEN_MAX = 20,   // parts that are open at once
    HEADER_MAX = 200,
    LABEL_MAX = 200,
};

// Where parts are open: of most forms there is one, in which the next one ends
// the last; tags lie within each other.
enum {
    PART_SPEAKER,  // a turn, or a channel of it
    PART_THOUGHT,
    PART_SECTION,  // under a label or heading that says what it is
    PART_TITLE,    // under a label or heading of what is tried again
    PART_LABEL,    // the rest of a line behind a label
    PART_TAG,
};

typedef struct part {
    str name;  // and what else the tag says
    mark_role role;
    ptrdiff_t end;  // it is open up to here, at most
    int n_found;    // when it was opened
} part;

typedef struct finder {
    arena *a;
    arena scratch;
    spot here;
    int depth;
    ptrdiff_t budget;      // bytes that may still be looked at in vain
    ptrdiff_t line_fence;  // the next line that begins with a fence
    ptrdiff_t not_quoted;  // lines up to here are no quotation
    ptrdiff_t rest;        // after the last thought
    str unread;            // in a fence of SQL in which none is found
    ptrdiff_t last_end;    // of the last query
    part open[OPEN_MAX];
    int n_open;
    pick found;
    bool is_over;
    bool may_close;  // a mark between any signs closes further on
    bool has_thought;
    bool declines;  // data say that there is no SQL
} finder;

static finding find_in(finder *parent, str text);

static str rest_of(const finder *f)
{
    return str_skip(f->here.text, f->here.at);
}

static void open_part_to(finder *f,
                         int slot,
                         str name,
                         mark_role role,
                         ptrdiff_t end)
{
    f->open[slot] = (part){name, role, end, f->found.n};
}

static void open_part(finder *f, int slot, str name, mark_role role)
{
    open_part_to(f, slot, name, role, f->here.text.len);
}

static bool is_thinking(const finder *f)
{
    return f->open[PART_THOUGHT].role == MARK_THOUGHT;
}

// Nothing that is thought, or said by somebody else, is an answer.
static bool is_silent(const finder *f)
{
    return is_thinking(f) || f->open[PART_SPEAKER].role == MARK_TURN;
}

static bool has_tags(const finder *f)
{
    return f->n_open > PART_TAG;
}

// What the open parts say of a query in them, for its rank and for the note.
static int rank_of_place(const finder *f, unsigned *notes)
{
    int rank = 0;
    bool is_draft = false;
    for (int i = 0; i < f->n_open; i++) {
        const part *p = &f->open[i];
        mark_role role = f->here.at < p->end ? p->role : MARK_NONE;
        bool is_last = i + 1 == f->n_open && f->here.is_direct;
        bool counts = i >= PART_TAG
                      && (role == MARK_ANSWER || role == MARK_SQL || is_last);
        bool is_call = i >= PART_TAG && mark_says(p->name, "tool,func,invoke");
        rank |= (counts ? RANK_TAG : 0)
                | (i != PART_TITLE && role == MARK_ANSWER ? RANK_ANSWER : 0);
        is_draft |= role == MARK_DRAFT;
        *notes |= is_call ? BIT(CALL) : counts ? BIT(TAG) : 0;
    }
    *notes &= *notes & BIT(CALL) ? ~BIT(TAG) : ~0u;
    return rank + (is_draft ? RANK_DRAFT : 0);
}

// A query lies at text[from, to).
static void offer(finder *f, finding one, ptrdiff_t from, ptrdiff_t to)
{
    one.rank += rank_of_place(f, &one.notes);
    one.part = f->open[has_tags(f) ? f->n_open - 1 : PART_TITLE].name;
    const part *label = &f->open[PART_LABEL];
    one.label = from < label->end ? label->name : (str){0};
    str rest = str_strip(str_skip(f->here.text, to), "; \t\r\n", "");
    one.is_last = mark_skip(rest).len == 0;
    pick_offer(&f->found, one, str_sub(f->here.text, f->last_end, from),
               f->scratch);
    f->last_end = to;
    f->here.at = to;
    f->here.is_fresh = true;
    f->here.is_direct = false;
}

// Whether a mark between any signs is closed further on.
static bool has_partner(finder *f, mark m)
{
    str text = f->here.text;
    bool is_found = is_thinking(f) || m.closes;
    for (ptrdiff_t i = m.after; !is_found && f->may_close;) {
        i = str_find(text, S("\n"), i) + 1;
        mark next = mark_at(text, i);
        is_found = i > 0 && next.is_free && next.closes;
        f->may_close = i > 0;
    }
    return is_found;
}

static void take_thought(finder *f, mark m)
{
    if (!m.closes) {
        pick_leave_behind(&f->found);
    } else if (!is_thinking(f)) {
        // Templates open the block themselves: all before it was thought.
        f->found.best = (finding){0};
    }
    open_part(f, PART_THOUGHT, m.name, m.closes ? MARK_NONE : MARK_THOUGHT);
}

// <|channel|>name ...<|message|>, <|start|>role, and what ends a message.
static void take_channel(finder *f, mark m)
{
    str head = str_sub(f->here.text, f->here.at, f->here.at + HEADER_MAX);
    bool is_start = str_equal_fold(m.name, S("start"));
    bool is_channel = !m.closes && str_equal_fold(m.name, S("channel"));
    bool is_foreign =
        is_start && head.len > 0 && !str_starts(head, S("assistant"));
    str name = is_channel ? extract_word_at(head, 0) : (str){0};
    if (is_foreign) {
        pick_leave_behind(&f->found);
    } else if (!is_start) {
        open_part(f, PART_THOUGHT, name,
                  mark_label_role(name) == MARK_DRAFT ? MARK_THOUGHT
                                                      : MARK_NONE);
    }
    open_part(f, PART_SPEAKER, name,
              is_foreign                     ? MARK_TURN
              : str_starts(name, S("final")) ? MARK_ANSWER
                                             : MARK_NONE);
    ptrdiff_t message = is_channel ? str_find(head, S("<|message|>"), 0) : 0;
    f->here.at += message < 0 ? name.len : message;
}

static void take_turn(finder *f, mark m)
{
    ptrdiff_t at = extract_skip(f->here.text, f->here.at);
    bool is_foreign =
        mark_is_foreign(m.name)
        || (!m.closes
            && (str_equal(m.name, S("INST"))
                || mark_is_foreign(extract_word_at(f->here.text, at))));
    bool ends_header = m.closes && mark_says(m.name, "header");
    f->is_over = f->found.best.sql.len > 0 && !has_tags(f) && !ends_header;
    if (is_foreign || (is_silent(f) && !ends_header)) {
        open_part(f, PART_SPEAKER, m.name, is_foreign ? MARK_TURN : MARK_NONE);
    }
}

// Whether the answer began inside of a wrapper that the prompt opened and that
// is closed here.
static bool closes_prompt(const finder *f)
{
    return f->found.n == 1 && !has_tags(f)
           && f->found.best.sql.ptr == str_trim(f->here.text).ptr;
}

// Whether the mark closes the part, which may say more than its name.
static bool closes_part(mark m, const part *p)
{
    char next = p->name.len > m.name.len ? p->name.ptr[m.name.len] : ' ';
    return m.is_token
           || (str_starts_fold(p->name, m.name)
               && (next == ' ' || next == '='));
}

static void take_tag(finder *f, mark m)
{
    if (!m.closes && f->n_open < OPEN_MAX) {
        str name = m.name;
        name.len += m.is_token || !name.ptr ? 0
                                            : f->here.text.ptr + m.after - 1
                                                  - (name.ptr + name.len);
        open_part(f, f->n_open++, name, m.role);
    }
    f->is_over = f->is_over || (m.closes && closes_prompt(f));
    for (int i = m.closes ? f->n_open : 0; i-- > PART_TAG;) {
        const part *p = &f->open[i];
        if (closes_part(m, p)) {
            if (p->role == MARK_SEEN && p->n_found == f->found.n) {
                pick_leave_behind(&f->found);
            }
            // What the tag holds beside the query are words on the way to it.
            f->found.taken_back |= p->role == MARK_PLAIN && p->n_found == 0
                                   && f->found.best.rank < RANK_TAG;
            f->n_open = i;
            break;
        }
    }
}

// A label or heading at the start of a line says of what follows what the name
// of a tag says: of its line, or, alone on it, up to the next that says it.
static void take_label(finder *f)
{
    str rest = rest_of(f);
    str line = str_cut(&rest, '\n');
    line_head h = line_head_of(str_sub(line, 0, LABEL_MAX));
    mark_role role = h.is_label ? mark_label_role(h.title) : MARK_PLAIN;
    ptrdiff_t end = h.is_alone ? f->here.text.len : f->here.at + line.len;
    if (h.is_label && !h.is_alone) {
        open_part_to(f, PART_LABEL, h.title, MARK_PLAIN, end);
    }
    if (mark_is_try(h.title)) {
        open_part(f, PART_TITLE, h.title, MARK_PLAIN);
    }
    if (role != MARK_PLAIN) {
        open_part_to(f, PART_SECTION, h.title, role, end);
    }
}

// A part whose end is known when it begins, and what was found in it.
typedef struct held {
    mark at;  // where it begins, if a mark is there
    finding in;
    ptrdiff_t end;
} held;

static void hold(finder *f, held *h, str body, int rank, unsigned notes)
{
    h->in = find_in(f, body);
    h->in.rank = rank;
    h->in.notes |= notes;
}

// Where the fence closes whose text begins at `at`: at the first line that
// begins with one, or before, but not in quotes.
static ptrdiff_t fence_end(finder *f, ptrdiff_t at)
{
    str text = f->here.text;
    ptrdiff_t line = at;
    if (f->line_fence < at) {
        do {
            line = json_scan_space(text, str_find_end(text, S("\n"), line));
        } while (line < text.len && mark_at(text, line).role != MARK_FENCE);
        f->line_fence = line;
    }
    str body = str_sub(text, 0, f->line_fence);
    while (at < body.len && mark_at(body, at).role != MARK_FENCE) {
        at = extract_step(body, at);
    }
    return at;
}

// Without the language: a word that touches the fence, or alone on its line.
static str drop_language(str body)
{
    str line = str_trim(body);
    str word = extract_word_at(line, 0);
    str rest = str_skip(line, word.len);
    bool is_language =
        rest.len == 0 || strchr("\r\n", rest.ptr[0])
        || (is_space(rest.ptr[0])
            && (word.ptr == body.ptr || extract_starts_sql(rest)));
    return is_language && !extract_starts_sql(line) ? rest : line;
}

// What a diff makes of the text; the text itself where it is none. Where
// nothing but the signs says so, what can be read with them is SQL.
static str new_side(str text, bool is_told, arena *a, arena scratch)
{
    buf out = buf_new(a);
    bool has_new = false;
    bool has_old = false;
    for (str rest = text; rest.len > 0;) {
        str line = str_cut(&rest, '\n');
        char c = line.len > 0 ? line.ptr[0] : ' ';
        bool is_head = str_starts(line, S("+++")) || c == '@';
        if (!strchr("+-@ ", c)) {
            return text;
        }
        is_told |= is_head;
        has_new |= c == '+' && !is_head;
        has_old |= c == '-';
        buf_add(&out, c == '-' || is_head ? S("") : str_skip(line, 1));
        buf_add(&out, c == '-' || is_head ? S("") : S("\n"));
    }
    bool is_diff =
        has_new && has_old && (is_told || !extract_is_whole(text, scratch));
    return is_diff ? buf_str(&out) : text;
}

static bool hold_fence(finder *f, held *h)
{
    str text = f->here.text;
    mark m = h->at;
    if (m.role != MARK_FENCE) {
        return false;
    }
    f->is_over = closes_prompt(f) && f->found.best.rank >= RANK_FENCE;
    h->end = f->is_over ? m.after : fence_end(f, m.after);
    str body = str_sub(text, m.after, h->end);
    mark_role role = mark_name_role(extract_word_at(body, 0));
    if (role == MARK_THOUGHT) {
        f->has_thought = true;
    } else {
        bool is_diff = str_equal_fold(extract_word_at(body, 0), S("diff"));
        body = drop_language(body);
        body = is_diff ? new_side(body, true, f->a, f->scratch) : body;
        hold(f, h, body, RANK_FENCE, BIT(FENCE));
        bool is_unread = role == MARK_SQL && h->in.sql.len == 0;
        f->unread = is_unread && f->unread.len == 0 ? body : f->unread;
    }
    h->end =
        h->end < text.len && !f->is_over ? mark_at(text, h->end).after : h->end;
    return true;
}

// \boxed{...}, of which the last one counts, and what LaTeX writes around all
// that is in it: \text{...}, \texttt{...}.
static bool hold_box(finder *f, held *h)
{
    str text = f->here.text;
    str name = extract_word_at(text, f->here.at + 1);
    ptrdiff_t from = f->here.at + 1 + name.len;
    bool is_all = f->depth > 0 && json_scan_space(text, 0) == f->here.at;
    if (name.len == 0 || !str_starts(str_skip(text, from), S("{"))
        || (!is_all && !str_equal(name, S("boxed")))) {
        return false;
    }
    int depth = 0;
    for (h->end = from; h->end < text.len; h->end++) {
        char c = text.ptr[h->end];
        depth += (c == '{') - (c == '}');
        if (depth == 0) {
            break;
        }
    }
    hold(f, h, str_sub(text, from + 1, h->end), RANK_ANSWER, BIT(BOX));
    f->found.taken_back |= (f->found.best.notes & BIT(BOX)) != 0;
    h->end += h->end < text.len;
    return true;
}

// Lines that begin with the mark of a quotation, without it.
static bool hold_quotation(finder *f, held *h)
{
    str text = f->here.text;
    ptrdiff_t at = f->here.at;
    if (at > f->here.line || at < f->not_quoted) {
        return false;
    }
    buf body = buf_new(f->a);
    while (at < text.len && text.ptr[at] == '>') {
        ptrdiff_t end = str_find(text, S("\n"), at);
        end = end < 0 ? text.len : end + 1;
        at += at + 1 < end && text.ptr[at + 1] == ' ' ? 2 : 1;
        buf_add(&body, str_sub(text, at, end));
        at = end;
    }
    hold(f, h, buf_str(&body), 0, BIT(BEFORE));
    str inside = extract_trim(buf_str(&body));
    str next = str_skip(text, at);
    bool is_last = h->in.sql.len > 0
                   && h->in.sql.ptr + h->in.sql.len == inside.ptr + inside.len;
    h->in.rank = h->in.notes & BIT(FENCE)          ? RANK_FENCE
                 : extract_starts_query(h->in.sql) ? RANK_LINE
                                                   : RANK_SENTENCE;
    // It may go on without the mark.
    bool goes_on = is_last && str_trim(str_cut(&next, '\n')).len > 0;
    f->not_quoted = at;
    h->end = at;
    return !goes_on;
}

// What the name of a member says; a message has its text in one of three.
static mark_role role_of_member(str key)
{
    mark_role role = mark_name_role(key);
    bool is_text = key.len == 0 || str_among_fold(key, "content text value");
    return is_text && role == MARK_PLAIN ? MARK_SEEN : role;
}

// The SQL in the text of a member, the innermost part that is open. Where its
// name says nothing, that must be all there is.
static void take_member(finder *f, str text)
{
    mark_role role = f->open[f->n_open - 1].role;
    f->declines |= text.len == 0 && (role == MARK_SQL || role == MARK_ANSWER);
    finding found = role == MARK_THOUGHT ? (finding){0} : find_in(f, text);
    bool is_alone =
        found.rank >= RANK_JSON && extract_is_whole(found.sql, f->scratch);
    if (found.sql.len > 0 && (role != MARK_PLAIN || is_alone)) {
        found.rank = 0;
        offer(f, found, f->here.at, f->here.at);
    }
}

// A text as the list of its lines, as notebooks keep it; empty: it is none.
static str text_of_lines(const json *list, arena *a)
{
    buf out = buf_new(a);
    for (const json *m = list->child; m; m = m->next) {
        bool is_line = m->kind == JSON_KIND_STRING
                       && (!m->next || str_ends(m->text, S("\n")));
        if (!is_line) {
            return (str){0};
        }
        buf_add(&out, m->text);
    }
    return list->n > 1 ? buf_str(&out) : (str){0};
}

// A message, or part of one: whose it is, and whether it is a thought. What the
// model said before somebody answered is no answer any more.
static bool is_read(finder *f, const json *object)
{
    str role = value_role(object);
    bool is_thought =
        mark_name_role(json_get_text(object, S("type"))) == MARK_THOUGHT
        || (json_get(object, S("text")) && json_get(object, S("thought")));
    if (mark_is_foreign(role)) {
        pick_leave_behind(&f->found);
    }
    return !is_thought && !mark_is_foreign(role);
}

static void take_value(finder *f, const json *v)
{
    bool is_object = v->kind == JSON_KIND_OBJECT;
    bool is_list = v->kind == JSON_KIND_ARRAY;
    str lines = is_list ? text_of_lines(v, f->a) : (str){0};
    bool is_text = v->kind == JSON_KIND_STRING || v->kind == JSON_KIND_NULL;
    if (is_text || lines.len > 0) {
        take_member(f, lines.len > 0 ? lines : v->text);
    } else if (is_list || (is_object && is_read(f, v))) {
        for (const json *m = v->child; m && f->n_open < OPEN_MAX; m = m->next) {
            if (is_object) {
                str key = str_sub(m->key, 0, LABEL_MAX);
                open_part(f, f->n_open++, key, role_of_member(key));
            }
            take_value(f, m);
            f->n_open -= is_object;
        }
    }
}

static finder finder_of(finder *parent, str text);

// { "name", { name, [ {, [ "text", and a text of a program that is all there is
static bool may_be_data(str text, ptrdiff_t at)
{
    char c = text.ptr[at];
    ptrdiff_t next = json_scan_space(text, at + 1);
    char first = next < text.len ? text.ptr[next] : ' ';
    bool is_quote = first == '"' || first == '\'';
    return c == '{'   ? is_quote || is_alpha(first)
           : c == '[' ? is_quote || first == '{'
                      : at == 0 && (c == '"' || c == '\'')
                            && str_find(text, S("\\"), 0) > 0;
}

// Data that begin here, such as structured output and the calls of tools.
static bool hold_data(finder *f, held *h)
{
    str text = f->here.text;
    ptrdiff_t at = f->here.at;
    if (f->budget < 0 || !may_be_data(text, at)) {
        return false;
    }
    str data = literal_as_json(text, at, &h->end, f->a);
    bool is_text = text.ptr[at] != '{' && text.ptr[at] != '[';
    if (data.len == 0 || (is_text && h->end < text.len)) {
        f->budget -= h->end - at;
        return false;
    }
    finder g = finder_of(f, text);
    const json *value = json_parse(f->a, data, NULL);
    g.here.is_direct = false;
    open_part(&g, g.n_open++, (str){0}, MARK_SEEN);
    if (value) {
        take_value(&g, value);
    }
    bool is_all =
        f->here.is_direct && json_scan_space(text, h->end) == text.len;
    f->declines |= is_all && g.declines;
    h->in = g.found.best;
    h->in.rank = RANK_JSON;
    h->in.notes &= ~(BIT(TAG) | BIT(CALL) | BIT(LAST) | BIT(CORRECTED));
    h->in.notes |= BIT(JSON);
    return true;
}

// ~~what is struck out~~ and <!-- comments --> are not read.
static bool hold_struck(finder *f, held *h)
{
    str rest = rest_of(f);
    bool is_comment = str_starts(rest, S("<!--"));
    str close = is_comment ? S("-->") : S("~~");
    bool begins = (is_comment || str_starts(rest, close)) && f->budget > 0;
    ptrdiff_t size = begins ? str_find(rest, close, close.len) : -1;
    f->budget -= begins && size < 0 ? rest.len : 0;
    h->end = f->here.at + size + close.len;
    return size >= 0;
}

// The forms by the bytes that they begin with.
static const struct {
    str first;
    bool (*hold)(finder *f, held *h);
} forms[] = {
    {S_INIT("`~"), hold_fence},    {S_INIT("\\"), hold_box},
    {S_INIT(">"), hold_quotation}, {S_INIT("{[\"'"), hold_data},
    {S_INIT("<~"), hold_struck},
};

static bool take_held(finder *f, mark m)
{
    held h = {.at = m};
    ptrdiff_t from = f->here.at;
    str first = str_sub(f->here.text, from, from + 1);
    for (ptrdiff_t i = 0; i < countof(forms); i++) {
        if (str_find(forms[i].first, first, 0) >= 0 && forms[i].hold(f, &h)) {
            if (h.in.sql.len > 0) {
                offer(f, h.in, from, h.end);
            }
            f->here.at = h.end;
            f->here.is_fresh = true;
            return true;
        }
    }
    return false;
}

static bool take_sql(finder *f)
{
    spot *p = &f->here;
    p->is_inside = f->depth > 0 || has_tags(f);
    spotted s = spot_sql(p, f->a, f->scratch);
    if (s.sql.len == 0) {
        return false;
    }
    bool leads = str_ends(s.sql, S(":"));  // to a fence
    finding one = {
        .sql = s.sql,
        .rank = p->is_direct && !has_tags(f) && !leads ? RANK_FENCE
                : p->is_fresh                          ? RANK_LINE
                                                       : RANK_SENTENCE,
        .is_bare = p->is_fresh && !leads,
        .notes = (s.is_quoted                    ? BIT(QUOTES)
                  : !p->is_direct || s.is_marked ? BIT(BEFORE)
                                                 : 0)
                 | (s.has_prose ? BIT(AFTER) : 0)
                 | (s.has_mark && !has_tags(f) ? BIT(MARKER) : 0),
    };
    offer(f, one, p->at, s.end);
    return true;
}

static void take_mark(finder *f, mark m)
{
    bool was_thinking = is_thinking(f) || (m.role == MARK_THOUGHT && m.closes);
    f->here.at = m.after;
    f->here.line = m.after;
    f->here.is_fresh = true;
    f->here.is_direct = true;
    // A fence is one in what is not read.
    void (*const take)(finder *, mark) =
        m.role == MARK_THOUGHT                   ? take_thought
        : m.role == MARK_CHANNEL                 ? take_channel
        : m.role == MARK_TURN                    ? take_turn
        : m.role == MARK_FENCE || is_thinking(f) ? NULL
                                                 : take_tag;
    if (take) {
        take(f, m);
    }
    if (was_thinking && !is_thinking(f)) {
        f->has_thought = true;
        f->rest = f->here.at;
    }
}

static finder finder_of(finder *parent, str text)
{
    return (finder){.a = parent->a,
                    .scratch = parent->scratch,
                    .here = {.text = text, .is_fresh = true, .is_direct = true},
                    .depth = parent->depth + 1,
                    .budget = 8 * text.len + 1024,
                    .line_fence = -1,
                    .may_close = true,
                    .n_open = PART_TAG};
}

static void walk(finder *f)
{
    spot *p = &f->here;
    while (p->at < p->text.len && !f->is_over) {
        if (p->at == 0 || p->text.ptr[p->at - 1] == '\n') {
            take_label(f);
        }
        mark m = mark_at(p->text, p->at);
        bool is_mark = m.role != MARK_NONE && m.role != MARK_FENCE
                       && (!m.is_free || has_partner(f, m));
        bool is_read = !is_mark && !is_silent(f);
        if (is_mark || (m.role == MARK_FENCE && !is_read)) {
            take_mark(f, m);
        } else if (!is_read || (!take_held(f, m) && !take_sql(f))) {
            spot_step(p);
        }
    }
}

// What a part holds is searched as a whole text is.
static finding find_in(finder *parent, str text)
{
    if (parent->depth >= DEPTH_MAX) {
        return (finding){0};
    }
    finder f =
        finder_of(parent, new_side(text, false, parent->a, parent->scratch));
    walk(&f);
    parent->declines |= f.declines;
    f.found.best.notes |= f.has_thought ? BIT(THOUGHT) : 0;
    f.found.best.notes &= ~BIT(BEFORE);
    return f.found.best;
}

answer extract_walk(arena *a, str text, arena scratch)
{
    finder f = {.a = a, .scratch = scratch, .depth = -1};
    f = finder_of(&f, new_side(text, false, a, scratch));
    walk(&f);
    bool is_unread = f.unread.len > 0;
    return (answer){
        .best = f.found.best,
        .rest =
            extract_trim(is_unread ? f.unread : str_skip(f.here.text, f.rest)),
        .notes = (f.has_thought ? BIT(THOUGHT) : 0)
                 | (is_unread && f.found.n == 0 ? BIT(FENCE) : 0),
        .ends_in_thought = is_thinking(&f),
        .declines = f.declines,
    };
}
