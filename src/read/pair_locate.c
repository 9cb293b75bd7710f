/*
 * pair_locate.c - finds the shift between two files by the words in them.
 *
 * Why         "1033 predictions for 1034 questions" leaves a person with a
 *             thousand lines to look at. Predictions share the names of tables
 *             and columns with their gold, so the texts show where they slip.
 *
 * Method      Assume one block is missing (or extra). Before it prediction i
 *             stands beside gold i, after it beside gold i + gap. For every
 *             place of the block the sum of the likenesses of all pairs that
 *             result is taken from running sums; the best place wins if it is
 *             clearly better than no block at all.
 *
 * Cost        Linear; files of more than MOST_RECORDS are not looked at.
 */
#include "read/pair_locate.h"

#include "read/extract_scan.h"

enum {
    MOST_RECORDS = 200000,
    WORD_BITS = 512,
};

// The words of one record, each as a bit of its hash.
typedef struct word_set {
    uint64_t bits[WORD_BITS / 64];
} word_set;

static void set_add_text(word_set *s, str text)
{
    for (ptrdiff_t i = 0; i < text.len;) {
        str word = extract_word_at(text, i);
        uint64_t bit = hash64_fold(word) % WORD_BITS;
        if (word.len > 2) {
            s->bits[bit / 64] |= (uint64_t)1 << bit % 64;
        }
        i += word.len > 0 ? word.len : 1;
    }
}

static word_set words_of(const dataset *set, ptrdiff_t i, arena scratch)
{
    record r = dataset_record(set, i, &scratch);
    bool is_pred = set->given.role == DATASET_PRED;
    word_set s = {{0}};
    set_add_text(&s, r.question);
    if (is_pred && r.n_preds > 0) {
        set_add_text(&s, dataset_extract(r.preds, 1, false, &scratch)->sql);
    } else if (!is_pred && r.n_golds > 0) {
        set_add_text(&s, r.golds[0]);
    }
    return s;
}

// Common words over all words; 0 when there are none.
static double likeness(const word_set *a, const word_set *b)
{
    int common = 0;
    int all = 0;
    for (ptrdiff_t i = 0; i < countof(a->bits); i++) {
        common += __builtin_popcountll(a->bits[i] & b->bits[i]);
        all += __builtin_popcountll(a->bits[i] | b->bits[i]);
    }
    return all > 0 ? (double)common / (double)all : 0.0;
}

static word_set *all_words(const dataset *set,
                           const int32_t *order,
                           ptrdiff_t n,
                           arena *a)
{
    word_set *all = arena_new(a, word_set, n);
    for (ptrdiff_t i = 0; i < n; i++) {
        all[i] = words_of(set, order ? order[i] : i, *a);
    }
    return all;
}

ptrdiff_t pair_locate(const dataset *gold,
                      const dataset *pred,
                      const int32_t *order,
                      ptrdiff_t n_order,
                      arena scratch)
{
    ptrdiff_t n_gold = gold->entries.len;
    ptrdiff_t n = n_gold < n_order ? n_gold : n_order;
    ptrdiff_t gap = n_gold > n_order ? n_gold - n_order : n_order - n_gold;
    if (gap > n / 2 || n > MOST_RECORDS) {
        return -1;
    }
    const word_set *left = all_words(gold, NULL, n_gold, &scratch);
    const word_set *right = all_words(pred, order, n_order, &scratch);
    // Sum over pairs before `place` without the shift, from it on with it.
    double sum = 0.0;
    for (ptrdiff_t i = 0; i < n; i++) {
        sum += likeness(&left[n_gold > n_order ? i + gap : i],
                        &right[n_gold > n_order ? i : i + gap]);
    }
    double best = sum;
    ptrdiff_t place = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        sum += likeness(&left[i], &right[i])
               - likeness(&left[n_gold > n_order ? i + gap : i],
                          &right[n_gold > n_order ? i : i + gap]);
        if (sum > best) {
            best = sum;
            place = i + 1;
        }
    }
    // `sum` is now that of no shift. Equal texts in a row blur the place by a
    // few records, but not the fact.
    bool is_clear = place == n ? best > 0.1 * (double)n : best > sum + 1.0;
    return is_clear ? place : -1;
}

int pair_likelier(const dataset *gold,
                  const dataset *pred,
                  ptrdiff_t i,
                  ptrdiff_t here,
                  ptrdiff_t there,
                  arena scratch)
{
    word_set own = words_of(pred, i, scratch);
    word_set left = words_of(gold, here, scratch);
    word_set right = words_of(gold, there, scratch);
    double by = likeness(&own, &left) - likeness(&own, &right);
    return (by > 0.0) - (by < 0.0);
}
