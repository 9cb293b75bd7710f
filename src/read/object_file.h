/*
 * object_file.h - records as objects of JSON, whatever their file is: objects,
 * one after the other or in a list; or a table, whose rows become objects, each
 * in its line.
 */
#ifndef ASSAY_READ_OBJECT_FILE_H
#define ASSAY_READ_OBJECT_FILE_H

#include "base/diag.h"

// A table with names in its first row.
typedef struct object_table {
    bool (*has_names)(const str *names, ptrdiff_t n);
    const char *expected;  // what is said of a file without them
    // Names are in lower case and differ, rows have as many cells, and empty
    // ones are left out.
    bool is_strict;
} object_table;

// False with a message. The encoding is guessed where none is named.
bool object_file_text(str *text,
                      arena *a,
                      str bytes,
                      str path,
                      str encoding,
                      const object_table *table,
                      diag *d,
                      arena scratch);

// What the queries of a pair are called, with blanks between them.
extern const char pair_lefts[];
extern const char pair_rights[];

extern const object_table pair_table;

#endif  // ASSAY_READ_OBJECT_FILE_H
