/*
 * judge_session.c - see judge_session.h.
 *
 * Invariants  (1) In a grounded session `inequivalent` comes from a trial that
 *                 differed, never from words.
 *             (2) A session ends: each answer uses up a round, and a round
 *                 without rows in it does too.
 */
#include "model/judge_session.h"

#include "model/prompt_schema.h"

#include <assert.h>

static const str field_names[] = {
    S_INIT("q1"),       S_INIT("q2"),        S_INIT("schema"),
    S_INIT("shots"),    S_INIT("dialect"),   S_INIT("question"),
    S_INIT("evidence"), S_INIT("samples"),   S_INIT("rows"),
    S_INIT("reason"),   S_INIT("decision"),  S_INIT("result"),
    S_INIT("sql"),      S_INIT("reference"), S_INIT("answer"),
};

ptrdiff_t session_fields(const str **names)
{
    *names = field_names;
    return countof(field_names);
}

static void add_message(session *s, str role, str text)
{
    if (s->n_messages < SESSION_MESSAGES_MAX) {
        s->messages[s->n_messages++] = (chat_message){role, text};
    }
}

void session_begin(session *s,
                   arena *a,
                   const session_options *o,
                   const judge_pair *p,
                   str schema_text,
                   session_vote vote,
                   arena scratch)
{
    *s = (session){.o = o, .pair = p, .a = a};
    s->is_swapped = vote.is_swapped;
    s->seed = vote.seed;
    str left = prompt_query(a, p->left, scratch);
    str right = prompt_query(a, p->right, scratch);
    const prompt_field fields[] = {
        {S("q1"), vote.is_swapped ? right : left},
        {S("q2"), vote.is_swapped ? left : right},
        {S("reference"), left},
        {S("answer"), right},
        {S("schema"), schema_text},
        {S("shots"),
         o->shots.len > 0 ? o->shots : prompt_shots(o->prompt, a, o->n_shots)},
        {S("dialect"), o->dialect},
        {S("question"), p->question},
        {S("evidence"), p->evidence},
        {S("samples"), p->samples},
        {S("rows"), arena_printf(a, "%td", o->max_rows)},
    };
    str system = prompt_section_text(o->prompt, S("system"));
    if (system.len > 0) {
        add_message(s, S("system"),
                    str_trim(prompt_fill(a, system, fields, countof(fields))));
    }
    str user = prompt_section_text(o->prompt, S("user"));
    add_message(s, S("user"),
                str_trim(prompt_fill(a, user, fields, countof(fields))));
}

str session_request(const session *s, arena *a)
{
    chat_request r = {
        .model = s->o->model,
        .messages = s->messages,
        .n_messages = s->n_messages,
        .temperature = s->o->temperature,
        .max_tokens = s->o->max_tokens,
        .seed = s->seed,
    };
    return chat_body(a, &r);
}

static bool end_session(session *s, judge_result r)
{
    s->result = r;
    s->result.n_databases = s->n_trials;
    s->is_done = true;
    return false;
}

static judge_result unclear(str why)
{
    return (judge_result){.why = why, .n_votes = 1};
}

void session_fail(session *s, str why)
{
    s->result = unclear(S("no_answer"));
    s->result.words = why;
    s->is_done = true;
    s->has_failed = true;
}

// The JSON object in an answer; NULL when there is none. An answer that is all
// braces is not tried at each of them.
static const json *proposed_rows(arena *a, str text, arena scratch)
{
    enum {
        BRACES_MAX = 64
    };
    ptrdiff_t at = str_find(text, S("{"), 0);
    for (int n = 0; at >= 0 && n < BRACES_MAX; n++) {
        arena local = scratch;
        ptrdiff_t used = 0;
        str rest = str_skip(text, at);
        const json *j = json_parse_prefix(&local, rest, &used, NULL);
        if (j && j->kind == JSON_KIND_OBJECT && j->child
            && j->child->kind == JSON_KIND_ARRAY) {
            return json_parse(a, str_sub(rest, 0, used), NULL);
        }
        at = str_find(text, S("{"), at + 1);
    }
    return NULL;
}

// Asks on: section `name` of the template, with one field filled.
static bool ask_on(session *s, str answer, str section, prompt_field field)
{
    str form = prompt_section_text(s->o->prompt, section);
    add_message(s, S("assistant"), arena_str(s->a, answer));
    add_message(s, S("user"), str_trim(prompt_fill(s->a, form, &field, 1)));
    return true;
}

// An answer of words in place of rows.
static bool take_words(session *s, str text, reply_end end, arena scratch)
{
    judge_result r = judge_read(s->pair, text, end, s->a, scratch);
    if (r.decision == DECISION_EQUIVALENT) {
        return end_session(s, r);
    }
    if (s->n_rounds >= s->o->rounds) {
        return end_session(s, unclear(r.decision == DECISION_INEQUIVALENT
                                          ? S("no_witness")
                                          : S("no_decision")));
    }
    prompt_field field = {
        S("reason"),
        S("there is no JSON object with rows in the answer, and only rows on "
          "which the results differ show that the queries do"),
    };
    return ask_on(s, text, S("refused"), field);
}

static bool take_grounded(session *s, str text, reply_end end, arena scratch)
{
    s->n_rounds++;
    const json *rows = proposed_rows(s->a, text, scratch);
    if (!rows) {
        return take_words(s, text, end, scratch);
    }
    judge_trial t = s->o->bench.trial(s->o->bench.context, s->pair, rows, s->a);
    s->n_trials += t.outcome == TRIAL_SAME || t.outcome == TRIAL_DIFFERENT;
    if (t.outcome == TRIAL_DIFFERENT) {
        return end_session(s, (judge_result){
                                  .decision = DECISION_INEQUIVALENT,
                                  .why = S("executed"),
                                  .witness = t.witness,
                                  .n_votes = 1,
                                  .n_winning = 1,
                              });
    }
    if (t.outcome == TRIAL_FAILED) {
        judge_result r = unclear(S("not_run"));
        r.words = t.text;
        return end_session(s, r);
    }
    if (s->n_rounds >= s->o->rounds) {
        bool is_tried = s->n_trials > 0;
        judge_result r =
            unclear(is_tried ? S("not_separated") : S("not_tried"));
        r.words = is_tried ? (str){0} : t.text;
        return end_session(s, r);
    }
    bool is_refused = t.outcome == TRIAL_REFUSED;
    prompt_field field = {is_refused ? S("reason") : S("result"), t.text};
    return ask_on(s, text, is_refused ? S("refused") : S("same"), field);
}

bool session_take(session *s, str text, reply_end end, arena scratch)
{
    s->answer = arena_str(s->a, text);
    if (s->o->is_grounded) {
        return take_grounded(s, text, end, scratch);
    }
    judge_result r = judge_read(s->pair, text, end, s->a, scratch);
    s->n_rounds++;
    if (r.decision == DECISION_UNCLEAR && s->o->retries_unclear
        && s->n_rounds == 1 && text.len > 0) {
        add_message(s, S("assistant"), s->answer);
        add_message(s, S("user"),
                    S("I found no decision in that answer. Answer with one "
                      "line, either decision = \"equivalent\" or decision = "
                      "\"inequivalent\"."));
        return true;
    }
    return end_session(s, r);
}

/* Votes. */

static decision majority(const ptrdiff_t *n)
{
    ptrdiff_t yes = n[DECISION_EQUIVALENT];
    ptrdiff_t no = n[DECISION_INEQUIVALENT];
    return yes > no   ? DECISION_EQUIVALENT
           : no > yes ? DECISION_INEQUIVALENT
                      : DECISION_UNCLEAR;
}

judge_result session_combine(const session *votes, ptrdiff_t n)
{
    assert(n > 0);  // nobody decides without a vote
    ptrdiff_t all[DECISION_COUNT] = {0};
    ptrdiff_t by_order[2][DECISION_COUNT] = {{0}};
    const session *first = &votes[0];
    for (ptrdiff_t i = 0; i < n; i++) {
        decision d = votes[i].result.decision;
        if (votes[i].result.witness.len > 0) {
            // A proof needs no majority.
            judge_result r = votes[i].result;
            r.n_votes = n;
            r.n_winning = n;
            return r;
        }
        all[d]++;
        by_order[votes[i].is_swapped][d]++;
    }
    decision won = majority(all);
    decision as_given = majority(by_order[0]);
    decision swapped = majority(by_order[1]);
    bool is_biased = as_given != DECISION_UNCLEAR && swapped != DECISION_UNCLEAR
                     && as_given != swapped;
    judge_result r = first->result;
    for (ptrdiff_t i = n - 1; i >= 0; i--) {
        if (votes[i].result.decision == won) {
            r = votes[i].result;
        }
    }
    r.n_votes = n;
    r.n_winning = won == DECISION_UNCLEAR ? 0 : all[won];
    bool is_tie = all[DECISION_EQUIVALENT] > 0 && won == DECISION_UNCLEAR;
    if (is_biased || is_tie) {
        r = (judge_result){.why = is_biased ? S("order_bias") : S("tie"),
                           .n_votes = n};
    }
    return r;
}
