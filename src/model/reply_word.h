/*
 * reply_word.h - an answer as words: what is left of it once emphasis, quotes
 * and letter case are gone.
 */
#ifndef ASSAY_MODEL_REPLY_WORD_H
#define ASSAY_MODEL_REPLY_WORD_H

#include "base/arena.h"

typedef enum word_class {
    WORD_OTHER,
    WORD_EQUAL,
    WORD_UNEQUAL,
    WORD_NOT,
    WORD_DEGREE,
    WORD_OPEN,
    WORD_MARKER,
    WORD_QUERIES,
    WORD_PART,
    WORD_TASK,
    WORD_NONE,
    WORD_MARK,  // one byte that is no letter: `text` has it
    WORD_END,   // the end of a sentence
} word_class;

typedef struct reply_word {
    word_class class;
    str text;  // as written, a run of bytes of the answer
} reply_word;

typedef vec_of(reply_word) reply_words;

// All words of `text`. Emphasis marks, back quotes and quotation marks are
// dropped, also inside of words; a hyphen between letters is a mark. A
// sentence ends at `.`, `!`, `?` before white space or the end, and at a line
// break; the last word is always a WORD_END.
reply_words reply_words_of(arena *a, str text);

// Is it one of these words, in lower case with blanks between them?
bool reply_word_is(const reply_word *w, const char *words);

#endif  // ASSAY_MODEL_REPLY_WORD_H
