// vocabulary.h - the words that users choose from, by the tables that have
// them: metrics, rules, formats, ...
#ifndef ASSAY_JOB_VOCABULARY_H
#define ASSAY_JOB_VOCABULARY_H

#include "base/arena.h"

typedef enum vocabulary {
    VOCABULARY_NONE,
#define VOCABULARY(constant, ...) VOCABULARY_##constant,
#include "job/vocabulary.def"
#undef VOCABULARY
} vocabulary;

// In the order of their table; none of VOCABULARY_NONE.
str_list vocabulary_words(vocabulary v, arena *a);

// A bit for each value of the list whose word is among these.
uint64_t vocabulary_bits(vocabulary v, const str_list *words);

// Is it one of them, or understood as one?
bool vocabulary_has(vocabulary v, str word, arena scratch);

// A word as `assay help` explains it.
typedef struct explained {
    str heading;  // of the group that it is in
    str word;
    str text;
    str passes;  // of a reason: what would let a case pass; or empty
} explained;

typedef vec_of(explained) explained_list;

// Group by group; none where the list has no groups.
explained_list vocabulary_explained(vocabulary v, arena *a);

#endif  // ASSAY_JOB_VOCABULARY_H
