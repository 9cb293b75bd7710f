/*
 * extract_walk.c - finds the queries in an answer, and which one it is.
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
 *             Each query that is found has a rank, made of what it stands in:
 *             an answer outranks a tag, a tag a fence, a fence a line. What
 *             was drafted, what a tool has answered since and what was taken
 *             back lose. Of attempts that are numbered under one name, the last
 *             counts. Of other equals the first wins: models give the answer
 *             first and variations after it, and the reference of Spider 2.0
 *             takes the first. But what only led to a query, its schema or what
 *             it has in parentheses, does not win over it.
 *
 * Invariants  (1) No byte between the first and the last of the SQL changes,
 *                 but that escapes of programs and marks of quotation are read.
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

#include <string.h>

enum {
    DEPTH_MAX = 10,  // of fences, boxes and texts in JSON within each other
    OPEN_MAX = 20,   // parts that are open at once
    HEADER_MAX = 200,
    LABEL_MAX = 200,
    SEEN_MAX = 8,
};

// Words that take back what stands before them.
static const char corrections[] =
    "wait,correct,corrig,korrig,actually,mistake,revis,fixed,oops,wrong,"
    "instead,final query,final sql,observation:";

// Where parts are open: of most forms there is one, in which the next one ends
// the last; tags lie within each other.
enum {
    PART_SPEAKER,  // a turn, or a channel of it
    PART_THOUGHT,
    PART_SECTION,  // under a label or heading that says what it is
    PART_TITLE,    // under a label or heading of what is tried again
    PART_TAG,
};

typedef struct part {
    str name;
    mark_role role;
    ptrdiff_t end;  // it is open up to here, at most
    int n_found;    // when it was opened
} part;

typedef struct finder {
    arena *a;
    arena scratch;
    spot here;
    int depth;
    ptrdiff_t budget;       // bytes that may still be looked at in vain
    ptrdiff_t line_fences;  // from here on no line begins with a fence
    ptrdiff_t not_quoted;   // lines up to here are no quotation
    ptrdiff_t rest;         // after the last thought
    ptrdiff_t last_end;     // of the last query
    part open[OPEN_MAX];
    int n_open;
    int n_found;
    finding seen[SEEN_MAX];  // the last queries that were offered
    finding best;
    bool is_over;
    bool may_close;   // a mark between any signs closes further on
    bool taken_back;  // since the last query
    bool has_thought;
} finder;

static finding find_in(finder *parent, str text);

static str rest_of(const finder *f)
{
    return str_skip(f->here.text, f->here.at);
}

static void open_part(finder *f, int slot, str name, mark_role role)
{
    f->open[slot] = (part){name, role, f->here.text.len, f->n_found};
}

static bool is_within(const finder *f, int slot, mark_role role)
{
    return f->open[slot].role == role && f->here.at < f->open[slot].end;
}

// Nothing that is thought, or said by somebody else, is an answer.
static bool is_silent(const finder *f)
{
    return is_within(f, PART_THOUGHT, MARK_THOUGHT)
           || is_within(f, PART_SPEAKER, MARK_TURN);
}

static bool has_tags(const finder *f)
{
    return f->n_open > PART_TAG;
}

// Is one of the words of the list in it, which commas separate?
static bool has_any(str text, const char *list)
{
    bool is_found = false;
    for (str rest = str_from(list); rest.len > 0 && !is_found;) {
        is_found = str_find_fold(text, str_cut(&rest, ','), 0) >= 0;
    }
    return is_found;
}

// What the open parts add to a rank, and to the note.
static int rank_of_place(const finder *f, unsigned *notes)
{
    int rank = 0;
    bool is_draft = false;
    for (int i = 0; i < f->n_open; i++) {
        mark_role role =
            f->here.at < f->open[i].end ? f->open[i].role : MARK_NONE;
        bool is_last = i + 1 == f->n_open && f->here.is_direct;
        bool counts = i >= PART_TAG
                      && (role == MARK_ANSWER || role == MARK_SQL || is_last);
        bool is_call =
            i >= PART_TAG && has_any(f->open[i].name, "tool,func,invoke");
        rank |= (counts ? RANK_TAG : 0)
                | (i != PART_TITLE && role == MARK_ANSWER ? RANK_ANSWER : 0);
        is_draft |= role == MARK_DRAFT;
        *notes |= is_call ? BIT(CALL) : counts ? BIT(TAG) : 0;
    }
    *notes &= *notes & BIT(CALL) ? ~BIT(TAG) : ~0u;
    return rank + (is_draft ? RANK_DRAFT : 0);
}

// `SELECT ... FROM t`, and SELECT alone.
static bool has_gap(str sql)
{
    return str_find(sql, S("..."), 0) >= 0 || str_find(sql, S("\u2026"), 0) >= 0
           || extract_word_at(sql, 0).len == sql.len;
}

// Whether the SQL only leads to the query: that has it in parentheses, or goes
// on where it has no table yet; or it shows how such queries are built; or it
// is the schema that the query is about.
static bool is_step_to(str sql, str query)
{
    sql = str_trim(str_sub(sql, 0, sql.len - str_ends(sql, S(";"))));
    ptrdiff_t at = str_find(query, sql, 0);
    str before = str_trim(str_sub(query, 0, at));
    bool is_begun = at == 0 && str_find_fold(sql, S("from"), 0) < 0;
    return (at > 0 && str_ends(before, S("("))) || is_begun
           || (has_gap(sql) && !has_gap(query))
           || (str_starts_fold(sql, S("create table"))
               && extract_starts_query(query));
}

// How often a query was offered so, of the last ones.
static int times_said(const finder *f, const finding *one)
{
    int n = 0;
    for (int i = 0; i < SEEN_MAX; i++) {
        n +=
            f->seen[i].rank == one->rank && str_equal(f->seen[i].sql, one->sql);
    }
    return n;
}

// A query lies at text[from, to): is it the answer?
static void offer(finder *f, finding one, ptrdiff_t from, ptrdiff_t to)
{
    spot *p = &f->here;
    bool has_best = f->best.sql.len > 0;
    str between = str_sub(p->text, f->last_end, from);
    bool was_run = has_best && text_is_result(between);
    f->taken_back =
        has_best && (f->taken_back || was_run || has_any(between, corrections));
    one.rank += rank_of_place(f, &one.notes);
    one.part =
        has_tags(f) ? f->open[f->n_open - 1].name : f->open[PART_TITLE].name;
    bool are_bare = one.is_bare && f->best.is_bare && one.rank >= RANK_LINE
                    && f->best.rank < RANK_TAG
                    && str_find_fold(one.sql, S("from"), 0) > 0;
    bool is_equal = one.rank == f->best.rank || (was_run && are_bare);
    bool is_after_step = one.rank >= RANK_LINE && f->best.rank < RANK_TAG
                         && is_step_to(f->best.sql, one.sql);
    // Whoever says a query again, and more often than the best one, chose it.
    f->seen[f->n_found % SEEN_MAX] = one;
    bool is_chosen = times_said(f, &one) > 1
                     && times_said(f, &one) > times_said(f, &f->best);
    bool is_next =
        is_equal && (mark_is_next(f->best.part, one.part) || is_chosen);
    bool is_later =
        one.rank > f->best.rank || (has_best && (is_after_step || is_next));
    if (!has_best || is_later || (is_equal && f->taken_back)) {
        one.notes |= !has_best ? 0 : is_later ? BIT(LAST) : BIT(CORRECTED);
        f->best = one;
        f->taken_back = false;
    } else if ((is_equal || are_bare) && !str_equal(one.sql, f->best.sql)) {
        f->best.notes |= BIT(FIRST);
    }
    f->n_found++;
    f->last_end = to;
    p->at = to;
    p->is_fresh = true;
    p->is_direct = false;
}

// What was found so far was no more than a step on the way.
static void leave_behind(finder *f)
{
    if (f->best.rank > RANK_PAST / 2) {
        f->best.rank += RANK_PAST;
    }
}

static void end_thought(finder *f)
{
    f->open[PART_THOUGHT].role = MARK_NONE;
    f->has_thought = true;
    f->rest = f->here.at;
}

// Whether a mark between any signs is closed further on.
static bool has_partner(finder *f, mark m)
{
    str text = f->here.text;
    bool is_found = f->open[PART_THOUGHT].role == MARK_THOUGHT || m.closes;
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
        leave_behind(f);
        open_part(f, PART_THOUGHT, m.name, MARK_THOUGHT);
        return;
    }
    // Templates open the block themselves: all before it was thought.
    bool is_open = f->open[PART_THOUGHT].role == MARK_THOUGHT;
    f->best = is_open ? f->best : (finding){0};
    end_thought(f);
}

// <|channel|>name ...<|message|>, <|start|>role, and what ends a message.
static void take_channel(finder *f, mark m)
{
    str head = str_sub(f->here.text, f->here.at, f->here.at + HEADER_MAX);
    bool is_start = str_equal_fold(m.name, S("start"));
    bool is_channel = !m.closes && str_equal_fold(m.name, S("channel"));
    if (f->open[PART_THOUGHT].role == MARK_THOUGHT && !is_start) {
        end_thought(f);
    }
    bool is_foreign =
        is_start && head.len > 0 && !str_starts(head, S("assistant"));
    if (is_foreign) {
        leave_behind(f);
    }
    str name = is_channel ? extract_word_at(head, 0) : (str){0};
    open_part(f, PART_SPEAKER, name,
              is_foreign                     ? MARK_TURN
              : str_starts(name, S("final")) ? MARK_ANSWER
                                             : MARK_NONE);
    if (is_channel) {
        ptrdiff_t message = str_find(head, S("<|message|>"), 0);
        f->here.at += message < 0 ? name.len : message;
        open_part(f, PART_THOUGHT, name,
                  mark_label_role(name) == MARK_DRAFT ? MARK_THOUGHT
                                                      : MARK_NONE);
    }
}

static void take_turn(finder *f, mark m)
{
    ptrdiff_t at = extract_skip(f->here.text, f->here.at);
    str role = extract_word_at(f->here.text, at);
    if (str_find_fold(m.name, S("header"), 0) >= 0 && m.closes) {
        return;
    }
    f->is_over = f->best.sql.len > 0 && !has_tags(f);
    bool is_foreign = mark_is_foreign(m.name)
                      || (m.opens && str_equal(m.name, S("INST")))
                      || (m.opens && mark_is_foreign(role));
    mark_role was = f->open[PART_SPEAKER].role;
    open_part(f, PART_SPEAKER, m.name,
              is_foreign         ? MARK_TURN
              : was == MARK_TURN ? MARK_NONE
                                 : was);
}

// Whether the answer began inside of a wrapper that the prompt opened and that
// is closed here.
static bool closes_prompt(const finder *f)
{
    return f->n_found == 1 && f->best.sql.ptr == str_trim(f->here.text).ptr
           && !has_tags(f);
}

static void take_tag(finder *f, mark m)
{
    if (!m.closes) {
        if (f->n_open < OPEN_MAX) {
            open_part(f, f->n_open++, m.name, m.role);
        }
        return;
    }
    f->is_over = f->is_over || closes_prompt(f);
    for (int i = f->n_open; i-- > PART_TAG;) {
        const part *p = &f->open[i];
        if (str_equal_fold(p->name, m.name) || m.is_token) {
            if (p->role == MARK_SEEN && p->n_found == f->n_found) {
                leave_behind(f);
            }
            // What the tag holds beside the query are words on the way to it.
            f->taken_back |= p->role == MARK_PLAIN && p->n_found == 0
                             && f->best.rank < RANK_TAG;
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
    if (mark_is_try(h.title)) {
        open_part(f, PART_TITLE, h.title, MARK_PLAIN);
    }
    if (role != MARK_PLAIN) {
        open_part(f, PART_SECTION, h.title, role);
        f->open[PART_SECTION].end =
            h.is_alone ? f->here.text.len : f->here.at + line.len;
    }
}

// A part whose end is known when it begins, and what was found in it.
typedef struct held {
    finding in;
    ptrdiff_t end;
} held;

// Where the fence closes whose text begins at `at`: at the first line that
// begins with one, or before, but not in quotes.
static ptrdiff_t fence_end(finder *f, ptrdiff_t at)
{
    str text = f->here.text;
    ptrdiff_t line = -1;
    for (ptrdiff_t i = at; i < f->line_fences;) {
        i = str_find(text, S("\n"), i);
        if (i < 0) {
            break;
        }
        i = json_scan_space(text, i);
        if (mark_at(text, i).role == MARK_FENCE) {
            line = i;
            break;
        }
    }
    f->line_fences = line < 0 ? at : f->line_fences;
    str body = str_sub(text, 0, line < 0 ? text.len : line);
    ptrdiff_t i = at;
    while (i < body.len && mark_at(body, i).role != MARK_FENCE) {
        i = extract_step(body, i);
    }
    return i;
}

// Without the language: a word that touches the fence, or alone on its line.
static str drop_language(str body)
{
    str line = str_trim(body);
    str word = extract_word_at(line, 0);
    char next = word.len < line.len ? line.ptr[word.len] : '\n';
    bool is_language = is_space(next)
                       && (next == '\n' || next == '\r' || word.ptr == body.ptr
                           || extract_starts_sql(str_skip(line, word.len)));
    return is_language && !extract_starts_sql(line) ? str_skip(line, word.len)
                                                    : line;
}

// What a diff makes of the text; empty: it is none.
static str new_side(str body, arena *a)
{
    buf out = buf_new(a);
    int n_new = 0;
    int n_old = 0;
    str_cut(&body, '\n');
    while (body.len > 0) {
        str line = str_cut(&body, '\n');
        bool is_new = str_starts(line, S("+")) && !str_starts(line, S("+++"));
        bool is_old = line.len > 0 && !is_new && strchr("+-@", line.ptr[0]);
        if (line.len > 0 && !is_new && !is_old && line.ptr[0] != ' ') {
            return (str){0};
        }
        n_new += is_new;
        n_old += is_old;
        buf_add(&out, is_old ? S("") : str_skip(line, 1));
        buf_add(&out, is_old ? S("") : S("\n"));
    }
    return n_new > 0 && n_old > 0 ? buf_str(&out) : (str){0};
}

static bool hold_fence(finder *f, held *h)
{
    str text = f->here.text;
    mark m = mark_at(text, f->here.at);
    if (m.role != MARK_FENCE) {
        return false;
    }
    f->is_over = closes_prompt(f) && f->best.rank >= RANK_FENCE;
    ptrdiff_t end = f->is_over ? m.after : fence_end(f, m.after);
    bool is_thought =
        mark_name_role(extract_word_at(text, m.after)) == MARK_THOUGHT;
    f->has_thought |= is_thought;
    str body = str_sub(text, m.after, end);
    str changed = new_side(body, f->a);
    h->in = is_thought        ? (finding){0}
            : changed.len > 0 ? find_in(f, changed)
                              : find_in(f, drop_language(body));
    h->in.rank = RANK_FENCE;
    h->in.notes |= BIT(FENCE);
    h->end = end < text.len && !f->is_over ? mark_at(text, end).after : end;
    return true;
}

// \boxed{...}: the last one counts.
static bool hold_box(finder *f, held *h)
{
    static const str box = S_INIT("\\boxed{");
    str text = f->here.text;
    if (!str_starts(rest_of(f), box) || f->budget < 0) {
        return false;
    }
    ptrdiff_t from = f->here.at + box.len;
    ptrdiff_t to = from;
    for (int depth = 1; to < text.len; to++) {
        depth += (text.ptr[to] == '{') - (text.ptr[to] == '}');
        if (depth == 0) {
            break;
        }
    }
    str body = str_sub(text, from, to);
    f->budget -= to == text.len ? to - from : 0;
    ptrdiff_t brace =
        str_starts(body, S("\\")) ? str_find(body, S("{"), 0) : -1;
    if (brace > 0 && str_ends(body, S("}"))) {  // \text{...}
        body = str_sub(body, brace + 1, body.len - 1);
    }
    f->taken_back |= (f->best.notes & BIT(BOX)) != 0;
    h->in = find_in(f, body);
    h->in.rank = RANK_ANSWER;
    h->in.notes |= BIT(BOX);
    h->end = to < text.len ? to + 1 : to;
    return true;
}

// Lines that begin with the mark of a quotation, without it.
static bool hold_quotation(finder *f, held *h)
{
    str text = f->here.text;
    if (f->here.at > f->here.line || text.ptr[f->here.at] != '>'
        || f->here.at < f->not_quoted) {
        return false;
    }
    buf body = buf_new(f->a);
    h->end = f->here.at;
    while (h->end < text.len && text.ptr[h->end] == '>') {
        ptrdiff_t end = str_find(text, S("\n"), h->end);
        end = end < 0 ? text.len : end + 1;
        ptrdiff_t from = h->end + 1;
        from += from < end && text.ptr[from] == ' ';
        buf_add(&body, str_sub(text, from, end));
        h->end = end;
    }
    h->in = find_in(f, buf_str(&body));
    str inside = extract_trim(buf_str(&body));
    str next = str_skip(text, h->end);
    bool is_last = h->in.sql.len > 0
                   && h->in.sql.ptr + h->in.sql.len == inside.ptr + inside.len;
    if (is_last && str_trim(str_cut(&next, '\n')).len > 0) {
        f->not_quoted = h->end;
        return false;  // it may go on without the mark
    }
    h->in.rank = h->in.notes & BIT(FENCE)          ? RANK_FENCE
                 : extract_starts_query(h->in.sql) ? RANK_LINE
                                                   : RANK_SENTENCE;
    h->in.notes |= BIT(BEFORE);
    return true;
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
    str role = json_get_text(object, S("role"));
    role = role.len > 0 ? role : json_get_text(object, S("from"));
    bool is_thought =
        mark_name_role(json_get_text(object, S("type"))) == MARK_THOUGHT
        || (json_get(object, S("text")) && json_get(object, S("thought")));
    if (mark_is_foreign(role)) {
        leave_behind(f);
    }
    return !is_thought && !mark_is_foreign(role);
}

static void take_value(finder *f, const json *v)
{
    bool is_object = v->kind == JSON_KIND_OBJECT;
    bool is_list = v->kind == JSON_KIND_ARRAY;
    str lines = is_list ? text_of_lines(v, f->a) : (str){0};
    if (v->kind == JSON_KIND_STRING || lines.len > 0) {
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

static finder finder_of(finder *parent, arena *a, str text, arena scratch);

// Data that begin here, such as structured output and the calls of tools.
static bool hold_data(finder *f, held *h)
{
    str text = f->here.text;
    ptrdiff_t at = f->here.at;
    char c = text.ptr[at];
    bool is_text =
        at == 0 && (c == '"' || c == '\'') && str_find(text, S("\\"), 0) > 0;
    ptrdiff_t in = c == '{' || c == '[' ? json_scan_space(text, at + 1) : at;
    char first = in < text.len ? text.ptr[in] : '\0';
    bool may_be = in > at
                  && (strchr("\"'", first)
                      || (c == '{' ? is_alpha(first) : first == '{'));
    if ((!may_be && !is_text) || first == '\0' || f->budget < 0) {
        return false;
    }
    str data = literal_as_json(text, at, &h->end, f->a);
    if (data.len == 0 || (is_text && h->end < text.len)) {
        f->budget -= h->end - at;
        return false;
    }
    finder g = finder_of(f, f->a, text, f->scratch);
    const json *value = json_parse(f->a, data, NULL);
    g.here.is_direct = false;
    open_part(&g, g.n_open++, (str){0}, MARK_SEEN);
    if (value) {
        take_value(&g, value);
    }
    h->in = g.best;
    h->in.rank = RANK_JSON;
    h->in.notes &= ~(BIT(TAG) | BIT(CALL) | BIT(LAST) | BIT(CORRECTED));
    h->in.notes |= BIT(JSON);
    return true;
}

// ~~what is struck out~~ and <!-- comments --> are not read.
static bool hold_struck(finder *f, held *h)
{
    static const str pairs[][2] = {{S_INIT("~~"), S_INIT("~~")},
                                   {S_INIT("<!--"), S_INIT("-->")}};
    str rest = rest_of(f);
    ptrdiff_t end = -1;
    for (ptrdiff_t i = 0; i < countof(pairs) && end < 0; i++) {
        bool begins = str_starts(rest, pairs[i][0]) && f->budget > 0;
        end = begins ? str_find(rest, pairs[i][1], pairs[i][0].len) : -1;
        f->budget -= begins && end < 0 ? rest.len : 0;
        end += end < 0 ? 0 : pairs[i][1].len;
    }
    h->end = f->here.at + end;
    return end > 0;
}

static bool take_held(finder *f)
{
    static bool (*const forms[])(finder * f, held * h) = {
        hold_fence, hold_box, hold_quotation, hold_data, hold_struck};
    held h = {0};
    ptrdiff_t from = f->here.at;
    for (ptrdiff_t i = 0; i < countof(forms); i++) {
        if (forms[i](f, &h)) {
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
    f->here.at = m.after;
    f->here.line = m.after;
    f->here.is_fresh = true;
    f->here.is_direct = true;
    switch ((int)m.role) {
    case MARK_THOUGHT: take_thought(f, m); break;
    case MARK_CHANNEL: take_channel(f, m); break;
    case MARK_TURN: take_turn(f, m); break;
    case MARK_FENCE: break;  // in what is not read
    default:
        if (f->open[PART_THOUGHT].role != MARK_THOUGHT) {
            take_tag(f, m);
        }
        break;
    }
}

static finder finder_of(finder *parent, arena *a, str text, arena scratch)
{
    return (finder){.a = a,
                    .scratch = scratch,
                    .here = {.text = text, .is_fresh = true, .is_direct = true},
                    .depth = parent ? parent->depth + 1 : 0,
                    .budget = 8 * text.len + 1024,
                    .line_fences = text.len,
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
        } else if (!is_read || (!take_held(f) && !take_sql(f))) {
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
    finder f = finder_of(parent, parent->a, text, parent->scratch);
    walk(&f);
    f.best.notes |= f.has_thought ? BIT(THOUGHT) : 0;
    f.best.notes &= ~BIT(BEFORE);
    return f.best;
}

answer extract_walk(arena *a, str text, arena scratch)
{
    finder f = finder_of(NULL, a, text, scratch);
    walk(&f);
    return (answer){
        .best = f.best,
        .rest = extract_trim(str_skip(text, f.rest)),
        .has_thought = f.has_thought,
        .ends_in_thought = f.open[PART_THOUGHT].role == MARK_THOUGHT,
    };
}
