/*
 * schema_catalogue.h - a schema from the rows of a system's catalogue.
 *
 * Every server keeps the same lists of its tables under other names. An
 * engine says how to get each as rows of texts; what they mean is here.
 */
#ifndef ASSAY_SCHEMA_SCHEMA_CATALOGUE_H
#define ASSAY_SCHEMA_SCHEMA_CATALOGUE_H

#include "base/diag.h"
#include "schema/schema.h"

// The lists, with their columns. Rows of a table, and of a key in it, come
// together, columns of a key in their order; a flag is "1" or anything else.
typedef enum catalogue_part {
    CATALOGUE_COLUMNS,  // table, column, type, is not null, (of any column)
                        // whether its rows are made up, what it is computed
                        // from, the name of an enumeration
    CATALOGUE_UNIQUES,  // table, key, column, is primary (these come first)
    CATALOGUE_INDEXES,  // table, CREATE INDEX: unique ones that are no key
    CATALOGUE_CHECKS,   // table, condition
    CATALOGUE_KEYS,     // table, key, column, parent, its column
    CATALOGUE_OTHERS,   // name of what can be read and is none of the tables
    CATALOGUE_PARTS,
} catalogue_part;

enum {
    CATALOGUE_MOST_COLUMNS = 7
};

// CATALOGUE_MOST_COLUMNS cells a row
typedef str_list catalogue_rows;

// Appends a row of empty cells, to be set at once.
str *catalogue_add(catalogue_rows *rows, arena *a);

typedef struct catalogue {
    // Appends the rows of a part, none where the system has no such list. False
    // with a message when they cannot be had.
    bool (*ask)(void *context,
                catalogue_part part,
                catalogue_rows *rows,
                arena *a,
                diag *d);
    void *context;
    dialect types;   // in whose words the types are
    dialect checks;  // and the conditions; whose system it is
} catalogue;

// False with a message when a list cannot be had: the schema is then empty.
bool schema_from_catalogue(schema *s, const catalogue *c, arena *a, diag *d);

#endif  // ASSAY_SCHEMA_SCHEMA_CATALOGUE_H
