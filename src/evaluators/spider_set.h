/*
 * spider_set.h - Spider's exact set match, as released and as the paper
 * repaired it, and its hardness [003 5, 7.1].
 *
 * The definitions, faults included, are in definitions/spider.md.
 */
#ifndef ASSAY_EVALUATORS_SPIDER_SET_H
#define ASSAY_EVALUATORS_SPIDER_SET_H

#include "evaluators/spider_query.h"
#include "table/verdict.h"

// The components that are compared, in the order in which they are printed.
typedef enum spider_part {
    SPIDER_PART_SELECT,
    SPIDER_PART_SELECT_NO_AGG,
    SPIDER_PART_WHERE,
    SPIDER_PART_WHERE_NO_OP,
    SPIDER_PART_GROUP_NO_HAVING,
    SPIDER_PART_GROUP,
    SPIDER_PART_ORDER,
    SPIDER_PART_AND_OR,
    SPIDER_PART_IUEN,
    SPIDER_PART_KEYWORDS,
    SPIDER_PARTS,
} spider_part;

extern const str spider_part_words[SPIDER_PARTS];  // "select(no AGG)"

typedef struct spider_match {
    bool is_exact;    // set:spider
    bool is_adapted;  // set:adapted: and the ON conditions are the same
    bool pred_parses;
    part_count parts[SPIDER_PARTS];  // f1 of one is 1 if it is right, else 0
} spider_match;

// Compares a prediction with a gold that parses. `pred` NULL stands for one
// that does not parse. `s` is what both were read with; `keys` are its foreign
// keys (tables.json), or NULL.
spider_match spider_set_match(const spider_query *gold,
                              const spider_query *pred,
                              const schema *s,
                              const schema *keys,
                              arena *a,
                              arena scratch);

// "easy", "medium", "hard", "extra"; by the counts of components 1 and 2 and
// of others.
str spider_hardness(const spider_query *gold);
str spider_level(ptrdiff_t clauses, ptrdiff_t nested, ptrdiff_t others);

#endif  // ASSAY_EVALUATORS_SPIDER_SET_H
