/*
 * fuzz_json.c - what json reads it writes, and reads again as the same.
 */
#include "base/json.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    arena a = fuzz_clear(&memory.store);
    str text = {(const char *)bytes, (ptrdiff_t)size};
    ptrdiff_t used = -1;
    json_error error = {.offset = -1};
    const json *first = json_parse_prefix(&a, text, &used, &error);
    if (!first) {
        fuzz_must(error.offset >= 0 && error.offset <= text.len);
        fuzz_must(error.message[0] != '\0');
        return 0;
    }
    fuzz_must(used > 0 && used <= text.len);
    buf once = buf_new(&a);
    json_add(&once, first);
    const json *again = json_parse(&a, buf_str(&once), &error);
    fuzz_must(again != NULL);
    buf twice = buf_new(&a);
    json_add(&twice, again);
    fuzz_must(str_equal(buf_str(&once), buf_str(&twice)));
    return 0;
}
