// semantics.h - what a dialect's queries mean where systems do not agree.
#ifndef ASSAY_SQL_SEMANTICS_H
#define ASSAY_SQL_SEMANTICS_H

#include "sql/dialect.h"

// In each pair SQLite's choice is false, but for average and concat.
typedef struct semantics {
    bool like_is_sensitive;
    bool texts_are_folded;
    bool nulls_are_greatest;
    bool division_is_real;
    bool concat_is_null;
    bool average_is_whole;
} semantics;

semantics dialect_semantics(dialect d);

#endif  // ASSAY_SQL_SEMANTICS_H
