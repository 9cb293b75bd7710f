/*
 * diag.c - messages collected, placed and formatted.
 *
 * Method      At most DIAG_MAX messages are kept and all are counted, so a
 *             broken file of a million lines costs little. A message is cut
 *             after 1 KB.
 *
 * Cost        diag_locate reads the text from its beginning, so only code that
 *             reports an error may call it.
 */
#include "base/diag.h"

#include "base/buf.h"
#include "base/edit_distance.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

diag diag_new(arena *a)
{
    assert(a);
    return (diag){.a = a};
}

bool diag_add(diag *d, diag_place place, const char *format, ...)
{
    d->count++;
    if (d->messages.len >= DIAG_MAX) {
        return false;
    }
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    diag_message *m = vec_push(d->a, &d->messages);
    m->place = place;
    m->place.file = arena_str(d->a, place.file);
    m->text = arena_str(d->a, str_from(text));
    m->is_remark = false;
    return false;
}

void diag_remark(diag *d)
{
    assert(d->count > 0);
    if (d->count == d->messages.len) {
        d->messages.ptr[d->messages.len - 1].is_remark = true;
    }
}

str diag_first(const diag *d)
{
    return d->messages.len > 0 ? d->messages.ptr[0].text : (str){0};
}

str diag_format(arena *a, diag_message m)
{
    buf b = buf_new(a);
    if (m.place.file.len > 0) {
        buf_add(&b, m.place.file);
        buf_char(&b, ':');
        if (m.place.line > 0) {
            buf_printf(&b, "%lld:", (long long)m.place.line);
        }
        if (m.place.line > 0 && m.place.column > 0) {
            buf_printf(&b, "%lld:", (long long)m.place.column);
        }
        buf_char(&b, ' ');
    }
    buf_add(&b, m.text);
    return buf_str(&b);
}

diag_place diag_locate(str file, str text, ptrdiff_t offset)
{
    assert(offset >= 0);
    diag_place place = {file, 1, 1};
    for (ptrdiff_t i = 0; i < offset && i < text.len; i++) {
        place.column++;
        if (text.ptr[i] == '\n') {
            place.line++;
            place.column = 1;
        }
    }
    return place;
}

str diag_nearest(str word, const str *candidates, ptrdiff_t n, arena scratch)
{
    str best = {0};
    str plain = arena_lower(&scratch, word);
    ptrdiff_t limit = word.len / 3 + 1;
    for (ptrdiff_t i = 0; i < n; i++) {
        arena local = scratch;
        str other = arena_lower(&local, candidates[i]);
        ptrdiff_t d = edit_distance(plain, other, local);
        ptrdiff_t longer = plain.len > other.len ? plain.len : other.len;
        bool begins_so = str_starts(other, str_sub(plain, 0, 1));
        if (d <= limit && (begins_so || 2 * d <= longer)) {
            best = candidates[i];
            limit = d - 1;
        }
    }
    return best;
}

str diag_did_you_mean(arena *a, str near)
{
    return near.len == 0
               ? near
               : arena_printf(a, "; did you mean '%.*s'?", STR_ARG(near));
}
