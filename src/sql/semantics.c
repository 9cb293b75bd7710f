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
    CONCAT_OUT = 0,
    CONCAT_NULL,
    AVERAGE_REAL = 0,
    AVERAGE_WHOLE,
};

semantics dialect_semantics(dialect d)
{
    static const semantics rows[DIALECT_COUNT] = {
#define SEMANTICS(name, like, texts, nulls, division, concat, average) \
    [DIALECT_##name] = {LIKE_##like,     TEXTS_##texts,                \
                        NULLS_##nulls,   DIVISION_##division,          \
                        CONCAT_##concat, AVERAGE_##average},
#include "sql/semantics.def"
    };
    assert(d < DIALECT_COUNT);
    return rows[d];
}
