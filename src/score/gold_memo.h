/*
 * gold_memo.h - what was found out of a gold, for the next case that has it.
 *
 * Why         A training loop asks for the same gold with each of its
 *             candidates. Its results are kept by result_cache.h; what its text
 *             alone says took as long as a small query.
 *
 * Method      One slot for each hash of database and text; a later gold with
 *             the same slot takes it over. What is kept is a function of both.
 */
#ifndef ASSAY_SCORE_GOLD_MEMO_H
#define ASSAY_SCORE_GOLD_MEMO_H

#include "base/arena.h"
#include "base/hash.h"
#include "sql/features.h"

typedef struct gold_fact {
    hash128 place;  // of the database
    hash128 text;
    bool has_grade;  // the next three are known
    bool hardness_is_ours;
    str hardness;  // one of a few words that live for ever
    sql_features features;
    bool has_choice;  // the next is known
    bool leaves_choice;
    bool is_stable[2];  // tried in vain, where no order is asked for or one is
} gold_fact;

typedef struct gold_memo {
    arena_store store;
    gold_fact *slots;
} gold_memo;

// False when there is no address space for it.
bool gold_memo_open(gold_memo *m);
void gold_memo_close(gold_memo *m);

// What is known of the text on the database; good until the next call.
gold_fact *gold_memo_at(gold_memo *m, str database, str sql);

#endif  // ASSAY_SCORE_GOLD_MEMO_H
