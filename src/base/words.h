/*
 * words.h - the words for the values of an enum: NAME_word() and
 * NAME_from_word() made from a table whose rows, one a value, have the word as
 * a member `word`.
 *
 *     static const struct { str word; str title; } kinds[] = {...};
 *
 *     WORDS_OF(kind, kind_id, kinds)
 *
 * defines   str kind_word(kind_id v);
 *           bool kind_from_word(str word, kind_id *out);
 *
 * Of other tables words_at(kinds, title, text) is the row whose member `title`
 * is the text; words_at_fold() takes it in any letter case.
 */
#ifndef ASSAY_BASE_WORDS_H
#define ASSAY_BASE_WORDS_H

#include "base/str.h"

#include <assert.h>

// The number of the first row with this word, -1 when there is none; of rows
// that are `stride` bytes apart, whose first has its word at `first`. The empty
// word is none.
ptrdiff_t words_find(const str *first, ptrdiff_t n, size_t stride, str word);
ptrdiff_t words_find_fold(const str *first,
                          ptrdiff_t n,
                          size_t stride,
                          str word);

#define words_at(rows, member, text) \
    words_find(&(rows)[0].member, countof(rows), sizeof(rows)[0], text)
#define words_at_fold(rows, member, text) \
    words_find_fold(&(rows)[0].member, countof(rows), sizeof(rows)[0], text)

// Likewise of a list of `n` rows, which may be NULL where there are none.
#define words_of(rows, n, member, text) \
    ((n) > 0 ? words_find(&(rows)->member, n, sizeof *(rows), text) : -1)

// The place of a text in a list of `n`; -1: it is not there, or empty.
#define words_in(list, n, text)      words_find(list, n, sizeof(str), text)
#define words_in_fold(list, n, text) words_find_fold(list, n, sizeof(str), text)

#define WORDS_OF(name, type, rows)                \
    str name##_word(type v)                       \
    {                                             \
        assert((ptrdiff_t)v < countof(rows));     \
        return (rows)[v].word;                    \
    }                                             \
    bool name##_from_word(str word, type *out)    \
    {                                             \
        ptrdiff_t i = words_at(rows, word, word); \
        if (i >= 0) {                             \
            *out = (type)i;                       \
        }                                         \
        return i >= 0;                            \
    }

#endif  // ASSAY_BASE_WORDS_H
