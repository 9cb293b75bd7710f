/*
 * pragmatic_internal.h - what the files about intents share; for them
 * alone.
 */
#ifndef ASSAY_METRIC_PRAGMATIC_INTERNAL_H
#define ASSAY_METRIC_PRAGMATIC_INTERNAL_H

#include "metric/leniency.h"
#include "metric/pragmatic_intent.h"
#include "relation/relation_condition.h"
#include "relation/relation_select.h"

enum {
    INTENT_DEPTH_MAX = 200,
    INTENT_QUERIES_MAX = 1000,  // of one text, each as often as it is read
};

// A condition speaks of both.
typedef struct intent_link {
    const bound_source *one;
    const bound_source *other;
} intent_link;

// The SELECT that is being read.
typedef struct intent_select {
    const bound_block *block;
    select_parts parts;
    bool counts_rows;  // it sums or counts rows, not distinct things
} intent_select;

typedef struct intent_reader {
    arena *a;
    const schema *s;  // of the binding
    const binding *b;
    intent_select in;
    uint32_t lenient;
    intent *out;
    vec_of(intent_link) links;  // of all blocks
    int depth;
    int n_queries;  // read so far
    arena scratch;
} intent_reader;

// Is the leniency on?
bool intent_passes(const intent_reader *r, uint32_t bit);

// The column that foreign keys of one column lead to.
bound_place intent_root(const schema *s, bound_place c);

// Does the column by itself tell the rows of its table apart?
bool intent_is_key(const schema *s, bound_place c);

// The stored column that an expression is, at the end of its foreign keys.
bound_place intent_place(intent_reader *r, const ast *e);

// What an alias or a position of the select list stands for.
const ast *intent_meant(intent_reader *r, const ast *e);

// ROUND(x, 2), CAST(x AS REAL), x * 100, LOWER(x), TRIM(x): x, where rounding,
// letter case and spelling do not matter.
const ast *intent_plain(intent_reader *r, const ast *e);

// The same as "table.column", not followed along keys.
str intent_show_own(intent_reader *r, const ast *e);

// pragmatic_block.c. The mark of a FROM that pairs everything with everything.
extern const str intent_unjoined;

extern const str intent_any_rows;  // how the rank of a bare LIMIT begins

// Is some fact so? Is this one there?
typedef bool intent_test(const intent_fact *f, const void *about);
bool intent_any(const intent_facts *all, intent_test *is, const void *about);
bool intent_has(const intent_facts *all, const intent_fact *f);

// Adds what is not there yet.
void intent_add(intent_reader *r, intent_kind to, str text);
void intent_add_fact(intent_reader *r, intent_kind to, intent_fact f);

// Of a table that refers to another by several columns (the one who likes, the
// one who is liked) it matters which one is meant: "by likes.liked_id". Empty
// for any other column.
str intent_role(intent_reader *r, const ast *e);
void intent_mark_role(intent_reader *r, const ast *e);
void intent_mark_items(intent_reader *r, const bound_query *q);

// The first source that it names, with each of the others.
void intent_link_sources(intent_reader *r, const condition *c);
void intent_count_distinct(intent_reader *r, const ast *what);
void intent_end_block(intent_reader *r, bool is_top);

// When all is read: marks "either" and "both", and tables that are only looked
// something up in are read no more.
void intent_end(intent_reader *r);

str intent_show_place(intent_reader *r, bound_place c);  // "singer.age"
str intent_show(intent_reader *r, const ast *e);         // any expression

#endif  // ASSAY_METRIC_PRAGMATIC_INTERNAL_H
