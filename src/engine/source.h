/*
 * source.h - from the word after --db to the file of each database.
 *
 * A source is one SQLite file, one .sql dump, or a folder of databases:
 * DB/DB.sqlite, DB/DB.db, DB.sqlite, DB.sqlite3, DB.db, DB/DB.sql, DB.sql; the
 * first of these that exists is taken.
 */
#ifndef ASSAY_ENGINE_SOURCE_H
#define ASSAY_ENGINE_SOURCE_H

#include "base/diag.h"

typedef struct source {
    str path;  // as the user gave it
    bool is_folder;
} source;

// False with a message when there is nothing at `path`, or a kind of source
// that this build cannot read.
bool source_open(source *s, arena *a, str path, diag *d);

// The path of the file of database `name` (empty is fine for a source that is
// one file). False with a message, and the nearest name, when there is none.
bool source_database(const source *s,
                     arena *a,
                     str name,
                     str *path,
                     diag *d,
                     diag_place place,
                     arena scratch);

#endif  // ASSAY_ENGINE_SOURCE_H
