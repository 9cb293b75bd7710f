/*
 * judge_run.h - many pairs through a judge: each is asked about as often as
 * wanted, answers come from records where there are some, and opinions go out
 * in the order in which the pairs came in.
 */
#ifndef ASSAY_JOB_JUDGE_RUN_H
#define ASSAY_JOB_JUDGE_RUN_H

#include "base/map.h"
#include "model/chat_record.h"
#include "model/judge_session.h"

typedef struct judge_price {
    bool is_known;
    double in;  // of a million tokens
    double out;
} judge_price;

typedef enum judge_ask {
    ASK_ALL,
    ASK_DOUBT,  // only where what is known settles nothing
} judge_ask;

// Pairs that are asked about, by what is known of them: judge_result.asked.
typedef struct judge_doubts {
    map kinds;
    vec_of(int64_t) n;
} judge_doubts;

void judge_doubts_add(judge_doubts *t, arena *a, str asked);

typedef struct judge_run_options {
    session_options session;
    ptrdiff_t votes;
    bool swaps;             // every second vote has the queries exchanged
    ptrdiff_t concurrency;  // calls on their way
    judge_ask ask;
    chat *chat;  // NULL: recorded answers only
    chat_record *record;
    judge_price price;
    double max_cost;  // < 0: no limit
} judge_run_options;

// Where pairs come from and opinions go to.
typedef struct judge_ports {
    void *context;

    // The next pair, in `a`; false at the end.
    bool (*next)(void *context, judge_pair *p, arena *a);

    // Shows the schema in place of the bench; NULL: the bench does.
    str (*schema)(void *context, const judge_pair *p, arena *a);
    void (*take)(void *context,
                 const judge_pair *p,
                 const judge_result *r,
                 arena scratch);

    // In place of `take`, where each answer is wanted; may be NULL.
    void (*take_votes)(void *context,
                       const judge_pair *p,
                       const session *votes,
                       ptrdiff_t n,
                       arena scratch);
} judge_ports;

typedef struct judge_totals {
    int64_t n_pairs;
    int64_t n_settled;   // without a call: what is known decides
    int64_t n_calls;     // answered by the server
    int64_t n_recorded;  // answered by a record
    int64_t n_failed;    // answered by neither
    int64_t n_tries;
    int64_t tokens_in;
    int64_t tokens_out;
    double cost;
    str first_error;   // why the first question got no answer; empty: all did
    bool is_hopeless;  // no call can pass: the rest was not tried
    bool hit_max_cost;
    bool lost_record;  // an answer could not be written down
    judge_doubts doubts;
} judge_totals;

// False when there is no address space.
bool judge_run(const judge_run_options *o,
               const judge_ports *ports,
               judge_totals *totals,
               arena *a,
               arena scratch);

// Does its gold say that no query answers the question? Then it is settled.
bool judge_is_unanswerable(const judge_pair *p);

// What the verdicts of a journal decide already under this notion. Where they
// do not, `asked` of the result, in `a`, says what there is of them.
bool judge_is_settled(const judge_pair *p,
                      judge_ask ask,
                      str notion,
                      judge_result *out,
                      arena *a);

#endif  // ASSAY_JOB_JUDGE_RUN_H
