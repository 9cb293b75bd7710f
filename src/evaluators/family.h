/*
 * family.h - what is done to the texts of gold and prediction before they run.
 *
 * Rule sets that send the same texts to the engine form a family: its queries
 * run once for all of them.
 */
#ifndef ASSAY_EVALUATORS_FAMILY_H
#define ASSAY_EVALUATORS_FAMILY_H

#include "base/arena.h"
#include "sql/dialect.h"
#include "table/verdict.h"

typedef enum family_id {
#define FAMILY(constant, word) FAMILY_##constant,
#include "evaluators/family.def"
#undef FAMILY
    FAMILY_COUNT,
} family_id;

// A text as the family reads it.
typedef struct family_text {
    str sql;               // what to run
    str prepared;          // what values are plugged into; may be empty
    bool has_order;        // of a gold: its result is a list
    bool returns_nothing;  // not a query, or empty: its result has no rows and
                           // nothing is to be run
} family_text;

typedef struct family_options {
    dialect dialect;
    bool keeps_distinct;  // for a family that takes DISTINCT out of texts
} family_options;

typedef struct text_family {
    bool expands_as_reference;  // templates of golds: as their own program does
    bool takes_lines;  // a prediction is its whole line; an empty one is no
                       // missing one
    family_text (*gold)(arena *a, str sql, family_options o);
    family_text (*pred)(arena *a, str sql, family_options o);
    // A text that is prepared already, with other values; NULL: has none.
    family_text (*plugged)(arena *a, str prepared);
    // What the server gets for *sql; a reason where the program fails before
    // it sends anything. NULL: the text as it is.
    reason (*send)(arena *a, dialect d, str *sql);
} text_family;

#define FAMILY(constant, word) extern const text_family family_##word;
#include "evaluators/family.def"
#undef FAMILY

// A prediction of a family that changes nothing.
family_text family_text_as_is(arena *a, str sql, family_options o);

const text_family *text_family_of(family_id f);

#endif  // ASSAY_EVALUATORS_FAMILY_H
