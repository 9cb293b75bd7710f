/*
 * codec.c - one walk over a shape that writes, one that reads.
 *
 * Method      The reader takes word after word off the bytes; what is not
 *             there, or out of bounds, ends it. Nothing is computed from a
 *             number before it is known to be within them.
 *
 * Invariants  (1) What is read writes the same bytes again.
 */
#include "base/codec.h"

#include <assert.h>
#include <string.h>

enum {
    WORD = (int)sizeof(int64_t),
};

const codec_shape codec_text = CODEC_SHAPE(str, {.kind = CODEC_TEXT});
const codec_shape codec_number =
    CODEC_SHAPE(int64_t,
                {.kind = CODEC_NUMBER, .least = INT64_MIN, .most = INT64_MAX});

static void put(buf *out, int64_t n)
{
    buf_add(out, (str){(const char *)&n, WORD});
}

void codec_write(buf *out, const codec_shape *s, const void *value)
{
    for (ptrdiff_t i = 0; i < s->n; i++) {
        const codec_member *m = &s->members[i];
        const void *at = (const char *)value + m->at;
        const str *text = at;
        const codec_list *list = at;
        switch (m->kind) {
        case CODEC_NUMBER:
            assert(*(const int64_t *)at >= m->least);
            assert(*(const int64_t *)at <= m->most);
            put(out, *(const int64_t *)at);
            break;
        case CODEC_TRUTH: put(out, *(const bool *)at); break;
        case CODEC_TEXT:
            put(out, text->len);
            buf_add(out, *text);
            break;
        case CODEC_LIST:
            put(out, list->n);
            for (ptrdiff_t k = 0; k < list->n; k++) {
                codec_write(out, m->of, (char *)list->ptr + k * m->of->size);
            }
            break;
        }
    }
}

// The next number, if it is there and within bounds.
static bool take(str *rest, int64_t least, int64_t most, int64_t *n)
{
    if (rest->len < WORD) {
        return false;
    }
    memcpy(n, rest->ptr, WORD);
    *rest = str_skip(*rest, WORD);
    return *n >= least && *n <= most;
}

static bool read_shape(const codec_shape *s, str *rest, void *value, arena *a);

static bool read_list(const codec_shape *of,
                      str *rest,
                      codec_list *out,
                      arena *a)
{
    int64_t n = 0;
    // A member takes a word or more.
    if (!take(rest, 0, rest->len / (WORD * of->n), &n)) {
        return false;
    }
    out->n = (ptrdiff_t)n;
    out->ptr = arena_alloc(a, of->size, _Alignof(max_align_t), out->n);
    bool ok = true;
    for (ptrdiff_t k = 0; ok && k < out->n; k++) {
        ok = read_shape(of, rest, (char *)out->ptr + k * of->size, a);
    }
    return ok;
}

static bool read_shape(const codec_shape *s, str *rest, void *value, arena *a)
{
    bool ok = true;
    for (ptrdiff_t i = 0; ok && i < s->n; i++) {
        const codec_member *m = &s->members[i];
        void *at = (char *)value + m->at;
        str *text = at;
        int64_t n = 0;
        switch (m->kind) {
        case CODEC_NUMBER: ok = take(rest, m->least, m->most, at); break;
        case CODEC_TRUTH:
            ok = take(rest, 0, 1, &n);
            *(bool *)at = n == 1;
            break;
        case CODEC_TEXT:
            ok = take(rest, 0, rest->len - WORD, &n);
            *text = ok ? str_sub(*rest, 0, n) : (str){0};
            *rest = ok ? str_skip(*rest, n) : *rest;
            break;
        case CODEC_LIST: ok = read_list(m->of, rest, at, a); break;
        }
    }
    return ok;
}

bool codec_read(const codec_shape *s, str bytes, void *value, arena *a)
{
    memset(value, 0, (size_t)s->size);
    return read_shape(s, &bytes, value, a) && bytes.len == 0;
}

void codec_copy(const codec_shape *s, const void *value, void *out, arena *a)
{
    buf b = buf_new(a);
    codec_write(&b, s, value);
    codec_read(s, buf_str(&b), out, a);
}
