/*
 * extract_walk.c - finds the queries in an answer, and which one it is.
 *
 * Method      One walk from left to right. It knows which tags are open, what
 *             is being thought and who speaks (extract_mark.c). SQL may begin
 *             where a wrapper, a line or a text after a colon begins; in the
 *             middle of a sentence only in capitals, and only when the parser
 *             reads it whole, since prompts that are echoed and refusals are
 *             full of "select". It ends where extract_end.c says. Fences, boxes
 *             and texts in JSON are walked through in the same way, so wrappers
 *             nest as they like.
 *
 *             Each query that is found has a rank, the sum of what it stands
 *             in: an answer outranks a tag, a tag a fence, a fence a line. A
 *             label or heading says the same as the name of a tag. What
 *             was drafted, what a tool has answered since and what was taken
 *             back lose. Of equals the first wins: models give the answer first
 *             and variations after it, and the reference of Spider 2.0 takes
 *             the first. But what only led to a query, its schema or what it
 *             has in parentheses, does not win over it.
 *
 * Invariants  (1) No byte between the first and the last of the SQL changes,
 *                 but that escapes of JSON are read.
 *             (2) Cost is linear in the text, whatever it is: the walk goes on
 *                 behind what it found, and what it looks at in vain is paid
 *                 from a budget.
 *             (3) What is found, searched again, is found whole.
 */
#include "read/extract_walk.h"

#include "base/json_pull.h"
#include "base/utf8.h"
#include "read/extract_end.h"
#include "read/extract_mark.h"
#include "read/extract_scan.h"
#include "read/json_scan.h"

#include <string.h>

enum {
    DEPTH_MAX = 8,  // of fences, boxes and texts in JSON within each other
    OPEN_MAX = 16,  // tags that are open at once
    TRIES = 8,      // for SQL in sentences
    NAMES = 24,     // backticks in code that stands in backticks
    HEADER_MAX = 200,
    LABEL_MAX = 200,
    JSON_DEPTH = 16,
};

// Words that take back what stands before them.
static const char corrections[] =
    "wait,correct,actually,mistake,revis,fixed,oops,wrong,instead,final query,"
    "final sql,observation:";

typedef struct element {
    str name;
    mark_role role;
    int n_found;  // when it was opened
} element;

typedef struct finder {
    arena *a;
    arena scratch;
    str text;
    int depth;
    ptrdiff_t at;
    ptrdiff_t budget;       // bytes that may still be looked at in vain
    ptrdiff_t line_fences;  // from here on no line begins with a fence
    ptrdiff_t rest;         // after the last thought
    ptrdiff_t last_end;     // of the last query
    ptrdiff_t line;         // where it begins, or what follows a mark
    element open[OPEN_MAX];
    int n_open;
    int n_found;
    int tries;
    int channel;  // rank of the channel
    int section;  // rank of what a label or heading begins
    ptrdiff_t section_end;
    finding best;
    bool is_fresh;   // SQL may begin here
    bool is_direct;  // nothing stands before but marks and blanks
    bool is_thought;
    bool is_foreign;  // somebody else speaks
    bool is_over;
    bool taken_back;  // since the last query
    bool has_thought;
} finder;

static finding find_in(finder *parent, str text);

static str rest_of(const finder *f)
{
    return str_skip(f->text, f->at);
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

// What the tags that are open add to a rank, and to the note.
static int rank_of_place(const finder *f, unsigned *notes)
{
    bool is_in_section = f->channel == 0 && f->at < f->section_end;
    int rank = is_in_section ? f->section : f->channel;
    int in_tag = 0;
    for (int i = 0; i < f->n_open; i++) {
        const element *e = &f->open[i];
        bool is_last = i + 1 == f->n_open;
        bool counts = e->role == MARK_ANSWER || e->role == MARK_SQL
                      || (is_last && f->is_direct);
        bool is_call = has_any(e->name, "tool,func,invoke");
        in_tag = counts ? RANK_TAG : in_tag;
        rank += e->role == MARK_ANSWER && !(rank & RANK_ANSWER) ? RANK_ANSWER
                : e->role == MARK_DRAFT                         ? RANK_DRAFT
                                                                : 0;
        *notes |= is_call ? BIT(CALL) : counts ? BIT(TAG) : 0;
    }
    *notes &= *notes & BIT(CALL) ? ~BIT(TAG) : ~0u;
    return rank + in_tag;
}

// Whether the SQL only leads to the query: that has it in parentheses, or it is
// the schema that the query is about.
static bool is_step_to(str sql, str query)
{
    sql = str_trim(str_sub(sql, 0, sql.len - str_ends(sql, S(";"))));
    ptrdiff_t at = str_find(query, sql, 0);
    str before = str_trim(str_sub(query, 0, at));
    return (at > 0 && str_ends(before, S("(")))
           || (str_starts_fold(sql, S("create table"))
               && extract_starts_query(query));
}

// A query lies at text[from, to): is it the answer?
static void offer(finder *f, finding one, ptrdiff_t from, ptrdiff_t to)
{
    bool has_best = f->best.sql.len > 0;
    f->taken_back =
        has_best
        && (f->taken_back
            || has_any(str_sub(f->text, f->last_end, from), corrections));
    one.rank += rank_of_place(f, &one.notes);
    bool is_equal = one.rank == f->best.rank;
    bool is_after_step = one.rank >= RANK_LINE && f->best.rank < RANK_TAG
                         && is_step_to(f->best.sql, one.sql);
    bool is_later = one.rank > f->best.rank || (has_best && is_after_step);
    if (!has_best || is_later || (is_equal && f->taken_back)) {
        one.notes |= !has_best ? 0 : is_later ? BIT(LAST) : BIT(CORRECTED);
        f->best = one;
        f->taken_back = false;
    } else if (is_equal && !str_equal(one.sql, f->best.sql)) {
        f->best.notes |= BIT(FIRST);
    }
    f->n_found++;
    f->last_end = to;
    f->at = to;
    f->is_fresh = true;
    f->is_direct = false;
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
    f->is_thought = false;
    f->has_thought = true;
    f->rest = f->at;
}

static void take_thought(finder *f, mark m)
{
    if (m.closes) {
        // Templates open the block themselves: all before it was thought.
        f->best = f->is_thought ? f->best : (finding){0};
        end_thought(f);
    } else {
        leave_behind(f);
        f->is_thought = true;
    }
}

// <|channel|>name ...<|message|>, <|start|>role, and what ends a message.
static void take_channel(finder *f, mark m)
{
    str head = str_sub(f->text, f->at, f->at + HEADER_MAX);
    bool is_start = str_equal_fold(m.name, S("start"));
    if (f->is_thought && !is_start) {
        end_thought(f);
    }
    if (m.closes || !str_equal_fold(m.name, S("channel"))) {
        f->channel = 0;
        f->is_foreign =
            is_start && head.len > 0 && !str_starts(head, S("assistant"));
        if (f->is_foreign) {
            leave_behind(f);
        }
        return;
    }
    ptrdiff_t message = str_find(head, S("<|message|>"), 0);
    f->at += message < 0 ? extract_word_at(head, 0).len : message;
    f->channel = str_starts(head, S("final")) ? RANK_ANSWER : 0;
    f->is_thought = mark_label_role(extract_word_at(head, 0)) == MARK_DRAFT;
}

static void take_turn(finder *f, mark m)
{
    static const char others[] = "user system tool developer ipython";
    ptrdiff_t at = extract_skip(f->text, f->at);
    str role = extract_word_at(f->text, at);
    if (str_find_fold(m.name, S("header"), 0) >= 0 && m.closes) {
        return;
    }
    f->is_over = f->best.sql.len > 0 && f->n_open == 0;
    f->is_foreign = str_among_fold(m.name, others)
                    || (m.opens && str_equal(m.name, S("INST")))
                    || (m.opens && str_among_fold(role, others));
}

// Whether the answer began inside of a wrapper that the prompt opened and that
// is closed here.
static bool closes_prompt(const finder *f)
{
    return f->n_found == 1 && f->best.sql.ptr == str_trim(f->text).ptr
           && f->n_open == 0;
}

static void take_tag(finder *f, mark m)
{
    if (!m.closes) {
        if (f->n_open < OPEN_MAX) {
            f->open[f->n_open++] = (element){m.name, m.role, f->n_found};
        }
        return;
    }
    f->is_over = f->is_over || closes_prompt(f);
    for (int i = f->n_open; i-- > 0;) {
        element e = f->open[i];
        if (str_equal_fold(e.name, m.name) || m.is_token) {
            if (e.role == MARK_SEEN && e.n_found == f->n_found) {
                leave_behind(f);
            }
            f->n_open = i;
            break;
        }
    }
}

// Where the fence closes whose text begins at f->at: at the first line that
// begins with one, or before, but not in quotes.
static ptrdiff_t fence_end(finder *f)
{
    str text = f->text;
    ptrdiff_t line = -1;
    for (ptrdiff_t i = f->at; i < f->line_fences;) {
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
    f->line_fences = line < 0 ? f->at : f->line_fences;
    str body = str_sub(text, 0, line < 0 ? text.len : line);
    ptrdiff_t i = f->at;
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

// Takes text[f->at, to) for what a wrapper holds.
static void take_inside(finder *f, str body, ptrdiff_t to, int rank, unsigned n)
{
    finding in = find_in(f, body);
    if (in.sql.len > 0) {
        in.rank = rank;
        in.notes |= n;
        offer(f, in, f->at, to);
    }
    f->at = to;
    f->is_fresh = true;
}

static void take_fence(finder *f)
{
    if (closes_prompt(f) && f->best.rank >= RANK_FENCE) {
        f->is_over = true;
        return;
    }
    ptrdiff_t end = fence_end(f);
    str body = drop_language(str_sub(f->text, f->at, end));
    mark m = end < f->text.len ? mark_at(f->text, end) : (mark){.after = end};
    take_inside(f, body, m.after, RANK_FENCE, BIT(FENCE));
}

static void take_mark(finder *f, mark m)
{
    f->at = m.after;
    f->line = m.after;
    f->is_fresh = true;
    f->is_direct = true;
    switch ((int)m.role) {
    case MARK_THOUGHT: take_thought(f, m); break;
    case MARK_CHANNEL: take_channel(f, m); break;
    case MARK_TURN: take_turn(f, m); break;
    case MARK_FENCE:
        if (!f->is_thought && !f->is_foreign) {
            take_fence(f);
        }
        break;
    default:
        if (!f->is_thought) {
            take_tag(f, m);
        }
        break;
    }
}

// A label or heading at the start of a line says of what follows what the name
// of a tag says: of its line, or, alone on it, up to the next that says it.
static void take_label(finder *f)
{
    bool is_alone = false;
    str rest = rest_of(f);
    str line = str_cut(&rest, '\n');
    str label = extract_label(str_sub(line, 0, LABEL_MAX), &is_alone);
    mark_role role = mark_label_role(label);
    if (role != MARK_PLAIN) {
        f->section = role == MARK_ANSWER  ? RANK_ANSWER
                     : role == MARK_DRAFT ? RANK_DRAFT
                                          : 0;
        f->section_end = is_alone ? f->text.len : f->at + line.len;
    }
}

// \boxed{...}: the last one counts.
static bool take_box(finder *f)
{
    static const str box = S_INIT("\\boxed{");
    if (f->text.ptr[f->at] != '\\' || !str_starts(rest_of(f), box)
        || f->budget < 0) {
        return false;
    }
    ptrdiff_t from = f->at + box.len;
    ptrdiff_t to = from;
    for (int depth = 1; to < f->text.len; to++) {
        depth += (f->text.ptr[to] == '{') - (f->text.ptr[to] == '}');
        if (depth == 0) {
            break;
        }
    }
    str body = str_sub(f->text, from, to);
    f->budget -= to == f->text.len ? to - from : 0;
    if (str_starts(body, S("\\text{")) && str_ends(body, S("}"))) {
        body = str_sub(body, 6, body.len - 1);
    }
    f->taken_back |= (f->best.notes & BIT(BOX)) != 0;
    take_inside(f, body, to < f->text.len ? to + 1 : to, RANK_ANSWER, BIT(BOX));
    return true;
}

// What the name of a member says; a message has its text in one of two.
static mark_role role_of_member(str key)
{
    mark_role role = mark_name_role(key);
    bool is_text = key.len == 0 || str_among_fold(key, "content text");
    return is_text && role == MARK_PLAIN ? MARK_SEEN : role;
}

// The SQL in a member. Where its name says nothing, that must be all there is.
static finding find_in_member(finder *f, str text, mark_role role)
{
    finding found = role == MARK_THOUGHT ? (finding){0} : find_in(f, text);
    bool is_alone =
        found.rank >= RANK_JSON && extract_is_whole(found.sql, f->scratch);
    found = role == MARK_PLAIN && !is_alone ? (finding){0} : found;
    found.notes |= BIT(JSON);
    found.rank = role == MARK_ANSWER ? 2
                 : role == MARK_SQL  ? 1
                                     : -(role == MARK_DRAFT);
    return found;
}

// The SQL in the value that comes next, the value of a member of that role.
static finding find_in_value(finder *f, json_pull *s, mark_role role, int depth)
{
    finding found = {0};
    char first = json_pull_peek(s);
    char close = first == '{' ? '}' : ']';
    if (depth > JSON_DEPTH || (first != '{' && first != '[' && first != '"')) {
        json_pull_skip(s);
    } else if (first == '"') {
        found = find_in_member(f, json_pull_scalar(s, f->a), role);
    } else {
        json_pull_open(s, first);
        while (json_pull_next(s, close)) {
            mark_role one =
                first == '{' ? role_of_member(json_pull_key(s, f->a)) : role;
            finding in = find_in_value(f, s, one, depth + 1);
            bool is_better = found.sql.len == 0 || in.rank > found.rank;
            found = in.sql.len > 0 && is_better ? in : found;
        }
    }
    return found;
}

// How many bytes were read before it showed that no JSON begins here.
static ptrdiff_t looked_at(const finder *f, ptrdiff_t end, ptrdiff_t failed)
{
    if (end < 0 && failed > f->at) {
        end = str_find(f->text, S("\n"), failed);
    }
    return (end < 0 ? f->text.len : end) - f->at;
}

// JSON that begins here, such as structured output and the calls of tools.
static bool take_json(finder *f)
{
    char c = f->text.ptr[f->at];
    ptrdiff_t in = c == '{' || c == '[' ? json_scan_space(f->text, f->at + 1)
                                        : f->text.len;
    char first = in < f->text.len ? f->text.ptr[in] : '\0';
    bool is_text = f->at == 0 && c == '"' && str_find(f->text, S("\\"), 0) > 0;
    bool may_be = first == '"' || (c == '[' && first == '{') || is_text;
    if (!may_be || f->budget < 0) {
        return false;
    }
    json_error error = {0};
    ptrdiff_t end = json_scan_value(f->text, f->at, &error);
    json_pull s = json_pull_begin(str_sub(f->text, f->at, end));
    finding found = end < 0 ? (finding){0} : find_in_value(f, &s, MARK_SEEN, 0);
    bool is_part = is_text && end < f->text.len;
    if (end < 0 || is_part || !json_pull_end(&s)) {
        f->budget -= looked_at(f, end, error.offset);
        return false;
    }
    if (found.sql.len > 0) {
        found.rank = RANK_JSON;
        offer(f, found, f->at, end);
    }
    f->at = end;
    return true;
}

// A quote or mark of emphasis directly before the SQL, and where it ends: its
// partner.
typedef struct span {
    str mark;
    ptrdiff_t end;  // of what is in it
    bool is_quote;
} span;

// Where the text in backticks ends that has its first one at `first`: names in
// it may have some, too.
static ptrdiff_t code_end(const finder *f, ptrdiff_t first)
{
    ptrdiff_t end = first;
    for (int i = 0; i < NAMES && end > 0; i++) {
        str code = str_sub(f->text, f->at, end);
        if (str_find(code, S("\n"), 0) >= 0) {
            break;
        }
        if (extract_is_whole(code, f->scratch)) {
            return end;
        }
        end = str_find(f->text, S("`"), end + 1);
    }
    return first;
}

static span span_before(const finder *f)
{
    str text = f->text;
    span s = {.end = text.len};
    str before = extract_trim(str_sub(text, 0, f->at));
    str closing = mark_closing_quote(before);
    ptrdiff_t close = closing.len > 0 ? str_find(text, closing, f->at) : -1;
    if (close > 0) {
        return (span){closing, close, true};
    }
    // Those of Python have a text of their own lines.
    bool is_block = str_ends(before, S("\"\"\"")) || str_ends(before, S("'''"));
    ptrdiff_t to = is_block ? before.ptr + before.len - text.ptr : f->at;
    ptrdiff_t from = to;
    char c = from > 0 ? text.ptr[from - 1] : '\0';
    if (c != '`' && c != '"' && c != '\'' && c != '*' && c != '_') {
        return s;
    }
    while (from > 0 && to - from < 3 && text.ptr[from - 1] == c) {
        from--;
    }
    s.mark = str_sub(text, from, to);
    s.is_quote = c == '"' || c == '\'';
    if (s.is_quote && from == 0 && str_ends(text, s.mark)) {
        s.end = text.len - s.mark.len;  // quotes around all
        return s;
    }
    ptrdiff_t end = str_find(text, s.mark, f->at);
    if (str_equal(s.mark, S("`")) && end > 0) {
        s.end = code_end(f, end);
        return s;
    }
    while (s.is_quote && end > 0) {
        ptrdiff_t after = end + s.mark.len;
        char next = after < text.len ? text.ptr[after] : '\n';
        if (text.ptr[end - 1] != '\\' && strchr("\n),.];}", next)) {
            break;
        }
        end = str_find(text, s.mark, end + 1);
    }
    bool is_strict = s.is_quote || c == '`' || s.mark.len > 1;
    s.end = is_strict && end > 0 ? end : text.len;
    return s;
}

// "SQL query" of "SQL query ->" and "SQL query =".
static str without_arrow(str before)
{
    before = str_trim(before);
    while (before.len > 0 && strchr("=->", before.ptr[before.len - 1])) {
        before = str_sub(before, 0, before.len - 1);
    }
    return before;
}

// Whether text[f->at] may begin SQL at all, and whether it must be whole.
static bool may_begin(const finder *f, bool *must_be_whole)
{
    str rest = rest_of(f);
    char c = rest.ptr[0];
    bool is_comment = f->is_direct && (c == '-' || c == '/');
    if (!is_alpha(c) && c != '(' && !is_comment) {
        return false;
    }
    char before = f->at > 0 ? f->text.ptr[f->at - 1] : '\n';
    *must_be_whole = !f->is_fresh || before == '"' || before == '\'';
    if (str_ends(str_sub(f->text, 0, f->at), S("\": \""))) {
        return false;  // a member of JSON that is broken
    }
    if (f->is_direct) {
        return extract_starts_sql(rest);
    }
    bool is_upper =
        str_starts(rest, S("SELECT")) || str_starts(rest, S("WITH"));
    bool is_literal = (before == '"' || before == '\'' || before == '`')
                      && extract_is_code(str_sub(f->text, f->line, f->at),
                                         f->depth > 0 || f->n_open > 0);
    bool is_free = f->is_fresh || before == '`' || is_literal
                   || (is_upper && f->tries < TRIES
                       && extract_is_words(
                           without_arrow(str_sub(f->text, f->line, f->at))));
    return is_free && extract_starts_query(rest);
}

// The SQL that begins at f->at, as far as `in` goes; empty: none is whole.
static str sql_at(finder *f, span in, bool must_be_whole, extract_end *why)
{
    bool is_inner = !f->is_direct;
    str piece = str_sub(f->text, f->at, in.end);
    ptrdiff_t size = extract_sql_size(piece, is_inner, why, f->scratch);
    str sql = extract_trim(str_sub(piece, 0, size));
    bool is_span = in.mark.len > 0 && str_ends(sql, in.mark);
    sql = extract_trim(str_sub(sql, 0, sql.len - (is_span ? in.mark.len : 0)));
    bool has_stop = is_inner && str_ends(sql, S("."));
    sql = str_sub(sql, 0, sql.len - (has_stop ? 1 : 0));
    f->tries += must_be_whole ? 1 : 0;
    // "the SELECT clause" reads as a query, too.
    if (must_be_whole && !f->is_fresh && str_find_fold(sql, S("from"), 0) < 0
        && str_find(sql, S("("), 0) < 0) {
        return (str){0};
    }
    ptrdiff_t whole = must_be_whole ? extract_whole_size(sql, f->scratch) : -1;
    *why = whole < sql.len && must_be_whole ? EXTRACT_END_PROSE : *why;
    return must_be_whole ? extract_trim(str_sub(sql, 0, whole)) : sql;
}

static bool take_sql(finder *f)
{
    bool must_be_whole = false;
    if (!may_begin(f, &must_be_whole)) {
        return false;
    }
    extract_end why = EXTRACT_END_TEXT;
    span in = span_before(f);
    finding one = {.sql = sql_at(f, in, must_be_whole, &why)};
    if (one.sql.len == 0) {
        return false;
    }
    bool is_first = f->is_direct && f->n_open == 0;
    bool leads = str_ends(one.sql, S(":"));  // to a fence
    bool is_cut = !f->is_direct || in.mark.len > 0;
    one.rank = is_first && !leads ? RANK_FENCE
               : f->is_fresh      ? RANK_LINE
                                  : RANK_SENTENCE;
    one.notes =
        (in.is_quote ? BIT(QUOTES)
         : is_cut    ? BIT(BEFORE)
                     : 0)
        | (why == EXTRACT_END_PROSE ? BIT(AFTER) : 0)
        | (why == EXTRACT_END_MARKER && f->n_open == 0 ? BIT(MARKER) : 0);
    offer(f, one, f->at, f->at + one.sql.len);
    return true;
}

// The offset past the run of bytes from text[at] that are all of `kind`.
static ptrdiff_t run_end(str text, ptrdiff_t at, bool (*kind)(char))
{
    while (at < text.len && kind(text.ptr[at])) {
        at++;
    }
    return at;
}

static bool opens(char c)
{
    return c == '(' || c == ' ';
}

// "7" and, at the start of a line, "7." or "7)", the mark of a list.
static ptrdiff_t step_number(finder *f)
{
    str text = f->text;
    ptrdiff_t end = run_end(text, f->at, is_digit);
    bool is_item = f->is_fresh && end < text.len
                   && (text.ptr[end] == '.' || text.ptr[end] == ')');
    f->is_fresh = is_item;
    return end + is_item - f->at;
}

// Bytes of the sign that ends the prompt of a shell: "sqlite> ", "db=# ".
static ptrdiff_t prompt_sign(str text)
{
    return str_starts(text, S("> "))                                  ? 2
           : str_starts(text, S("=# ")) || str_starts(text, S("=> ")) ? 3
                                                                      : 0;
}

// Over one word, number or sign: may SQL begin after it?
static void step(finder *f)
{
    str text = f->text;
    ptrdiff_t size = 1;
    int32_t c = utf8_char_at(text, f->at, &size);
    bool was_fresh = f->is_fresh;
    char after = f->at + 1 < text.len ? text.ptr[f->at + 1] : '\0';
    if (c == '-' && after == '-' && was_fresh) {
        size = str_find(rest_of(f), S("\n"), 0);  // a comment
        size = size < 0 ? text.len - f->at : size;
    } else if (c == '\n' || c == ':' || c == ']' || c == '}' || c == 0xFF1A) {
        f->is_fresh = true;
        f->line = c == '\n' ? f->at + 1 : f->line;
    } else if (c == '_' && was_fresh) {
        f->is_direct = false;
    } else if (c >= 0 && c < 0x80 && (is_alpha((char)c) || c == '_')) {
        size = extract_word_at(text, f->at).len;
        for (ptrdiff_t i = 1; i < size; i++) {  // a mark may touch the word
            size = text.ptr[f->at + i] == '\xE2'
                           && mark_at(text, f->at + i).role != MARK_NONE
                       ? i
                       : size;
        }
        ptrdiff_t sign =
            f->at == f->line ? prompt_sign(str_skip(text, f->at + size)) : 0;
        size += sign;
        f->is_fresh = sign > 0;
    } else if (c == '(') {
        size = run_end(text, f->at, opens) - f->at;
    } else if (c < 0x80 && is_digit((char)c)) {
        size = step_number(f);
    } else if (c >= 0x80) {
        f->is_fresh = was_fresh && !utf8_is_word(c);
    } else {
        bool is_mark =
            was_fresh && c > 0 && strchr(" \t\r\v\f*`>-=#+~|\"'(", (int)c);
        f->is_fresh = is_mark;
    }
    f->is_direct = f->is_direct && extract_is_blank(c);
    f->at += size;
}

static finder finder_of(arena *a, str text, arena scratch)
{
    return (finder){.a = a,
                    .scratch = scratch,
                    .text = text,
                    .budget = 8 * text.len + 1024,
                    .line_fences = text.len,
                    .is_fresh = true,
                    .is_direct = true};
}

static void walk(finder *f)
{
    while (f->at < f->text.len && !f->is_over) {
        if (f->at == 0 || f->text.ptr[f->at - 1] == '\n') {
            take_label(f);
        }
        mark m = mark_at(f->text, f->at);
        bool is_silent = f->is_thought || f->is_foreign;
        if (m.role != MARK_NONE) {
            take_mark(f, m);
        } else if (is_silent
                   || (!take_box(f) && !take_json(f) && !take_sql(f))) {
            step(f);
        }
    }
}

// What a wrapper holds is searched as a whole text is.
static finding find_in(finder *parent, str text)
{
    if (parent->depth >= DEPTH_MAX) {
        return (finding){0};
    }
    finder f = finder_of(parent->a, text, parent->scratch);
    f.depth = parent->depth + 1;
    walk(&f);
    f.best.notes |= f.has_thought ? BIT(THOUGHT) : 0;
    f.best.notes &= ~BIT(BEFORE);
    return f.best;
}

answer extract_walk(arena *a, str text, arena scratch)
{
    finder f = finder_of(a, text, scratch);
    walk(&f);
    return (answer){.best = f.best,
                    .rest = extract_trim(str_skip(text, f.rest)),
                    .has_thought = f.has_thought,
                    .ends_in_thought = f.is_thought};
}
