/*
 * judge_pair.h - one pair to judge, as a line of a file gives it.
 *
 * Pairs {id, left, right}, {id, q1, q2}, {id, gold, pred}; lines of a journal;
 * lines of recorded judges, which bring prompt and response with them. What
 * else is known about the pair (a label, the verdicts of a journal) goes along
 * to the line that is written, so that opinions can be held against it.
 */
#ifndef ASSAY_MODEL_JUDGE_PAIR_H
#define ASSAY_MODEL_JUDGE_PAIR_H

#include "base/json.h"

typedef struct judge_pair {
    str id;
    str run;  // the predictor; empty: none
    str db;   // name of its database; empty: none
    str hardness;
    str question;
    str evidence;  // hints that belong to it, as a prompt shows them
    str samples;   // rows of its database, likewise
    str gold;      // of a question to be answered: no prompt shows it
    str left;      // Q1, the gold
    str right;     // Q2, the prediction
    str ddl;       // its schema as text; empty: none
    str schema;    // path of a file with DDL; empty: none
    str label;     // "yes", "no"; empty: none, or none that is sure
    str exec;      // what executing both said: "yes", "no"; empty: not known
    str judge;     // of a recorded answer: who gave it
    str technique;
    str prompt;
    str response;
    bool has_response;
    str line;  // the line it was read from, where somebody wants it back
    const json *verdicts;  // of a journal; NULL: none
    int64_t position;      // among the pairs of its file, from 0
} judge_pair;

// Reads one object; false when it is none. Texts are borrowed from `j`.
bool judge_pair_from_json(judge_pair *p, arena *a, const json *j);

#endif  // ASSAY_MODEL_JUDGE_PAIR_H
