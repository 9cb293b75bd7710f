/*
 * fuzz_text.c - the metrics of texts: a text equals itself, distances are the
 * same in both directions, similarities lie in [0, 1].
 *
 * The input is two texts with a NUL between them.
 */
#include "evaluators/sql_eval.h"
#include "fuzz.h"
#include "metric/text.h"

static void check_edit(verdict there, verdict back)
{
    fuzz_must(there.distance == back.distance);
    fuzz_must(there.has_score && there.score >= 0 && there.score <= 1);
    fuzz_must(there.v != ANSWER_YES || there.distance == 0);
}

static void check_self(str x, dialect d, arena *a, arena scratch)
{
    verdict string = metric_string(x, x, d, a, scratch);
    verdict edit = metric_edit(x, x, d, a, scratch);
    // A text without a token is no prediction, whatever the gold.
    bool is_nothing = string.reason == REASON_NO_PREDICTION;
    fuzz_must(string.v == ANSWER_YES || is_nothing);
    fuzz_must(edit.v == ANSWER_YES || is_nothing);
    fuzz_must(edit.distance == 0 || is_nothing);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    if (size == 0) {
        return 0;
    }
    arena a = fuzz_clear(&memory.store);
    arena scratch = fuzz_clear(&memory.scratch);
    dialect d = (dialect)(bytes[0] % DIALECT_COUNT);
    str y = {(const char *)bytes + 1, (ptrdiff_t)size - 1};
    str x = str_cut(&y, '\0');
    check_self(x, d, &a, scratch);
    check_edit(metric_edit(x, y, d, &a, scratch),
               metric_edit(y, x, d, &a, scratch));
    verdict string = metric_string(x, y, d, &a, scratch);
    fuzz_must(string.v == metric_string(y, x, d, &a, scratch).v);
    metric_string_sql_eval(x, y, &a, scratch);
    metric_edit_sql_eval(x, y, &a, scratch);
    return 0;
}
