/*
 * json_pull.c - one forward pass over a JSON text.
 *
 * Method      A cursor and a flag. A nested value is skipped by counting
 *             brackets, without recursion; the depth of the input does not
 *             matter.
 *
 * Invariants  (1) `at` never passes `end`; every look is bounded.
 *             (2) After a failure every answer is "no more", and `at` stands
 *                 where the text is wrong.
 *
 * Cost        Linear; only texts with escapes are copied.
 */
#include "base/json_pull.h"

#include "base/utf8.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    LONGEST_TOKEN = 24  // characters, in a message
};

static const double COUNT_MOST = 1e15;

json_pull json_pull_begin(str text)
{
    assert(text.len >= 0);
    const char *from = text.ptr ? text.ptr : "";
    return (json_pull){.begin = from, .at = from, .end = from + text.len};
}

bool json_pull_fail(json_pull *s, const char *problem)
{
    assert(problem);
    s->problem = s->problem ? s->problem : problem;
    return false;
}

static bool fail_at(json_pull *s, const char *at, const char *problem)
{
    assert(at >= s->begin && at <= s->end);
    s->at = s->problem ? s->at : at;
    return json_pull_fail(s, problem);
}

static bool is_word_char(char c)
{
    return is_digit(c) || is_alpha(c) || c == '-' || c == '+' || c == '.';
}

// The string, word or character at the start of `rest`, for a message.
static str first_token(str rest)
{
    ptrdiff_t size = 1;
    if (rest.ptr[0] == '"') {
        ptrdiff_t quote = str_find(rest, S("\""), 1);
        size = quote < 0 ? rest.len : quote + 1;
    } else if (is_word_char(rest.ptr[0])) {
        while (size < rest.len && is_word_char(rest.ptr[size])) {
            size++;
        }
    } else {
        utf8_char_at(rest, 0, &size);
    }
    str token = str_sub(rest, 0, size);
    return str_sub(token, 0, utf8_prefix(token, LONGEST_TOKEN));
}

json_error json_pull_error(const json_pull *s)
{
    assert(s->problem);
    json_error error = {.offset = s->at - s->begin};
    str rest = {s->at, s->end - s->at};
    size_t size = sizeof error.message;
    if (!str_starts(str_from(s->problem), S("expected"))) {
        snprintf(error.message, size, "%s", s->problem);
    } else if (rest.len == 0) {
        snprintf(error.message, size, "%s, found the end", s->problem);
    } else if (utf8_size_at(rest, 0) == 0) {
        snprintf(error.message, size, "%s, found the byte 0x%02x", s->problem,
                 (unsigned char)*s->at);
    } else {
        snprintf(error.message, size, "%s, found '%.*s'", s->problem,
                 STR_ARG(first_token(rest)));
    }
    return error;
}

static bool is_blank(char c)
{
    return c <= ' ' && (c == ' ' || c == '\n' || c == '\t' || c == '\r');
}

char json_pull_peek(json_pull *s)
{
    while (s->at < s->end && is_blank(*s->at)) {
        s->at++;
    }
    assert(s->at <= s->end);  // invariant 1
    return s->problem || s->at == s->end ? '\0' : *s->at;
}

static bool take(json_pull *s, char c, const char *problem)
{
    if (json_pull_peek(s) != c) {
        return json_pull_fail(s, problem);
    }
    s->at++;
    return true;
}

bool json_pull_open(json_pull *s, char bracket)
{
    assert(bracket == '{' || bracket == '[');
    s->is_first = true;
    return take(s, bracket, bracket == '{' ? "expected '{'" : "expected '['");
}

static void note_repair(json_pull *s, const char *at, ptrdiff_t *count)
{
    if (s->repairs->commas + s->repairs->words == 0) {
        s->repairs->first = at - s->begin;
    }
    ++*count;
}

bool json_pull_next(json_pull *s, char closing)
{
    assert(closing == '}' || closing == ']');
    bool is_first = s->is_first;
    s->is_first = false;
    if (!is_first && json_pull_peek(s) == ',') {
        const char *comma = s->at++;
        if (!s->repairs || json_pull_peek(s) != closing) {
            return true;
        }
        note_repair(s, comma, &s->repairs->commas);
    }
    if (json_pull_peek(s) == closing) {
        s->at++;
        return false;
    }
    return is_first ? !s->problem
                    : json_pull_fail(s, closing == '}' ? "expected ',' or '}'"
                                                       : "expected ',' or ']'");
}

// The four hexadecimal digits at p as a number, or -1.
static int32_t unit_at(const char *p, const char *end)
{
    if (end - p < 4) {
        return -1;
    }
    int32_t unit = 0;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(p[i]);
        if (digit < 0) {
            return -1;
        }
        unit = unit * 16 + digit;
    }
    return unit;
}

// The escape \uXXXX at p (after the u), with the second half of a pair where
// there is one. Returns the bytes taken, 0 when it is broken. Half a pair
// becomes U+FFFD.
static ptrdiff_t add_unicode(buf *b, const char *p, const char *end)
{
    int32_t unit = unit_at(p, end);
    if (unit < 0) {
        return 0;
    }
    bool is_high = unit >= 0xD800 && unit < 0xDC00;
    if (is_high && end - p >= 10 && p[4] == '\\' && p[5] == 'u') {
        int32_t low = unit_at(p + 6, end);
        if (low >= 0xDC00 && low < 0xE000) {
            utf8_add(b, 0x10000 + ((unit - 0xD800) << 10 | (low - 0xDC00)));
            return 10;
        }
    }
    bool is_half = unit >= 0xD800 && unit < 0xE000;
    utf8_add(b, is_half ? 0xFFFD : unit);
    return 4;
}

static char plain_escape(char c)
{
    switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'b': return '\b';
    case 'f': return '\f';
    case '"':
    case '\\':
    case '/': return c;
    default: return '\0';
    }
}

// The text of a string whose inside is `raw`; it holds a backslash.
static str unescape(json_pull *s, arena *a, str raw)
{
    buf b = buf_new(a);
    const char *end = raw.ptr + raw.len;
    const char *p = raw.ptr;
    while (p < end) {
        if (*p != '\\') {
            buf_char(&b, *p++);
            continue;
        }
        assert(p + 1 < end);
        char c = p[1];
        p += 2;
        ptrdiff_t taken = 0;
        if (c == 'u') {
            taken = add_unicode(&b, p, end);
        } else if (plain_escape(c)) {
            buf_char(&b, plain_escape(c));
        }
        if (c == 'u' ? taken == 0 : plain_escape(c) == '\0') {
            fail_at(s, p - 2, "this escape is unknown to JSON");
            return (str){0};
        }
        p += taken;
    }
    return buf_str(&b);
}

typedef struct raw_text {
    str inside;  // between the quotes
    bool has_escape;
} raw_text;

static bool check_utf8(json_pull *s, str raw)
{
    ptrdiff_t i = 0;
    while (i < raw.len) {
        ptrdiff_t size = utf8_size_at(raw, i);
        if (size == 0) {
            return fail_at(s, raw.ptr + i, "expected UTF-8");
        }
        i += size;
    }
    return true;
}

// The bytes of a word that are zero have their highest bit set, and perhaps
// some after the first of them.
static uint64_t zero_bytes(uint64_t eight)
{
    return (eight - 0x0101010101010101u) & ~eight & 0x8080808080808080u;
}

// Where the text within a string first holds a quote, a backslash, a control
// character or no ASCII; up to seven bytes before that.
static const char *skip_plain(const char *p, const char *end)
{
    while (end - p >= 8) {
        uint64_t eight;
        memcpy(&eight, p, sizeof eight);
        if (zero_bytes(eight & 0xE0E0E0E0E0E0E0E0u)
            | zero_bytes(eight ^ 0x2222222222222222u)
            | zero_bytes(eight ^ 0x5C5C5C5C5C5C5C5Cu)
            | (eight & 0x8080808080808080u)) {
            break;
        }
        p += 8;
    }
    return p;
}

// Takes a string.
static raw_text take_raw(json_pull *s)
{
    raw_text raw = {0};
    if (!take(s, '"', "expected a text in double quotes")) {
        return raw;
    }
    const char *from = s->at;
    const char *p = from;
    bool is_ascii = true;
    for (p = skip_plain(p, s->end); p < s->end && *p != '"'; p++) {
        if ((unsigned char)*p < 0x20) {
            fail_at(s, p, "in a string, control characters must be escaped");
            return (raw_text){0};
        }
        is_ascii = is_ascii && (unsigned char)*p < 0x80;
        if (*p == '\\' && p + 1 < s->end) {
            raw.has_escape = true;
            p++;
        }
    }
    if (p >= s->end) {
        fail_at(s, from - 1, "this string never ends");
        return (raw_text){0};
    }
    raw.inside = (str){from, p - from};
    if (is_ascii || check_utf8(s, raw.inside)) {
        s->at = p + 1;
    }
    return raw;
}

static str take_text(json_pull *s, arena *a)
{
    raw_text raw = take_raw(s);
    if (raw.has_escape) {
        return unescape(s, a, raw.inside);
    }
    return s->copies ? arena_str(a, raw.inside) : raw.inside;
}

str json_pull_key(json_pull *s, arena *a)
{
    if (json_pull_peek(s) != '"') {
        json_pull_fail(s, "expected a name in double quotes");
    }
    str key = take_text(s, a);
    take(s, ':', "expected ':'");
    return s->problem ? (str){0} : key;
}

static ptrdiff_t digits_from(str word, ptrdiff_t i)
{
    while (i < word.len && is_digit(word.ptr[i])) {
        i++;
    }
    return i;
}

// number -> "-"? ("0" | [1-9] digits) ("." digits)? ([eE] [-+]? digits)?
bool json_is_number(str word, bool *is_whole)
{
    ptrdiff_t from = word.len > 0 && word.ptr[0] == '-';
    ptrdiff_t i = digits_from(word, from);
    *is_whole = i == word.len;
    if (i == from || (word.ptr[from] == '0' && i > from + 1)) {
        return false;
    }
    if (i < word.len && word.ptr[i] == '.') {
        from = i + 1;
        i = digits_from(word, from);
        if (i == from) {
            return false;
        }
    }
    if (i < word.len && to_lower(word.ptr[i]) == 'e') {
        from = i + 1;
        from += from < word.len && strchr("+-", word.ptr[from]);
        i = digits_from(word, from);
        if (i == from) {
            return false;
        }
    }
    return i == word.len;
}

// A number, true, false or null.
static str take_word(json_pull *s)
{
    if (!json_pull_peek(s)) {
        json_pull_fail(s, "expected a value");
        return (str){0};
    }
    const char *from = s->at;
    while (s->at < s->end && is_word_char(*s->at)) {
        s->at++;
    }
    str word = {from, s->at - from};
    bool ignored = false;
    if (json_is_number(word, &ignored) || str_among(word, "null true false")) {
        return word;
    }
    if (s->repairs && str_among(word, "NaN -NaN Infinity -Infinity")) {
        note_repair(s, from, &s->repairs->words);
        return S("null");
    }
    fail_at(s, from, "expected a value");
    return word;
}

str json_pull_scalar(json_pull *s, arena *a)
{
    if (json_pull_peek(s) == '"') {
        return take_text(s, a);
    }
    str word = take_word(s);
    return s->problem || str_equal(word, S("null")) ? (str){0} : word;
}

bool json_pull_enter(json_pull *s, char bracket)
{
    if (json_pull_peek(s) == bracket) {
        return json_pull_open(s, bracket);
    }
    json_pull_skip(s);
    return false;
}

str_list json_pull_texts(json_pull *s, arena *a)
{
    str_list list = {0};
    for (bool is = json_pull_enter(s, '['); is && json_pull_next(s, ']');) {
        str text = json_pull_scalar(s, a);
        *vec_push(a, &list) = text;
    }
    return list;
}

double json_pull_number(json_pull *s, double fallback)
{
    str word = take_word(s);
    double d = fallback;
    if (!s->problem && !str_equal(word, S("null"))
        && (!str_to_double(word, &d) || !isfinite(d))) {
        fail_at(s, word.ptr, "expected a number");
        return fallback;
    }
    return d;
}

int64_t json_pull_count(json_pull *s, int64_t fallback)
{
    double d = json_pull_number(s, (double)fallback);
    return (int64_t)fmax(-COUNT_MOST, fmin(d, COUNT_MOST));
}

// One step inside a nested value: a bracket, a string, a word or a separator.
// Returns the change of depth.
static ptrdiff_t skip_step(json_pull *s)
{
    char c = json_pull_peek(s);
    switch (c) {
    case '{':
    case '[': s->at++; return 1;
    case '}':
    case ']': s->at++; return -1;
    case ',':
    case ':': s->at++; return 0;
    case '"': take_raw(s); return 0;
    default: take_word(s); return 0;
    }
}

void json_pull_skip(json_pull *s)
{
    char c = json_pull_peek(s);
    if (c == ',' || c == ':' || c == '}' || c == ']') {
        json_pull_fail(s, "expected a value");
        return;
    }
    ptrdiff_t depth = 0;
    do {
        depth += skip_step(s);
    } while (depth > 0 && !s->problem);
    s->is_first = false;
}

bool json_pull_end(json_pull *s)
{
    json_pull_peek(s);
    return !s->problem && s->at == s->end;
}
