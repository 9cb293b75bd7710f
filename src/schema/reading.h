// reading.h - which tables and columns a pair of queries reads.
#ifndef ASSAY_SCHEMA_READING_H
#define ASSAY_SCHEMA_READING_H

#include "schema/bind.h"

typedef struct reading {
    const schema *schema;
    bool *tables;    // by table of the schema, views too
    bool **columns;  // by table and column
} reading;

reading reading_new(arena *a, const schema *s);

// Adds what a query reads, in any clause and any subquery; in place of a
// generated column what it is computed from.
void reading_add(reading *r, const binding *b);

// Adds what an expression of the schema names: of a check, of an index of the
// table.
void reading_add_named(reading *r, ptrdiff_t table, const ast *expr);

#endif  // ASSAY_SCHEMA_READING_H
