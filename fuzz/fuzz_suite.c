/*
 * fuzz_suite.c - a suite file that can be read is written as it was read, and
 * nothing else happens, whatever the bytes are.
 */
#include "fuzz.h"
#include "suite/suite.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    arena a = fuzz_clear(&memory.store);
    arena scratch = fuzz_clear(&memory.scratch);
    str text = {(const char *)bytes, (ptrdiff_t)size};
    diag d = diag_new(&a);
    suite first;
    if (!suite_from_text(&first, &a, S("x"), text, &d, scratch)) {
        fuzz_must(d.count > 0);
        return 0;
    }
    buf out = buf_new(&a);
    suite_to_text(&out, &first);
    str written = buf_str(&out);
    suite second;
    fuzz_must(suite_from_text(&second, &a, S("x"), written, &d, scratch));
    buf again = buf_new(&scratch);
    suite_to_text(&again, &second);
    fuzz_must(str_equal(buf_str(&again), written));
    for (ptrdiff_t i = 0; i < first.n_golds; i++) {
        fuzz_must(suite_find(&second, first.golds[i].sql) == i);
    }
    return 0;
}
