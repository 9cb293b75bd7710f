// relation_told.h - what determines what in the rows of a block.
#ifndef ASSAY_RELATION_TOLD_H
#define ASSAY_RELATION_TOLD_H

#include "relation/relation_class.h"

/*
 * The columns in which joined rows agree that agree in some others. Rows of a
 * group agree as their collation has it, which may be less than identity; so
 * each column is in the closure to a degree. Which row of a source it is, is
 * known besides: rows of a table without a key may look alike.
 */
typedef enum closure_degree {
    AGREE_NOT,
    AGREE_EQUAL,      // by the collation of the column
    AGREE_IDENTICAL,  // one value
} closure_degree;

typedef struct closure {
    const block *b;
    uint8_t
        *in;  // closure_degree, by the slot of a source and its column; in the
              // slot after its columns: of which row it is
    ptrdiff_t n;
} closure;

// Of rows that are equal in these columns, as groups and rows of DISTINCT are.
closure closure_of(prover *p, const block *b, const term_list *from);

// Of rows whose values there are identical.
closure closure_of_same(prover *p, const block *b, const term_list *from);

// Whether the value of the term is one; whether its values are equal as keys.
bool closure_has(const closure *c, const term *t);
bool closure_has_key(const closure *c, const term *t);

// Whether the term has one value in each group of the closure's block: also an
// expression that is grouped by where its values are equal only if they are
// identical.
bool closure_has_grouped(prover *p, const closure *c, const term *t);
bool know_group_has(prover *p, const block *b, const term *t);

// What the term, of one group of all rows, is where there is no row: NULL, or
// another literal, whatever its columns are; no term: that is not known.
const term *know_of_none(prover *p, const term *t);
bool know_null_of_none(prover *p, const term *t);

// Whether joined rows that agree in the closure are one and the same row; that
// are equal in these columns.
bool closure_covers(prover *p, const closure *c);
bool know_tells_rows(prover *p, const block *b, const term_list *from);

// Whether all columns of the source have one value; whether it is one row.
bool closure_has_source(const closure *c, const instance *i);
bool closure_has_row(const closure *c, const instance *i);

// Whether one row of the source may stand in several joined rows.
bool know_repeats(prover *p, const block *b, const instance *i);

// What the results of groups are made of.
typedef struct group_results {
    term_list aggregates;  // of items, HAVING and ORDER BY
    bool is_loose;  // also of a column that rows of one group may differ in
    bool is_bare;   // that, or a window over the groups
} group_results;

group_results know_results(prover *p, const block *b);

// Whether HAVING leaves groups of one row only: COUNT(*) = 1.
bool know_lone_groups(prover *p, const block *b);

// Whether the system picks what a group shows, of any of its rows. Where SQLite
// stands for another one, two of such columns need not come from one row.
bool know_picks(prover *p, const block *b);

#endif  // ASSAY_RELATION_TOLD_H
