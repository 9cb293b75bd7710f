// utf8.c - see utf8.h. Tables and normal forms are utf8proc's.
#include "base/utf8.h"

#include "base/buf.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

ptrdiff_t utf8_size_at(str s, ptrdiff_t i)
{
    utf8proc_int32_t code = 0;
    utf8proc_ssize_t size =
        utf8proc_iterate((const utf8proc_uint8_t *)s.ptr + i, s.len - i, &code);
    return size > 0 ? size : 0;
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

// utf8proc_map with our memory.
static str mapped(arena *a, str s, utf8proc_option_t options)
{
    utf8proc_uint8_t *out = NULL;
    utf8proc_ssize_t len =
        utf8proc_map((const utf8proc_uint8_t *)s.ptr, s.len, &out, options);
    if (len < 0) {
        return s;
    }
    str copy = arena_str(a, (str){(const char *)out, len});
    free(out);
    return copy;
}

str utf8_nfc(arena *a, str s)
{
    if (utf8_is_ascii(s)) {
        return s;
    }
    return mapped(a, s, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
}

str utf8_fold(arena *a, str s)
{
    return mapped(a, s, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
}

ptrdiff_t utf8_prefix(str s, ptrdiff_t max)
{
    ptrdiff_t i = 0;
    for (ptrdiff_t n = 0; i < s.len && n < max; n++) {
        ptrdiff_t size = utf8_size_at(s, i);
        i += size > 0 ? size : 1;
    }
    return i;
}
