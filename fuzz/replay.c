/*
 * replay.c - drives a fuzz target without libFuzzer.
 *
 *     fuzz_X FOLDER|FILE...
 *
 * Method      Each seed as it is, cut short at some places, and with bytes
 *             changed at random: CHANGES times, always by the same numbers.
 *             The input is copied to memory that ends with it, so that the
 *             address sanitizer sees one byte too many.
 */
#include "base/file.h"
#include "base/rng.h"
#include "fuzz.h"

#include <dirent.h>
#include <string.h>

enum {
    CHANGES = 300,
    CUTS = 50
};

static void run_input(str input)
{
    uint8_t *copy = malloc((size_t)input.len + 1);
    fuzz_must(copy != NULL);
    memcpy(copy + 1, input.ptr, (size_t)input.len);
    LLVMFuzzerTestOneInput(copy + 1, (size_t)input.len);
    free(copy);
}

// Changes a few bytes: another byte, a copy of a piece elsewhere, or a piece
// taken out.
static str change_input(arena *a, rng *r, str seed)
{
    str changed = arena_str(a, seed);
    char *p = arena_cstr(a, seed);
    changed.ptr = p;
    for (ptrdiff_t n = 1 + rng_below(r, 4); n > 0 && changed.len > 0; n--) {
        ptrdiff_t at = rng_below(r, changed.len);
        ptrdiff_t from = rng_below(r, changed.len);
        ptrdiff_t last = at > from ? at : from;
        ptrdiff_t len = rng_below(r, changed.len - last) + 1;
        switch (rng_below(r, 4)) {
        case 0: p[at] = (char)rng_below(r, 256); break;
        case 1: p[at] = "{}[]()'\"`,;\\\n\t\0 "[rng_below(r, 16)]; break;
        case 2: memmove(p + at, p + from, (size_t)len); break;
        default:
            memmove(p + at, p + at + len, (size_t)(changed.len - at - len));
            changed.len -= len;
            break;
        }
    }
    return changed;
}

static void run_seed(arena memory, str path)
{
    diag d = diag_new(&memory);
    file_map map = {0};
    fuzz_must(file_open(&map, &memory, path, &d));
    run_input(map.bytes);
    for (ptrdiff_t i = 0; i < CUTS && i < map.bytes.len; i++) {
        run_input(str_sub(map.bytes, 0, map.bytes.len * i / CUTS));
    }
    rng r = {.state = 1};
    for (int i = 0; i < CHANGES; i++) {
        arena scratch = memory;
        run_input(change_input(&scratch, &r, map.bytes));
    }
    file_close(&map);
}

static int is_seed(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int run_folder(arena memory, const char *folder)
{
    struct dirent **entries = NULL;
    int n = scandir(folder, &entries, is_seed, alphasort);
    for (int i = 0; i < n; i++) {
        arena scratch = memory;
        str path = arena_printf(&scratch, "%s/%s", folder, entries[i]->d_name);
        run_seed(scratch, path);
        free(entries[i]);
    }
    free(entries);
    return n;
}

int main(int argc, char **argv)
{
    arena_store store = {0};
    arena memory = fuzz_clear(&store);
    int n = 0;
    for (int i = 1; i < argc; i++) {
        if (file_is_folder(argv[i])) {
            n += run_folder(memory, argv[i]);
        } else {
            run_seed(memory, str_from(argv[i]));
            n++;
        }
    }
    arena_store_close(&store);
    printf("%d seeds\n", n);
    return n > 0 ? 0 : 1;
}
