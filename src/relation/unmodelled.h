/*
 * unmodelled.h - what a query reads that no witness can hold: tables
 * whose rows a module makes up (full-text search, R-Trees), and columns that
 * the server keeps for itself (ctid).
 */
#ifndef ASSAY_RELATION_UNMODELLED_H
#define ASSAY_RELATION_UNMODELLED_H

#include "schema/schema.h"
#include "sql/ast.h"

// In words, for a verdict; empty: everything the query names is modelled.
str unmodelled(const ast *query, const schema *s, dialect d, arena *a);

// Is there a name that may mean a column or an alias, so that only the system
// can tell? DuckDB allows aliases in HAVING and in expressions of ORDER BY; in
// some places columns come first, in others last.
bool names_two_ways(const ast *query, dialect d);

// Is the row of an IN looked up by one of them, so that keys decide how SQLite
// finds it?
bool looks_rows_up(const ast *left, const ast *right);

// Does one of them read a rowid, which only a key gives a value that lasts?
bool reads_rowid(const ast *left, const ast *right);

#endif  // ASSAY_RELATION_UNMODELLED_H
