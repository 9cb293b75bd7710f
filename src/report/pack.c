/*
 * pack.c - see pack.h.
 *
 * Method      Journals repeat themselves: questions and golds in each run, the
 *             same verdict of many metrics, whole sets of verdicts. Deflate
 *             sees 32 KB back; this sees everything: a value whose hash is
 *             known is written as its number. Hashes lie in a table of fixed
 *             size, where a later value takes the place of an earlier one:
 *             what was forgotten is written again.
 *
 * Invariants  (1) n_values and n_shapes count as the reader of the text does.
 *             (2) Bytes become text when there are OUT_BYTES of them, or no
 *                 more: base64 takes them by three.
 */
#include "report/pack.h"

#include "base/hash.h"
#include "base/json_write.h"

#include <assert.h>
#include <string.h>
#include <zlib.h>

enum {
    N_SLOTS = 1 << 20,
    OUT_BYTES = 48 << 10,     // a multiple of 3
    DEFLATE_BYTES = 1 << 20,  // more than zlib asks for
    SHAPE_SALT = 0x5a,
};

typedef struct pack_slot {
    hash128 hash;
    int32_t number;  // + 1; 0: free
} pack_slot;

struct pack {
    z_stream stream;
    arena deflate;  // what zlib allocates
    pack_slot *slots;
    int32_t n_values;
    int32_t n_shapes;
    // Deflated, and not yet text; with room for what the last three lack.
    unsigned char bytes[OUT_BYTES + 2];
};

static void *zlib_alloc(void *context, unsigned n, unsigned size)
{
    pack *p = context;
    return arena_alloc(&p->deflate, size, _Alignof(max_align_t), n);
}

// All of it goes with the arena.
static void zlib_free(void *context, void *memory)
{
    (void)context;
    (void)memory;
}

pack *pack_new(arena *a)
{
    pack *p = arena_new(a, pack, 1);
    p->slots = arena_new(a, pack_slot, N_SLOTS);
    char *room = arena_new(a, char, DEFLATE_BYTES);
    p->deflate = (arena){.next = room, .end = room + DEFLATE_BYTES};
    p->stream = (z_stream){.zalloc = zlib_alloc,
                           .zfree = zlib_free,
                           .opaque = p,
                           .next_out = p->bytes,
                           .avail_out = OUT_BYTES};
    int state = deflateInit2(&p->stream, Z_BEST_COMPRESSION, Z_DEFLATED,
                             -MAX_WBITS, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY);
    assert(state == Z_OK);
    (void)state;
    return p;
}

/* --- bytes to text ------------------------------------------------------- */

static void add_group(buf *out, const unsigned char *three)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[4] = {
        digits[three[0] >> 2],
        digits[(three[0] & 3) << 4 | three[1] >> 4],
        digits[(three[1] & 15) << 2 | three[2] >> 6],
        digits[three[2] & 63],
    };
    buf_add(out, (str){text, 4});
}

static void add_base64(pack *p, buf *out)
{
    ptrdiff_t n = OUT_BYTES - (ptrdiff_t)p->stream.avail_out;
    ptrdiff_t n_signs = (3 - n % 3) % 3;
    memset(p->bytes + n, 0, 2);
    for (ptrdiff_t i = 0; i < n; i += 3) {
        add_group(out, p->bytes + i);
    }
    memset(out->ptr + out->len - n_signs, '=', (size_t)n_signs);
    p->stream.next_out = p->bytes;
    p->stream.avail_out = OUT_BYTES;
}

static void compress_text(pack *p, buf *out, str text, int flush)
{
    // zlib does not write to its input, but does not say so.
    union {
        const char *from;
        Bytef *to;
    } input = {.from = text.ptr};
    p->stream.next_in = input.to;
    p->stream.avail_in = (uInt)text.len;
    do {
        if (p->stream.avail_out == 0) {
            add_base64(p, out);
        }
        deflate(&p->stream, flush);
    } while (p->stream.avail_out == 0);
}

/* --- values to lines ----------------------------------------------------- */

static hash128 mix(hash128 a, hash128 b)
{
    return (hash128){hash_mix(a.low, b.low), hash_mix(a.high, b.high)};
}

static hash128 hash_of_kind(json_kind kind, hash128 h)
{
    return mix((hash128){(uint64_t)kind + 1, (uint64_t)kind + 1}, h);
}

static hash128 hash_number(const json *j)
{
    return hash_bytes((str){(const char *)&j->real, (ptrdiff_t)sizeof j->real});
}

static hash128 hash_value(const json *j)
{
    hash128 h = {0};
    if (j->kind == JSON_KIND_STRING) {
        h = hash_bytes(j->text);
    } else if (j->kind == JSON_KIND_INT || j->kind == JSON_KIND_REAL) {
        h = hash_number(j);
    }
    for (const json *m = j->child; m; m = m->next) {
        h = j->kind == JSON_KIND_OBJECT ? mix(h, hash_bytes(m->key)) : h;
        h = mix(h, hash_value(m));
    }
    return hash_of_kind(j->kind, h);
}

static hash128 hash_shape(const json *j)
{
    hash128 h = {SHAPE_SALT, SHAPE_SALT};
    for (const json *m = j->child; m; m = m->next) {
        h = mix(h, hash_bytes(m->key));
    }
    return h;
}

// Its number, or -1.
static int32_t find(const pack *p, hash128 h)
{
    const pack_slot *slot = &p->slots[h.low & (N_SLOTS - 1)];
    return hash128_equal(slot->hash, h) ? slot->number - 1 : -1;
}

static void remember(pack *p, hash128 h, int32_t number)
{
    p->slots[h.low & (N_SLOTS - 1)] = (pack_slot){h, number + 1};
}

static void add_shape(pack *p, buf *line, const json *j)
{
    hash128 h = hash_shape(j);
    int32_t known = find(p, h);
    if (known >= 0) {
        buf_int(line, known);
        return;
    }
    buf_char(line, '[');
    for (const json *m = j->child; m; m = m->next) {
        json_write(line, json_text(m->key));
    }
    buf_char(line, ']');
    remember(p, h, p->n_shapes++);
}

static void add_value(pack *p, buf *line, const json *j);

static void add_new(pack *p, buf *line, const json *j)
{
    if (j->kind == JSON_KIND_STRING) {
        json_add_text(line, j->text);
        return;
    }
    buf_char(line, '[');
    switch (j->kind) {
    case JSON_KIND_OBJECT: add_shape(p, line, j); break;
    case JSON_KIND_ARRAY: buf_add(line, S("null")); break;
    case JSON_KIND_INT:
        buf_add(line, S("true,"));
        buf_int(line, j->i);
        break;
    case JSON_KIND_REAL:
        buf_add(line, S("true,"));
        json_add_double(line, j->real);
        break;
    case JSON_KIND_NULL:
    case JSON_KIND_FALSE:
    case JSON_KIND_TRUE:
    case JSON_KIND_STRING: assert(false); break;
    }
    for (const json *m = j->child; m; m = m->next) {
        buf_char(line, ',');
        add_value(p, line, m);
    }
    buf_char(line, ']');
}

static void add_value(pack *p, buf *line, const json *j)
{
    if (j->kind == JSON_KIND_NULL || j->kind == JSON_KIND_TRUE
        || j->kind == JSON_KIND_FALSE) {
        json_add(line, j);
        return;
    }
    hash128 h = hash_value(j);
    int32_t known = find(p, h);
    if (known >= 0) {
        buf_int(line, known);
        return;
    }
    add_new(p, line, j);
    remember(p, h, p->n_values++);
}

void pack_add(pack *p, buf *out, const json *value, arena scratch)
{
    buf line = buf_new(&scratch);
    add_value(p, &line, value);
    buf_char(&line, '\n');
    compress_text(p, out, buf_str(&line), Z_NO_FLUSH);
}

void pack_end(pack *p, buf *out)
{
    compress_text(p, out, S(""), Z_FINISH);
    deflateEnd(&p->stream);
    add_base64(p, out);
}
