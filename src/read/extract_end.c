/*
 * extract_end.c - where SQL ends and prose begins.
 *
 * Why         Where prose begins no list of its words says, but the parser
 *             knows every way in which SQL goes on.
 *
 * Method      One pass over the tokens that matter (quotes, comments, marks)
 *             finds the first mark that ends SQL, and whether there is a place
 *             before it where prose could begin: after a `;`, a line that no
 *             word of SQL begins, a full stop, a tag. Where there is none, the
 *             parser is not asked: most answers are SQL alone.
 *
 *             Else the dialect that reads furthest says which token does not
 *             fit. The SQL ends at the last such place before it where what
 *             stands before is a whole statement and what follows is prose. Of
 *             a text that no dialect reads, at the first such place after a `;`
 *             or an empty line.
 *
 *             A misspelt clause does not fit either, and must not be cut off:
 *             that would mend the query. So what follows must be no clause by
 *             its form (extract_line.h), and have none below.
 *
 *             Behind the last token there may be a mark that nobody listed:
 *             [eos], #END, `== END ==`. It is known by its signs.
 *
 * Invariants  (1) Quoted text and comments are stepped over whole.
 *             (2) A text that some dialect reads to its end is never cut, but
 *                 at a mark.
 *
 * Cost        Linear in the SQL that is found, whatever follows it: a first
 *             part of the text is looked at, and a larger one only while no
 *             token in it says where the SQL ends. The parser reads each part
 *             once a dialect, and at most PREFIXES prefixes of it; parts over
 *             PARSED_MAX bytes are cut by their lines alone.
 */
#include "read/extract_end.h"

#include "base/utf8.h"
#include "read/extract_line.h"
#include "read/extract_mark.h"
#include "read/extract_scan.h"
#include "read/json_scan.h"
#include "sql/parse.h"

#include <assert.h>
#include <string.h>

enum {
    PARSED_MAX = 1 << 16,
    BYTES_A_BYTE = 512,  // of memory that a byte of SQL may need to be parsed
    PREFIXES = 4,
    CLAUSE_LINES = 8,
    WINDOW = 512,     // bytes that are looked at first
    TOKENS = 16,      // of a template, one after another
    TOKEN_MAX = 64,   // bytes of one
    ARROWS = 0x2190,  // from here on signs are no quotes
};

static bool is_parsable(str text, const arena *scratch)
{
    return text.len <= PARSED_MAX
           && arena_room(scratch) >= (text.len + 256) * BYTES_A_BYTE;
}

// Valid until the next call.
static parse_result parsed(str text, dialect d, arena scratch)
{
    arena trees = arena_half(&scratch);
    return parse_sql(&trees, text, d, scratch);
}

// What the parser of one dialect makes of a text: the end of the first token
// that does not fit, or PARSED_WHOLE; -1: nothing.
static const ptrdiff_t PARSED_WHOLE = PTRDIFF_MAX;

static ptrdiff_t parsed_size(str text, dialect d, arena scratch)
{
    if (!is_parsable(text, &scratch)) {
        return -1;
    }
    parse_result r = parsed(text, d, scratch);
    return r.errors.len > 0 ? r.errors.ptr[0].pos + r.errors.ptr[0].len
           : r.statements   ? PARSED_WHOLE
                            : -1;
}

// The dialect that reads furthest, and how far.
static ptrdiff_t furthest(str text, dialect *best, arena scratch)
{
    ptrdiff_t size = -1;
    for (dialect d = 0; d < DIALECT_COUNT && size != PARSED_WHOLE; d++) {
        ptrdiff_t one = parsed_size(text, d, scratch);
        if (one > size) {
            *best = d;
            size = one;
        }
    }
    return size;
}

bool extract_is_whole(str text, arena scratch)
{
    dialect d = DIALECT_SQLITE;
    return furthest(text, &d, scratch) == PARSED_WHOLE;
}

static str last_word(str text)
{
    return str_skip(text, str_run_before(text, text.len, extract_is_word));
}

// "FROM singer returns the names" reads "returns" as another name of singer:
// without such a word at the end, if nothing before says it.
static str without_alias(str sql, dialect d, arena scratch)
{
    str word = last_word(sql);
    str rest = extract_trim(str_sub(sql, 0, sql.len - word.len));
    return !extract_is_keyword(word) && str_find_fold(rest, word, 0) < 0
                   && parsed_size(rest, d, scratch) == PARSED_WHOLE
               ? rest
               : sql;
}

// Where the token begins that does not fit and ends at text[fits].
static ptrdiff_t misfit_at(str text, ptrdiff_t fits)
{
    ptrdiff_t size = last_word(str_sub(text, 0, fits)).len;
    return fits > 0 ? fits - (size > 0 ? size : 1) : 0;
}

// The length of the whole query before text[at], where words begin, if it could
// not be words of their sentence itself; 0: none. In the middle of a sentence
// "SELECT data FROM your database" could.
static ptrdiff_t whole_before(str text,
                              ptrdiff_t at,
                              bool is_inner,
                              dialect d,
                              arena scratch)
{
    str sql = extract_trim(str_sub(text, 0, at));
    ptrdiff_t word = sql.len - last_word(sql).len;
    str before = extract_trim(str_sub(sql, 0, word));
    line_shape s = line_shape_of(sql);
    bool is_sure = s.has_signs || s.has_number
                   || (is_inner ? str_ends(before, S("FROM"))
                                : str_find(sql, S("FROM"), 0) > 0);
    bool is_next = word > before.len && str_ends(before, S("."));
    return is_sure && !is_next && parsed_size(sql, d, scratch) == PARSED_WHOLE
               ? without_alias(sql, d, scratch).len
               : 0;
}

ptrdiff_t extract_whole_size(str text, arena scratch)
{
    dialect d = DIALECT_SQLITE;
    ptrdiff_t fits = furthest(text, &d, scratch);
    ptrdiff_t line = str_find(text, S("\n"), 0);
    if (fits == PARSED_WHOLE) {
        return text.len;
    }
    if (line > 0 && extract_is_whole(str_sub(text, 0, line), scratch)) {
        return line;
    }
    ptrdiff_t at = misfit_at(text, fits);
    return line_is_words(str_trim(str_skip(text, at)))
               ? whole_before(text, at, true, d, scratch)
               : 0;
}

bool extract_continues_select(str text, arena *a, arena scratch)
{
    // SQL: SELECT name, which reads as a path in JSON.
    bool is_label = line_head_of(line_at(text, 0)).is_label;
    if (!is_parsable(text, &scratch) || is_label || str_starts(text, S("#"))) {
        return false;
    }
    str sql = arena_printf(a, "SELECT %.*s", STR_ARG(text));
    for (dialect d = 0; d < DIALECT_COUNT; d++) {
        parse_result r = parsed(sql, d, scratch);
        const ast *n = r.statements;
        while (n && n->kind == AST_SETOP) {
            n = n->kid[SETOP_LEFT];
        }
        if (r.errors.len == 0 && n && !r.statements->next
            && n->kind == AST_SELECT && n->kid[SELECT_FROM]
            && n->kid[SELECT_ITEMS]->kind != AST_WORDS) {  // PostgreSQL: none
            return true;
        }
    }
    return false;
}

// Bytes of SQL at which there is something to see; the rest is run over.
static const bool is_looked_at[256] = {
    ['('] = true,  [')'] = true,  ['{'] = true,  ['}'] = true,  ['`'] = true,
    ['['] = true,  ['~'] = true,  ['<'] = true,  ['\\'] = true, ['\''] = true,
    ['"'] = true,  ['-'] = true,  ['/'] = true,  [';'] = true,  ['\n'] = true,
    ['.'] = true,  ['#'] = true,  [0xE2] = true, [0xE3] = true, [0xEF] = true,
    [0xDB] = true, [0xD8] = true, [0xE0] = true,
};

// A walk over SQL that stops at each place where it might end.
typedef struct walk {
    str text;
    ptrdiff_t at;     // where the SQL would end
    ptrdiff_t next;   // where what follows it would begin
    ptrdiff_t depth;  // of parentheses
    gap before;       // GAP_NONE: nothing but the end or a mark is here
    bool is_end;
    bool is_mark;
    bool is_stop;  // ended by a full stop that no SQL has, which `next` is past
} walk;

// What separates text[i] from what stands at text[next].
static gap gap_at(const walk *w, ptrdiff_t i, ptrdiff_t next)
{
    str text = w->text;
    char c = text.ptr[i];
    str space = str_sub(text, i, c == '.' ? next : is_space(c) ? next : i);
    ptrdiff_t line = str_find(space, S("\n"), 0);
    return c == ';'                                         ? GAP_END
           : c == '<' && mark_at(text, i).role != MARK_NONE ? GAP_TAG
           : w->depth > 0                                   ? GAP_NONE
           : c == '.'
               ? (next == text.len || is_space(text.ptr[next]) ? GAP_STOP
                                                               : GAP_NONE)
           : line < 0                               ? GAP_NONE
           : str_find(space, S("\n"), line + 1) < 0 ? GAP_LINE
                                                    : GAP_PARAGRAPH;
}

// Goes on to the next place.
static void walk_on(walk *w)
{
    str text = w->text;
    w->before = GAP_NONE;
    for (ptrdiff_t i = w->next; w->before == GAP_NONE && !w->is_end;) {
        while (i < text.len && !is_looked_at[(unsigned char)text.ptr[i]]) {
            i++;
        }
        ptrdiff_t size = 0;
        int32_t c = i < text.len ? utf8_char_at(text, i, &size) : '\0';
        w->depth += (c == '(' || c == '{') - (c == ')' || c == '}');
        w->is_mark = mark_ends_sql(mark_at(text, i));
        w->is_stop = !w->is_mark && line_is_stop(c);
        w->is_end = i == text.len || w->is_mark || w->is_stop;
        ptrdiff_t next = w->is_end || (unsigned char)text.ptr[i] > 0x7F
                             ? i + size
                             : extract_step(text, i);
        w->before = w->is_end ? GAP_NONE : gap_at(w, i, next);
        w->at = i + (w->before == GAP_END);
        w->next = w->before == GAP_NONE || w->before == GAP_STOP
                      ? next
                      : extract_skip(text, next);
        i = next;
    }
}

// Whether what follows the place may be prose, and the parser is to say so.
static bool is_doubtful(const walk *w)
{
    str rest = str_skip(w->text, w->next);
    char last = w->at > 0 ? w->text.ptr[w->at - 1] : '\0';
    char first = rest.len > 0 ? rest.ptr[0] : ';';
    if (w->is_end || (first == ';' && w->before != GAP_STOP)) {
        return false;
    }
    // As all lines of most queries do.
    bool goes_on =
        w->before == GAP_LINE
            ? last == ',' || first == ',' || first == ')' || line_goes_on(rest)
            : w->before == GAP_END && extract_starts_sql(rest);
    return !goes_on;
}

// A rule, which many take for a comment, or what a database answers: a table,
// whose head stands on a rule.
static bool is_table_after(const walk *w)
{
    str rest = str_skip(w->text, json_scan_space(w->text, w->at));
    str head = line_at(rest, 0);
    str_cut(&rest, '\n');
    bool is_frame = false;
    return (line_is_rule(head, &is_frame)
            || line_is_rule(line_at(rest, 0), &is_frame))
           && (is_frame || w->before > GAP_LINE);
}

// Is the line a comment of some dialects only?
static bool is_foreign_comment(str line)
{
    return str_starts(line, S("#")) || str_starts(line, S("//"));
}

// Of lines that are comments of some dialects only what follows the first and
// the last is looked at.
static bool is_between_comments(const walk *w)
{
    str above = str_trim(str_sub(w->text, 0, w->at));
    return is_foreign_comment(line_at(w->text, w->next))
           && is_foreign_comment(line_last(above));
}

// A line of no clause that is one for all that: a misspelt one, or of a dialect
// that nobody reads, in capitals (`JONI t`, `FORMAT JSON`) or above what goes
// on with it (`UNOIN`, `WEHRE`), and whatever has clauses below.
static bool may_be_clause(str line, str below)
{
    str next = line_at(below, 0);
    bool is_alone = extract_word_at(line, 0).len == line.len;
    bool leads = is_alone && next.len > 0;
    bool is_clause = (line_begins_in_capitals(line) && (leads || !is_alone))
                     || (leads && line_shape_of(next).has_signs);
    for (int i = 0; i < CLAUSE_LINES && next.len > 0 && !is_clause
                    && !line_is_heading(next);
         i++) {
        is_clause = line_goes_on(next);
        str_cut(&below, '\n');
        next = line_at(below, 0);
    }
    return is_clause;
}

// Whether the place may end the SQL, as far as what follows says so.
static bool is_prose_after(const walk *w, bool is_inner)
{
    if (!is_doubtful(w) || is_between_comments(w)) {
        return false;
    }
    str rest = str_skip(w->text, w->next);
    str line = line_at(rest, 0);
    gap before = w->before;
    while (is_foreign_comment(line)) {
        str_cut(&rest, '\n');
        line = line_at(rest, 0);
        before = before > GAP_LINE ? before : GAP_PARAGRAPH;
    }
    str between = str_sub(w->text, w->at, w->next);
    bool is_below = str_find(between, S("\n"), 0) >= 0;
    // A query where this one cannot go on is another one.
    bool is_next = before == GAP_PARAGRAPH && extract_starts_query(rest);
    str_cut(&rest, '\n');
    // "Actually, the answer: SELECT ..."
    line_head h = line_head_of(line);
    bool leads = before >= GAP_LINE && extract_starts_query(h.rest)
                 && line_is_words(h.title);
    return (before == GAP_STOP && w->next == w->text.len) || is_next || leads
           || is_table_after(w) || before == GAP_TAG
           || (is_inner && before == GAP_END) || line_is_prose(line, before)
           || (is_below && line_is_no_clause(line)
               && (before == GAP_END || !may_be_clause(line, rest)));
}

// The last place before the token that does not fit where the SQL is whole, or,
// of a text that none reads, the first place after which prose is certain; -1:
// there is none, or, of a part of a text, the whole of it may say otherwise.
static ptrdiff_t cut_at(str text, bool is_inner, const walk *end, arena scratch)
{
    dialect d = DIALECT_SQLITE;
    ptrdiff_t fits = furthest(text, &d, scratch);
    // What a full stop ends is prose, though it reads as a table's other name.
    if (!end->is_stop && fits >= (end->is_end ? PARSED_WHOLE : text.len)) {
        return -1;
    }
    ptrdiff_t places[PREFIXES];
    ptrdiff_t n = 0;
    ptrdiff_t certain = -1;
    for (walk w = {.text = text}; !w.is_end; walk_on(&w)) {
        // Neither says for certain that the SQL is over.
        bool is_vague = w.before == GAP_STOP || w.before == GAP_LINE;
        if (w.before == GAP_NONE || (w.at > fits && is_vague)
            || !is_prose_after(&w, is_inner)) {
            continue;
        }
        if (w.at <= fits) {
            places[n++ % PREFIXES] = w.at;
        }
        bool is_certain =
            w.before == GAP_TAG
            || (w.before > GAP_LINE && w.before != GAP_STOP
                && (is_inner
                    || line_is_prose(line_at(text, w.next), GAP_LINE)));
        certain = certain < 0 && is_certain ? w.at : certain;
        // What some dialect takes for a comment may be a heading.
        if (w.at > fits ? certain >= 0
                        : is_table_after(&w)
                              || line_is_heading(line_at(
                                  text, json_scan_space(text, w.next)))) {
            break;
        }
    }
    for (ptrdiff_t i = 1; i <= PREFIXES && i <= n; i++) {
        ptrdiff_t at = places[(n - i) % PREFIXES];
        if (parsed_size(str_sub(text, 0, at), d, scratch) == PARSED_WHOLE) {
            return at;
        }
    }
    // The sentence may begin on the line.
    ptrdiff_t at = misfit_at(text, fits < text.len ? fits : 0);
    str line = line_at(text, at);
    line_shape s = line_shape_of(line);
    bool is_sentence =
        s.is_sentence && s.words > 2 && !s.has_signs && !s.has_verbs;
    str below = str_skip(text, at);
    str_cut(&below, '\n');
    ptrdiff_t size =
        is_sentence && !line_goes_on(line) && !may_be_clause(line, below)
            ? whole_before(text, at, is_inner, d, scratch)
            : 0;
    return size > 0 ? size : certain;
}

// Where the SQL ends without the lines behind it that only some dialects take
// for comments: to them they mean nothing either.
static ptrdiff_t before_headings(str text, ptrdiff_t end, arena scratch)
{
    str rest = str_trim(str_sub(text, 0, end));
    ptrdiff_t size = end;
    for (str line = line_last(rest); is_foreign_comment(line);
         line = line_last(rest)) {
        rest = str_trim(str_sub(rest, 0, line.ptr - rest.ptr));
        size = rest.len;
    }
    return size < end && extract_is_whole(rest, scratch)
               ? rest.ptr - text.ptr + size
               : end;
}

// Where the element begins that the tag at text[at] closes; `at` when it began
// before the text.
static ptrdiff_t before_element(str text, ptrdiff_t at)
{
    mark m = mark_at(text, at);
    bool has_name = m.closes && m.name.len > 0;
    ptrdiff_t i = has_name ? str_find(text, m.name, 0) : at;
    while (i >= 0 && i < at) {
        if (i > 0 && text.ptr[i - 1] == '<') {
            return i - 1;
        }
        i = str_find(text, m.name, i + 1);
    }
    return at;
}

// From where on all bytes before text[end] are of the list.
static ptrdiff_t run_before(str text, ptrdiff_t end, const char *list)
{
    return str_strip(str_sub(text, 0, end), "", list).len;
}

// Where what is no SQL begins that the text ends with: a name in brackets, a
// sign of no script, what closes the text of a program, a word behind signs
// that make no operator or between them, such signs alone; -1: nothing. A
// quote alone may be the text's own, unless it `is_sure`.
static ptrdiff_t last_mark(str text, bool is_sure)
{
    static const char signs[] = "#*@%$~=|";
    static const char closing[] = "`}]>";
    int32_t c = text.len > 0 ? utf8_char_before(text, text.len) : 0;
    ptrdiff_t close = run_before(text, text.len, closing);
    ptrdiff_t inside = close;
    while (inside > 0 && close - inside < TOKEN_MAX
           && (extract_is_word(text.ptr[inside - 1])
               || strchr(" /|", text.ptr[inside - 1]))) {
        inside--;
    }
    ptrdiff_t open = run_before(text, inside, "[<{");
    // Each pair of brackets is two bytes apart.
    if (open < inside && inside < close && close < text.len
        && text.ptr[inside - 1] + 2 == text.ptr[close]) {
        return open;
    }
    ptrdiff_t quotes = run_before(text, text.len, "\"'");
    ptrdiff_t after = run_before(text, text.len, signs);
    ptrdiff_t end = run_before(text, after, " ");
    ptrdiff_t word = end - last_word(str_sub(text, 0, end)).len;
    ptrdiff_t lead = run_before(text, word, " ");
    ptrdiff_t before = run_before(text, lead, signs);
    bool is_led =
        end > word && is_alpha(text.ptr[word])
        && (after < text.len || text.ptr[before] != '*')
        && (lead - before > 1 || (lead > before && text.ptr[before] == '#'));
    bool is_escape = word > 0 && text.ptr[word - 1] == '\\'
                     && str_among(str_sub(text, word, end), "n r t");
    return c >= ARROWS && !utf8_is_word(c) && !utf8_is_dense(c)
               ? text.len - (c < 0x10000 ? 3 : 4)
           : text.len - close > str_ends(text, S(">")) ? close
           : text.len - quotes > (is_sure ? 0 : 2)     ? quotes
           : is_escape                                 ? word - 1
           : is_led                                    ? before
           : text.len - after > 1                      ? after
                                                       : -1;
}

// Whether the text may be read with the mark at text[at], and means the same
// without: as another name of a table, which nothing else names so, or as a
// comment of MySQL. No expression ends in `**`; what touches a name may be its
// subscript.
static bool may_be_read(str text, str rest, ptrdiff_t at, arena scratch)
{
    bool is_byte = (unsigned char)text.ptr[at] > 0x7F;
    bool is_closing = str_starts(str_skip(text, at + 1), S("/"));
    str name = extract_word_at(text, at + !is_byte + is_closing);
    str of = last_word(str_sub(text, 0, at));
    bool is_subscript = of.len > 0 && !is_digit(of.ptr[0])
                        && mark_at(text, at).role == MARK_NONE;
    // PostgreSQL has no such comments, and no names in brackets.
    bool is_postgres =
        (strchr("#/", text.ptr[at]) || is_subscript)
        && parsed_size(text, DIALECT_POSTGRES, scratch) == PARSED_WHOLE;
    return is_byte || str_ends(text, S("*"))
           || (!is_postgres
               && (strchr("#/", text.ptr[at])
                   || (strchr("[<{", text.ptr[at])
                       && str_find_fold(rest, name, 0) < 0)));
}

ptrdiff_t extract_before_tokens(str text, bool may_be_name, arena scratch)
{
    str rest = text;
    ptrdiff_t at = last_mark(text, false);
    bool is_whole = at >= 0 && extract_is_whole(text, scratch);
    for (int i = 0; i < TOKENS && at > 0; i++, at = last_mark(rest, true)) {
        mark m = mark_at(text, at);
        bool is_open = text.ptr[at] == '<' && m.after > 0 && !mark_ends_sql(m);
        if (is_open || (!may_be_name && !strchr("[<", text.ptr[at]))) {
            break;
        }
        rest = extract_trim(str_sub(rest, 0, at));
        if ((!is_whole || (may_be_name && may_be_read(text, rest, at, scratch)))
            && !str_ends(rest, S(",")) && extract_is_whole(rest, scratch)) {
            return rest.len;
        }
    }
    return text.len;
}

ptrdiff_t extract_sql_size(str text,
                           bool is_inner,
                           extract_end *why,
                           arena scratch)
{
    bool doubts = false;
    ptrdiff_t cut = -1;
    walk w = {.text = text};
    for (ptrdiff_t seen = WINDOW; cut < 0 && !w.is_end; seen *= 4) {
        do {
            walk_on(&w);
            doubts = doubts || w.is_stop || is_doubtful(&w);
        } while (!w.is_end && w.at < seen);
        w.at = w.is_mark ? before_element(text, w.at) : w.at;
        str part = str_sub(text, 0, w.is_stop ? w.next : w.at);
        cut = doubts ? cut_at(part, is_inner, &w, scratch) : -1;
    }
    *why = cut >= 0          ? EXTRACT_END_PROSE
           : w.is_mark       ? EXTRACT_END_MARKER
           : w.at < text.len ? EXTRACT_END_PROSE
                             : EXTRACT_END_TEXT;
    ptrdiff_t end = cut >= 0 ? cut : w.at;
    ptrdiff_t size = before_headings(text, end, scratch);
    *why = size < end ? EXTRACT_END_PROSE : *why;
    str sql = extract_trim(str_sub(text, 0, size));
    ptrdiff_t whole = extract_before_tokens(sql, true, scratch);
    *why = whole < sql.len ? EXTRACT_END_MARKER : *why;
    return whole < sql.len ? whole : size;
}
