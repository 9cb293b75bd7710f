/*
 * clauses.h - a query as lists of what it asks for, clause by clause, so that
 * two queries can be compared and what differs can be said.
 *
 * Each fact has a key in which everything is left out that does not change
 * what is asked: names of aliases, the order of conjuncts and joins, which of
 * two equated columns is named, whether an equality stands in ON or WHERE,
 * how a comparison is written (a > b, b < a, NOT a <= b). Constants are not
 * in the key; `whole` has them. Which of several uses of one table is which
 * is found by trying: two queries have the same keys when some way to pair
 * their tables makes them equal.
 *
 * Keys are made of trees, not of the terms of relation.h: what names a column
 * that is not there, or cannot be read, differs in clauses as any query does,
 * and order_keys.h asks without a schema. Of the queries that models write one
 * in fifteen has no terms.
 *
 *     clauses gold = clauses_of(&a, gold_binding, options, NULL, scratch);
 *     clauses pred = clauses_of(&a, pred_binding, options, &gold, scratch);
 *     clause_diff d = clauses_compare(&a, &gold, &pred);
 */
#ifndef ASSAY_RELATION_CLAUSES_H
#define ASSAY_RELATION_CLAUSES_H

#include "base/part_count.h"
#include "schema/bind.h"

typedef enum clause_kind {
#define CLAUSE(constant, word) CLAUSE_##constant,
#include "relation/clause.def"
    CLAUSE_COUNT,
} clause_kind;

extern const str clause_words[CLAUSE_COUNT];  // "where"

// For people: as the query has it, but that tables are called by their names,
// not by aliases, so that two queries call them alike.
typedef struct clause_text {
    str bare;  // columns without their tables
    str full;
} clause_text;

typedef struct clause_fact {
    clause_kind kind;
    int no;  // in the order of the query
    str key;
    str whole;  // the key with its constants
    clause_text text;
} clause_fact;

typedef struct clauses clauses;

struct clauses {
    const clause_fact *facts;  // sorted by kind, then key
    ptrdiff_t n;
    str key;               // of all of it: equal keys, equal clauses
    const clauses *left;   // of a set operation
    const clauses *right;  // likewise
    bool is_joined;  // columns without tables would be ambiguous to people
    bool is_cut;     // too large to be compared; the rest is worth nothing
};

typedef struct clause_options {
    bool ignores_distinct;
} clause_options;

// `like`: where tables can be paired in several ways, choose the one with most
// facts of these; NULL: any fixed one.
clauses clauses_of(arena *a,
                   const binding *b,
                   clause_options options,
                   const clauses *like,
                   arena scratch);

// How an expression alone becomes a key. Columns of derived tables are then
// what they are computed from, and a query in it is just that.
typedef enum clause_key_kind {
    CLAUSE_KEY_FACT,    // in a fact: not alone
    CLAUSE_KEY_PLACE,   // without constants; columns with their tables
    CLAUSE_KEY_TABLES,  // with both
    CLAUSE_KEY_NAMES,   // with constants; columns by their names alone
} clause_key_kind;

// `block`: in which it stands.
str clause_key(arena *a,
               const binding *b,
               const bound_block *block,
               const ast *n,
               clause_key_kind kind);

typedef struct clause_diff {
    part_count parts[CLAUSE_COUNT];
    bool is_same;
    // "where: age > 20 is missing, age < 20 is too much"
    str_list words;  // at most CLAUSE_WORDS_MAX
} clause_diff;

enum {
    CLAUSE_WORDS_MAX = 12
};

clause_diff clauses_compare(arena *a, const clauses *gold, const clauses *pred);

#endif  // ASSAY_RELATION_CLAUSES_H
