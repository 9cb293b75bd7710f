/*
 * fuzz_outline.c - the parts of an outline are parts of the query.
 */
#include "fuzz.h"
#include "sql/outline.h"

static bool is_part_of(str part, str whole)
{
    return part.len == 0
           || (part.ptr >= whole.ptr
               && part.ptr + part.len <= whole.ptr + whole.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0) {
        return 0;
    }
    str sql = {(const char *)bytes + 1, (ptrdiff_t)size - 1};
    dialect d = (dialect)(bytes[0] % DIALECT_COUNT);
    sql_outline o = sql_outline_of(sql, d);
    fuzz_must(o.n_statements >= 0);
    fuzz_must(is_part_of(o.first, sql));
    fuzz_must(is_part_of(o.verb, o.first));
    fuzz_must((o.n_statements == 0) == (o.first.len == 0));
    if (d == DIALECT_MYSQL && str_ends(o.first, S("--"))) {
        return 0;  // two signs before `;`, a comment at the end of a text
    }
    // The first statement alone has the same outline.
    sql_outline again = sql_outline_of(o.first, d);
    fuzz_must(again.n_statements == (o.n_statements > 0));
    fuzz_must(str_equal(again.first, o.first));
    fuzz_must(str_equal(again.verb, o.verb));
    fuzz_must(again.has_outer_order == o.has_outer_order);
    fuzz_must(again.has_limit == o.has_limit);
    return 0;
}
