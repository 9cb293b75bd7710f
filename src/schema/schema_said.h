/*
 * schema_said.h - what a declaration says of rows, in the words of the system
 * that keeps them: checks, unique indexes, what columns are computed from.
 */
#ifndef ASSAY_SCHEMA_SCHEMA_SAID_H
#define ASSAY_SCHEMA_SCHEMA_SAID_H

#include "schema/schema.h"

// What `from` wrote of the table, in the words of `home`: SQLite, or the same
// system. NULL: it has none for it.
const ast *schema_said(arena *a,
                       const schema_table *t,
                       const ast *expr,
                       dialect from,
                       dialect home,
                       arena scratch);

// The same of a CREATE UNIQUE INDEX, which may name columns of its table only;
// false: there are none.
bool schema_index_said(schema_unique_index *out,
                       arena *a,
                       const schema_table *t,
                       const ast *create,
                       dialect from,
                       dialect home,
                       arena scratch);

// Does it name, by no more than its name, what is no column of the table?
bool schema_names_others(const schema_table *t, const ast *expr);

// "x" in a check, where it is a text to the system: the column of that name, if
// there is one, for such a file quotes its names; else 'x'. Changes the tree.
void schema_read_quoted(arena *a, const schema_table *t, const ast *check);

#endif  // ASSAY_SCHEMA_SCHEMA_SAID_H
