/*
 * told.h - what data sets say about an answer besides its SQL: what it cost,
 * and how sure the model is. The words are members of cases and of journals.
 */
#ifndef ASSAY_BASE_TOLD_H
#define ASSAY_BASE_TOLD_H

#include "base/json.h"

typedef enum told_kind {
    TOLD_TOKENS_IN,
    TOLD_TOKENS_OUT,
    TOLD_COST,  // in the currency of the file
    TOLD_LATENCY_MS,
    TOLD_CONFIDENCE,  // the greater the surer; from 0 to 1 it is a probability
    TOLD_COUNT,
} told_kind;

typedef struct answer_told {
    double at[TOLD_COUNT];
    unsigned has;  // bit set of kinds: the others are not known
} answer_told;

str told_word(told_kind k);

static inline bool told_has(const answer_told *t, told_kind k)
{
    return t->has >> k & 1;
}

static inline void told_set(answer_told *t, told_kind k, double is)
{
    t->at[k] = is;
    t->has |= 1U << k;
}

// Can a file say that? A count, a cost or a time is never below 0, nor above
// 10^12.
bool told_is_sound(told_kind k, double is);

// Of several samples: what they cost together; time and confidence stay.
void told_add(answer_told *sum, const answer_told *more);

// Members of an object, one a kind that is known.
void told_json(buf *out, const answer_told *t);

#endif  // ASSAY_BASE_TOLD_H
