/*
 * spider_word.h - the words that Spider's evaluator sees in a query
 * (definitions/spider.md#words).
 */
#ifndef ASSAY_EVALUATORS_SPIDER_WORD_H
#define ASSAY_EVALUATORS_SPIDER_WORD_H

#include "base/arena.h"

// The words in lower case, but for literals, which stand in double quotes.
// False when the quotes do not pair.
bool spider_words_of(str_list *out, arena *a, str sql, arena scratch);

#endif  // ASSAY_EVALUATORS_SPIDER_WORD_H
