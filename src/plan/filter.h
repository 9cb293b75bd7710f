/*
 * filter.h - conditions on cases (--filter).
 *
 *     hardness=hard,extra   db!=world_1   features=window,cte   join>=2
 *
 * A field of the case is one of the words or none of them; the hardness of a
 * case is what the data set says, else what the journal will say. Of features,
 * the gold uses one of them or none; a feature by its name is compared with a
 * number. What SQL a gold uses is not known when assay cannot read it: then no
 * condition on features holds.
 */
#ifndef ASSAY_PLAN_FILTER_H
#define ASSAY_PLAN_FILTER_H

#include "base/diag.h"
#include "read/record.h"
#include "schema/schema.h"
#include "sql/dialect.h"
#include "sql/features.h"
#include "sql/template.h"

typedef enum filter_field {
    FILTER_DB,
    FILTER_CATEGORY,
    FILTER_HARDNESS,
    FILTER_FEATURES,
    FILTER_FEATURE,
    FILTER_FIELD_COUNT,
} filter_field;

typedef enum filter_relation {
    FILTER_IS,
    FILTER_IS_NOT,
    FILTER_AT_LEAST,
    FILTER_AT_MOST,
    FILTER_MORE,
    FILTER_LESS,
    FILTER_RELATION_COUNT,
} filter_relation;

typedef struct filter {
    filter_field field;
    sql_feature feature;  // of FILTER_FEATURE
    filter_relation relation;
    const str *words;        // of FILTER_FEATURES: names of features
    const int64_t *numbers;  // the same, of FILTER_FEATURE
    ptrdiff_t n_words;       // at least 1
} filter;

// db, category or hardness where a file may call a field of cases so
// (difficulty, db_id: read/field.def); else the word itself.
str filter_own_word(str word);

typedef vec_of(filter) filter_list;

// A filter of each text. False with a message.
bool filters_parse(filter_list *out,
                   arena *a,
                   const str_list *texts,
                   diag *d,
                   arena scratch);

bool filter_needs_features(const filter *f);

// Does it ask for a hardness that the data set does not give?
bool filter_needs_hardness(const filter *f, const record *gold);

bool filter_accepts(const filter *f,
                    const record *gold,
                    const sql_features *features);

// The queries that the gold of a case stands for, in `a`; none when it cannot
// be expanded.
template_variants queries_of_gold(const record *gold,
                                  dialect d,
                                  arena *a,
                                  arena scratch);

// Of the first query that the gold of a case stands for. Both arenas are
// scratch.
sql_features features_of_gold(const record *gold,
                              dialect d,
                              arena a,
                              arena scratch);

// Spider's, of the first query of the gold that its grammar reads; else, and
// without a schema, the same counts of the first query's tree. Empty where
// assay cannot read it either. Both arenas are scratch.
str hardness_of_gold(const record *gold,
                     dialect d,
                     const schema *s,
                     arena a,
                     arena scratch);

// "join", "features"; ">=".
str filter_field_word(const filter *f);
str filter_relation_word(filter_relation r);

#endif  // ASSAY_PLAN_FILTER_H
