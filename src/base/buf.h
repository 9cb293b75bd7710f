/*
 * buf.h - text that is being built, in an arena.
 *
 * Adding never fails (see arena.h). The text may move while it grows; buf_str
 * is good until the next addition. While a buf is the last thing in its arena
 * it grows in place, so build one text at a time.
 */
#ifndef ASSAY_BASE_BUF_H
#define ASSAY_BASE_BUF_H

#include "base/arena.h"

typedef struct buf {
    char *ptr;
    ptrdiff_t len;
    ptrdiff_t cap;
    arena *a;
} buf;

buf buf_new(arena *a);
void buf_add(buf *b, str s);

// Makes room for `extra` more bytes.
void buf_reserve(buf *b, ptrdiff_t extra);

static inline void buf_char(buf *b, char c)
{
    if (b->len == b->cap) {
        buf_reserve(b, 1);
    }
    b->ptr[b->len++] = c;
}

void buf_hex(buf *b, str bytes);  // two lower-case digits a byte
void buf_repeat(buf *b, char c, ptrdiff_t n);
void buf_trim(buf *b);  // the blanks at its end
void buf_int(buf *b, int64_t n);
void buf_printf(buf *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// The shortest decimal that reads back as `d`; always with a point or an
// exponent ("1.0", "1e+16"), as Python prints floats; "inf", "-inf", "nan".
void buf_double(buf *b, double d);

str buf_str(const buf *b);

// Appends one more of a list: "a, b".
void buf_list(buf *b, str text);

// Appends `text` with what the table has, by byte, in place of ASCII
// characters; NULL: they stay.
void buf_escape(buf *b, str text, const char *const table[128]);

// `s` with `to` wherever `from` stands, which is not empty; `s` itself where it
// stands nowhere.
str buf_replaced(arena *a, str s, str from, str to);

#endif  // ASSAY_BASE_BUF_H
