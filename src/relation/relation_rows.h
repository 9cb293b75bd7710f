/*
 * relation_rows.h - a group has its rows: what is known of rows and groups of
 * one table, beside its keys and foreign keys.
 *
 * A derived table may group a table: one source, padded by nobody, no LIMIT, no
 * window. Its WHERE says which rows of that table are in its groups; each of
 * these is in one group, and HAVING leaves some of the groups. So each group
 * has a row in the table, one with the least (or greatest) of any column, too;
 * and each such row has one group, if HAVING says nothing.
 *
 * An occurrence of the table beside the derived table finds either by holding
 * its columns equal to what shows the keys, as groups compare them. NULL is a
 * key that is equal to none.
 */
#ifndef ASSAY_RELATION_RELATION_ROWS_H
#define ASSAY_RELATION_RELATION_ROWS_H

#include "relation/relation_class.h"

// A row of the table and a group of it, and what conditions say of both.
typedef struct row_group {
    instance *row;
    instance *groups;
    term_list links;      // conditions that hold a column of the row equal
    term_list columns;    // these columns, in the order of `links`, to
    term_list shown;      // what of the group shows them: a key, or
    const term *extreme;  // of one link the MIN or MAX; NULL: of none
    term_list rest;       // the other conditions
} row_group;

// Whether the derived table groups the table, and some condition links both.
bool know_row_group(prover *p,
                    const term_list *conditions,
                    instance *row,
                    instance *groups,
                    row_group *out);

// Whether all rows in the groups satisfy the condition on the row.
bool row_group_holds(prover *p, const row_group *g, const term *condition);

// What the only table of a block asks of its rows beside what is known of this
// row, if it satisfies the conditions of `b` but for one (NULL: all of them);
// false: it is of another table.
bool know_rest_of_row(prover *p,
                      const block *of,
                      instance *row,
                      const block *b,
                      const term *but,
                      term_list *rest);

// Whether that is nothing: the row is among those of the block, before these
// are grouped.
bool know_takes_row(prover *p, const block *of, instance *row, const block *b);

// MIN(c) or MAX(c) of a column in which equal values are identical.
bool know_extreme(prover *p, const term *item, const term *c);

// Whether a row that is in a group is in the one that is linked to it.
bool row_group_is_own(prover *p, const row_group *g);

// Whether each group finds a row by the conditions; whether each row of the
// block finds a group.
bool row_group_has_row(prover *p, const row_group *g);
bool row_group_has_group(prover *p, const row_group *g, const block *b);

// A condition that says of two rows of one table that they are not one row, by
// a key of which all columns but those in `same` count; NULL: none tells.
const term *know_other_row(prover *p,
                           instance *one,
                           instance *other,
                           const term_list *same);

// The column that a comparison holds against the same one of another row of
// its table; NULL: it compares something else.
const term *term_against(const term *t, const instance *other);

// The term, with copies of its subqueries, of another occurrence of the table.
const term *term_of_other(prover *p,
                          const term *t,
                          instance *from,
                          instance *to);

#endif  // ASSAY_RELATION_RELATION_ROWS_H
