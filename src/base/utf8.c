/*
 * utf8.c - UTF-8 on top of utf8proc: its tables, its normal forms.
 *
 * Method      ASCII is the fast path everywhere (eight bytes at a time where
 *             only that is asked). Bytes that are no character are never an
 *             error: each counts as one character and is kept, dropped or
 *             escaped as the function says.
 *
 * Cost        Linear; normal forms and folding allocate once outside the arena.
 */
#include "base/utf8.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

ptrdiff_t utf8_size_at(str s, ptrdiff_t i)
{
    assert(i >= 0 && i < s.len);
    utf8proc_int32_t code = 0;
    utf8proc_ssize_t size =
        utf8proc_iterate((const utf8proc_uint8_t *)s.ptr + i, s.len - i, &code);
    return size > 0 ? size : 0;
}

int32_t utf8_char_at(str s, ptrdiff_t i, ptrdiff_t *size)
{
    assert(i >= 0 && i < s.len);
    unsigned char first = (unsigned char)s.ptr[i];
    utf8proc_int32_t code = first;
    utf8proc_ssize_t n = 1;
    if (first >= 0x80) {
        n = utf8proc_iterate((const utf8proc_uint8_t *)s.ptr + i, s.len - i,
                             &code);
    }
    *size = n > 0 ? n : 1;
    return n > 0 ? code : -1;
}

int32_t utf8_char_before(str s, ptrdiff_t i)
{
    assert(i > 0 && i <= s.len);
    for (ptrdiff_t back = 1; back <= 4 && back <= i; back++) {
        ptrdiff_t size = 0;
        int32_t c = utf8_char_at(str_sub(s, 0, i), i - back, &size);
        if (c >= 0 && size == back) {
            return c;
        }
    }
    return -1;
}

bool utf8_is_word(int32_t c)
{
    if (c < 0x80) {
        return c >= 0 && (is_alpha((char)c) || is_digit((char)c) || c == '_');
    }
    // switch would have to name every category under -Wswitch-enum
    utf8proc_category_t k = utf8proc_category(c);
    return (k >= UTF8PROC_CATEGORY_LU && k <= UTF8PROC_CATEGORY_LO)
           || (k >= UTF8PROC_CATEGORY_ND && k <= UTF8PROC_CATEGORY_NO);
}

bool utf8_is_digit(int32_t c)
{
    return c < 0x80 ? c >= 0 && is_digit((char)c)
                    : utf8proc_category(c) == UTF8PROC_CATEGORY_ND;
}

bool utf8_is_blank(int32_t c)
{
    if (c < 0x80) {
        return c >= 0 && (is_space((char)c) || (c >= 0x1c && c <= 0x1f));
    }
    utf8proc_category_t k = utf8proc_category(c);
    return c == 0x85 || k == UTF8PROC_CATEGORY_ZS || k == UTF8PROC_CATEGORY_ZL
           || k == UTF8PROC_CATEGORY_ZP;
}

bool utf8_is_dense(int32_t c)
{
    static const int32_t ranges[][2] = {
        {0x0E00, 0x109F},  // Thai to Burmese
        {0x1780, 0x17FF},  // Khmer
        {0x3040, 0xA4CF},  // Kana, Han, Yi
        {0xF900, 0xFAFF}, {0x20000, 0x10FFFF},
    };
    bool is_dense = false;
    for (ptrdiff_t i = 0; i < countof(ranges); i++) {
        is_dense = is_dense || (c >= ranges[i][0] && c <= ranges[i][1]);
    }
    return is_dense && utf8_is_word(c);
}

ptrdiff_t utf8_run_end(str s, ptrdiff_t i, bool (*kind)(int32_t c))
{
    assert(i >= 0 && kind);
    while (i < s.len) {
        ptrdiff_t size = 0;
        if (!kind(utf8_char_at(s, i, &size))) {
            break;
        }
        i += size;
    }
    return i;
}

static bool is_no_blank(int32_t c)
{
    return !utf8_is_blank(c);
}

str utf8_cut_word(str *rest)
{
    ptrdiff_t start = utf8_run_end(*rest, 0, utf8_is_blank);
    ptrdiff_t end = utf8_run_end(*rest, start, is_no_blank);
    str word = str_sub(*rest, start, end);
    *rest = str_skip(*rest, end);
    return word;
}

void utf8_add(buf *b, int32_t c)
{
    assert(c >= 0 && c <= 0x10FFFF);
    utf8proc_uint8_t bytes[4];
    buf_add(b, (str){(const char *)bytes, utf8proc_encode_char(c, bytes)});
}

static str mapped(arena *a,
                  str s,
                  char (*ascii)(char),
                  utf8proc_int32_t (*other)(utf8proc_int32_t))
{
    buf b = buf_new(a);
    for (ptrdiff_t i = 0; i < s.len;) {
        ptrdiff_t size = 0;
        int32_t c = utf8_char_at(s, i, &size);
        if (c < 0) {
            buf_char(&b, s.ptr[i]);
        } else if (c < 0x80) {
            buf_char(&b, ascii((char)c));
        } else {
            utf8_add(&b, other(c));
        }
        i += size;
    }
    return buf_str(&b);
}

str utf8_lower(arena *a, str s)
{
    return mapped(a, s, to_lower, utf8proc_tolower);
}

str utf8_upper(arena *a, str s)
{
    return mapped(a, s, to_upper, utf8proc_toupper);
}

bool utf8_is_ascii(str s)
{
    ptrdiff_t i = 0;
    for (; i + 8 <= s.len; i += 8) {
        uint64_t eight;
        memcpy(&eight, s.ptr + i, sizeof eight);
        if (eight & 0x8080808080808080u) {
            return false;
        }
    }
    for (; i < s.len; i++) {
        if ((unsigned char)s.ptr[i] >= 0x80) {
            return false;
        }
    }
    return true;
}

bool utf8_is_valid(str s)
{
    if (utf8_is_ascii(s)) {
        return true;
    }
    for (ptrdiff_t i = 0; i < s.len;) {
        ptrdiff_t size = utf8_size_at(s, i);
        if (size == 0) {
            return false;
        }
        i += size;
    }
    return true;
}

ptrdiff_t utf8_count(str s)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < s.len; n++) {
        ptrdiff_t size = utf8_size_at(s, i);
        i += size > 0 ? size : 1;
    }
    return n;
}

ptrdiff_t utf8_width(str s)
{
    ptrdiff_t width = 0;
    for (ptrdiff_t i = 0; i < s.len;) {
        utf8proc_int32_t code = 0;
        utf8proc_ssize_t size = utf8proc_iterate(
            (const utf8proc_uint8_t *)s.ptr + i, s.len - i, &code);
        width += size > 0 ? utf8proc_charwidth(code) : 1;
        i += size > 0 ? size : 1;
    }
    return width;
}

// C0, C1, and what turns the direction of text or overrides it.
static bool is_control(int32_t c)
{
    return (c >= 0 && c < 0x20) || (c >= 0x7f && c < 0xa0) || c == 0x061c
           || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e)
           || (c >= 0x2066 && c <= 0x2069);
}

// The offset of the first control character from i on, s.len if there is none.
static ptrdiff_t find_control(str s, ptrdiff_t i)
{
    ptrdiff_t size = 1;
    while (i < s.len && !is_control(utf8_char_at(s, i, &size))) {
        i += size;
    }
    return i;
}

str utf8_visible(arena *a, str s)
{
    ptrdiff_t at = find_control(s, 0);
    if (at >= s.len) {
        return s;
    }
    buf b = buf_new(a);
    for (ptrdiff_t from = 0; from < s.len; at = find_control(s, from)) {
        buf_add(&b, str_sub(s, from, at));
        if (at >= s.len) {
            break;
        }
        ptrdiff_t size = 1;
        int32_t c = utf8_char_at(s, at, &size);
        if (c == '\n' || c == '\t' || c == '\r') {
            buf_add(&b, c == '\n' ? S("\\n") : c == '\t' ? S("\\t") : S("\\r"));
        } else if (c > 0xff) {
            buf_printf(&b, "\\u%04x", (unsigned)c);
        } else {
            buf_printf(&b, "\\x%02x", (unsigned)c);
        }
        from = at + size;
    }
    return buf_str(&b);
}

enum {
    N_PLAIN = 3,  // of the sequences below
};

// The bytes at s[i] that a terminal may have as they are; 0: it must not.
static ptrdiff_t harmless_size(str s, ptrdiff_t i, bool has_color)
{
    static const str ours[] = {S_INIT("\r\n"),     S_INIT("\033[1m"),
                               S_INIT("\033[0m"),  S_INIT("\033[31m"),
                               S_INIT("\033[32m"), S_INIT("\033[33m")};
    for (ptrdiff_t k = 0; k < (has_color ? countof(ours) : N_PLAIN); k++) {
        if (str_starts(str_skip(s, i), ours[k])) {
            return ours[k].len;
        }
    }
    ptrdiff_t size = 1;
    int32_t c = utf8_char_at(s, i, &size);
    bool is_plain = c == '\n' || c == '\t';
    // A terminal that reads no UTF-8 takes a stray byte for a C1 control.
    bool is_stray = size == 1 && ((unsigned char)s.ptr[i] & 0xe0) == 0x80;
    return is_plain || (!is_control(c) && !is_stray) ? size : 0;
}

static str harmless(arena *a, str s, bool has_color)
{
    buf b = {0};
    ptrdiff_t from = 0;
    for (ptrdiff_t i = 0; i < s.len;) {
        ptrdiff_t size = harmless_size(s, i, has_color);
        if (size > 0) {
            i += size;
            continue;
        }
        b = from == 0 ? buf_new(a) : b;
        buf_add(&b, str_sub(s, from, i));
        int32_t c = utf8_char_at(s, i, &size);
        c = size == 1 ? (unsigned char)s.ptr[i] : c;
        buf_printf(&b, "\\x%02x", (unsigned)c);
        from = i += size;
    }
    if (from == 0) {
        return s;
    }
    buf_add(&b, str_skip(s, from));
    return buf_str(&b);
}

str utf8_harmless(arena *a, str s)
{
    return harmless(a, s, false);
}

str utf8_harmless_colored(arena *a, str s)
{
    return harmless(a, s, true);
}

str utf8_drop_invalid(arena *a, str s)
{
    if (utf8_is_valid(s)) {
        return s;
    }
    buf b = buf_new(a);
    for (ptrdiff_t i = 0; i < s.len;) {
        ptrdiff_t size = utf8_size_at(s, i);
        buf_add(&b, str_sub(s, i, i + size));
        i += size > 0 ? size : 1;
    }
    return buf_str(&b);
}

// No character before U+0300 is composed, or takes part in a composition;
// from there on the first byte of each is 0xCC or more.
static bool is_plain_nfc(str s)
{
    for (ptrdiff_t i = 0; i < s.len; i++) {
        if ((unsigned char)s.ptr[i] >= 0xCC) {
            return false;
        }
    }
    return true;
}

str utf8_nfc(arena *a, str s)
{
    if (utf8_is_ascii(s) || is_plain_nfc(s)) {
        return s;
    }
    utf8proc_uint8_t *out = NULL;
    utf8proc_ssize_t len =
        utf8proc_map((const utf8proc_uint8_t *)s.ptr, s.len, &out,
                     UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    if (len < 0) {
        return s;
    }
    str copy = arena_str(a, (str){(const char *)out, len});
    free(out);
    return copy;
}

ptrdiff_t utf8_prefix(str s, ptrdiff_t max)
{
    assert(max >= 0);
    ptrdiff_t i = 0;
    for (ptrdiff_t n = 0; i < s.len && n < max; n++) {
        ptrdiff_t size = utf8_size_at(s, i);
        i += size > 0 ? size : 1;
    }
    return i;
}

void utf8_show(buf *b, str s, ptrdiff_t max)
{
    str shown = str_sub(s, 0, utf8_prefix(s, max));
    for (ptrdiff_t i = 0; i < shown.len; i++) {
        char c = shown.ptr[i];
        buf_char(b, (unsigned char)c < 0x20 || c == 0x7f ? ' ' : c);
    }
    buf_add(b, shown.len < s.len ? S("...") : S(""));
}
