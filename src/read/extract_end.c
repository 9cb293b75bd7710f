/*
 * extract_end.c - where SQL ends and prose begins.
 *
 * Why         Lists of words by which explanations begin are English, and never
 *             complete. The parser knows every way in which SQL goes on.
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
 *             that would mend the query. So what follows must be prose by its
 *             form: a heading or a label, a sentence with a full stop, or
 *             several words in a row of which SQL knows none. Operators and
 *             words of SQL in capitals speak against it.
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
#include "read/extract_mark.h"
#include "read/extract_scan.h"
#include "read/json_scan.h"
#include "sql/lex_rules.h"
#include "sql/parse.h"

#include <assert.h>
#include <string.h>

enum {
    PARSED_MAX = 1 << 16,
    BYTES_A_BYTE = 512,  // of memory that a byte of SQL may need to be parsed
    PREFIXES = 4,
    WINDOW = 512,  // bytes that are looked at first
    PROSE_LINES = 8,
    TITLE_MAX = 64,
    TOKENS = 16,           // of a template, one after another
    TOKEN_MAX = 64,        // bytes of one
    LINE_MAX_BYTES = 512,  // of a line, to see whether it is prose or code
};

// What stands between SQL and what follows it, in the order of how much that
// separates.
typedef enum gap {
    GAP_NONE,
    GAP_LINE,
    GAP_PARAGRAPH,
    GAP_END,  // of a statement or a sentence, or a tag
} gap;

// What the line says about itself.
typedef struct line_shape {
    int words;         // in a row from its start that SQL does not know
    int all_words;     // likewise, anywhere
    int n_words;       // known ones, too
    int n_capitals;    // words in capitals
    bool has_signs;    // operators, calls, names with a dot, numbers
    bool has_verbs;    // words of SQL in capitals
    bool is_sentence;  // ends with a full stop or the like
} line_shape;

static bool is_upper(str word)
{
    bool is_all_upper = true;
    for (ptrdiff_t i = 0; i < word.len; i++) {
        is_all_upper = is_all_upper && word.ptr[i] >= 'A' && word.ptr[i] <= 'Z';
    }
    return is_all_upper;
}

static bool is_keyword(str word)
{
    return word.len > 0 && keyword_find(word.ptr, word.len) != KEYWORD_NONE;
}

// Written like This.
static bool is_title(str word)
{
    return word.len > 1 && to_lower(word.ptr[0]) != word.ptr[0]
           && to_lower(word.ptr[1]) == word.ptr[1];
}

// Full stops and the like of any script.
static bool ends_sentence(int32_t c)
{
    return c == '.' || c == '!' || c == '?' || c == ':' || c == 0x3002
           || c == 0xFF01 || c == 0xFF1F || c == 0xFF1A || c == 0xFF0E
           || c == 0x2026 || c == 0x0964 || c == 0x06D4 || c == 0x061F;
}

// Those of them that no SQL has outside of quotes.
static bool is_wide_stop(int32_t c)
{
    return (c > 0x7F && ends_sentence(c)) || c == 0xFF1B;
}

// Words in `word`: scripts without blanks count by letters.
static int words_in(str word)
{
    int n = 0;
    for (ptrdiff_t i = 0, size = 0; i < word.len; i += size) {
        int32_t c = utf8_char_at(word, i, &size);
        n += c >= 0x2E80 || utf8_is_dense(c) ? 1 : 0;
    }
    return n > 0 ? n : 1;
}

static line_shape shape_of(str line)
{
    line_shape s = {0};
    bool in_row = true;
    for (ptrdiff_t i = 0; i < line.len;) {
        str word = extract_word_at(line, i);
        char c = line.ptr[i];
        ptrdiff_t code = c == '`' ? str_find(line, S("`"), i + 1) : -1;
        if (code > 0) {
            i = code + 1;
            continue;
        }
        if (word.len == 0) {
            bool joins = i > 0 && i + 1 < line.len
                         && extract_is_word(line.ptr[i - 1])
                         && extract_is_word(line.ptr[i + 1]);
            s.has_signs |=
                str_find(S("=<>{}[]\\"), str_sub(line, i, i + 1), 0) >= 0
                || str_starts(str_skip(line, i), S("''")) || (c == '.' && joins)
                || (c == '(' && i > 0 && extract_is_word(line.ptr[i - 1]));
            in_row = in_row
                     && (is_space(c) || (c == ',' && !joins)
                         || (c == '-' && joins) || (c == '\'' && joins));
            i++;
            continue;
        }
        bool is_known = is_keyword(word);
        bool is_verb = is_known && word.len > 1 && is_upper(word);
        int n = is_known || is_digit(c) ? 0 : words_in(word);
        in_row = in_row && !is_verb;
        s.has_verbs |= is_verb;
        s.words += in_row ? n : 0;
        s.all_words += n;
        s.n_words += is_known ? 1 : n;
        s.n_capitals += word.len > 1 && is_upper(word);
        i += word.len;
    }
    s.is_sentence =
        line.len > 0 && ends_sentence(utf8_char_before(line, line.len));
    return s;
}

// "Explanation:" or "Query 2:", up to three words, and with its colon; behind
// the marks of a heading without one, too. 0: it is none.
static ptrdiff_t label_size(str line, bool is_heading)
{
    static const str wide = S_INIT("\xEF\xBC\x9A");
    ptrdiff_t i = 0;
    for (int words = 0; words < 3; words++) {
        str word = extract_word_at(line, i);
        ptrdiff_t colon = str_find(word, wide, 0);
        ptrdiff_t end = i + (colon < 0 ? word.len : colon);
        if (end == i || (words == 0 && is_digit(line.ptr[i]))) {
            return 0;
        }
        str rest = str_skip(line, end);
        rest = str_skip(rest, str_starts(rest, S("`:")) ? 1 : 0);
        if (colon >= 0) {
            return end + wide.len;
        }
        if (str_starts(rest, S(":"))) {
            bool is_apart = rest.len == 1 || is_space(rest.ptr[1])
                            || (is_heading && rest.ptr[1] == '*');
            return end > 2 && is_apart ? end + 1 : 0;
        }
        if (is_heading && (rest.len == 0 || rest.ptr[0] == '*')) {
            return end;
        }
        if (str_starts(rest, S(" : ")) || str_equal(rest, S(" :"))) {
            return end + 2;
        }
        i = end + (str_starts(rest, S(" ")) ? 1 : 0);
    }
    return 0;
}

str extract_label(str line, bool *is_alone)
{
    static const char marks[] = "#*_ 0123456789.)";
    ptrdiff_t from = 0;
    line = str_trim(line);
    bool is_heading = str_starts(line, S("#")) || str_starts(line, S("**"));
    while (is_heading && from < line.len && strchr(marks, line.ptr[from])) {
        from++;
    }
    str text = str_skip(line, from);
    str label = str_sub(text, 0, label_size(text, is_heading));
    str rest = str_skip(text, label.len);
    while (rest.len > 0 && strchr(marks, rest.ptr[0])) {
        rest = str_skip(rest, 1);
    }
    *is_alone = rest.len == 0;
    return label;
}

// A heading or a label; no line of SQL looks like one, but for a comment that
// says of what follows that it is the answer.
static bool is_heading(str line)
{
    bool is_alone;
    return str_starts(line, S("###")) || str_starts(line, S("**"))
           || label_size(line, false) > 0
           || (str_starts(line, S("#"))
               && mark_label_role(extract_label(line, &is_alone)) != MARK_PLAIN
               && is_alone);
}

str extract_without_mark(str line)
{
    ptrdiff_t n = 0;
    while (n < line.len && is_digit(line.ptr[n])) {
        n++;
    }
    ptrdiff_t size = 0;
    int32_t c = n < line.len ? utf8_char_at(line, n, &size) : 'x';
    bool is_item =
        c < 0x80 ? strchr(n > 0 ? ".)" : "-*>", c) != NULL : !utf8_is_word(c);
    bool is_apart = n + size < line.len && line.ptr[n + size] == ' ';
    return str_skip(line, is_item && is_apart ? n + size + 1 : 0);
}

bool extract_is_rule(str line, bool *is_frame)
{
    int n = 0;
    *is_frame = false;
    for (ptrdiff_t i = 0, size = 0; i < line.len; i += size) {
        int32_t c = utf8_char_at(line, i, &size);
        bool is_box = c >= 0x2500 && c <= 0x257F;
        if (!is_box && (c > 0x7F || c <= 0 || !strchr("-+=_*#| ", c))) {
            return false;
        }
        *is_frame |= is_box || c == '+' || c == '|';
        n += c != ' ';
    }
    return n > 2;
}

str extract_title(str line)
{
    static const char around[] = "#*_-=+[](){}<>~ \t\r";
    ptrdiff_t colon = str_find(line, S(":"), 0);
    ptrdiff_t wide = str_find(line, S("\uFF1A"), 0);
    line = str_sub(line, 0, wide < 0 ? line.len : wide);
    line = str_sub(line, 0, colon < 0 ? line.len : colon);
    while (line.len > 0 && strchr(around, line.ptr[0])) {
        line = str_skip(line, 1);
    }
    while (line.len > 0 && strchr(around, line.ptr[line.len - 1])) {
        line.len--;
    }
    return line.len <= TITLE_MAX ? line : (str){0};
}

// Whether prose begins with the line. The less separates it from SQL, the more
// it has to show.
static bool is_prose(str line, gap before)
{
    str whole = str_trim(line);
    line = before > GAP_LINE && !is_heading(whole) ? extract_without_mark(whole)
                                                   : whole;
    bool is_item = line.len < whole.len;
    bool is_block = str_starts(line, S("# ")) || str_starts(line, S("## "))
                    || (str_starts(line, S("|")) && !str_starts(line, S("||")));
    // A parenthesis, or the quote of a name, where no statement goes on.
    bool is_quoted =
        before > GAP_LINE && line.len > 0 && strchr("(`", line.ptr[0]);
    line = str_skip(line, is_quoted ? 1 : 0);
    bool is_value =
        before > GAP_LINE && line.len > 0 && strchr("[{", line.ptr[0]);
    ptrdiff_t size = 0;
    int32_t c = line.len > 0 ? utf8_char_at(line, 0, &size) : 0;
    bool is_symbol = before > GAP_LINE && c > 0x7F && !utf8_is_word(c);
    if (is_heading(line) || is_value || is_symbol
        || (before > GAP_LINE && is_block)) {
        return true;
    }
    ptrdiff_t stop = str_find(line, S(". "), 0);
    line_shape s = shape_of(str_sub(line, 0, stop < 0 ? line.len : stop + 1));
    bool is_bare = !s.has_signs && !s.has_verbs;
    if (line.len == 0 || !extract_is_word(line.ptr[0])) {
        return false;
    }
    if (s.is_sentence && before > GAP_LINE && s.all_words > 2 && !s.has_signs) {
        return true;
    }
    if (s.is_sentence) {
        return s.words > 2 || (line.len > 3 && s.all_words > 0 && is_bare);
    }
    // Some words that SQL knows are among others, in a list or after its end.
    bool may_be_known = is_item || before == GAP_END;
    int least = before == GAP_LINE ? 4 : 3;
    str first = extract_word_at(line, 0);
    bool is_clause = is_keyword(first) && !is_title(first);
    bool is_apart = before > GAP_LINE && line.len == whole.len && !is_clause;
    return !s.has_signs
           && ((is_apart && s.all_words > 3) || (is_bare && s.words >= least)
               || (is_bare && may_be_known && s.all_words > 0
                   && s.n_words > (is_item ? 1 : 2)));
}

static str line_at(str text, ptrdiff_t at)
{
    str rest = str_sub(text, at, at + LINE_MAX_BYTES);
    return str_trim(str_cut(&rest, '\n'));
}

bool extract_is_words(str text)
{
    line_shape s = shape_of(str_sub(text, 0, LINE_MAX_BYTES));
    ptrdiff_t at = extract_skip(text, 0);
    bool has_word = s.all_words > 0 || is_title(extract_word_at(text, at));
    return has_word && !s.has_signs && !s.has_verbs
           && str_find(text, S(";"), 0) < 0
           && !str_equal_fold(extract_word_at(text, at), S("from"));
}

bool extract_is_code(str before, bool is_inside)
{
    before = str_skip(before, before.len - LINE_MAX_BYTES);
    while (before.len > 0 && strchr("\"'`", before.ptr[before.len - 1])) {
        before = str_sub(before, 0, before.len - 1);
    }
    str text = str_trim(before);
    char last = text.len > 0 ? text.ptr[text.len - 1] : '\0';
    bool is_code = last == '=' || last == '(' || last == '[' || last == ',';
    for (ptrdiff_t i = 0; i < text.len && is_code && !is_inside;) {
        ptrdiff_t n = extract_word_at(text, i).len;
        ptrdiff_t next = json_scan_space(text, i + n);
        is_code =
            n == 0 || next == i + n || extract_word_at(text, next).len == 0;
        i = n > 0 ? next : i + 1;
    }
    return is_code;
}

// Most words in capitals, as statements of administrators are written that no
// table here knows: LOCK TABLE t IN EXCLUSIVE MODE.
bool extract_is_in_capitals(str text)
{
    line_shape s = shape_of(line_at(text, 0));
    return s.n_capitals > 1 && s.n_capitals * 2 > s.n_words;
}

bool extract_is_prose(str text)
{
    bool has_prose = false;
    if (extract_is_in_capitals(text)) {
        return false;
    }
    for (int i = 0; i < PROSE_LINES && text.len > 0; i++) {
        str line = line_at(text, 0);
        str_cut(&text, '\n');
        line_shape s = shape_of(line);
        if (s.has_signs && !s.is_sentence) {
            return false;
        }
        has_prose = has_prose || is_prose(line, GAP_PARAGRAPH);
    }
    return has_prose;
}

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
    ptrdiff_t at = text.len;
    while (at > 0 && extract_is_word(text.ptr[at - 1])) {
        at--;
    }
    return str_skip(text, at);
}

// "FROM singer returns the names" reads "returns" as another name of singer:
// without such a word at the end, if nothing before says it.
static str without_alias(str sql, dialect d, arena scratch)
{
    str word = last_word(sql);
    str rest = extract_trim(str_sub(sql, 0, sql.len - word.len));
    str name = last_word(rest);
    bool may_be = name.len > 0 && !is_digit(name.ptr[0]) && !is_keyword(name)
                  && !is_keyword(word) && str_find_fold(rest, word, 0) < 0;
    return may_be && parsed_size(rest, d, scratch) == PARSED_WHOLE ? rest : sql;
}

ptrdiff_t extract_whole_size(str text, arena scratch)
{
    dialect d = DIALECT_SQLITE;
    ptrdiff_t at = furthest(text, &d, scratch);
    if (at == PARSED_WHOLE) {
        return text.len;
    }
    ptrdiff_t line = str_find(text, S("\n"), 0);
    if (line > 0 && extract_is_whole(str_sub(text, 0, line), scratch)) {
        return line;
    }
    // To the token that does not fit.
    ptrdiff_t size = at < 0 ? 0 : last_word(str_sub(text, 0, at)).len;
    at -= size > 0 ? size : 1;
    str sql = extract_trim(str_sub(text, 0, at < 0 ? 0 : at));
    str before = extract_trim(str_sub(sql, 0, sql.len - last_word(sql).len));
    bool is_sure = (shape_of(sql).has_signs || str_ends(before, S("FROM")))
                   && extract_is_words(str_skip(text, sql.len))
                   && parsed_size(sql, d, scratch) == PARSED_WHOLE;
    return is_sure ? without_alias(sql, d, scratch).len : 0;
}

// SELECT outside of parentheses begins the query, or goes on after UNION.
static bool has_own_select(str text)
{
    lexer l = lex_begin(text, DIALECT_SQLITE);
    int depth = 0;
    bool joined = false;
    for (token t = lex_next_solid(&l); t.kind != TOKEN_END;
         t = lex_next_solid(&l)) {
        str word = token_text(text, t);
        depth += str_equal(word, S("(")) - str_equal(word, S(")"));
        if (depth == 0 && !joined && str_equal_fold(word, S("select"))) {
            return true;
        }
        joined = str_among_fold(word, "union except intersect")
                 || (joined && str_equal_fold(word, S("all")));
    }
    return false;
}

bool extract_continues_select(str text, arena *a, arena scratch)
{
    if (!is_parsable(text, &scratch) || str_starts(text, S("#"))
        || has_own_select(text)) {
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
    char sign;        // what the place begins with
    bool is_end;
    bool is_mark;
    bool is_stop;  // ended by a full stop that no SQL has, which `next` is past
} walk;

// White space with a line break in text[at, next): which gap that is.
static gap gap_of(str space)
{
    ptrdiff_t first = str_find(space, S("\n"), 0);
    bool is_paragraph = first >= 0 && str_find(space, S("\n"), first + 1) >= 0;
    return first < 0 ? GAP_NONE : is_paragraph ? GAP_PARAGRAPH : GAP_LINE;
}

// Sets the gap that begins at text[i], when one does.
static void look(walk *w, ptrdiff_t i, ptrdiff_t next)
{
    char c = w->text.ptr[i];
    gap before = GAP_NONE;
    if (is_space(c) && w->depth <= 0) {
        before = gap_of(str_sub(w->text, i, next));
    } else if (c == ';') {
        before = GAP_END;
        i++;
    } else if (c == '.' && w->depth <= 0) {
        before = next == w->text.len || is_space(w->text.ptr[next]) ? GAP_END
                                                                    : GAP_NONE;
    }
    w->at = i;
    w->next =
        before == GAP_NONE || c == '.' ? next : extract_skip(w->text, next);
    w->before = before;
    w->sign = c;
}

// Goes on to the next place.
static void walk_on(walk *w)
{
    str text = w->text;
    w->before = GAP_NONE;
    for (ptrdiff_t i = w->next; i < text.len;) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (!is_looked_at[c]) {
            i++;
            continue;
        }
        w->depth += (c == '(' || c == '{') - (c == ')' || c == '}');
        mark m = mark_at(text, i);
        ptrdiff_t size = 1;
        if (mark_ends_sql(m)
            || (c > 0x7F && is_wide_stop(utf8_char_at(text, i, &size)))) {
            w->at = i;
            w->is_end = true;
            w->is_mark = m.role != MARK_NONE;
            w->is_stop = !w->is_mark;
            w->next = i + size;
            return;
        }
        ptrdiff_t next = c > 0x7F ? i + size : extract_step(text, i);
        look(w, i, next);
        if (m.role != MARK_NONE && c == '<') {
            w->before = GAP_END;
        }
        if (w->before != GAP_NONE) {
            return;
        }
        assert(next > i && next <= text.len);
        i = next;
    }
    w->at = text.len;
    w->next = text.len;
    w->is_end = true;
}

// Whether the line goes on with a word of SQL, as all lines of most queries do.
static bool is_plain_line(const walk *w)
{
    str word = extract_word_at(w->text, w->next);
    char last = w->at > 0 ? w->text.ptr[w->at - 1] : '\0';
    char first = w->next < w->text.len ? w->text.ptr[w->next] : '\0';
    return w->before == GAP_LINE
           && (last == ',' || first == ',' || first == ')' || first == '('
               || (is_keyword(word) && !is_title(word)));
}

// Whether what follows the place may be prose, and the parser is to say so.
static bool is_doubtful(const walk *w)
{
    bool is_run = w->next < w->text.len && w->text.ptr[w->next] == ';';
    if (w->is_end || is_run || (w->next == w->text.len && w->sign != '.')) {
        return false;
    }
    bool goes_on =
        w->before == GAP_END && extract_starts_sql(str_skip(w->text, w->next));
    return !goes_on && !is_plain_line(w);
}

// A rule, which many take for a comment, or what a database answers: a table,
// whose head stands on a rule.
static bool is_table_after(const walk *w)
{
    str rest = str_skip(w->text, json_scan_space(w->text, w->at));
    str head = line_at(rest, 0);
    str_cut(&rest, '\n');
    bool is_frame = false;
    if (extract_is_rule(head, &is_frame)) {
        return is_frame || w->before > GAP_LINE;
    }
    bool has_columns =
        str_find(head, S("|"), 0) >= 0 || str_find(head, S("\u2502"), 0) >= 0;
    return extract_is_rule(line_at(rest, 0), &is_frame)
           && is_frame == has_columns && (is_frame || w->before > GAP_LINE)
           && !shape_of(head).has_verbs && str_find(head, S(";"), 0) < 0;
}

// Whether the place may end the SQL, as far as what follows says so.
static bool is_prose_after(const walk *w, bool is_inner)
{
    if (!is_doubtful(w)) {
        return false;
    }
    bool is_stop = w->sign == '.' && w->next == w->text.len;
    // A query where this one cannot go on is another one.
    bool is_next = w->before == GAP_PARAGRAPH
                   && extract_starts_query(str_skip(w->text, w->next));
    return is_stop || is_next || is_table_after(w) || w->sign == '<'
           || (is_inner && w->sign == ';')
           || is_prose(line_at(w->text, w->next), w->before);
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
        bool is_late = w.sign == '.' && w.at > fits;
        if (w.before == GAP_NONE || is_late || !is_prose_after(&w, is_inner)) {
            continue;
        }
        if (w.at <= fits) {
            places[n++ % PREFIXES] = w.at;
        }
        bool is_certain = w.before > GAP_LINE && w.sign != '.'
                          && (w.sign == '<' || is_inner
                              || is_prose(line_at(text, w.next), GAP_LINE));
        certain = certain < 0 && is_certain ? w.at : certain;
        // What some dialect takes for a comment may be a heading.
        if ((certain >= 0 && w.at > fits) || is_table_after(&w)
            || is_heading(line_at(text, json_scan_space(text, w.next)))) {
            break;
        }
    }
    for (ptrdiff_t i = 1; i <= PREFIXES && i <= n; i++) {
        ptrdiff_t at = places[(n - i) % PREFIXES];
        if (parsed_size(str_sub(text, 0, at), d, scratch) == PARSED_WHOLE) {
            return at;
        }
    }
    return certain;
}

// Where the SQL ends without the lines behind it that some dialect takes for
// comments, if they stand apart: `# Explanation` after `;` or an empty line.
static ptrdiff_t before_headings(str text, ptrdiff_t end, arena scratch)
{
    ptrdiff_t first = end;  // of these lines
    ptrdiff_t size = end;
    bool is_apart = false;
    for (ptrdiff_t line = end; line > 0;) {
        while (size > 0 && is_space(text.ptr[size - 1])) {
            size--;
        }
        for (line = size; line > 0 && text.ptr[line - 1] != '\n';) {
            line--;
        }
        if (size == 0 || text.ptr[json_scan_space(text, line)] != '#') {
            break;
        }
        bool is_frame = false;
        is_apart |= extract_is_rule(str_sub(text, line, size), &is_frame);
        first = line;
        size = line;
    }
    str between = str_sub(text, size, first);
    ptrdiff_t feed = str_find(between, S("\n"), 0);
    is_apart |=
        size > 0
        && (text.ptr[size - 1] == ';'
            || (feed >= 0 && str_find(between, S("\n"), feed + 1) >= 0));
    return first < end && is_apart
                   && extract_is_whole(str_sub(text, 0, size), scratch)
               ? size
               : end;
}

// Where the element begins that the tag at text[at] closes; `at` when it began
// before the text.
static ptrdiff_t before_element(str text, ptrdiff_t at)
{
    mark m = mark_at(text, at);
    ptrdiff_t i = m.closes ? str_find(text, m.name, 0) : at;
    while (i >= 0 && i < at) {
        if (i > 0 && text.ptr[i - 1] == '<') {
            return i - 1;
        }
        i = str_find(text, m.name, i + 1);
    }
    return at;
}

// Where the name in brackets begins that the text ends with; -1: none does.
static ptrdiff_t last_bracket(str text)
{
    char close = text.len > 0 ? text.ptr[text.len - 1] : '\0';
    char open = close == ']' ? '[' : '<';
    ptrdiff_t at = text.len - 2;
    while (at >= 0 && text.len - at < TOKEN_MAX
           && (extract_is_word(text.ptr[at]) || strchr(" /|", text.ptr[at]))) {
        at--;
    }
    return (close == ']' || close == '>') && at >= 0 && text.ptr[at] == open
               ? at
               : -1;
}

ptrdiff_t extract_before_tokens(str text, bool may_be_name, arena scratch)
{
    str rest = text;
    ptrdiff_t at = last_bracket(text);
    bool is_whole = at >= 0 && extract_is_whole(text, scratch);
    for (int i = 0; i < TOKENS && at > 0; i++, at = last_bracket(rest)) {
        str name = str_sub(rest, at + 1, rest.len - 1);
        mark m = mark_at(text, at);
        bool is_token = m.after > 0 || str_find(name, S(" "), 0) > 0;
        if (text.ptr[at] == '<' && m.after > 0 && !mark_ends_sql(m)) {
            break;  // a tag that opens
        }
        rest = extract_trim(str_sub(rest, 0, at));
        // A table may have it for another name.
        bool may_be =
            !is_whole
            || (may_be_name && is_token && str_find_fold(rest, name, 0) < 0);
        if (may_be && extract_is_whole(rest, scratch)) {
            return rest.len;
        }
    }
    return text.len;
}

// The length of the SQL without what closes the text of a program or a span of
// code that the prompt opened.
static ptrdiff_t before_closing(str sql, arena scratch)
{
    ptrdiff_t size = sql.len;
    bool is_sure = false;
    while (size > 0 && sql.ptr[size - 1] != '\0'
           && strchr("\"'`}", sql.ptr[size - 1])) {
        size--;
        is_sure |= strchr("`}", sql.ptr[size]) || sql.len - size == 3;
    }
    str rest = extract_trim(str_sub(sql, 0, size));
    return is_sure && !extract_is_whole(sql, scratch)
                   && extract_is_whole(rest, scratch)
               ? rest.len
               : sql.len;
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
    ptrdiff_t open = before_closing(sql, scratch);
    ptrdiff_t whole =
        extract_before_tokens(str_sub(sql, 0, open), true, scratch);
    *why = whole < sql.len ? EXTRACT_END_MARKER : *why;
    return whole < sql.len ? whole : size;
}
