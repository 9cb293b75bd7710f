// build_internal.h - what the files that build blocks share.
#ifndef ASSAY_RELATION_BUILD_INTERNAL_H
#define ASSAY_RELATION_BUILD_INTERNAL_H

#include "relation/build.h"
#include "relation/normal.h"

// What the columns of the sources of one SELECT are. The blocks of a CTE are
// built once for each use, so a source is looked up from the inside out.
typedef struct build_scope build_scope;
struct build_scope {
    const build_scope *outer;
    const bound_block *bound;
    block *block;
    const term *const **columns;  // by number of the source, then by column
    const term **rowids;          // by number of the source; NULL: none
    const term **outputs;         // of the select list; NULL: not yet
};

// A FULL JOIN, from its other side.
typedef struct turned_join {
    instance *full;
    block *body;
} turned_join;

typedef struct builder {
    prover *p;
    const build_scope *scope;
    int depth;
    int n_terms;    // terms that the block at hand stands in
    instance *row;  // in a generated column: whose columns names mean
    int n_nested;   // generated columns that are being built
    vec_of(turned_join) turned;
    int n_full;  // FULL JOINs that were built: the sides of each more than once
} builder;

block *build_any(builder *b, const bound_query *q);
// Bare literals become what they are outside the query; NULL: it was NULL, or
// too large. Rows of VALUES must have one type for that: stops otherwise.
block *build_settle(builder *b, block *body);
bool build_agrees(builder *b, const block *rows, const block *row);
block *build_subquery(builder *b, const ast *query);
// Adds the conjuncts of a condition; of none nothing.
void build_conditions(builder *b, term_list *set, const ast *n);
void build_from(builder *b, const ast *n);  // into the block of the scope
// Each FULL JOIN of the block begins with the side of which WHERE wants rows.
void build_turn(builder *b, const block *out);
// Whether a query that calls it may end with an error for what it is given, so
// that leaving it out changes more than a value: JSON.
bool build_may_fail(str name);
// Subqueries that aggregate become sources, once all but them is built.
void build_unnest(builder *b, block *out);
const term *build_term(builder *b, const ast *n);
// Adds all of a list; false: one of them cannot be read.
bool build_terms(builder *b, const ast *list, term_list *out);
// What rows are sorted by, here by the term that `n` is.
sort_term build_sort(const builder *b, const ast *n, const term *t);
const term *build_call(builder *b, const ast *n);
const term *build_literal(builder *b, const ast *n);
const term *build_output(builder *b, int32_t output);
// What stands for a column of a table: what it is generated from, or itself.
const term *build_generated(builder *b, const term *column);
const term *build_column(builder *b, const bound_source *s, int32_t column);

#endif  // ASSAY_RELATION_BUILD_INTERNAL_H
