/*
 * url.h - SCHEME://USER:PASSWORD@HOST:PORT/DATABASE?KEY=VALUE&..., as servers
 * are named after --db.
 *
 * Whoever shows a URL to people, or keeps it, shows url_show of it: passwords
 * stay where they were typed.
 */
#ifndef ASSAY_ENGINE_URL_H
#define ASSAY_ENGINE_URL_H

#include "base/diag.h"

typedef struct url_parts {
    str scheme;  // without "://"
    str user;
    str password;
    bool has_password;
    str host;
    int64_t port;  // 0: none
    str database;
    str query;  // after the '?', as written
} url_parts;

// How assay names what SQLAlchemy and JDBC call DIALECT+DRIVER://... and
// jdbc:DIALECT:...: the driver is left out, and a file is its path, behind
// duckdb: where it is one of DuckDB. `text` itself when it is no such name.
str url_own(arena *a, str text);

// The parts, with %XX decoded. False with a message when it is no URL.
bool url_parse(url_parts *u, arena *a, str text, diag *d);

// The value of KEY in the query, decoded; empty when it is not there.
str url_option(const url_parts *u, arena *a, str key);

// `text` with the name of a database for each {db}, encoded.
str url_with_database(arena *a, str text, str name);
bool url_wants_database(str text);

// `text` with another database: in the place of {db}, or of the one it names.
str url_replace_database(arena *a, str text, str name);

// `text` without passwords and without its query.
str url_show(arena *a, str text);

#endif  // ASSAY_ENGINE_URL_H
