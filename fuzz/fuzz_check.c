/*
 * fuzz_check.c - any bytes as a file of pairs, and its first pairs through the
 * whole check: both stages, a few databases each.
 *
 * Nothing proved is refuted, a proof can be done again, no database is illegal
 * and no witness falls; the answer is a line of JSON, the same a second time.
 */
#include "base/json.h"
#include "check/check_line.h"
#include "fuzz.h"
#include "job/check_pairs.h"

enum {
    PAIRS_MAX = 2,
    DATABASES = 4,
    SQL_MAX = 2000,
};

static str line_of(const check_verdict *v, arena *a, arena scratch)
{
    buf line = buf_new(a);
    check_line_add(&line, &(check_asked){.id = S("fuzz")}, v, false, scratch);
    return buf_str(&line);
}

static void check_pair(checker *c, const check_item *item, arena *a, arena s)
{
    check_verdict v =
        checker_pair(c, item->left, item->right, item->dialect, a, s);
    fuzz_must(!v.is_contradicted);
    fuzz_must(!v.cannot_replay);
    fuzz_must(v.illegal == 0);
    fuzz_must(str_find(v.detail, S("second trial"), 0) < 0);
    str line = line_of(&v, a, s);
    json_error error;
    fuzz_must(json_parse(&s, line, &error) != NULL);
    check_verdict again =
        checker_pair(c, item->left, item->right, item->dialect, a, s);
    fuzz_must(str_equal(line, line_of(&again, a, s)));
}

static void check_item_with(const check_pairs *pairs,
                            const check_item *item,
                            arena a,
                            arena scratch)
{
    check_options o = check_default_options();
    o.databases = DATABASES;
    o.timeout_ms = 0;
    o.tries_all = true;
    if (item->problem.len > 0 || item->left.len > SQL_MAX
        || item->right.len > SQL_MAX) {
        return;
    }
    diag d = diag_new(&a);
    const schema *s = pairs->schemas.ptr[item->schema].schema;
    checker *c = checker_open(&a, s, &o, &d, scratch);
    if (c) {
        // The checker goes on to use the arena that it was opened with.
        check_pair(c, item, &a, scratch);
    }
    checker_close(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    arena a = fuzz_clear(&memory.store);
    arena scratch = fuzz_clear(&memory.scratch);
    str text = {(const char *)bytes, (ptrdiff_t)size};
    // Files are not opened here.
    if (str_find(text, S("schema"), 0) >= 0 || str_find(text, S("db"), 0) >= 0
        || str_find(text, S("\\u"), 0) >= 0) {
        return 0;
    }
    diag d = diag_new(&a);
    check_pairs pairs = {0};
    bool ok = check_pairs_parse(&pairs, &a, S("input"), text, -1,
                                DIALECT_SQLITE, &d, scratch);
    fuzz_must(ok == (d.count == 0));
    for (ptrdiff_t i = 0; i < pairs.items.len && i < PAIRS_MAX; i++) {
        check_item_with(&pairs, &pairs.items.ptr[i], a, scratch);
    }
    return 0;
}
