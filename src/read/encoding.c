/*
 * encoding.c - see encoding.h.
 *
 * Why         A text in Windows-1252 that reaches an engine as it is matches
 *             nothing: two wrong results are both empty, and a no becomes a
 *             yes. So nothing that is not UTF-8 goes on from here.
 */
#include "read/encoding.h"

#include "base/buf.h"
#include "base/utf8.h"

#include <errno.h>
#include <iconv.h>
#include <string.h>

enum {
    STEP = 1 << 23,  // bytes that are looked at in one go
};

static const str REPLACEMENT = S_INIT("\xEF\xBF\xBD");

// The offset of the first byte that belongs to no character, else the end.
static ptrdiff_t first_odd(const file_map *f, ptrdiff_t from)
{
    str bytes = f->bytes;
    ptrdiff_t size = 1;
    for (ptrdiff_t begin = from; from < bytes.len && size > 0; begin = from) {
        str part = str_sub(bytes, 0, begin + STEP);
        while (from < part.len && size > 0) {
            size = (unsigned char)bytes.ptr[from] < 0x80
                       ? 1
                       : utf8_size_at(bytes, from);
            from += size;
        }
        file_pass(f, begin, from);
    }
    return from;
}

static bool say_odd(const file_map *f, ptrdiff_t at, diag *d)
{
    return diag_add(d, diag_locate(f->path, f->bytes, at),
                    "this file is not UTF-8: byte 0x%02X here is no character; "
                    "name its encoding, such as --encoding windows-1252 (what "
                    "Excel writes), gbk or shift_jis, or --encoding utf-8 to "
                    "replace such bytes",
                    (unsigned char)f->bytes.ptr[at]);
}

static str replaced(const file_map *f, ptrdiff_t *n, arena *a)
{
    str bytes = f->bytes;
    buf out = buf_new(a);
    ptrdiff_t from = 0;
    for (ptrdiff_t at = first_odd(f, 0); at < bytes.len;
         at = first_odd(f, from)) {
        buf_add(&out, str_sub(bytes, from, at));
        buf_add(&out, REPLACEMENT);
        from = at + 1;
        (*n)++;
    }
    buf_add(&out, str_skip(bytes, from));
    return buf_str(&out);
}

static bool is_utf8_name(str name)
{
    return str_among_fold(name, "utf-8 utf8");
}

// With iconv; a part of the text at a time.
static bool convert(str *out,
                    arena *a,
                    const file_map *f,
                    str encoding,
                    diag *d)
{
    iconv_t to = iconv_open("UTF-8", arena_cstr(a, encoding));
    if (to == (iconv_t)-1) {
        return diag_add(d, (diag_place){.file = f->path},
                        "--encoding: no encoding '%.*s' here; `iconv -l` lists "
                        "those that there are",
                        STR_ARG(encoding));
    }
    buf text = buf_new(a);
    char room[4096];
    char *in = arena_cstr(a, f->bytes);
    char *begin = in;
    size_t left = (size_t)f->bytes.len;
    bool ok = true;
    while (ok && left > 0) {
        char *next = room;
        size_t free_bytes = sizeof room;
        size_t done = iconv(to, &in, &left, &next, &free_bytes);
        buf_add(&text, (str){room, next - room});
        ok = done != (size_t)-1 || errno == E2BIG;
    }
    iconv_close(to);
    *out = buf_str(&text);
    return ok
           || diag_add(
               d, diag_locate(f->path, f->bytes, in - begin),
               "this file is not %.*s: byte 0x%02X here is no character",
               STR_ARG(encoding), (unsigned char)*in);
}

static bool has_byte(const file_map *f, str text, str byte)
{
    bool is_found = false;
    for (ptrdiff_t at = 0; at < text.len && !is_found; at += STEP) {
        is_found = str_find(str_sub(text, at, at + STEP), byte, 0) >= 0;
        file_pass(f, at, at + STEP);
    }
    return is_found;
}

// Lines that end in CR alone, as on old Macintoshes.
static str with_line_ends(const file_map *f, str text, arena *a)
{
    return has_byte(f, text, S("\n")) || !has_byte(f, text, S("\r"))
               ? text
               : buf_replaced(a, text, S("\r"), S("\n"));
}

static bool decode(str *out,
                   ptrdiff_t *n_replaced,
                   arena *a,
                   const file_map *f,
                   str encoding,
                   diag *d)
{
    str bytes = f->bytes;
    bool is_utf16 =
        str_starts(bytes, S("\xFF\xFE")) || str_starts(bytes, S("\xFE\xFF"));
    *out = bytes;
    if (encoding.len == 0 && is_utf16) {
        return convert(out, a, f, S("UTF-16"), d);
    }
    if (encoding.len > 0 && !is_utf8_name(encoding)) {
        return convert(out, a, f, encoding, d);
    }
    ptrdiff_t odd = first_odd(f, 0);
    if (odd < bytes.len && encoding.len == 0) {
        return say_odd(f, odd, d);
    }
    *out = odd < bytes.len ? replaced(f, n_replaced, a) : bytes;
    return true;
}

bool encoding_read(str *out,
                   ptrdiff_t *n_replaced,
                   arena *a,
                   const file_map *file,
                   str encoding,
                   diag *d)
{
    bool ok = decode(out, n_replaced, a, file, encoding, d);
    *out = ok ? with_line_ends(file, *out, a) : *out;
    *out = str_skip(*out, str_starts(*out, S("\xEF\xBB\xBF")) ? 3 : 0);
    return ok;
}
