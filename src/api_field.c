/*
 * api_field.c - assay_field(): include/assay/assay.h on top of src/read, so
 * that callers know the names that files may use and have no list of their
 * own.
 */
#include "api_call.h"
#include "read/field.h"

_Static_assert(ASSAY_FIELD_HINT == FIELD_WEAK, "one rank, two names");

enum {
    SURELY_SQL = 3,  // rank of "query"; an "answer" may be anything
};

assay_str assay_field(assay_str name, int *rank)
{
    field f = name.ptr ? field_find(api_str(name)) : (field){0};
    str word = f.kind == FIELD_NONE ? (str){0} : str_from(field_word(f.kind));
    if (rank) {
        bool may_be_other = f.kind == FIELD_SQL && f.rank > SURELY_SQL;
        *rank = f.rank + (may_be_other ? FIELD_WEAK : 0);
    }
    return (assay_str){word.ptr, (size_t)word.len};
}
