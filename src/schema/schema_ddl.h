/*
 * schema_ddl.h - a schema from CREATE statements.
 *
 * CREATE TABLE and CREATE VIEW, CREATE UNIQUE INDEX and ALTER TABLE ... ADD of
 * keys count; other statements of a dump (INSERT, SET, COMMENT) are passed
 * over.
 */
#ifndef ASSAY_SCHEMA_SCHEMA_DDL_H
#define ASSAY_SCHEMA_SCHEMA_DDL_H

#include "base/diag.h"
#include "schema/schema.h"
#include "sql/dialect.h"

// The trees of the schema borrow from `sql`. False with messages when a CREATE
// TABLE could not be understood; the schema then holds the rest. `file` is for
// messages. `home` is the system that is to keep its rows: SQLite, or the one
// that the statements were written for.
bool schema_from_ddl(schema *s,
                     arena *a,
                     str file,
                     str sql,
                     dialect from,
                     dialect home,
                     diag *d,
                     arena scratch);

// The same of what somebody gave as a schema: false, with a message that says
// what it is, where no CREATE TABLE is in it.
bool schema_from_given(schema *s,
                       arena *a,
                       str file,
                       str sql,
                       dialect from,
                       dialect home,
                       diag *d,
                       arena scratch);

// The CREATE statements of a schema for the system that keeps its rows, one a
// line, tables first. `keeps_keys`: with keys, NOT NULL, checks and foreign
// keys; else the bare columns. Foreign keys that are not sound become a comment
// (SQLite) or are left out (PostgreSQL).
void schema_to_ddl(buf *out, const schema *s, bool keeps_keys, arena scratch);

// One table or view as a person or a model gets to read it: an item a line,
// with foreign keys that are not sound as comments after it.
void schema_show_table(buf *out, const schema *s, int32_t table, arena scratch);

// The type of a column in PostgreSQL or DuckDB, and whether that is another one
// than was declared: of those that only their makers know.
str schema_type_in(const schema_column *c, dialect d);
bool schema_is_foreign_type(const schema_column *c, dialect d);

// The condition, to SQLite, that a value of the column does not fit its type as
// the assumption `types` has it. May any not?
bool schema_may_misfit(const schema_column *c);
void schema_add_misfit(buf *sql, const schema_column *c);

#endif  // ASSAY_SCHEMA_SCHEMA_DDL_H
