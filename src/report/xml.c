// xml.c - see xml.h.
#include "report/xml.h"

#include "base/utf8.h"

static const char *const in_text[128] =
    {['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;"};

// Line ends as references, too: a reader turns others into blanks.
static const char *const in_attribute[128] = {
    ['&'] = "&amp;",  ['<'] = "&lt;",  ['>'] = "&gt;",
    ['"'] = "&quot;", ['\t'] = "&#9;", ['\n'] = "&#10;"};

// U+FFFE and U+FFFF are characters of UTF-8, but not of XML.
static bool is_plain(str text, ptrdiff_t at, ptrdiff_t *size)
{
    int32_t c = utf8_char_at(text, at, size);
    if ((c >= ' ' && c < 0x7f) || c == '\n' || c == '\t') {
        return true;
    }
    arena a = arena_on_stack(256);
    str one = str_sub(text, at, at + *size);
    return c >= ' ' && c != 0xfffe && c != 0xffff
           && utf8_visible(&a, one).ptr == one.ptr;
}

static void add_escape(buf *b, str text, ptrdiff_t at, ptrdiff_t size)
{
    ptrdiff_t ignored = 0;
    int32_t c = utf8_char_at(text, at, &ignored);
    if (c >= 0x80) {
        buf_printf(b, "\\u%04x", (unsigned)c);
        return;
    }
    for (ptrdiff_t i = at; i < at + size; i++) {
        buf_printf(b, "\\x%02x", (unsigned char)text.ptr[i]);
    }
}

static void add(buf *b, str text, const char *const signs[128])
{
    for (ptrdiff_t at = 0, size = 0; at < text.len; at += size) {
        if (is_plain(text, at, &size)) {
            buf_escape(b, str_sub(text, at, at + size), signs);
        } else {
            add_escape(b, text, at, size);
        }
    }
}

void xml_add(buf *b, str text)
{
    add(b, text, in_text);
}

void xml_attribute(buf *b, const char *name, str text)
{
    buf_printf(b, " %s=\"", name);
    add(b, text, in_attribute);
    buf_char(b, '"');
}
