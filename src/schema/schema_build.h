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

#endif  // ASSAY_SCHEMA_SCHEMA_BUILD_H
