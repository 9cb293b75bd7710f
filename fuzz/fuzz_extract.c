/*
 * fuzz_extract.c - what is extracted, extracted again, is the same; without
 * escapes of JSON or of a text in quotes it is a run of the bytes of the
 * answer, but for a SELECT put in front; and a fence around an answer in which
 * SQL was found alone changes nothing.
 */
#include "fuzz.h"
#include "read/extract.h"

// Any answer that was nothing but SQL, in two wrappers.
static void must_unwrap(arena *a, str sql)
{
    str note = {0};
    str raw =
        arena_printf(a, "<answer>\n```sql\n%.*s\n```\n</answer>", STR_ARG(sql));
    fuzz_must(str_equal(extract_sql(a, raw, &note), sql));
}

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
    fuzz_must(str_find(raw, rest, 0) >= 0 || str_find(note, S("JSON"), 0) >= 0
              || str_find(note, S("quotes"), 0) >= 0);
    fuzz_must(str_equal(rest, str_trim(rest)));
    fuzz_must(note.len > 0 || str_equal(sql, str_trim(raw)));
    str again = {0};
    fuzz_must(str_equal(extract_sql(&a, sql, &again), sql));
    bool is_plain =
        note.len == 0 && sql.len > 0 && str_find(sql, S("`"), 0) < 0
        && str_find(sql, S("'"), 0) < 0 && str_find(sql, S("\""), 0) < 0
        && str_find(sql, S("--"), 0) < 0 && str_find(sql, S("/*"), 0) < 0
        && memchr(sql.ptr, '\0', (size_t)sql.len) == NULL;
    if (is_plain) {
        must_unwrap(&a, sql);
    }
    return 0;
}
