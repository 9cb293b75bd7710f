/*
 * pair_file.h - pairs of queries as JSON, whatever their file is: objects, one
 * after the other or in a list; or a table, whose rows become objects.
 */
#ifndef ASSAY_READ_PAIR_FILE_H
#define ASSAY_READ_PAIR_FILE_H

#include "base/diag.h"

// What the queries of a pair are called, with blanks between them.
extern const char pair_lefts[];
extern const char pair_rights[];

// False with a message. The encoding is guessed where none is named.
bool pair_file_text(str *text,
                    arena *a,
                    str bytes,
                    str path,
                    str encoding,
                    diag *d,
                    arena scratch);

#endif  // ASSAY_READ_PAIR_FILE_H
