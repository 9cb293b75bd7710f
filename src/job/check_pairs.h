/*
 * check_pairs.h - a file of pairs of queries, and the schemas they are about.
 *
 * JSON objects, one after the other: {"id", "left", "right", "schema" (a file
 * of CREATE statements), "ddl" (the statements themselves) or "db" (a SQLite
 * file, the URL of a PostgreSQL database), "dialect", "label"}. For left and
 * right also q1 and q2, gold and pred. Names of files are
 * of the folder of the file of pairs. Databases lie there or below, unless
 * takes_any_path says that they may lie anywhere; schemas may always.
 */
#ifndef ASSAY_JOB_CHECK_PAIRS_H
#define ASSAY_JOB_CHECK_PAIRS_H

#include "base/diag.h"
#include "base/map.h"
#include "base/shard.h"
#include "schema/schema.h"
#include "sql/dialect.h"

typedef struct check_item {
    str id;
    str left;
    str right;
    str label;       // what people say of the pair, as the file has it
    int32_t schema;  // of the list; -1: none
    dialect dialect;
    str problem;       // why the pair cannot be checked; empty: it can
    int64_t position;  // in the file, from 0
} check_item;

// Where the tables of a pair come from.
typedef struct check_schema {
    const schema *schema;  // of CREATE statements; NULL: see the others
    str problem;           // why it cannot be used; empty: it can, so far
    str database;          // who checks a pair opens it; empty: none
    str url;  // of what runs the queries, a server or DuckDB; empty: SQLite
} check_schema;

typedef struct check_pairs {
    vec_of(check_item) items;
    vec_of(check_schema) schemas;
    map keys;             // of schemas: where they come from
    str encoding;         // of the file of pairs; empty: UTF-8
    bool takes_any_path;  // databases that pairs name may lie anywhere
} check_pairs;

// Each gives the place in `schemas`; what is wrong with one is its problem.
int32_t check_schema_file(check_pairs *p,
                          arena *a,
                          str path,
                          dialect d,
                          arena scratch);
int32_t check_schema_database(check_pairs *p,
                              arena *a,
                              str path,
                              arena scratch);

// The schema is one of PostgreSQL, and the server at `url` runs the queries.
void check_schema_on_server(check_pairs *p, arena *a, int32_t place, str url);

// Whose SQL a database behind --db runs, whether that is a server, or DuckDB.
dialect check_dialect_of(str db);
bool check_is_server(str db);
bool check_is_duckdb(str db);

// What a database behind --db is to engines: a DuckDB file, which is known by
// what is in it, is duckdb:FILE.
str check_source(arena *a, str db, arena scratch);

// Why a database behind --db cannot be asked, in `a`; empty: it might be.
str check_refusal(arena *a, str db);

// Adds the pairs of a text that is, or could be, the file at `path`: beside it
// lie the files that it names. `place` is the schema (-1: none) and `d` the
// dialect of pairs that name none. False with a message when it is broken.
bool check_pairs_parse(check_pairs *p,
                       arena *a,
                       str path,
                       str text,
                       int32_t place,
                       dialect d,
                       diag *messages,
                       arena scratch);

// Adds the pairs of the file. `place` is the schema (-1: none)
// and `d` the dialect of pairs that name none, unless a server of theirs does.
// False with messages when the file cannot be read or is broken.
bool check_pairs_read(check_pairs *p,
                      arena *a,
                      str path,
                      int32_t place,
                      dialect d,
                      diag *messages,
                      arena scratch);

// Why something cannot be used, in the words of the first message about it.
str check_message(const diag *d, arena *a);

// Leaves the pairs of the shard.
void check_pairs_take_shard(check_pairs *p, shard s);

#endif  // ASSAY_JOB_CHECK_PAIRS_H
