/*
 * pack.h - JSON values, many of them alike, as a small text: for documents that
 * carry their data in themselves.
 *
 * Form        One line of JSON a value, compressed (deflate without a header),
 *             in base64. In a line, a number points back to a value that came
 *             before, counted from 0 in the order in which values end; texts,
 *             null, true and false are themselves;
 *                 [true, 1.5]        is a number
 *                 [null, a, b]       is an array
 *                 [["x","y"], a, b]  is an object with these keys, and
 *                 [0, a, b]          one with the keys of the first such list.
 *             src/report/page/unpack.js reads it.
 *
 * Order of    pack_new()
 * calls         pack_add()  each value
 *             pack_end()
 */
#ifndef ASSAY_REPORT_PACK_H
#define ASSAY_REPORT_PACK_H

#include "base/json.h"

typedef struct pack pack;

// All memory that it needs, of one size whatever comes, is taken from `a`.
pack *pack_new(arena *a);

// Appends to `out` what is ready of the text.
void pack_add(pack *p, buf *out, const json *value, arena scratch);
void pack_end(pack *p, buf *out);

#endif  // ASSAY_REPORT_PACK_H
