/*
 * fuzz_sql_eval.c - laws of the metrics of --like sql_eval. The first NUL of
 * the input parts gold and prediction.
 */
#include "evaluators/sql_eval.h"
#include "fuzz.h"
#include "metric/text.h"

#include <string.h>

// What must hold for any two texts.
static void check_pair(str gold, str pred, arena *a, arena scratch)
{
    const verdict string = metric_string_sql_eval(gold, pred, a, scratch);
    const verdict edit = metric_edit_sql_eval(gold, pred, a, scratch);
    const ptrdiff_t n_gold = sql_eval_edit(a, gold, scratch).len;
    const ptrdiff_t n_pred = sql_eval_edit(a, pred, scratch).len;
    fuzz_must(string.v != ANSWER_UNKNOWN);
    if (edit.reason == REASON_NO_PREDICTION) {
        fuzz_must(edit.distance == 3 * n_gold && edit.score == 0);
        fuzz_must(string.reason == REASON_NO_PREDICTION);
        return;
    }
    if (edit.v == ANSWER_UNKNOWN) {
        fuzz_must(edit.reason == REASON_TOO_LONG);
        return;
    }
    fuzz_must(edit.distance >= 0 && edit.distance <= n_gold + n_pred);
    fuzz_must((n_gold + n_pred - edit.distance) % 2 == 0);
    fuzz_must(edit.score >= 0 && edit.score <= 1);
    fuzz_must((edit.distance == 0) == (edit.v == ANSWER_YES));
    fuzz_must(string.v == ANSWER_NO || edit.v == ANSWER_YES);
}

// A text with nothing but blanks and letters added that do not count.
static void check_same(str text, arena *a, arena scratch)
{
    const verdict v = metric_string_sql_eval(text, text, a, scratch);
    fuzz_must(v.v == ANSWER_YES || v.reason == REASON_NO_PREDICTION);
    buf b = buf_new(a);
    buf_add(&b, S(" \n"));
    buf_add(&b, text);
    const verdict blank = metric_string_sql_eval(text, buf_str(&b), a, scratch);
    fuzz_must(blank.v == v.v);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    arena a = fuzz_clear(&memory.store);
    const arena scratch = fuzz_clear(&memory.scratch);
    const str all = {(const char *)bytes, (ptrdiff_t)size};
    const ptrdiff_t nul = str_find(all, S("\0"), 0);
    const ptrdiff_t middle = nul < 0 ? all.len / 2 : nul;
    const str gold = str_sub(all, 0, middle);
    const str pred = str_skip(all, middle + (nul >= 0));
    check_pair(gold, pred, &a, scratch);
    check_same(gold, &a, scratch);
    return 0;
}
