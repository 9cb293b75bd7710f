/*
 * fuzz_extract.c - what is extracted, extracted again, is the same; without
 * escapes of JSON, HTML or of a text in quotes it is a run of the bytes of the
 * answer, but for a SELECT put in front, and so are scripts and golds; and a
 * fence around an answer in which SQL was found alone changes nothing.
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

// What was taken out is part of the text, and trimmed; a note says what else
// was there.
static void must_be_part(str raw, str sql, str note)
{
    str rest = sql;
    if (str_find(raw, sql, 0) < 0 && str_starts_fold(sql, S("select "))) {
        rest = str_skip(sql, 7);
    }
    fuzz_must(str_find(raw, rest, 0) >= 0 || str_find(note, S("JSON"), 0) >= 0
              || str_find(note, S("HTML"), 0) >= 0
              || str_find(note, S("quotes"), 0) >= 0);
    fuzz_must(str_equal(rest, str_trim(rest)));
    fuzz_must(note.len > 0 || str_equal(sql, str_trim(raw)));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    arena a = fuzz_clear(&memory.store);
    str raw = {(const char *)bytes, (ptrdiff_t)size};
    str note = {0};
    str gold = extract_gold(&a, raw, &note);
    if (note.len > 0) {
        must_be_part(raw, gold, note);
    }
    fuzz_must(note.len > 0 || str_equal(gold, raw));
    str script = extract_script(&a, raw, &note);
    must_be_part(raw, script, note);
    str sql = extract_sql(&a, raw, &note);
    must_be_part(raw, sql, note);
    str again = {0};
    fuzz_must(str_equal(extract_script(&a, script, &again), script));
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
