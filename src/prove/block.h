/*
 * block.h - a SELECT as the prover sees it, and the state of a prover.
 *
 * Meaning of a select block: of the product of its inner sources, each outer
 * source joined from the left on its own conditions, those rows for which all
 * conditions `where` are true; then groups, HAVING, items, DISTINCT, ORDER BY,
 * LIMIT. The ON of an outer source speaks of inner sources, of itself and of
 * outer sources before it; so their order says nothing that ON does not.
 */
#ifndef ASSAY_PROVE_BLOCK_H
#define ASSAY_PROVE_BLOCK_H

#include "prove/prove.h"
#include "prove/term.h"

enum {
    REWRITES_MAX = 40,       // rule applications of a block
    PERMUTATIONS_MAX = 720,  // orders of equal tables
    HEIGHT_MAX = 400,        // of a term
    DEPTH_MAX = 60,          // of blocks in blocks
    WORK_MAX = 200000,       // terms visited, for a query
    LIST_MAX = 1000,         // branches of a condition
    SOURCES_MAX = 40,        // of a block
    FORM_MAX = 1 << 22,      // bytes of forms written, for a query
};

// Columns that hold the same value in every row of the block.
typedef struct term_class {
    term_list members;
    str name;  // in the form at hand: that of its representative
} term_class;

struct instance {
    int32_t no;                      // in the order of making
    int32_t table;                   // of the schema; -1: a block
    const schema_table *columns_of;  // NULL: a block
    block *body;                     // NULL: a table
    bool is_outer;  // on the side of a LEFT JOIN that is padded
    term_list on;   // its conditions then
    // For a while:
    instance *twin;        // while copying
    int32_t number;        // in the form at hand
    str name;              // what it is in the form at hand
    const str *items;      // of a block: what its columns are there
    int32_t slot;          // of its first column in a closure
    int place;             // among its equals
    term_class **classes;  // by column + 1; NULL: not computed
};

typedef struct sort_term {
    const term *term;
    bool is_descending;
    bool nulls_last;
} sort_term;

typedef enum set_operator {
    SET_NONE,
    SET_UNION,
    SET_INTERSECT,
    SET_EXCEPT,
} set_operator;

struct block {
    int32_t no;
    int32_t pos;  // of the SELECT in the text
    int32_t len;
    set_operator set;
    bool is_all;  // of a set operation
    block *left;
    block *right;
    struct {
        instance **ptr;
        ptrdiff_t len;
        ptrdiff_t cap;
    } sources;
    term_list where;
    term_list select;
    bool is_grouped;  // one row for each group, or for all rows
    bool has_group;   // a GROUP BY, perhaps of nothing
    term_list group;
    term_list having;
    struct {
        sort_term *ptr;
        ptrdiff_t len;
        ptrdiff_t cap;
    } order;
    const term *limit;   // NULL: none
    const term *offset;  // NULL: none
    bool distinct;
    bool is_unique;  // DISTINCT changes nothing and was not asked for
    bool is_source;  // a derived table
    bool is_test;    // under EXISTS: only whether there are rows counts
    bool is_result;  // the query itself: nothing compares its columns
};

struct prover {
    arena *a;
    const binding *bound;
    const prove_options *options;
    prove_side side;
    bool uses_types;      // thresholds of whole numbers, only where they help
    bool has_collations;  // a table at hand has one but BINARY and NOCASE,
                          // under which a number as text is another
    str obstacle;         // not empty: nothing can be proved
    unsigned used;        // ASSUME_*
    unsigned locals;      // bits of local_rule that were used
    unsigned touched;     // ASSUME_* that the rule at hand relies on
    int32_t n_terms;
    int32_t n_instances;
    int32_t n_blocks;
    int32_t work;
    int32_t depth;         // of the form at hand
    int32_t n_averages;    // calls of AVG in the text
    int32_t n_failing;     // calls in it that fail when numbers grow too large
    int32_t n_sums;        // those of them that are SUM as an aggregate
    ptrdiff_t n_replayed;  // steps of the script that are done
    const term **slots;    // of all terms; open addressing
    ptrdiff_t n_slots;
    ptrdiff_t form_bytes;
    struct {
        proof_step *ptr;
        ptrdiff_t len;
        ptrdiff_t cap;
    } steps;
};

// Remembers the first obstacle; always returns NULL.
void *prover_stop(prover *p, str obstacle);
bool prover_stopped(const prover *p);

// Whether an assumption may be used; the rule at hand then relies on it.
bool prover_assumes(prover *p, unsigned bits);

// Are the queries PostgreSQL's? There LIKE tells letters apart, texts have the
// order of a collation, a CAST is to one of many types.
bool prover_is_typed(const prover *p);

block *block_new(prover *p);
instance *instance_new(prover *p);
int32_t instance_columns(const instance *i);

bool block_has(const block *b, unsigned has);  // HAS_* in items, HAVING, ORDER
bool block_uses(const block *b, const instance *i);  // anywhere in it
void block_add_source(prover *p, block *b, instance *i);
void block_remove_source(block *b, const instance *gone);
ptrdiff_t block_outputs(const block *b);
// What a column of a block says, of a set operation its left side.
const term *block_output(const block *b, int32_t column);

void block_rewrite(rewrite *r, block *b);
block *block_copy(prover *p, const block *b);
block *block_copy_in(rewrite *r, const block *b);  // and visits what is copied

// Every appearance of the column becomes the term.
void block_replace(prover *p,
                   block *b,
                   instance *source,
                   int32_t column,
                   const term *to);

// The columns of a source become the items of its body: the same values with
// the types that the columns had.
void block_replace_outputs(prover *p, block *b, instance *source);

typedef void block_visit(void *context, const term *t);
void block_each(const block *b, block_visit *visit, void *context);

#endif  // ASSAY_PROVE_BLOCK_H
