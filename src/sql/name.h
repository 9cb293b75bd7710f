/*
 * name.h - a name as a dialect writes it: the one place that puts quotes around
 * names.
 *
 * Law   The system reads back the bytes that were given (law_names), so that
 *       no name can end its quotes and go on as SQL. A NUL byte, which no name
 *       can hold, becomes U+FFFD.
 */
#ifndef ASSAY_SQL_NAME_H
#define ASSAY_SQL_NAME_H

#include "base/buf.h"
#include "sql/dialect.h"

// Would the dialect take the bare word for this very name? Only SQLite and
// PostgreSQL are ever trusted with one.
bool name_is_plain(str name, dialect d);

// In quotes only where it must be.
void name_add(buf *out, str name, dialect d);

// In quotes, whatever it is.
void name_add_quoted(buf *out, str name, dialect d);

// A table that may be known under the name of its schema, SCHEMA.TABLE: as two
// names where the dialect follows PostgreSQL's.
void name_add_table(buf *out, str name, dialect d);

// A text of our own, in which $0 to $9 stand for these names in quotes, @0 to
// @9 for tables, #0 to #9 for texts as they are.
void name_fill(buf *out, const char *form, const str *names, dialect d);

// The same; a NUL byte follows it.
str name_statement(arena *a, const char *form, const str *names, dialect d);

// Between `open` and `close`; a `close` inside is doubled. For systems that
// say which quotes they take.
void name_add_between(buf *out, str name, char open, char close);

str name_literal(arena *a, str text);  // 'it''s'

// In a text that people and models read: quotes only around what is no word
// or one that SQLite reserves (a model copies the schema's spelling), control
// characters as blanks.
void name_add_readable(buf *out, str name);

#endif  // ASSAY_SQL_NAME_H
