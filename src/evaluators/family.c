// family.c - the families by number, and the one that runs texts as written.
#include "evaluators/family.h"

#include "sql/outline.h"

#include <assert.h>

static family_text as_written(arena *a, str sql, family_options o)
{
    (void)a;
    return (family_text){
        .sql = sql,
        .has_order = sql_outline_of(sql, o.dialect).has_outer_order,
    };
}

family_text family_text_as_is(arena *a, str sql, family_options o)
{
    (void)a;
    (void)o;
    return (family_text){.sql = sql};
}

const text_family family_plain = {
    .gold = as_written,
    .pred = family_text_as_is,
};

const text_family *text_family_of(family_id f)
{
    static const text_family *const families[] = {
#define FAMILY(constant, word) &family_##word,
#include "evaluators/family.def"
#undef FAMILY
    };
    assert(f < FAMILY_COUNT);
    return families[f];
}
