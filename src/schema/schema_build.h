// schema_build.h - what those who make schemas share; for them alone.
#ifndef ASSAY_SCHEMA_SCHEMA_BUILD_H
#define ASSAY_SCHEMA_SCHEMA_BUILD_H

#include "schema/schema.h"

// A foreign key as declared, when its parent may not be known yet.
typedef struct key_draft {
    int32_t child;           // table
    const int32_t *columns;  // of the child
    const str *targets;      // of the parent; NULL: its primary key
    ptrdiff_t n;
    str parent;
    bool is_unenforced;
} key_draft;

// A column of that name and declared type, as SQLite takes it.
schema_column schema_column_of(str name, str type);

// The same, as the system of that dialect takes it.
schema_column schema_column_in(str name, str type, dialect d);

// Once the columns of a table are known: how to find one of many by its name.
void schema_index(schema_table *t, arena *a);

// The same for tables, where their names differ; schema_set_keys does it, too.
void schema_index_tables(schema *s, arena *a);

// Does a key of these columns make its only column SQLite's rowid?
bool schema_is_rowid_key(const schema_table *t, const schema_unique *key);

// Makes the foreign keys of a schema whose tables are complete.
void schema_set_keys(schema *s, arena *a, const key_draft *drafts, ptrdiff_t n);

// A blank and the type of a column in SQLite's words; nothing where it has no
// type.
void schema_add_sqlite_type(buf *out, const schema_column *c, bool is_strict);

// The same for people and models, as it was declared; in quotes where it is no
// type.
void schema_add_readable_type(buf *out, const schema_column *c);

// Does SQLite understand the expression of a check or a generated column?
bool schema_is_portable(const ast *expr);

// The same, where it may name columns of that table only.
bool schema_is_portable_on(const schema_table *t, const ast *expr);

// The index of a CREATE UNIQUE INDEX, in SQLite's words.
schema_unique_index schema_index_in(arena *a, ast *create, dialect d);

// May the index be made in SQLite and elsewhere? It names columns of its table
// only.
bool schema_is_portable_index(const schema_table *t,
                              const schema_unique_index *u);

// "x" in a check, where it is a text to the system: the column of that name, if
// there is one, for such a file quotes its names; else 'x'. Changes the tree.
void schema_read_quoted(arena *a, const schema_table *t, const ast *check);

// Says in SQLite's words what other systems write into a check: without `::`,
// = ANY (ARRAY[...]) as IN (...).
ast *schema_simplify(arena *a, ast *expr);

// The same for the query of a view: x::t as CAST(x AS t), tables without the
// name of their schema.
bool schema_is_portable_query(const ast *query);
void schema_simplify_query(ast *query);

#endif  // ASSAY_SCHEMA_SCHEMA_BUILD_H
