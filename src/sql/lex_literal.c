/*
 * lex_literal.c - where a literal, a quoted name or a comment ends.
 *
 * Cost        One pass; what is never closed is read to the end of the text
 *             once, because the lexer then makes one error token of it all.
 */
#include "sql/lex_rules.h"

#include <assert.h>
#include <string.h>

// The first `byte` at or after `from`, or -1.
static ptrdiff_t find_byte(str s, ptrdiff_t from, char byte)
{
    if (from >= s.len) {
        return -1;
    }
    const char *hit = memchr(s.ptr + from, byte, (size_t)(s.len - from));
    return hit ? hit - s.ptr : -1;
}

static ptrdiff_t end_of_doubled(str s, ptrdiff_t from, char quote)
{
    for (;;) {
        ptrdiff_t hit = find_byte(s, from, quote);
        if (hit < 0) {
            return -1;
        }
        if (hit + 1 >= s.len || s.ptr[hit + 1] != quote) {
            return hit + 1;
        }
        from = hit + 2;
    }
}

ptrdiff_t literal_end_quote(str s, ptrdiff_t from, char quote, escape e)
{
    assert(from > 0 && from <= s.len);
    if (e == ESCAPE_DOUBLING) {
        return end_of_doubled(s, from, quote);
    }
    if (e == ESCAPE_NONE) {
        ptrdiff_t hit = find_byte(s, from, quote);
        return hit < 0 ? -1 : hit + 1;
    }
    for (ptrdiff_t i = from; i < s.len; i++) {
        if (s.ptr[i] == '\\') {
            i++;
        } else if (s.ptr[i] == quote) {
            if (e == ESCAPE_BACKSLASH || i + 1 >= s.len
                || s.ptr[i + 1] != quote) {
                return i + 1;
            }
            i++;
        }
    }
    return -1;
}

ptrdiff_t literal_end_triple(str s, ptrdiff_t from, char quote)
{
    assert(from > 0 && from <= s.len);
    for (ptrdiff_t i = from; i + 2 < s.len; i++) {
        if (s.ptr[i] == '\\') {
            i++;
        } else if (s.ptr[i] == quote && s.ptr[i + 1] == quote
                   && s.ptr[i + 2] == quote) {
            return i + 3;
        }
    }
    return -1;
}

ptrdiff_t literal_end_comment(str s, ptrdiff_t from, bool nests)
{
    assert(from > 0 && from <= s.len);
    ptrdiff_t depth = 1;
    for (ptrdiff_t i = from; i + 1 < s.len; i++) {
        if (s.ptr[i] == '*' && s.ptr[i + 1] == '/') {
            depth--;
            if (depth == 0) {
                return i + 2;
            }
            i++;
        } else if (nests && s.ptr[i] == '/' && s.ptr[i + 1] == '*') {
            depth++;
            i++;
        }
    }
    return -1;
}

static bool is_tag_byte(char c)
{
    return is_alpha(c) || is_digit(c) || c == '_' || (unsigned char)c >= 0x80;
}

ptrdiff_t literal_end_dollar(str s, ptrdiff_t at, bool tags)
{
    assert(at >= 0 && at < s.len && s.ptr[at] == '$');
    ptrdiff_t i = at + 1;
    while (tags && i < s.len && is_tag_byte(s.ptr[i])) {
        i++;
    }
    if (i >= s.len || s.ptr[i] != '$' || is_digit(s.ptr[at + 1])) {
        return 0;
    }
    str tag = str_sub(s, at, i + 1);
    ptrdiff_t hit = str_find(s, tag, i + 1);
    return hit < 0 ? -1 : hit + tag.len;
}

static ptrdiff_t skip_digits(str s, ptrdiff_t at, bool separators)
{
    while (at < s.len) {
        bool joins = separators && s.ptr[at] == '_' && at + 1 < s.len
                     && is_digit(s.ptr[at + 1]);
        if (!is_digit(s.ptr[at]) && !joins) {
            break;
        }
        at++;
    }
    return at;
}

static bool is_radix_digit(char c, char radix)
{
    switch (radix) {
    case 'x': return is_digit(c) || (to_lower(c) >= 'a' && to_lower(c) <= 'f');
    case 'o': return c >= '0' && c <= '7';
    default: return c == '0' || c == '1';
    }
}

// The offset after the 0x1F, 0b101 or 0o17 at `at`; 0 when none stands there.
static ptrdiff_t end_of_radix(str s, ptrdiff_t at, const lex_rules *rules)
{
    if (s.len - at < 3 || s.ptr[at] != '0') {
        return 0;
    }
    char radix = to_lower(s.ptr[at + 1]);
    bool known =
        radix == 'x' || (rules->has_radix && (radix == 'b' || radix == 'o'));
    if (!known || !is_radix_digit(s.ptr[at + 2], radix)) {
        return 0;
    }
    ptrdiff_t i = at + 2;
    while (i < s.len
           && (is_radix_digit(s.ptr[i], radix)
               || (rules->has_separators && s.ptr[i] == '_'))) {
        i++;
    }
    return i;
}

ptrdiff_t literal_end_number(str s, ptrdiff_t at, const lex_rules *rules)
{
    assert(at < s.len && (is_digit(s.ptr[at]) || s.ptr[at] == '.'));
    ptrdiff_t end = end_of_radix(s, at, rules);
    if (end > 0) {
        return end;
    }
    bool separators = rules->has_separators;
    end = skip_digits(s, at, separators);
    // `1..10` is a range, not `1.` and `.10`.
    if (end < s.len && s.ptr[end] == '.'
        && (end + 1 >= s.len || s.ptr[end + 1] != '.')) {
        end = skip_digits(s, end + 1, separators);
    }
    if (end < s.len && to_lower(s.ptr[end]) == 'e') {
        ptrdiff_t digits = end + 1;
        if (digits < s.len && (s.ptr[digits] == '+' || s.ptr[digits] == '-')) {
            digits++;
        }
        if (digits < s.len && is_digit(s.ptr[digits])) {
            end = skip_digits(s, digits, separators);
        }
    }
    return end;
}
