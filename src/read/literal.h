/*
 * literal.h - texts, lists and objects as programs write them; private to the
 * extractor.
 */
#ifndef ASSAY_READ_LITERAL_H
#define ASSAY_READ_LITERAL_H

#include "base/arena.h"

// The list or object, or the text in quotes, that begins at text[at], as JSON,
// and the offset past it: whatever quotes, escapes and commas JSON, Python or
// JavaScript allow; words and numbers become null. Empty: none begins there,
// and *end is how far it was looked at.
str literal_as_json(str text, ptrdiff_t at, ptrdiff_t *end, arena *a);

// What stands in quotes, with its escapes read.
str literal_unescaped(str text, arena *a);

#endif  // ASSAY_READ_LITERAL_H
