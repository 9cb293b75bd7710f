/*
 * fuzz_plug.c - the texts that --plug-values tries are as many as they are said
 * to be, the prediction is the first, and each value is in its place.
 *
 * The input is gold and prediction with a NUL between them.
 */
#include "evaluators/text_plug.h"
#include "fuzz.h"

enum {
    MOST = 50
};

static int64_t given(const text_plug *p)
{
    return p->n_variants < p->n_most ? p->n_variants : p->n_most;
}

static void check_slots(const text_plug *p)
{
    ptrdiff_t slots = 0;
    for (ptrdiff_t i = 0; i < p->n_words; i++) {
        slots += p->words[i].ptr == NULL;
    }
    fuzz_must(slots == p->n_slots);
    for (ptrdiff_t i = 0; i < p->n_slots; i++) {
        fuzz_must(p->n_values == 0 || p->chosen[i] < p->n_values);
    }
}

// The words of p with the values of `chosen`, one after the other, are `text`.
static void check_text(const text_plug *p, const int32_t *chosen, str text)
{
    ptrdiff_t slot = 0;
    for (ptrdiff_t i = 0; i < p->n_words; i++) {
        str part = p->words[i].ptr ? p->words[i] : p->values[chosen[slot++]];
        fuzz_must(i == 0 || str_starts(text, S(" ")));
        text = str_skip(text, i > 0);
        fuzz_must(str_starts(text, part));
        text = str_skip(text, part.len);
    }
    fuzz_must(text.len == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_memory memory;
    arena a = fuzz_clear(&memory.store);
    arena scratch = fuzz_clear(&memory.scratch);
    str pred = {(const char *)bytes, (ptrdiff_t)size};
    str gold = str_cut(&pred, '\0');
    const family_options keeps = {.keeps_distinct = true};
    gold = family_spider.gold(&a, gold, (family_options){0}).prepared;
    pred = family_spider.pred(&a, pred, keeps).prepared;
    text_plug p = text_plug_of(&a, gold, pred, MOST, scratch);
    check_slots(&p);
    str text;
    fuzz_must(text_plug_next(&p, &a, &text) && str_equal(text, pred));
    int32_t *chosen = arena_new(&a, int32_t, p.n_slots + 1);
    int64_t n = 0;
    for (;; n++) {
        for (ptrdiff_t i = 0; i < p.n_slots; i++) {
            chosen[i] = p.chosen[i];
        }
        if (!text_plug_next(&p, &a, &text)) {
            break;
        }
        check_text(&p, chosen, text);
        family_spider.plugged(&a, text);
    }
    fuzz_must(n == given(&p));
    fuzz_must(text_plug_is_cut(&p) == (p.n_variants > n));
    return 0;
}
