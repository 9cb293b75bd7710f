// xml.c - see xml.h.
#include "report/xml.h"

#include "base/utf8.h"

// In attributes line ends as references: a reader turns others into blanks.
static void add_byte(buf *b, char c, bool is_attribute)
{
    if ((c == '\t' || c == '\n') && is_attribute) {
        buf_printf(b, "&#%d;", c);
        return;
    }
    switch (c) {
    case '&': buf_add(b, S("&amp;")); break;
    case '<': buf_add(b, S("&lt;")); break;
    case '>': buf_add(b, S("&gt;")); break;
    case '"': buf_add(b, S("&quot;")); break;
    default: buf_char(b, c);
    }
}

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

static void add(buf *b, str text, bool is_attribute)
{
    for (ptrdiff_t at = 0, size = 0; at < text.len; at += size) {
        if (!is_plain(text, at, &size)) {
            add_escape(b, text, at, size);
            continue;
        }
        for (ptrdiff_t i = at; i < at + size; i++) {
            add_byte(b, text.ptr[i], is_attribute);
        }
    }
}

void xml_add(buf *b, str text)
{
    add(b, text, false);
}

void xml_attribute(buf *b, const char *name, str text)
{
    buf_printf(b, " %s=\"", name);
    add(b, text, true);
    buf_char(b, '"');
}
