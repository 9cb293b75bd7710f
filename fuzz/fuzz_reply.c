/*
 * fuzz_reply.c - a decision is read off words of the answer, never made up;
 * space around an answer changes nothing, and a marker at its end decides.
 */
#include "base/buf.h"
#include "fuzz.h"
#include "model/reply.h"

static bool has_ground(str text)
{
    return str_find_fold(text, S("equivalent"), 0) >= 0
           || str_find_fold(text, S("difference"), 0) >= 0
           || str_find_fold(text, S("identical"), 0) >= 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    arena a = fuzz_clear(&memory.store);
    arena scratch = fuzz_clear(&memory.scratch);
    str text = {(const char *)bytes, (ptrdiff_t)size};
    reply_reading r = reply_read(text, REPLY_END_WHOLE, scratch);
    fuzz_must((r.decision == DECISION_UNCLEAR) == (r.rule >= REPLY_EMPTY));
    fuzz_must(r.decision == DECISION_UNCLEAR || has_ground(r.words));
    fuzz_must(r.words.len == 0
              || (r.words.ptr >= text.ptr
                  && r.words.ptr + r.words.len <= text.ptr + text.len));

    reply_reading cut = reply_read(text, REPLY_END_CUT, scratch);
    fuzz_must(cut.decision == DECISION_UNCLEAR || cut.decision == r.decision);

    buf b = buf_new(&a);
    buf_add(&b, text);
    buf_add(&b, S("</think>\n\ndecision = \"inequivalent\"\n"));
    r = reply_read(buf_str(&b), REPLY_END_CUT, scratch);
    fuzz_must(r.decision == DECISION_INEQUIVALENT && r.rule == REPLY_DECISION);
    return 0;
}
