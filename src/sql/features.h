/*
 * features.h - what of SQL a query uses, counted: to choose cases by it and to
 * see what a model is bad at.
 *
 * Only the tree is looked at, no schema: a feature is what is written.
 */
#ifndef ASSAY_SQL_FEATURES_H
#define ASSAY_SQL_FEATURES_H

#include "sql/ast.h"
#include "sql/dialect.h"

typedef enum sql_feature {
#define FEATURE(constant, word, text) FEATURE_##constant,
#include "sql/features.def"
    FEATURE_COUNT,
} sql_feature;

typedef struct sql_features {
    bool is_known;  // the query was understood
    int32_t n[FEATURE_COUNT];
} sql_features;

sql_features sql_features_of(const ast *query);

// Not known when the text cannot be parsed. Both arenas are scratch.
sql_features sql_features_of_text(str sql, dialect d, arena a, arena scratch);

str sql_feature_word(sql_feature f);
str sql_feature_text(sql_feature f);
// Also in the plural: "joins".
bool sql_feature_from_word(str word, sql_feature *out);

#endif  // ASSAY_SQL_FEATURES_H
