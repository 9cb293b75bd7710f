// row_internal.h - what the files that make rows share; for them alone.
#ifndef ASSAY_SAMPLE_ROW_INTERNAL_H
#define ASSAY_SAMPLE_ROW_INTERNAL_H

#include "sample/sample_internal.h"

// A row under construction.
typedef struct row_draft {
    int32_t table;
    value *cells;
    bool *is_set;
    int attempt;
} row_draft;

static inline const schema_table *row_table(const row_builder *b, int32_t table)
{
    return &b->m->s->tables[table];
}

// A row that has been made.
static inline const value *row_at(const row_builder *b,
                                  int32_t table,
                                  ptrdiff_t row)
{
    return b->tables[table].cells + row * row_table(b, table)->n_columns;
}

// What a draft or a wanted row says of a foreign key.
typedef struct key_cells {
    bool are_set;  // all of them
    bool has_null;
    ptrdiff_t n_set;
} key_cells;

key_cells row_key_cells(const schema_key *k,
                        const value *cells,
                        const bool *is_set);

static inline int32_t row_id(const row_builder *b,
                             const row_draft *d,
                             int32_t column)
{
    return b->m->first[d->table] + column;
}

static inline void row_set(row_draft *d, int32_t column, value v)
{
    d->cells[column] = v;
    d->is_set[column] = true;
}

static inline bool row_may_be_null(const row_builder *b,
                                   int32_t table,
                                   int32_t column)
{
    return b->m->columns[b->m->first[table] + column].may_be_null;
}

// A row that is there as a draft, all of it set.
row_draft row_draft_of(row_builder *b, int32_t table, ptrdiff_t row);

// The row and the last one of the table change places.
void row_swap_last(row_builder *b, int32_t table, ptrdiff_t row);

// A value for a column of a key.
value row_draw_key(row_builder *b, const row_draft *d, int32_t column);

// row_pool.c: the values that a column draws from in this instance; NULL of an
// empty list.
const value_list *row_pool(row_builder *b, int32_t id);
const value *row_pick(row_builder *b, const value_list *list);
// Draws so many of the values common to columns of its shape, and adds those
// that it can hold.
void row_add_common(row_builder *b, value_list *out, int32_t id, ptrdiff_t n);

// row_parent.c: gives the draft a parent, or NULL in its place; false when it
// can have neither.
bool row_fill_key(row_builder *b, row_draft *d, const schema_key *k);

// A late key (schema_key_is_late()) waits for the rows of its parent, with NULL
// in it where it may have some and nothing else is wanted.
void row_leave_open(row_builder *b, row_draft *d, const schema_key *k);

// Has the finished draft all the parents that it refers to, those of late keys
// not counted?
bool row_has_parents(const row_builder *b, const row_draft *d);

// Takes out the rows whose late keys refer to none.
void row_drop_orphans(row_builder *b);

// Wants the parents of the wanted rows of a table.
void row_want_parents(row_builder *b, int32_t table);

#endif  // ASSAY_SAMPLE_ROW_INTERNAL_H
