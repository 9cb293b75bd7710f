/*
 * relation_values.h - which constants a query has, and what they meet there;
 * its blocks and its aggregates beside them. Of any query that is bound.
 */
#ifndef ASSAY_RELATION_RELATION_VALUES_H
#define ASSAY_RELATION_RELATION_VALUES_H

#include "schema/bind.h"

typedef enum met_role {
    MET_EQUAL,  // x = c, x <> c
    MET_LOW,    // x > c, BETWEEN c AND ...
    MET_HIGH,
    MET_LIST,  // x IN (c, d)
    MET_PATTERN,
    MET_LIMIT,
    MET_OFFSET,
    MET_OTHER,  // an argument, an operand, an item
} met_role;

typedef struct met_value {
    const ast *node;   // the constant, or an IN with a list of nothing else
    const ast *first;  // the constant, or the first of that list
    met_role role;
    const ast *beside;  // what it is compared with; NULL: nothing
    sql_operator how;   // beside how node; NONE: NOT BETWEEN, or no comparison
    const ast *in;      // what it stands in
    int no;             // its place among others there
    const bound_block *block;  // the innermost around it; NULL: none
} met_value;

typedef struct met_call {
    const ast *node;
    const ast *of;  // its first argument; NULL: none
    const bound_block *block;
} met_call;

typedef vec_of(const bound_source *) source_list;

typedef struct relation_values {
    vec_of(met_value) values;            // in the order of the text
    vec_of(met_call) aggregates;         // likewise
    vec_of(const bound_block *) blocks;  // of SELECTs, outer ones first
    vec_of(const ast *) excluded;  // x of x NOT IN (SELECT ...), of EXCEPT
    bool has_outer;                // a join that pads
} relation_values;

relation_values relation_values_of(arena *a, const binding *b);

// `beside` or what it stands in, in words that do not depend on how the query
// is written: "singer.age", "count(*)".
str relation_place_of(arena *a, const binding *b, const met_value *v);

// Adds the texts of a tree, without the wildcards at their ends.
str relation_without_wildcards(str pattern);
void relation_add_texts(arena *a, const ast *n, str_list *out);

typedef vec_of(const ast *) node_list;

// If none of them is equal to it.
void node_list_add(arena *a, node_list *list, const ast *n);

typedef enum node_scope {
    NODES_ALL,
    NODES_OF_BLOCK,  // not what lies in its queries
    NODES_WEIGHED,   // nor what COUNT counts: what that is does not matter
} node_scope;

// The nodes of an expression, parents first.
node_list relation_nodes_of(arena *a, const ast *n, node_scope scope);

// Each node of a query and of those that it reads from, CTEs and views too,
// once; what lies below a node for which `visit` returns false is left out.
// `q`: the node is this query; else NULL.
typedef bool query_visit(void *context, const bound_query *q, const ast *n);
void relation_each_node(const binding *b,
                        query_visit *visit,
                        void *context,
                        arena scratch);

// Whose columns an expression names, outside the queries in it; each as often
// as it does.
source_list relation_sources_in(arena *a, const binding *b, const ast *expr);

// The column that calls, casts and collations are made of: d of date(d), of
// strftime('%Y', d); NULL: they are of something else.
const ast *relation_column_in(const ast *e);

bool relation_is_constant(const binding *b, const ast *n);

// Is it an aggregate of the rows of a group, no window?
bool relation_totals(const binding *b, const ast *n);

#endif  // ASSAY_RELATION_RELATION_VALUES_H
