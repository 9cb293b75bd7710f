/*
 * source.h - from the word after --db to the file or URL of each database.
 *
 * A source is one SQLite file, one .sql dump, a folder of databases
 * (DB/DB.sqlite, DB/DB.db, DB.sqlite, DB.sqlite3, DB.db, DB/DB.sql, DB.sql; the
 * first of these that exists is taken), duckdb:FILE, or the URL of a server. In
 * the last two {db} stands for the name of the database. A DuckDB file, or a
 * folder of them, is duckdb:FILE even when it is not called so.
 */
#ifndef ASSAY_ENGINE_SOURCE_H
#define ASSAY_ENGINE_SOURCE_H

#include "engine/engine.h"

typedef struct source {
    str path;   // as the user gave it
    str shown;  // the same, without passwords
    const engine_driver *driver;
    str readable;  // the file or folder that who opens its databases must be
                   // able to read; empty: none
    bool is_folder;
    bool is_url;
} source;

// False with a message when there is nothing at `path`, or a kind of source
// that this build cannot read.
bool source_open(source *s, arena *a, str path, diag *d);

// The file that `path`, the path of a database, is; empty where it is the URL
// of a server.
str source_file(const source *s, str path);

// The path of the file of database `name`, or its URL (empty is fine for a
// source that is one file, or a URL without {db}). False with a message, and
// the nearest name, when there is none.
bool source_database(const source *s,
                     arena *a,
                     str name,
                     str *path,
                     diag *d,
                     diag_place place,
                     arena scratch);

#endif  // ASSAY_ENGINE_SOURCE_H
