// encoding.h - text in other encodings than UTF-8.
#ifndef ASSAY_READ_ENCODING_H
#define ASSAY_READ_ENCODING_H

#include "base/file.h"

// Makes UTF-8 of the bytes of a file. Without a name for the encoding
// they are UTF-8, or UTF-16 with a byte order mark; *out has none, and borrows
// what needs no change. With one ("windows-1252", any that iconv knows) they
// are that; said to be UTF-8, bytes that are no text become U+FFFD, counted in
// *n_replaced. False with a message, with the place of the first byte that does
// not fit.
bool encoding_read(str *out,
                   ptrdiff_t *n_replaced,
                   arena *a,
                   const file_map *file,
                   str encoding,
                   diag *d);

#endif  // ASSAY_READ_ENCODING_H
