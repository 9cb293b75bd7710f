/*
 * score_vote.c - the majority vote of a run's samples over results.
 *
 * Method      Samples in order: each joins the first group whose first sample
 *             has an equal result, under the first of the rules that are used
 *             for the verdicts, or begins a group. The gold has no part in it.
 *             Rows are compared as lists only where both queries sort them and
 *             the order counts. Equal texts are looked at once, and the result
 *             of a sample that joins is forgotten at once.
 *
 * Cost        One comparison for a result that is, value by value, that of a
 *             group's first sample; else one for each group, of which at most
 *             GROUPS_TRIED are tried. A sample beyond them whose result differs
 *             only in what the rules forgive begins a group of its own: then
 *             there are so many groups that there is no majority to speak of.
 */
#include "score/score_vote.h"

#include "base/map.h"
#include "metric/exec_rows.h"
#include "score/score_gold.h"
#include "score/score_run.h"
#include "table/table_code.h"

// Not looked at yet; -1 stands for "did not run".
enum {
    GROUP_UNKNOWN = -2,
    GROUPS_TRIED = 128,
};

typedef struct ballot {
    int32_t sample;  // the first of the group
    str sql;
    bool has_order;
    table result;
} ballot;

typedef struct ballot_list {
    ballot *ptr;
    ptrdiff_t len;
    ptrdiff_t cap;
    map by_value;  // hashes of results, in the order of the groups
} ballot_list;

// A number made of all that the result holds, in its order.
static uint64_t hash_of(const table *t, arena scratch)
{
    coded cells = table_code(&scratch, t, (coding){CODING_STRICT, 0});
    uint64_t h = hash_mix((uint64_t)t->n_rows, (uint64_t)t->n_columns);
    for (ptrdiff_t i = 0; i < t->n_rows * t->n_columns; i++) {
        h = hash_mix(h, cells.codes[i]);
    }
    return h;
}

static rules vote_rules(const judging *j)
{
    const score_options *o = j->s->options;
    rules r = o->n_rules > 0 ? o->rules[0] : RULES_ASSAY;
    return evidence_uses_family(&j->e, evaluator_of(r)->family) ? r
                                                                : RULES_ASSAY;
}

static bool is_same_result(judging *j,
                           rules r,
                           const ballot *one,
                           const ballot *other)
{
    family_text variant = {.sql = one->sql,
                           .has_order = one->has_order && other->has_order};
    compare_options c = exec_options(&j->e, r, &variant, other->sql);
    c.gold_sql = one->sql;
    arena local = *j->e.a;
    return compare_exec(r, &one->result, &other->result, &c, &local,
                        j->s->scratch)
               .v
           == ANSWER_YES;
}

// The first sample of the group that the text belongs to; -1: it has no vote.
static int32_t group_of(judging *j,
                        ballot_list *groups,
                        int32_t sample,
                        ptrdiff_t pred_no)
{
    rules r = vote_rules(j);
    family_id f = evaluator_of(r)->family;
    arena before = *j->e.a;
    execution x = score_run_pred(j, f, pred_no, true);
    if (x.status != REASON_NONE) {
        *j->e.a = before;
        return -1;
    }
    str sql = evidence_text_of(f, &j->task->preds[pred_no]);
    family_text as_gold = text_family_of(f)->gold(
        j->e.a, sql, evidence_family_options(j->s->options));
    ballot b = {.sample = sample,
                .sql = sql,
                .has_order = as_gold.has_order,
                .result = x.result};
    if (evaluator_has(r, DROPS_BAD_TEXT)) {
        b.result = table_drop_invalid(j->e.a, &x.result);
    }
    uint64_t hash = hash_of(&b.result, j->s->scratch);
    str key = {(const char *)&hash, sizeof hash};
    ptrdiff_t twin = map_find(&groups->by_value, key);
    if (twin >= 0 && is_same_result(j, r, &groups->ptr[twin], &b)) {
        *j->e.a = before;
        return groups->ptr[twin].sample;
    }
    for (ptrdiff_t i = 0; i < groups->len && i < GROUPS_TRIED; i++) {
        if (is_same_result(j, r, &groups->ptr[i], &b)) {
            *j->e.a = before;
            return groups->ptr[i].sample;
        }
    }
    if (twin >= 0) {  // equal values, in an order that counts
        key = arena_printf(j->e.a, "%td", groups->len);
    }
    map_add(&groups->by_value, j->e.a, key);
    *vec_push(j->e.a, groups) = b;
    return sample;
}

// Of equally large groups the first.
static void elect(score_vote *out, const int32_t *sizes, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        if (sizes[i] > out->n_votes) {
            out->n_votes = sizes[i];
            out->chosen = (int32_t)i;
        }
    }
}

static score_vote vote(judging *j,
                       const score_samples *run,
                       const scored_pred *preds,
                       bool can_run)
{
    arena *a = j->e.a;
    int32_t *found = arena_new(a, int32_t, run->n);
    int32_t *of_text = arena_new(a, int32_t, j->task->n_preds);
    int32_t *sizes = arena_new(a, int32_t, run->n);
    for (ptrdiff_t i = 0; i < j->task->n_preds; i++) {
        of_text[i] = GROUP_UNKNOWN;
    }
    score_vote out = {.groups = found};
    ballot_list groups = {0};
    for (ptrdiff_t i = 0; i < run->n; i++) {
        int32_t text = run->texts[i];
        bool has_vote = can_run && preds[text].status == REASON_NONE;
        if (of_text[text] == GROUP_UNKNOWN) {
            of_text[text] =
                has_vote ? group_of(j, &groups, (int32_t)i, text) : -1;
        }
        found[i] = of_text[text];
        if (found[i] >= 0) {
            sizes[found[i]]++;
        }
    }
    elect(&out, sizes, run->n);
    return out;
}

const score_vote *score_votes(judging *j, const scored_pred *preds)
{
    family_id f = evaluator_of(vote_rules(j))->family;
    bool can_run = j->db && j->e.families[f].n_ran > 0;
    score_vote *votes = arena_new(j->e.a, score_vote, j->task->n_runs);
    for (ptrdiff_t k = 0; k < j->task->n_runs; k++) {
        votes[k] = vote(j, &j->task->runs[k], preds, can_run);
    }
    return votes;
}

const score_vote *score_votes_to_answer(const score_task *task,
                                        const scored_pred *preds,
                                        arena *a)
{
    score_vote *votes = arena_new(a, score_vote, task->n_runs);
    for (ptrdiff_t k = 0; k < task->n_runs; k++) {
        const score_samples *run = &task->runs[k];
        int32_t *found = arena_new(a, int32_t, run->n);
        int32_t *sizes = arena_new(a, int32_t, run->n);
        int32_t first[2] = {-1, -1};
        votes[k].groups = found;
        for (int32_t i = 0; i < run->n; i++) {
            reason status = preds[run->texts[i]].status;
            bool answers = status == REASON_ANSWERED;
            bool has_vote = answers || status == REASON_NONE;
            first[answers] = first[answers] < 0 ? i : first[answers];
            found[i] = has_vote ? first[answers] : -1;
            sizes[first[answers]] += has_vote;
        }
        elect(&votes[k], sizes, run->n);
    }
    return votes;
}
