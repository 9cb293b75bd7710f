/*
 * asked_words.h - a question and its evidence as words, and what they ask for.
 *
 * A word is a run of letters, of digits, or of the signs of comparison; letters
 * in lower case, digits without leading zeros, and 10,000 is one number. So
 * 2012/1/1 and '2012-01-01' are the same words.
 */
#ifndef ASSAY_INTENT_ASKED_WORDS_H
#define ASSAY_INTENT_ASKED_WORDS_H

#include "base/arena.h"

str_list asked_words_of(arena *a, str text);

// The first place at or after `from` where all of `part` stand one after the
// other; -1: nowhere. An empty part is nowhere.
ptrdiff_t asked_words_find(const str_list *in,
                           const str_list *part,
                           ptrdiff_t from);

// Is one of these words there: "each every"?
bool asked_words_have(const str_list *in, const char *words);

// "how many", "number of", "count of": the place of the word after it; -1.
ptrdiff_t asked_words_counted(const str_list *in);

// "for each country", "by country", "different", but not "spoken by the most".
bool asked_words_each(const str_list *in);

// "highest", "largest", "most": of a quantity.
bool asked_words_rank_quantity(const str_list *in);

typedef enum asked_bound {
    BOUND_OPEN,  // the words do not tell
    BOUND_STRICT,
    BOUND_INCLUSIVE,
} asked_bound;

// How the words bound this value.
asked_bound asked_words_bound(const str_list *in, const str_list *value);

#endif  // ASSAY_INTENT_ASKED_WORDS_H
