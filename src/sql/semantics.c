// semantics.c - see semantics.h and semantics.def.
#include "sql/semantics.h"

#include <assert.h>

enum {
    LIKE_FOLDED,
    LIKE_SENSITIVE,
    TEXTS_BYTES = 0,
    TEXTS_FOLDED,
    NULLS_LEAST = 0,
    NULLS_GREATEST,
    DIVISION_WHOLE = 0,
    DIVISION_REAL,
    ZERO_NULL = 0,
    ZERO_OTHER,
    CONCAT_OUT = 0,
    CONCAT_NULL,
    AVERAGE_REAL = 0,
    AVERAGE_WHOLE,
    CAST_CUTS = 0,
    CAST_ROUNDS,
    VALUES_DYNAMIC = 0,
    VALUES_STATIC,
    BARE_PICKED = 0,
    BARE_TOLD,
};

semantics dialect_semantics(dialect d)
{
    static const semantics rows[DIALECT_COUNT] = {
#define SEMANTICS(name, like, escape, texts, nulls, division, zero, concat,  \
                  average, cast, values, bare, alias)                        \
    [DIALECT_##name] = {LIKE_##like,     ESCAPE_##escape,     TEXTS_##texts, \
                        NULLS_##nulls,   DIVISION_##division, ZERO_##zero,   \
                        CONCAT_##concat, AVERAGE_##average,   CAST_##cast,   \
                        VALUES_##values, BARE_##bare,         ALIAS_##alias},
#include "sql/semantics.def"
    };
    assert(d < DIALECT_COUNT);
    return rows[d];
}
