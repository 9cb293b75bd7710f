/*
 * fuzz_extract.c - the SQL taken out of an answer is a run of its bytes, but
 * for a SELECT put in front.
 */
#include "fuzz.h"
#include "read/extract.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    arena a = fuzz_clear(&memory.store);
    str raw = {(const char *)bytes, (ptrdiff_t)size};
    str note = {0};
    str sql = extract_sql(&a, raw, &note);
    str rest = sql;
    if (str_find(raw, sql, 0) < 0 && str_starts_fold(sql, S("select "))) {
        rest = str_skip(sql, 7);
    }
    fuzz_must(str_find(raw, rest, 0) >= 0);
    fuzz_must(str_equal(rest, str_trim(rest)));
    fuzz_must(note.len > 0 || str_equal(sql, str_trim(raw)));
    return 0;
}
