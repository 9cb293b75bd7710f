/*
 * fuzz_dataset.c - bytes of any kind are read as cases or refused with a
 * message; what was indexed can be read again, twice the same.
 */
#include "fuzz.h"
#include "read/dataset.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    if (size == 0) {
        return 0;
    }
    arena a = fuzz_clear(&memory.store);
    arena scratch = fuzz_clear(&memory.scratch);
    // Half of the runs detect the format, the others are told one.
    int choice = bytes[0] % (2 * FORMAT_COUNT);
    dataset_options options = {
        .role = bytes[0] & 128 ? DATASET_PRED : DATASET_GOLD,
        .format = choice < FORMAT_COUNT ? (dataset_format)choice : FORMAT_AUTO,
    };
    if (options.format == FORMAT_SPIDER2) {
        return 0;  // a folder, not bytes
    }
    file_map file = {
        .bytes = {(const char *)bytes + 1, (ptrdiff_t)size - 1},
        .path = S("input"),
    };
    diag d = diag_new(&a);
    dataset set = {0};
    if (!dataset_open_bytes(&set, &a, file, options, &d, scratch)) {
        fuzz_must(d.count > 0);
        return 0;
    }
    for (ptrdiff_t i = 0; i < set.entries.len; i++) {
        arena one = scratch;
        record first = dataset_record(&set, i, &one);
        record again = dataset_record(&set, i, &one);
        fuzz_must(str_equal(first.id, again.id)
                  && str_equal(first.question, again.question)
                  && first.n_golds == again.n_golds
                  && first.n_preds == again.n_preds);
        for (ptrdiff_t k = 0; k < first.n_golds; k++) {
            fuzz_must(str_equal(first.golds[k], again.golds[k]));
        }
        for (ptrdiff_t k = 0; k < first.n_preds; k++) {
            fuzz_must(str_equal(first.preds[k].raw, again.preds[k].raw));
        }
        fuzz_must(set.entries.ptr[i].line > 0);
        fuzz_must(set.entries.ptr[i].db < map_count(&set.dbs));
    }
    dataset_close(&set);
    return 0;
}
