/*
 * sqlparse_lex.c - see sqlparse_lex.h.
 *
 * Method      At each position the forms of one ordered table are tried, the
 *             first that fits makes the token. A form is a function that gives
 *             the length of its match, 0 for none; words and
 *             rows of words are sqlparse_word.c's. Case never
 *             counts. A "letter" is A-Z or À-Ü, a "word character" is what
 *             Unicode calls letter, number or underscore.
 *
 * Invariants  (1) Tokens are never empty and cover the text.
 *             (2) Any bytes are fine: a byte that is not UTF-8 is one token of
 *                 class OTHER.
 *
 * Cost        Linear. What looks far ahead for a closing mark first asks where
 *             that mark stands last; unclosed $tag$ are looked for a few times
 *             only (DOLLAR_MISSES).
 *
 * Not here    Groups of tokens (evaluators/sql_eval_group.c).
 */
#include "evaluators/sqlparse_lex.h"

#include "base/utf8.h"
#include "evaluators/sqlparse_word.h"

#include <string.h>

enum {
    DOLLAR_MISSES = 64
};

static const str MARKS[] = {
    [SQLPARSE_MARK_QUOTE] = S_INIT("'"),
    [SQLPARSE_MARK_DOUBLE] = S_INIT("\""),
    [SQLPARSE_MARK_BACKTICK] = S_INIT("`"),
    [SQLPARSE_MARK_ACUTE] = S_INIT("\xC2\xB4"),
    [SQLPARSE_MARK_COMMENT] = S_INIT("*/"),
};

static int32_t char_at(str s, ptrdiff_t i)
{
    ptrdiff_t size = 0;
    return i < s.len ? utf8_char_at(s, i, &size) : -1;
}

static bool is_byte(str s, ptrdiff_t i, char c)
{
    return i < s.len && s.ptr[i] == c;
}

static bool is_letter_or_line(int32_t c)
{
    return c == '_' || sqlparse_is_letter(c);
}

static ptrdiff_t word_end(str s, ptrdiff_t i)
{
    return utf8_run_end(s, i, utf8_is_word);
}

static ptrdiff_t blank_end(str s, ptrdiff_t i)
{
    return utf8_run_end(s, i, utf8_is_blank);
}

// The offset after the letter at i and the word characters after it; i when
// there is no letter.
static ptrdiff_t name_end(str s, ptrdiff_t i)
{
    ptrdiff_t size = 0;
    const bool starts =
        i < s.len && sqlparse_is_letter(utf8_char_at(s, i, &size));
    return starts ? word_end(s, i + size) : i;
}

static bool follows_word(str s, ptrdiff_t i)
{
    return i > 0 && utf8_is_word(utf8_char_before(s, i));
}

static bool follows_blank(str s, ptrdiff_t i)
{
    return i == 0 || utf8_is_blank(utf8_char_before(s, i));
}

/* --- forms ------------------------------------------------------------ */

static ptrdiff_t form_line_comment(sqlparse_lexer *l)
{
    str rest = str_skip(l->text, l->at);
    if (!str_starts(rest, S("--")) && !str_starts(rest, S("# "))) {
        return 0;
    }
    ptrdiff_t i = 2;
    while (i < rest.len && rest.ptr[i] != '\n' && rest.ptr[i] != '\r') {
        i++;
    }
    if (is_byte(rest, i, '\r') && is_byte(rest, i + 1, '\n')) {
        return i + 2;
    }
    return i < rest.len ? i + 1 : i;
}

static ptrdiff_t form_block_comment(sqlparse_lexer *l)
{
    if (!str_starts(str_skip(l->text, l->at), S("/*"))
        || l->last[SQLPARSE_MARK_COMMENT] < l->at + 2) {
        return 0;
    }
    return str_find(l->text, S("*/"), l->at + 2) + 2 - l->at;
}

static ptrdiff_t form_blank(sqlparse_lexer *l)
{
    str s = l->text;
    if (is_byte(s, l->at, '\r') && is_byte(s, l->at + 1, '\n')) {
        return 2;
    }
    ptrdiff_t size = 0;
    return utf8_is_blank(utf8_char_at(s, l->at, &size)) ? size : 0;
}

static ptrdiff_t form_colons(sqlparse_lexer *l)
{
    return is_byte(l->text, l->at, ':')
                   && (is_byte(l->text, l->at + 1, '=')
                       || is_byte(l->text, l->at + 1, ':'))
               ? 2
               : 0;
}

static ptrdiff_t form_star(sqlparse_lexer *l)
{
    return is_byte(l->text, l->at, '*') ? 1 : 0;
}

/*
 * A text in `quote`s, a doubled one inside it stands for one, and so does one
 * after a backslash when `escapes`. Where taking a quote as doubled or escaped
 * would leave the text open at the end of everything, the quote closes instead.
 */
static ptrdiff_t quoted(const sqlparse_lexer *l,
                        sqlparse_mark mark,
                        bool escapes)
{
    str s = l->text;
    str quote = MARKS[mark];
    if (!str_starts(str_skip(s, l->at), quote)) {
        return 0;
    }
    ptrdiff_t last = l->last[mark];
    ptrdiff_t i = l->at + quote.len;
    while (i <= last) {
        bool escape = escapes && is_byte(s, i, '\\');
        ptrdiff_t mark_at = escape ? i + 1 : i;
        if (!str_starts(str_skip(s, mark_at), quote)) {
            i++;
            continue;
        }
        bool doubled = str_starts(str_skip(s, mark_at + quote.len), quote);
        ptrdiff_t next = mark_at + (escape ? 1 : 2) * quote.len;
        if ((!escape && !doubled) || last < next) {
            return mark_at + quote.len - l->at;
        }
        i = next;
    }
    return 0;
}

static ptrdiff_t form_backtick(sqlparse_lexer *l)
{
    ptrdiff_t n = quoted(l, SQLPARSE_MARK_BACKTICK, false);
    return n ? n : quoted(l, SQLPARSE_MARK_ACUTE, false);
}

static ptrdiff_t form_string(sqlparse_lexer *l)
{
    return quoted(l, SQLPARSE_MARK_QUOTE, true);
}

static ptrdiff_t form_symbol(sqlparse_lexer *l)
{
    return quoted(l, SQLPARSE_MARK_DOUBLE, true);
}

static ptrdiff_t form_dollar(sqlparse_lexer *l)
{
    str s = l->text;
    if (!is_byte(s, l->at, '$') || !follows_blank(s, l->at)) {
        return 0;
    }
    ptrdiff_t i = l->at + 1;
    i = is_byte(s, i, '_') ? word_end(s, i) : name_end(s, i);
    if (!is_byte(s, i, '$') || l->dollar_misses >= DOLLAR_MISSES) {
        return 0;
    }
    str tag = str_sub(s, l->at, i + 1);
    ptrdiff_t close = str_find(s, tag, i + 1);
    if (close < 0) {
        l->dollar_misses++;
        return 0;
    }
    return close + tag.len - l->at;
}

static ptrdiff_t form_placeholder(sqlparse_lexer *l)
{
    str s = l->text;
    if (is_byte(s, l->at, '?')) {
        return 1;
    }
    if (is_byte(s, l->at, '%')) {
        ptrdiff_t i = l->at + 1;
        if (is_byte(s, i, '(') && word_end(s, i + 1) > i + 1
            && is_byte(s, word_end(s, i + 1), ')')) {
            i = word_end(s, i + 1) + 1;
        }
        return to_lower(i < s.len ? s.ptr[i] : ' ') == 's' ? i + 1 - l->at : 0;
    }
    if ((is_byte(s, l->at, '$') || is_byte(s, l->at, ':'))
        && !follows_word(s, l->at) && word_end(s, l->at + 1) > l->at + 1) {
        return word_end(s, l->at + 1) - l->at;
    }
    return 0;
}

static ptrdiff_t form_command(sqlparse_lexer *l)
{
    ptrdiff_t end = word_end(l->text, l->at + 1);
    return is_byte(l->text, l->at, '\\') && end > l->at + 1 ? end - l->at : 0;
}

// A variable: @name, #name, ##name; at least two characters of name.
static ptrdiff_t form_variable(sqlparse_lexer *l)
{
    str s = l->text;
    ptrdiff_t i = l->at + 1;
    if (is_byte(s, l->at, '#')) {
        i += is_byte(s, i, '#');
    } else if (!is_byte(s, l->at, '@')) {
        return 0;
    }
    ptrdiff_t end = name_end(s, i);
    ptrdiff_t first = 0;
    if (end > i) {
        utf8_char_at(s, i, &first);
    }
    return end > i + first ? end - l->at : 0;
}

// A name by its neighbors: before a dot, after a dot, right before a "(".
static ptrdiff_t form_placed_name(sqlparse_lexer *l)
{
    str s = l->text;
    ptrdiff_t end = name_end(s, l->at);
    if (end == l->at) {
        return 0;
    }
    bool placed = is_byte(s, blank_end(s, end), '.')
                  || (l->at > 0 && s.ptr[l->at - 1] == '.')
                  || is_byte(s, end, '(');
    return placed ? end - l->at : 0;
}

static bool is_hex(int32_t c)
{
    return (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f') || utf8_is_digit(c);
}

// 1e5, 1.5e-3 from the first digit at i on; its end or 0.
static ptrdiff_t exponent_end(str s, ptrdiff_t i)
{
    ptrdiff_t end = utf8_run_end(s, i, utf8_is_digit);
    if (end == i) {
        return 0;
    }
    ptrdiff_t part =
        is_byte(s, end, '.') ? utf8_run_end(s, end + 1, utf8_is_digit) : end;
    end = part > end + 1 ? part : end;
    if (end >= s.len || to_lower(s.ptr[end]) != 'e') {
        return 0;
    }
    ptrdiff_t power = end + 1 + is_byte(s, end + 1, '-');
    end = utf8_run_end(s, power, utf8_is_digit);
    return end > power ? end : 0;
}

// The end of the digits from i on such that no letter follows: the last digit
// is left out when one does. i when nothing is left.
static ptrdiff_t digits_end(str s, ptrdiff_t i)
{
    ptrdiff_t before = i;
    ptrdiff_t end = i;
    ptrdiff_t size = 0;
    while (end < s.len && utf8_is_digit(utf8_char_at(s, end, &size))) {
        before = end;
        end += size;
    }
    return is_letter_or_line(char_at(s, end)) ? before : end;
}

static ptrdiff_t form_number(sqlparse_lexer *l)
{
    str s = l->text;
    ptrdiff_t i = l->at + is_byte(s, l->at, '-');
    if (is_byte(s, i, '0') && i + 1 < s.len && to_lower(s.ptr[i + 1]) == 'x') {
        ptrdiff_t end = utf8_run_end(s, i + 2, is_hex);
        if (end > i + 2) {
            return end - l->at;
        }
    }
    ptrdiff_t end = exponent_end(s, i);
    if (end > 0) {
        return end - l->at;
    }
    ptrdiff_t whole = utf8_run_end(s, i, utf8_is_digit);
    if (is_byte(s, whole, '.')) {
        end = digits_end(s, whole + 1);
        bool open = end == whole + 1 && is_letter_or_line(char_at(s, end));
        if (whole > i ? !open : end > whole + 1) {
            return end - l->at;
        }
    }
    end = digits_end(s, i);
    return end > i ? end - l->at : 0;
}

static ptrdiff_t form_brackets(sqlparse_lexer *l)
{
    str s = l->text;
    if (!is_byte(s, l->at, '[') || follows_word(s, l->at)
        || (l->at > 0
            && (s.ptr[l->at - 1] == ']' || s.ptr[l->at - 1] == ')'))) {
        return 0;
    }
    ptrdiff_t i = l->at + 1;
    while (i < s.len && s.ptr[i] != '[' && s.ptr[i] != ']') {
        i++;
    }
    return is_byte(s, i, ']') && i > l->at + 1 ? i + 1 - l->at : 0;
}

static ptrdiff_t form_punctuation(sqlparse_lexer *l)
{
    return memchr(";:()[],.", l->text.ptr[l->at], 8) ? 1 : 0;
}

static ptrdiff_t byte_run(const sqlparse_lexer *l, str set)
{
    ptrdiff_t i = l->at;
    while (i < l->text.len
           && memchr(set.ptr, l->text.ptr[i], (size_t)set.len)) {
        i++;
    }
    return i - l->at;
}

static ptrdiff_t form_comparison(sqlparse_lexer *l)
{
    return byte_run(l, S("<>=~!"));
}

static ptrdiff_t form_operator(sqlparse_lexer *l)
{
    return byte_run(l, S("+/@#%^&|-"));
}

static ptrdiff_t form_other(sqlparse_lexer *l)
{
    ptrdiff_t size = 0;
    utf8_char_at(l->text, l->at, &size);
    return size;
}

// AT TIME ZONE '...'
static ptrdiff_t form_timezone(sqlparse_lexer *l)
{
    str s = l->text;
    if (!is_byte(s, l->at, 'A') && !is_byte(s, l->at, 'a')) {
        return 0;
    }
    ptrdiff_t end = sqlparse_phrase_end(s, l->at, S("AT TIME ZONE"));
    ptrdiff_t open = blank_end(s, end);
    if (open == end || !is_byte(s, open, '\'')
        || l->last[SQLPARSE_MARK_QUOTE] <= open + 1) {
        return 0;
    }
    ptrdiff_t close = str_find(s, S("'"), open + 1);
    return close > open + 1 ? close + 1 - l->at : 0;
}

static ptrdiff_t early_words(sqlparse_lexer *l, sqlparse_class *class)
{
    return sqlparse_phrase(l->text, l->at, PHRASE_EARLY, class);
}

static ptrdiff_t late_words(sqlparse_lexer *l, sqlparse_class *class)
{
    ptrdiff_t n = sqlparse_phrase(l->text, l->at, PHRASE_LATE, class);
    return n > 0 ? n : sqlparse_word(l->text, l->at, class);
}

/* --- the ordered table ------------------------------------------------ */

// A row has a form and its class, or words that know their class.
static const struct {
    sqlparse_class class;
    ptrdiff_t (*form)(sqlparse_lexer *);
    ptrdiff_t (*words)(sqlparse_lexer *, sqlparse_class *);
} FORMS[] = {
    {SQLPARSE_COMMENT, form_line_comment, NULL},
    {SQLPARSE_COMMENT, form_block_comment, NULL},
    {SQLPARSE_BLANK, form_blank, NULL},
    {SQLPARSE_PUNCTUATION, form_colons, NULL},
    {SQLPARSE_WILDCARD, form_star, NULL},
    {SQLPARSE_NAME, form_backtick, NULL},
    {SQLPARSE_LITERAL, form_dollar, NULL},
    {SQLPARSE_PLACEHOLDER, form_placeholder, NULL},
    {SQLPARSE_COMMAND, form_command, NULL},
    {SQLPARSE_OTHER, NULL, early_words},
    {SQLPARSE_NAME, form_variable, NULL},
    {SQLPARSE_NAME, form_placed_name, NULL},
    {SQLPARSE_NUMBER, form_number, NULL},
    {SQLPARSE_STRING, form_string, NULL},
    {SQLPARSE_SYMBOL, form_symbol, NULL},
    {SQLPARSE_NAME, form_brackets, NULL},
    {SQLPARSE_TIMEZONE, form_timezone, NULL},
    {SQLPARSE_OTHER, NULL, late_words},
    {SQLPARSE_PUNCTUATION, form_punctuation, NULL},
    {SQLPARSE_COMPARISON, form_comparison, NULL},
    {SQLPARSE_OPERATOR, form_operator, NULL},
    {SQLPARSE_OTHER, form_other, NULL},
};

static ptrdiff_t last_of(str s, str mark)
{
    for (ptrdiff_t i = s.len - mark.len; i >= 0; i--) {
        if (memcmp(s.ptr + i, mark.ptr, (size_t)mark.len) == 0) {
            return i;
        }
    }
    return -1;
}

sqlparse_lexer sqlparse_lex(str text)
{
    sqlparse_lexer l = {.text = text};
    for (ptrdiff_t i = 0; i < countof(MARKS); i++) {
        l.last[i] = last_of(text, MARKS[i]);
    }
    return l;
}

bool sqlparse_next(sqlparse_lexer *l, sqlparse_token *t)
{
    if (l->at >= l->text.len) {
        return false;
    }
    for (ptrdiff_t i = 0; i < countof(FORMS); i++) {
        t->class = FORMS[i].class;
        ptrdiff_t n =
            FORMS[i].form ? FORMS[i].form(l) : FORMS[i].words(l, &t->class);
        if (n > 0) {
            t->text = str_sub(l->text, l->at, l->at + n);
            break;
        }
    }
    l->at += t->text.len;
    return true;
}

bool sqlparse_next_solid(sqlparse_lexer *l, sqlparse_token *t)
{
    bool is_there = sqlparse_next(l, t);
    while (is_there
           && (t->class == SQLPARSE_BLANK || t->class == SQLPARSE_COMMENT)) {
        is_there = sqlparse_next(l, t);
    }
    return is_there;
}

str sqlparse_class_word(sqlparse_class c)
{
    static const char *const words[] = {
        [SQLPARSE_COMMENT] = "comment",
        [SQLPARSE_BLANK] = "blank",
        [SQLPARSE_PUNCTUATION] = "punctuation",
        [SQLPARSE_WILDCARD] = "wildcard",
        [SQLPARSE_NAME] = "name",
        [SQLPARSE_PLACEHOLDER] = "placeholder",
        [SQLPARSE_COMMAND] = "command",
        [SQLPARSE_COMPARISON] = "comparison",
        [SQLPARSE_NUMBER] = "number",
        [SQLPARSE_STRING] = "string",
        [SQLPARSE_SYMBOL] = "symbol",
        [SQLPARSE_OPERATOR] = "operator",
        [SQLPARSE_LITERAL] = "literal",
        [SQLPARSE_KEYWORD] = "keyword",
        [SQLPARSE_ORDER] = "order",
        [SQLPARSE_DML] = "dml",
        [SQLPARSE_DDL] = "ddl",
        [SQLPARSE_CTE] = "cte",
        [SQLPARSE_TYPE] = "type",
        [SQLPARSE_TIMEZONE] = "timezone",
        [SQLPARSE_OTHER] = "other",
    };
    _Static_assert(countof(words) == SQLPARSE_CLASS_COUNT, "a word each");
    return str_from(words[c]);
}
