/*
 * json_pull.c - one forward pass over a JSON text.
 *
 * Method      A cursor and a flag. A nested value is skipped by counting
 *             brackets, without recursion; the depth of the input does not
 *             matter.
 *
 * Invariants  (1) `at` never passes `end`; every look is bounded.
 *             (2) After has_failed is set every answer is "no more".
 *
 * Cost        Linear; only texts with escapes are copied.
 */
#include "base/json_pull.h"

#include "base/buf.h"

#include <assert.h>
#include <string.h>

json_pull json_pull_begin(str text)
{
    assert(text.len >= 0);
    const char *from = text.ptr ? text.ptr : "";
    return (json_pull){.at = from, .end = from + text.len};
}

static bool fail(json_pull *s)
{
    s->has_failed = true;
    return false;
}

char json_pull_peek(json_pull *s)
{
    while (s->at < s->end && is_space(*s->at)) {
        s->at++;
    }
    assert(s->at <= s->end);  // invariant 1
    return s->has_failed || s->at == s->end ? '\0' : *s->at;
}

static bool take(json_pull *s, char c)
{
    if (json_pull_peek(s) != c) {
        return fail(s);
    }
    s->at++;
    return true;
}

bool json_pull_open(json_pull *s, char bracket)
{
    assert(bracket == '{' || bracket == '[');
    s->is_first = true;
    return take(s, bracket);
}

bool json_pull_next(json_pull *s, char closing)
{
    assert(closing == '}' || closing == ']');
    if (s->has_failed) {
        return false;
    }
    bool is_first = s->is_first;
    s->is_first = false;
    if (json_pull_peek(s) == closing) {
        s->at++;
        return false;
    }
    return is_first || take(s, ',');
}

static int hex_digit(char c)
{
    if (is_digit(c)) {
        return c - '0';
    }
    char lower = to_lower(c);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
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

static void add_character(buf *b, int32_t c)
{
    assert(c >= 0 && c <= 0x10FFFF);
    if (c < 0x80) {
        buf_char(b, (char)c);
        return;
    }
    if (c >= 0x10000) {
        buf_char(b, (char)(0xF0 | c >> 18));
        buf_char(b, (char)(0x80 | (c >> 12 & 0x3F)));
    } else if (c >= 0x800) {
        buf_char(b, (char)(0xE0 | c >> 12));
    }
    if (c >= 0x800) {
        buf_char(b, (char)(0x80 | (c >> 6 & 0x3F)));
    } else {
        buf_char(b, (char)(0xC0 | c >> 6));
    }
    buf_char(b, (char)(0x80 | (c & 0x3F)));
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
            add_character(b,
                          0x10000 + ((unit - 0xD800) << 10 | (low - 0xDC00)));
            return 10;
        }
    }
    bool is_half = unit >= 0xD800 && unit < 0xE000;
    add_character(b, is_half ? 0xFFFD : unit);
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
            fail(s);
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

// Takes a string; control characters in it are not allowed.
static raw_text take_raw(json_pull *s)
{
    raw_text raw = {0};
    if (!take(s, '"')) {
        return raw;
    }
    const char *from = s->at;
    const char *p = from;
    while (p < s->end && *p != '"') {
        if ((unsigned char)*p < 0x20) {
            fail(s);
            return (raw_text){0};
        }
        if (*p == '\\') {
            raw.has_escape = true;
            p++;
        }
        p++;
    }
    if (p >= s->end) {
        fail(s);
        return (raw_text){0};
    }
    raw.inside = (str){from, p - from};
    s->at = p + 1;
    return raw;
}

static str take_text(json_pull *s, arena *a)
{
    raw_text raw = take_raw(s);
    return raw.has_escape ? unescape(s, a, raw.inside) : raw.inside;
}

str json_pull_key(json_pull *s, arena *a)
{
    str key = take_text(s, a);
    take(s, ':');
    return s->has_failed ? (str){0} : key;
}

static bool is_word_char(char c)
{
    return is_digit(c) || is_alpha(c) || c == '-' || c == '+' || c == '.';
}

// A number, true, false or null.
static str take_word(json_pull *s)
{
    json_pull_peek(s);
    const char *from = s->at;
    while (s->at < s->end && is_word_char(*s->at)) {
        s->at++;
    }
    str word = {from, s->at - from};
    bool is_number = word.len > 0 && (is_digit(*from) || *from == '-');
    if (!is_number && !str_equal(word, S("null")) && !str_equal(word, S("true"))
        && !str_equal(word, S("false"))) {
        fail(s);
    }
    return word;
}

str json_pull_scalar(json_pull *s, arena *a)
{
    if (json_pull_peek(s) == '"') {
        return take_text(s, a);
    }
    str word = take_word(s);
    return s->has_failed || str_equal(word, S("null")) ? (str){0} : word;
}

double json_pull_number(json_pull *s, double fallback)
{
    str word = take_word(s);
    double d = fallback;
    if (!s->has_failed && !str_equal(word, S("null"))
        && !str_to_double(word, &d)) {
        fail(s);
        return fallback;
    }
    return d;
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
        fail(s);
        return;
    }
    ptrdiff_t depth = 0;
    do {
        depth += skip_step(s);
    } while (depth > 0 && !s->has_failed);
    s->is_first = false;
}

bool json_pull_end(json_pull *s)
{
    json_pull_peek(s);
    return !s->has_failed && s->at == s->end;
}
