/*
 * schema.h - the tables, columns and keys of a database, as plain data.
 *
 * Names are as the database spells them, tables in the order in which it
 * lists them.
 */
#ifndef ASSAY_SCHEMA_SCHEMA_H
#define ASSAY_SCHEMA_SCHEMA_H

#include "base/arena.h"

typedef struct schema_table {
    str name;
    const str *columns;
    ptrdiff_t n_columns;
} schema_table;

// One column refers to another.
typedef struct schema_key {
    str child_table;
    str child_column;
    str parent_table;
    str parent_column;  // empty: the primary key of the parent
} schema_key;

typedef struct schema {
    const schema_table *tables;
    ptrdiff_t n_tables;
    const schema_key *keys;  // of foreign keys, column by column
    ptrdiff_t n_keys;
} schema;

#endif  // ASSAY_SCHEMA_SCHEMA_H
