/*
 * form.h - the canonical form of a block as text: blocks with equal forms mean
 * the same.
 *
 * Sources are numbered; where a table stands several times, all ways of
 * numbering are tried and the least text is taken. [equivalence 6.5]
 */
#ifndef ASSAY_PROVE_FORM_H
#define ASSAY_PROVE_FORM_H

#include "relation/relation_block.h"

typedef enum form_items {
    ITEMS_IN_ORDER,
    ITEMS_SORTED,  // the order of columns does not count
    ITEMS_NONE,    // the columns do not count
} form_items;

// `items`, if not NULL, gets the text of each column.
str form_block(prover *p,
               const block *b,
               int32_t first,  // number of its first source
               form_items how,
               const str **items);

// Its ORDER BY, if that is asked for, and LIMIT.
str form_order(prover *p, const block *b, int32_t first, bool has_keys);

// Whether the sides of a set operation may be exchanged: nothing depends on
// whose type counts, nor on which of equal rows is kept.
bool form_sides_agree(prover *p, const block *b);

str form_term(prover *p, const term *t, int32_t first);
str *form_terms(prover *p, const term *const *list, ptrdiff_t n, int32_t first);

// The texts, each behind a blank, and a bracket that closes their list.
void form_add(buf *out, const str *list, ptrdiff_t n);

int form_sort(str *list, int n);  // without repeats; how many are left

#endif  // ASSAY_PROVE_FORM_H
