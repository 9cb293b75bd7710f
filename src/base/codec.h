/*
 * codec.h - messages between processes: the values of a struct as bytes, and
 * bytes as the values of a struct.
 *
 * A message is a struct of numbers, truth values, texts and lists of such
 * structs. Its shape, a table, names the members and says what a number may be;
 * nothing else knows how the bytes look:
 *
 *     number, truth    8 bytes
 *     text             its length as a number, then its bytes
 *     list             how many there are as a number, then one after the other
 *
 * Bytes that are read may be an attacker's. Whoever reads them has either the
 * whole struct, every number within its bounds and every text within the bytes,
 * or nothing; in all builds.
 *
 * Cost        Texts stay where the bytes are. Lists take at most four times the
 *             bytes: there are no more of them than bytes that are left allow.
 */
#ifndef ASSAY_BASE_CODEC_H
#define ASSAY_BASE_CODEC_H

#include "base/buf.h"

#include <stddef.h>

typedef enum codec_kind {
    CODEC_NUMBER,  // int64_t
    CODEC_TRUTH,   // bool
    CODEC_TEXT,    // str
    CODEC_LIST,    // codec_list
} codec_kind;

typedef struct codec_list {
    void *ptr;
    ptrdiff_t n;
} codec_list;

typedef struct codec_member {
    codec_kind kind;
    size_t at;      // in the struct
    int64_t least;  // of a number
    int64_t most;
    const struct codec_shape *of;  // of a list: what is in it
} codec_member;

typedef struct codec_shape {
    const codec_member *members;
    ptrdiff_t n;
    ptrdiff_t size;  // of the struct
} codec_shape;

#define CODEC_NUMBER_IN(type, name, least, most)              \
    {                                                         \
        CODEC_NUMBER, offsetof(type, name), least, most, NULL \
    }
#define CODEC_TRUTH_IN(type, name)                    \
    {                                                 \
        CODEC_TRUTH, offsetof(type, name), 0, 1, NULL \
    }
#define CODEC_TEXT_IN(type, name)                    \
    {                                                \
        CODEC_TEXT, offsetof(type, name), 0, 0, NULL \
    }
#define CODEC_LIST_IN(type, name, of)              \
    {                                              \
        CODEC_LIST, offsetof(type, name), 0, 0, of \
    }
#define CODEC_SHAPE(type, ...)                                           \
    {                                                                    \
        (const codec_member[]){__VA_ARGS__},                             \
            countof(((const codec_member[]){__VA_ARGS__})), sizeof(type) \
    }

// A message that is a str, and one that is an int64_t.
extern const codec_shape codec_text;
extern const codec_shape codec_number;

// `value` is a struct of that shape; an empty text may have no bytes.
void codec_write(buf *out, const codec_shape *s, const void *value);

// False when the bytes are no such message: too few, too many, or a number out
// of bounds. *value is of use only where it is true.
bool codec_read(const codec_shape *s, str bytes, void *value, arena *a);

// The value again, with all that it points to in `a`.
void codec_copy(const codec_shape *s, const void *value, void *out, arena *a);

#endif  // ASSAY_BASE_CODEC_H
