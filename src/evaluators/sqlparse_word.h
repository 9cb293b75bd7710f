// sqlparse_word.h - words and rows of words as sqlparse 0.4.2 knows them.
#ifndef ASSAY_EVALUATORS_SQLPARSE_WORD_H
#define ASSAY_EVALUATORS_SQLPARSE_WORD_H

#include "evaluators/sqlparse_lex.h"

typedef enum phrase_rank {
    PHRASE_EARLY,  // stand before names in the order of forms
    PHRASE_LATE,   // after numbers and strings
} phrase_rank;

// A-Z and À-Ü without case, and what Unicode folds into them.
bool sqlparse_is_letter(int32_t c);

// The offset after the row of words `words` at offset `at`; `at` when it does
// not stand there. `|` between alternatives, `?` after what may be missing.
ptrdiff_t sqlparse_phrase_end(str s, ptrdiff_t at, str words);

// The length of the first known row of that rank at `at`, 0 when there is none.
ptrdiff_t sqlparse_phrase(str s,
                          ptrdiff_t at,
                          phrase_rank rank,
                          sqlparse_class *class);

// The length of the single word at `at`, 0 when there is none; its class is
// that of the table of keywords.
ptrdiff_t sqlparse_word(str s, ptrdiff_t at, sqlparse_class *class);

#endif  // ASSAY_EVALUATORS_SQLPARSE_WORD_H
