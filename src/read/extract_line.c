/*
 * extract_line.c - see extract_line.h.
 *
 * Why         Lists of words by which explanations begin are English, and never
 *             complete. The words by which SQL goes on are few, and all known.
 *
 * Method      A line is looked at once, word by word. Operators and words of
 *             SQL in capitals speak for SQL; a heading, a label, a full stop, a
 *             row of words of which SQL knows none against it.
 */
#include "read/extract_line.h"

#include "base/utf8.h"
#include "read/extract_mark.h"
#include "read/extract_scan.h"
#include "read/json_scan.h"

#include <string.h>

enum {
    PROSE_LINES = 8,
    TITLE_MAX = 64,
    LABEL_WORDS = 3,
    LINE_MAX_BYTES = 512,  // of a line, to see whether it is prose or code
};

// The words by which SQL goes on after what could be all of it.
static const char heads[] =
    "select from where group order having limit offset fetch union intersect "
    "except minus join inner left right full cross natural outer on using and "
    "or not window qualify returning with values set as between like ilike in "
    "is case for into over partition asc desc nulls collate by";

static bool is_upper(str word)
{
    return str_strip(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "").len == 0;
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
bool line_is_stop(int32_t c)
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

line_shape line_shape_of(str line)
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
        bool is_known = extract_is_keyword(word);
        bool is_verb = is_known && word.len > 1 && is_upper(word);
        int n = is_known || is_digit(c) ? 0 : words_in(word);
        in_row = in_row && !is_verb;
        s.has_verbs |= is_verb;
        s.has_heads |= is_known && str_among_fold(word, heads);
        s.has_number |= is_digit(c);
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

// Up to three words, with a blank between them, no number first.
static bool is_short(str title)
{
    bool are_words = title.len > 1 && !is_digit(title.ptr[0]);
    int n = 1;
    for (ptrdiff_t i = 0; i < title.len && are_words; i++) {
        n += title.ptr[i] == ' ';
        are_words = title.ptr[i] == ' ' || title.ptr[i] == ','
                    || extract_is_word(title.ptr[i]);
    }
    return are_words && n <= LABEL_WORDS;
}

line_head line_head_of(str line)
{
    static const char around[] = "#*_-=+[](){}<>~` \t\r";
    static const char number[] = "#*_ 0123456789.)";
    static const str wide = S_INIT("\uFF1A");
    line = str_trim(line);
    bool is_heading = str_starts(line, S("#")) || str_starts(line, S("**"));
    str text = str_strip(line, is_heading ? number : "", "#*_ ");
    ptrdiff_t colon = str_find(text, wide, 0);
    ptrdiff_t narrow = str_find(text, S(":"), 0);
    bool is_wide = colon >= 0 && (narrow < 0 || colon < narrow);
    colon = is_wide ? colon : narrow;
    str rest =
        colon < 0 ? (str){0} : str_skip(text, colon + (is_wide ? wide.len : 1));
    bool is_apart = is_wide || rest.len == 0 || strchr("* \t\r", rest.ptr[0]);
    str title = str_sub(text, 0, colon < 0 ? text.len : colon);
    title = str_strip(title, around, around);
    return (line_head){
        .title = title.len <= TITLE_MAX ? title : (str){0},
        .rest = str_trim(rest),
        .is_alone = str_strip(rest, number, "").len == 0,
        .is_label = is_short(title) && is_apart && (colon > 0 || is_heading),
    };
}

bool line_is_heading(str line)
{
    line_head h = line_head_of(line);
    return str_starts(line, S("###")) || str_starts(line, S("**"))
           || (h.is_label && !str_starts(line, S("#")))
           || (str_starts(line, S("#")) && h.is_label && h.is_alone
               && mark_label_role(h.title) != MARK_PLAIN);
}

str line_without_mark(str line)
{
    ptrdiff_t n = str_run(line, 0, is_digit);
    ptrdiff_t size = 0;
    int32_t c = n < line.len ? utf8_char_at(line, n, &size) : 'x';
    bool is_item =
        c < 0x80 ? strchr(n > 0 ? ".)" : "-*>", c) != NULL : !utf8_is_word(c);
    bool is_apart = n + size < line.len && line.ptr[n + size] == ' ';
    return str_skip(line, is_item && is_apart ? n + size + 1 : 0);
}

bool line_is_rule(str line, bool *is_frame)
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

// How programs sum up what a query gave: "3 rows in set", or with the time it
// took at the end, "Empty set (0.00 sec)".
static bool is_summary(str line)
{
    ptrdiff_t n = str_run(line, 0, is_digit);
    str time = str_last(line, '(');
    ptrdiff_t open = line.len - time.len;
    time = str_sub(time, 0, time.len - 1);
    str figure = str_cut(&time, ' ');
    return (n > 0 && str_starts(str_skip(line, n), S(" row")))
           || (open > 1 && str_ends(line, S(")")) && figure.len > 0
               && is_digit(figure.ptr[0]) && time.len > 0
               && extract_word_at(time, 0).len == time.len
               && !extract_is_keyword(time));
}

// Does the line begin with one sign twice, with an arrow, or is all of it in
// brackets? `// end`, `== END ==`, `=> 3 rows`, `(2 rows)`: no clause does.
static bool has_mark_of_prose(str line)
{
    static const char doubled[] = "/#=*.@%$_~";
    char first = line.len > 1 ? line.ptr[0] : '\0';
    char second = line.len > 1 ? line.ptr[1] : '\0';
    char last = line.len > 1 ? line.ptr[line.len - 1] : '\0';
    bool is_in_brackets = (first == '(' && last == ')')
                          || (first == '[' && last == ']')
                          || (first == '{' && last == '}');
    ptrdiff_t size = 0;
    int32_t c = line.len > 0 ? utf8_char_at(line, 0, &size) : 0;
    return (c > 0x7F && !utf8_is_word(c))
           || (first != '\0' && first == second && strchr(doubled, first))
           || (first == '=' && second == '>')
           || (is_in_brackets && !extract_starts_sql(line));
}

bool line_goes_on(str line)
{
    str word = extract_word_at(line, 0);
    return str_among_fold(word, heads) && !is_title(word);
}

bool line_begins_in_capitals(str line)
{
    str word = extract_word_at(line, 0);
    return word.len > 1 && is_upper(word);
}

bool line_is_no_clause(str line)
{
    str item = line_without_mark(line);
    str first = extract_word_at(item, 0);
    line_shape s = line_shape_of(item);
    bool is_alone = first.len == item.len;
    bool is_setting = s.has_number && s.n_words < 2;  // TOP 5
    return has_mark_of_prose(line) || is_summary(line)
           || (first.len > 0 && !s.has_heads && (!s.has_verbs || is_alone)
               && (!s.has_signs || item.len < line.len)
               && (!is_setting || is_digit(first.ptr[0])));
}

// Whether prose begins with the line. The less separates it from SQL, the more
// it has to show.
bool line_is_prose(str line, gap before)
{
    str whole = str_trim(line);
    line = before > GAP_LINE && !line_is_heading(whole)
               ? line_without_mark(whole)
               : whole;
    bool is_item = line.len < whole.len;
    // A parenthesis, or the quote of a name, where no statement goes on.
    bool is_quoted =
        before > GAP_LINE && line.len > 0 && strchr("(`", line.ptr[0]);
    line = str_skip(line, is_quoted ? 1 : 0);
    bool is_block = str_starts(line, S("# ")) || str_starts(line, S("## "))
                    || (str_starts(line, S("|")) && !str_starts(line, S("||")))
                    || str_starts(line, S("[")) || str_starts(line, S("{"));
    if (line_is_heading(line) || (before > GAP_LINE && is_block)) {
        return true;
    }
    ptrdiff_t stop = str_find(line, S(". "), 0);
    line_shape s =
        line_shape_of(str_sub(line, 0, stop < 0 ? line.len : stop + 1));
    bool is_bare = !s.has_signs && !s.has_verbs;
    if (line.len == 0 || !extract_is_word(line.ptr[0])) {
        return false;
    }
    bool is_apart = before > GAP_LINE && line.len == whole.len;
    // JONI t AS a is no prose.
    int least = before > GAP_LINE || is_title(extract_word_at(line, 0)) ? 3 : 4;
    if (s.is_sentence) {
        return s.words > 2 || (line.len > 3 && s.all_words > 0 && is_bare)
               || (before > GAP_LINE && s.all_words > 2 && !s.has_signs);
    }
    return !s.has_signs
           && ((is_apart && s.all_words > 3 && !line_goes_on(line))
               || (is_bare && s.words >= least)
               || (is_bare && s.all_words > 0
                   && (is_item ? s.n_words > 1
                               : before >= GAP_END && s.n_words > 2)));
}

str line_at(str text, ptrdiff_t at)
{
    str rest = str_sub(text, at, at + LINE_MAX_BYTES);
    return str_trim(str_cut(&rest, '\n'));
}

// The last line, without blanks around it.
str line_last(str text)
{
    return str_trim(str_last(text, '\n'));
}

bool line_is_words(str text)
{
    line_shape s = line_shape_of(str_sub(text, 0, LINE_MAX_BYTES));
    ptrdiff_t at = extract_skip(text, 0);
    bool has_word = s.all_words > 0 || is_title(extract_word_at(text, at));
    return has_word && !s.has_signs && !s.has_verbs
           && str_find(text, S(";"), 0) < 0
           && !str_equal_fold(extract_word_at(text, at), S("from"));
}

bool line_is_code(str before, bool is_inside)
{
    before = str_skip(before, before.len - LINE_MAX_BYTES);
    before = str_strip(before, "", "\"'`#@$");
    // A letter says of which kind the text is: f"...", r#"..."#.
    ptrdiff_t kind = before.len - 1;
    before.len -= kind > 0 && is_alpha(before.ptr[kind])
                  && !extract_is_word(before.ptr[kind - 1]);
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
bool line_is_in_capitals(str text)
{
    line_shape s = line_shape_of(line_at(text, 0));
    return s.n_capitals > 1 && s.n_capitals * 2 > s.n_words;
}

bool text_is_prose(str text)
{
    bool has_prose = false;
    if (line_is_in_capitals(text)) {
        return false;
    }
    for (int i = 0; i < PROSE_LINES && text.len > 0; i++) {
        str line = line_at(text, 0);
        str_cut(&text, '\n');
        line_shape s = line_shape_of(line);
        if (s.has_signs && !s.is_sentence) {
            return false;
        }
        has_prose = has_prose || line_is_prose(line, GAP_PARAGRAPH);
    }
    return has_prose;
}
