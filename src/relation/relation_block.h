/*
 * relation_block.h - what a SELECT asks: making, walking, rewriting blocks and
 * the terms in them. Their data are in relation_term.h.
 *
 * Meaning of a select block: of the product of its inner sources, each outer
 * source joined from the left on its own conditions, those rows for which all
 * conditions `where` are true; then groups, HAVING, items, DISTINCT, ORDER BY,
 * LIMIT. The ON of an outer source speaks of inner sources, of itself and of
 * outer sources before it; so their order says nothing that ON does not.
 */
#ifndef ASSAY_RELATION_BLOCK_H
#define ASSAY_RELATION_BLOCK_H

#include "relation/relation_term.h"

block *block_new(prover *p);
instance *instance_new(prover *p);
instance *instance_of(prover *p, block *body);  // a derived table
// A SELECT of all columns of a derived table, nowhere in the text: no length.
block *block_around(prover *p, block *body);
int32_t instance_columns(const instance *i);

bool block_has(const block *b, unsigned has);  // HAS_* in items, HAVING, ORDER
// Whether the source is one of its own.
bool block_owns(const block *b, const instance *i);
int32_t block_place_of(const block *b, const instance *i);  // -1: it is not
bool block_has_outer(const block *b);  // a source that may be padded
bool block_has_limit(const block *b);  // or OFFSET
// DISTINCT from now on, if there are to be no repeats.
void block_check_repeats(block *b);
// Rows in, rows out: no groups, aggregates, windows, LIMIT; no set operation.
bool block_is_plain(const block *b);
bool block_is_union_all(const block *b);
// Whether all rows are one group, which is there even where there is no row.
bool block_is_one_group(const block *b);
// One row whatever the tables hold, in which nothing is the engine's choice:
// aggregates of all rows.
bool block_is_one_row(const block *b);
// Whether it only selects from tables, without outer join.
bool block_selects_tables(const block *b);
// Whether a column of the block stands there outside of its aggregates, or one
// of these in a subquery.
bool block_is_bare(const block *b, const term_list *l);
bool term_is_bare(const block *b, const term *t);
bool block_uses(const block *b, const instance *i);  // anywhere in it
bool term_uses(const term *t, const instance *i);
bool term_list_uses(const term_list *l, const instance *i);
// The block becomes another one, but for where it stands; and for its ORDER BY
// and LIMIT.
void block_become(block *b, const block *other);
void block_become_under(block *b, const block *other);
void block_add_source(prover *p, block *b, instance *i);
void block_remove_source(block *b, const instance *gone);
ptrdiff_t block_outputs(const block *b);
// Groups its rows by the keys.
void block_group_by(block *b, term_list keys);
// Its rows instead of its groups; what it asked of these is gone.
void block_ungroup(block *b);
// The column that shows the term, which is added where none does.
const term *instance_showing(prover *p, instance *s, const term *t);
// What a column of a block says, of a set operation its left side.
const term *block_output(const block *b, int32_t column);

/*
 * Replacing what lies in a term. `visit` gives what stands in place of a term,
 * or NULL to go on with its parts. Subqueries are changed in place; with
 * `copies` they are copied, and what is copied may be changed by `visit`.
 */
typedef struct rewrite rewrite;
typedef const term *rewrite_visit(rewrite *r, const term *t);
struct rewrite {
    prover *p;
    rewrite_visit *visit;
    uint16_t of;  // HAS_*: what lacks it is left as it is; 0: all may change
    bool copies;
    instance *from;  // for `visit`
    const term *to;
    const term *const *outputs;
    const int32_t *places;
    const term *wanted;
    const block *b;
    void *context;
    bool fails;    // something has no place where the term is to stand
    bool changes;  // a term of a list became another one
};

const term *term_rewrite(rewrite *r, const term *t);
void term_list_rewrite(rewrite *r, term_list *l);
term_list term_list_rewritten(rewrite *r, const term_list *l);  // a new one
// The same of conditions that hold together: they stay a set of such.
term_list conditions_rewritten(rewrite *r, const term_list *l);

/*
 * Walks: `visit` is asked about the term and all in it, subqueries too, and
 * says how to go on. Each gives the term at which it was ended; NULL: at none.
 */
typedef enum walk_step {
    WALK_PAST,  // not into its parts
    WALK_ON,
    WALK_END,
} walk_step;

typedef walk_step term_visit(void *context, const term *t);
const term *term_walk(const term *t, term_visit *visit, void *context);
const term *term_list_walk(const term_list *l,
                           term_visit *visit,
                           void *context);

// All terms of a block, in its sources, too; all but those in the bodies of its
// sources; items, HAVING and ORDER BY: what groups give.
const term *block_walk(const block *b, term_visit *visit, void *context);
const term *block_walk_own(const block *b, term_visit *visit, void *context);
const term *block_walk_results(const block *b,
                               term_visit *visit,
                               void *context);

void block_rewrite(rewrite *r, block *b);
block *block_copy(prover *p, const block *b);
// It, of the same sources: which ones, and the conditions of WHERE, are its own
// business, to be tried out.
block block_trial(prover *p, const block *b);
// Moves sources and conditions of a block into another.
void block_absorb(prover *p, block *into, const block *from);

// Replaces every occurrence of the column by the term.
void block_replace(prover *p,
                   block *b,
                   instance *source,
                   int32_t column,
                   const term *to);

// The same of any term.
void block_replace_term(prover *p,
                        block *b,
                        const term *wanted,
                        const term *to);

// What stands in place of `wanted`; for a rewriting.
rewrite_visit rewrite_wanted;

// The columns of a source become the items of its body: the same values with
// the types that the columns had.
void block_replace_outputs(prover *p, block *b, instance *source);

#endif  // ASSAY_RELATION_BLOCK_H
