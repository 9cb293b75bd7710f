/*
 * judge.h - what a judge found out about one pair, and its line.
 */
#ifndef ASSAY_MODEL_JUDGE_H
#define ASSAY_MODEL_JUDGE_H

#include "model/judge_pair.h"
#include "model/reply.h"

typedef struct judge_result {
    decision decision;
    str why;    // the rule that decided, or why it is unclear
    str words;  // of the answer; empty: none
    str asked;  // what was known of the pair that was asked about; empty: that
                // did not matter
    double doubt;  // about that pair, from 0 to .5
    bool contradicts_self;
    ptrdiff_t n_votes;  // 0: nobody was asked
    ptrdiff_t n_winning;
    ptrdiff_t n_databases;  // on which both queries were run
    str witness;            // JSON of the database that tells them apart
} judge_result;

// The opinion of one answer. `words` of the result lies in `a`. What reads as a
// decision in a literal of the queries is none when the answer repeats it.
judge_result judge_read(const judge_pair *p,
                        str answer,
                        reply_end end,
                        arena *a,
                        arena scratch);

// Appends the line of a pair, newline and all: a line of a journal, with the
// verdict `judge` beside what was known before.
void judge_add_line(buf *out, const judge_pair *p, const judge_result *r);

// Appends the line of a journal with the verdict `judge` put into it, first of
// its verdicts; all else stays as it is, byte for byte.
void judge_insert(buf *out, str line, const judge_result *r, arena scratch);

#endif  // ASSAY_MODEL_JUDGE_H
