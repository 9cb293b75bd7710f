/*
 * fuzz_pair.c - two files of any bytes are paired, converted into any format,
 * and what was written can be read again.
 *
 * The input is one byte that chooses the format to write, the gold, a byte
 * 0xFF and the predictions.
 */
#include "base/buf.h"
#include "fuzz.h"
#include "read/convert.h"
#include "read/pair.h"

static bool put(void *context, str text)
{
    buf_add(context, text);
    return true;
}

static bool open_bytes(dataset *set,
                       arena *a,
                       str bytes,
                       dataset_options options,
                       arena scratch)
{
    diag d = diag_new(a);
    file_map file = {.bytes = bytes, .path = S("input")};
    bool ok = dataset_open_bytes(set, a, file, options, &d, scratch);
    fuzz_must(ok == (d.count == 0));
    return ok;
}

static void check_pairs(const pairing *p,
                        const dataset *gold,
                        const dataset *pred)
{
    ptrdiff_t missing = 0;
    for (ptrdiff_t i = 0; i < gold->entries.len; i++) {
        fuzz_must(p->pred_of[i] >= -1 && p->pred_of[i] < pred->entries.len);
        missing += p->pred_of[i] < 0;
    }
    fuzz_must(missing == p->n_missing);
}

// Where two files fit, each prediction belongs to one question, but for blank
// lines that are none; by position all stand in one order.
static void check_fit(const pairing *p,
                      const dataset *gold,
                      const dataset *pred,
                      arena scratch)
{
    bool *is_used = arena_new(&scratch, bool, pred->entries.len);
    for (ptrdiff_t i = 0; i < gold->entries.len; i++) {
        fuzz_must(p->pred_of[i] >= 0 && !is_used[p->pred_of[i]]);
        fuzz_must(p->by_id || i == 0 || p->pred_of[i] > p->pred_of[i - 1]);
        is_used[p->pred_of[i]] = true;
    }
    for (ptrdiff_t k = 0; k < pred->entries.len; k++) {
        fuzz_must(is_used[k]
                  || (pred->n_blank > 0 && pred->entries.ptr[k].size == 0));
    }
}

// Writes `set` and reads the result.
static void check_convert(const convert_job *job, arena *a, arena scratch)
{
    arena text = scratch;
    text.end = scratch.next + (scratch.end - scratch.next) / 2;
    scratch.next = text.end;
    buf out = buf_new(&text);
    diag d = diag_new(a);
    convert_result result;
    if (!convert_dataset(job, (convert_sink){put, &out}, &result, &d,
                         scratch)) {
        fuzz_must(d.count > 0);
        return;
    }
    fuzz_must(d.count == 0);
    dataset_options as = {
        .role = job->gold ? DATASET_GOLD : DATASET_PRED,
        .format = job->to,
    };
    dataset back;
    bool can_read = open_bytes(&back, a, buf_str(&out), as, scratch);
    // Records without SQL and questions are nothing that can be read again,
    // and a line of text may begin with the bytes of some other format.
    const dataset *set = job->gold ? job->gold : job->pred;
    bool is_full = (job->gold ? set->no_gold : set->no_pred) < 0;
    bool is_text = job->to == FORMAT_LINES || job->to == FORMAT_SPIDER_TEXT;
    if (!is_full || is_text || result.n_records == 0) {
        return;
    }
    fuzz_must(can_read);
    fuzz_must(back.entries.len == result.n_records);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    if (size == 0) {
        return 0;
    }
    arena a = fuzz_clear(&memory.store);
    arena scratch = fuzz_clear(&memory.scratch);
    str all = {(const char *)bytes + 1, (ptrdiff_t)size - 1};
    str gold_bytes = str_cut(&all, '\xFF');
    dataset_options as_gold = {.role = DATASET_GOLD};
    dataset_options as_pred = {.role = DATASET_PRED};
    dataset gold;
    dataset pred;
    bool has_gold = open_bytes(&gold, &a, gold_bytes, as_gold, scratch);
    bool has_pred = open_bytes(&pred, &a, all, as_pred, scratch);
    convert_job job = {.to = (dataset_format)(bytes[0] % FORMAT_COUNT)};
    if (has_gold && has_pred) {
        pairing p;
        diag d = diag_new(&a);
        bool fits = pair_records(&p, &a, &gold, &pred, NULL, &d, scratch);
        fuzz_must(fits == (d.count == 0));
        check_pairs(&p, &gold, &pred);
        if (fits) {
            check_fit(&p, &gold, &pred, scratch);
        }
        job.pred_of = p.pred_of;
    }
    job.gold = has_gold ? &gold : NULL;
    job.pred = has_pred && (!has_gold || bytes[0] & 128) ? &pred : NULL;
    if (job.gold || job.pred) {
        check_convert(&job, &a, scratch);
    }
    return 0;
}
