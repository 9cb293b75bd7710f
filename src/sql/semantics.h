// semantics.h - what a dialect's queries mean where systems do not agree.
#ifndef ASSAY_SQL_SEMANTICS_H
#define ASSAY_SQL_SEMANTICS_H

#include "sql/dialect.h"

typedef enum semantics_escape {
    ESCAPE_NOTHING,
    ESCAPE_BACKSLASH,
    ESCAPE_BRACKETS,
} semantics_escape;

// Each place has those before it, too.
typedef enum semantics_alias {
    ALIAS_ORDER,
    ALIAS_GROUP,
    ALIAS_HAVING,
    ALIAS_WHERE,
} semantics_alias;

// In each pair SQLite's choice is false, but for average and concat.
typedef struct semantics {
    bool like_is_sensitive;
    semantics_escape escape;
    bool texts_are_folded;
    bool nulls_are_greatest;
    bool division_is_real;
    bool zero_is_other;
    bool concat_is_null;
    bool average_is_whole;
    bool cast_rounds;
    bool has_static_types;
    bool bare_means_nothing;
    semantics_alias alias;
} semantics;

semantics dialect_semantics(dialect d);

#endif  // ASSAY_SQL_SEMANTICS_H
