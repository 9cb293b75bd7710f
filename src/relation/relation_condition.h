/*
 * relation_condition.h - the conditions of a tree in one form, of any query.
 *
 * NOT is carried down to what it is about, and into the comparison where there
 * is one that says so (NOT a <= b is a > b); BETWEEN is two comparisons, IN
 * (list) one for each item, CASE x WHEN one for each WHEN; == is = and != is
 * <>. What has no such form is opaque: it is known by its tree. Below the
 * comparisons are operands, of which one asks what they are made of.
 *
 *     condition c = condition_of(where, false);
 *     for (condition part = {0}; condition_next(&c, &part);) ...
 */
#ifndef ASSAY_RELATION_RELATION_CONDITION_H
#define ASSAY_RELATION_RELATION_CONDITION_H

#include "sql/ast.h"

typedef enum condition_kind {
    CONDITION_OPAQUE,
    CONDITION_ALL,   // all of its parts hold
    CONDITION_ANY,   // one of its parts holds
    CONDITION_PAIR,  // left how right, of any operator but AND, OR
} condition_kind;

typedef struct condition {
    condition_kind kind;
    bool is_denied;  // PAIR, OPAQUE: it does not hold. `how` says it of =, <>,
                     // <, <=, > and >=, of IS NOT and NOT LIKE only this
    bool has_not;    // NOT stands before `node`, as it is written
    sql_operator how;  // PAIR
    const ast *left;   // of what has two operands
    const ast *right;  // likewise; of IN a query or table, of EXISTS the query
    const ast *node;   // what stands below NOT; of a part of BETWEEN or IN that
    int no;            // of a part: the how manieth, from 1
} condition;

condition condition_of(const ast *n, bool is_denied);

// The part after `part`, first after an empty one; false: there are no more.
// The bounds of BETWEEN SYMMETRIC, which is opaque, are its parts, too, and so
// is x = y of CASE x WHEN y.
bool condition_next(const condition *of, condition *part);

// Item i of a row, and of anything else itself as the only one; NULL: there is
// none.
const ast *row_item(const ast *e, ptrdiff_t i);

// What a call (its first argument, followed by the others), a CAST or a COLLATE
// is made of; NULL: it is none of these, or of nothing. `word`: the function,
// "cast" or "collate".
const ast *operand_within(const ast *n, str *word);

// What is cast, or has a collation: below all of them.
const ast *operand_bare(const ast *n);

// The query in the place of an operand, be it in parentheses or not; NULL: it
// is another one.
const ast *operand_query(const ast *n);

// How b compares with a where a compares with b so.
sql_operator operator_turned(sql_operator o);

#endif  // ASSAY_RELATION_RELATION_CONDITION_H
