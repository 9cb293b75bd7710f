/*
 * fuzz_server.c - what goes to servers: a URL never shows its password; a dump
 * is cut into pieces that lie in it, one behind the other; a text that may be
 * sent is one statement by our lexer, in every dialect.
 */
#include "engine/dump_split.h"
#include "engine/query_guard.h"
#include "engine/url.h"
#include "fuzz.h"
#include "sql/outline.h"

static void check_url(str text, arena *a)
{
    static const str mark = S_INIT("Xq7!");
    buf b = buf_new(a);
    buf_add(&b, S("x://u:"));
    for (ptrdiff_t i = 0; i < text.len; i++) {
        // What would end the user and the password.
        char c = text.ptr[i];
        buf_char(&b, c == '/' || c == '?' || c == '#' ? '_' : c);
    }
    buf_add(&b, mark);
    buf_add(&b, S("@h/d"));
    str url = arena_str(a, buf_str(&b));
    fuzz_must(str_find(url_show(a, url), mark, 0) < 0);
    url_parts u;
    diag d = diag_new(a);
    url_parse(&u, a, text, &d);
}

static void check_dump(str text, dialect which)
{
    dump_split d = dump_split_new(text, which);
    dump_statement s;
    ptrdiff_t last = -1;
    while (dump_split_next(&d, &s)) {
        fuzz_must(s.offset > last && s.offset + s.sql.len <= text.len);
        fuzz_must(s.sql.len > 0 && s.sql.ptr == text.ptr + s.offset);
        fuzz_must(d.at > s.offset && d.at <= text.len);
        last = s.offset;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    if (size == 0) {
        return 0;
    }
    arena a = fuzz_clear(&memory.store);
    str text = {(const char *)bytes + 1, (ptrdiff_t)size - 1};
    dialect which = (dialect)(bytes[0] % DIALECT_COUNT);
    check_url(text, &a);
    check_dump(text, which);
    query_guard guard = guard_other;
    guard.dialect = which;
    execution x = {.offset = -1};
    if (query_guard_check(&guard, NULL, text, &x, &a) == GUARD_SENDS) {
        fuzz_must(sql_outline_of(text, which).n_statements == 1);
    } else {
        fuzz_must(x.status != REASON_NONE);
    }
    return 0;
}
