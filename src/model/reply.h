/*
 * reply.h - the decision in a model's answer.
 *
 * A decision is read, never guessed: what is no decision is unclear and says
 * why. The rules stand in the order of the enum; the first that finds
 * something decides. docs/judge.md explains them to users.
 */
#ifndef ASSAY_MODEL_REPLY_H
#define ASSAY_MODEL_REPLY_H

#include "base/arena.h"

typedef enum decision {
    DECISION_UNCLEAR,
    DECISION_EQUIVALENT,
    DECISION_INEQUIVALENT,
    DECISION_COUNT,
} decision;

typedef enum reply_rule {
#define RULE(constant, word, text) REPLY_##constant,
#include "model/reply_rule.def"
#undef RULE
    REPLY_RULE_COUNT,
} reply_rule;

typedef struct reply_reading {
    decision decision;
    reply_rule rule;        // that decided, or why nothing did
    str words;              // the run of bytes that says so; empty: none
    bool contradicts_self;  // other words of it say the opposite
} reply_reading;

// How an answer ended.
typedef enum reply_end {
    REPLY_END_WHOLE,
    REPLY_END_CUT,  // at the limit of tokens
} reply_end;

// Reads the answer. `words` of the result is a part of `text`.
reply_reading reply_read(str text, reply_end end, arena scratch);

str decision_word(decision v);  // "equivalent"
bool decision_from_word(str word, decision *out);
str reply_rule_word(reply_rule r);  // "the_answer_is"

#endif  // ASSAY_MODEL_REPLY_H
