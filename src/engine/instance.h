/*
 * instance.h - the rows of all tables of a schema: a small database as plain
 * data, before any engine has seen it.
 */
#ifndef ASSAY_ENGINE_INSTANCE_H
#define ASSAY_ENGINE_INSTANCE_H

#include "base/hash.h"
#include "schema/schema.h"
#include "table/value.h"

typedef struct instance_table {
    value *cells;  // row by row, all columns of the table; those of
                   // generated columns are not looked at
    ptrdiff_t n_rows;
} instance_table;

typedef struct instance {
    const schema *schema;
    instance_table *tables;  // by table of the schema; a view has no rows
} instance;

// The cell of a row.
value instance_at(const instance *i, int32_t t, ptrdiff_t row, int32_t column);

// Do two rows of a table agree in these columns, none of which is NULL?
bool instance_agrees(const instance *i,
                     int32_t t,
                     const int32_t *columns,
                     ptrdiff_t n,
                     ptrdiff_t one,
                     ptrdiff_t two);

// The row of the parent that row `row` of the child refers to; -1: none, and
// -2: it need not refer to any, for a column of the key is NULL. A key of TEXT
// refers to the number that it spells. Does a row refer to none?
ptrdiff_t instance_parent(const instance *i,
                          const schema_key *key,
                          ptrdiff_t row);
bool instance_has_orphan(const instance *i, const schema_key *key);

// A copy of the rows; texts stay borrowed, or are copied as well.
instance instance_copy(arena *a, const instance *i);
instance instance_keep(arena *a, const instance *i);

// The same rows without `n` of a table from row `from` on; borrows the others.
instance instance_without(arena *a,
                          const instance *i,
                          ptrdiff_t no,
                          ptrdiff_t from,
                          ptrdiff_t n);

// Equal keys mean the same rows in the same order: 1 is not 1.0.
hash128 instance_key(const instance *i);

// How SQLite writes a value.
void instance_add_value(buf *out, value v);

// The same in the dialect of a schema: "INSERT INTO t", "(a, b)" with the
// columns that are stored, and "(1, 'x')" with the values of a row in these.
void instance_add_insert(buf *out, const schema_table *t, dialect d);
void instance_add_columns(buf *out, const schema_table *t, dialect d);
void instance_add_row(buf *out,
                      const schema_table *t,
                      const value *row,
                      dialect d);

// Its INSERT statements, one a row, parents before children. Columns that hold
// NULL and have no default are left out where that is shorter.
void instance_to_sql(buf *out, const instance *i, arena scratch);

// The same for users: in one transaction where keys form a cycle, as they hold
// only once all rows are there.
void instance_to_script(buf *out, const instance *i, arena scratch);

#endif  // ASSAY_ENGINE_INSTANCE_H
