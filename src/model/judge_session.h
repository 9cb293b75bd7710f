/*
 * judge_session.h - one vote about one pair: what is asked, and what becomes of
 * the answers.
 *
 * A plain session asks once. A grounded one is a dialogue: the model proposes
 * rows, a bench runs both queries on them, and the model sees the true result.
 * Only an executed difference makes a pair inequivalent there, whatever the
 * model says.
 *
 * Order of    session_begin()     the first request is ready
 * calls         session_request()
 *               session_take()    its answer; true while there is another
 *                                 request
 *             then look at `result`
 */
#ifndef ASSAY_MODEL_JUDGE_SESSION_H
#define ASSAY_MODEL_JUDGE_SESSION_H

#include "model/chat.h"
#include "model/judge.h"
#include "model/prompt.h"

// What came of rows that a model proposed.
typedef enum trial_outcome {
    TRIAL_REFUSED,    // they cannot be loaded; `text` says why
    TRIAL_SAME,       // both queries return the same: `text` shows it
    TRIAL_DIFFERENT,  // they do not: `witness` is the proof
    TRIAL_FAILED,     // a query cannot be run at all; `text` says why
} trial_outcome;

typedef struct judge_trial {
    trial_outcome outcome;
    str text;
    str witness;  // JSON: {"sql": ..., "left": [[...]], "right": [[...]]}
} judge_trial;

// Shows the schema of a pair as text, and runs both of its queries on proposed
// rows: {"table": [{...}, ...], ...}.
typedef struct judge_bench {
    void *context;
    str (*schema)(void *context, const judge_pair *p, arena *a);
    judge_trial (*trial)(void *context,
                         const judge_pair *p,
                         const json *rows,
                         arena *a);
} judge_bench;

typedef struct session_options {
    const prompt *prompt;
    str model;
    double temperature;
    int64_t max_tokens;
    ptrdiff_t n_shots;
    str shots;         // in place of the template's own examples; empty: those
    ptrdiff_t rounds;  // grounded: databases that may be tried
    ptrdiff_t max_rows;    // a table
    str dialect;           // "SQLite"
    bool retries_unclear;  // asks once more for nothing but the decision
    bool is_grounded;
    judge_bench bench;  // when grounded
} session_options;

enum {
    SESSION_MESSAGES_MAX = 40
};

typedef struct session {
    const session_options *o;
    const judge_pair *pair;
    arena *a;  // of the dialogue
    bool is_swapped;
    int64_t seed;
    chat_message messages[SESSION_MESSAGES_MAX];
    ptrdiff_t n_messages;
    ptrdiff_t n_trials;
    ptrdiff_t n_rounds;
    bool is_done;
    bool has_failed;  // nobody answered
    str answer;       // the last one, as the model gave it
    judge_result result;
} session;

// How a vote is asked.
typedef struct session_vote {
    bool is_swapped;  // Q1 and Q2 exchanged
    int64_t seed;     // -1: none
} session_vote;

// `schema_text` is the schema of the pair.
void session_begin(session *s,
                   arena *a,
                   const session_options *o,
                   const judge_pair *p,
                   str schema_text,
                   session_vote vote,
                   arena scratch);

// The body of the request that waits for its answer.
str session_request(const session *s, arena *a);

bool session_take(session *s, str text, reply_end end, arena scratch);

// The call failed for good.
void session_fail(session *s, str why);

// Many votes into one opinion: the majority of the clear ones; unclear when
// they tie (`tie`), or when the order of the queries decides (`order_bias`).
judge_result session_combine(const session *votes, ptrdiff_t n);

// The fields that templates of pairs may use.
ptrdiff_t session_fields(const str **names);

#endif  // ASSAY_MODEL_JUDGE_SESSION_H
