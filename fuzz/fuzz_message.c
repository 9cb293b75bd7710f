/*
 * fuzz_message.c - bytes of a worker are a whole message, which writes the same
 * bytes again, or none. The first byte says of which shape.
 */
#include "fuzz.h"
#include "job/message.h"

static const codec_shape *const shapes[] = {&codec_text, &codec_number,
#define MESSAGE(name) &message_##name,
                                            JOB_MESSAGES
#undef MESSAGE
};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    arena a = fuzz_clear(&memory.store);
    if (size == 0) {
        return 0;
    }
    const codec_shape *s = shapes[bytes[0] % countof(shapes)];
    str text = {(const char *)bytes + 1, (ptrdiff_t)size - 1};
    void *value = arena_alloc(&a, s->size, _Alignof(max_align_t), 1);
    if (codec_read(s, text, value, &a)) {
        buf again = buf_new(&a);
        codec_write(&again, s, value);
        fuzz_must(str_equal(buf_str(&again), text));
    }
    return 0;
}
