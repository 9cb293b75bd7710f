/*
 * spider_word.h - the words that Spider's evaluator sees in a query
 * (definitions/spider.md#words).
 */
#ifndef ASSAY_EVALUATORS_SPIDER_WORD_H
#define ASSAY_EVALUATORS_SPIDER_WORD_H

#include "base/arena.h"

typedef struct spider_words {
    str *ptr;  // lower case but for literals, which stand in double quotes
    ptrdiff_t len;
    ptrdiff_t cap;
} spider_words;

// False when the quotes do not pair.
bool spider_words_of(spider_words *out, arena *a, str sql, arena scratch);

#endif  // ASSAY_EVALUATORS_SPIDER_WORD_H
