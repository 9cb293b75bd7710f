/*
 * fuzz_template.c - a gold template gives variants or a message, never both
 * nothing; variants are different; a text without braces is its only variant;
 * the same template gives the same variants; and no variant has groups left:
 * as a template it gives itself.
 */
#include "fuzz.h"
#include "sql/template.h"

static void check_variants(const template_variants *v, ptrdiff_t max)
{
    fuzz_must(v->n >= 1 && v->n <= max);
    for (ptrdiff_t i = 0; i < v->n; i++) {
        for (ptrdiff_t j = 0; j < i; j++) {
            fuzz_must(!str_equal(v->sql[i], v->sql[j]));
        }
    }
}

static void check_again(const template_variants *v,
                        str gold,
                        template_options options,
                        arena *a,
                        arena scratch)
{
    diag d = diag_new(a);
    template_variants again;
    fuzz_must(template_expand(&again, a, &gold, 1, options, &d, scratch));
    fuzz_must(again.n == v->n);
    for (ptrdiff_t i = 0; i < v->n; i++) {
        fuzz_must(str_equal(again.sql[i], v->sql[i]));
    }
}

// Invariant (2) of template.c.
static void check_no_groups(const template_variants *v,
                            template_options options,
                            arena a,
                            arena scratch)
{
    for (ptrdiff_t i = 0; i < v->n; i++) {
        template_variants one = {&v->sql[i], 1};
        check_again(&one, v->sql[i], options, &a, scratch);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    if (size == 0) {
        return 0;
    }
    arena a = fuzz_clear(&memory.store);
    arena scratch = fuzz_clear(&memory.scratch);
    str gold = {(const char *)bytes + 1, (ptrdiff_t)size - 1};
    template_options options = {
        .dialect = (dialect)(bytes[0] % DIALECT_COUNT),
        .max = 64,
        .keep_whole = (bytes[0] & 64) != 0,
        .as_reference = (bytes[0] & 128) != 0,
    };
    diag d = diag_new(&a);
    template_variants v = {0};
    if (!template_expand(&v, &a, &gold, 1, options, &d, scratch)) {
        fuzz_must(d.count > 0);
        return 0;
    }
    fuzz_must(d.count == 0);
    check_variants(&v, options.max);
    check_again(&v, gold, options, &a, scratch);
    if (!options.as_reference) {
        check_no_groups(&v, options, a, scratch);
    }
    bool is_plain = str_find(gold, S("{"), 0) < 0
                    && str_find(gold, S("}"), 0) < 0
                    && str_find(gold, S(";"), 0) < 0;
    if (is_plain && !options.as_reference) {
        fuzz_must(v.n == 1);
        fuzz_must(str_equal(str_trim(v.sql[0]), str_trim(gold)));
    }
    return 0;
}
