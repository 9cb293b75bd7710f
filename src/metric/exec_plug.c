/*
 * exec_plug.c - exec and subset with the gold's values plugged in [003 5].
 *
 * Method      For each variant of the gold that ran, the texts of text_plug.h
 *             or, where queries run as they are written, of plug.h run one
 *             after the other until one passes. A text that fails, times out or
 *             hits another limit does not pass. A failure that would leave a
 *             prediction unknown (the server is away, a function that assay
 *             does not know) leaves the text unknown.
 *
 *             A text with the tokens of the prediction is the prediction again,
 *             which did not pass: it is not run once more. A prediction without
 *             values that runs into the time limit would else do so twice.
 *
 * Invariants  (1) A no means that every text was tried and compared. Where the
 *                 cap on their number (for each variant of the gold) or on
 *                 their time (PLUG_BUDGET times that of one query, running and
 *                 comparing) came first, the verdict is unknown.
 *             (2) What a text that did not pass left in the arena of the case
 *                 is given back.
 *
 * Cost        One execution a text, unless the cache knows it.
 */
#include "metric/exec_plug.h"

#include "base/clock.h"
#include "evaluators/text_plug.h"
#include "metric/text.h"
#include "relation/plug.h"

enum {
    PLUG_BUDGET = 10,  // time limits of one query, for all texts
};

typedef struct plug_search {
    const evidence *e;
    comparison what;
    rules r;
    family_id f;
    family_text plain;  // the prediction
    engine_stop stop;
    int64_t ns_left;
    int64_t n_tried;
    bool is_cut;      // there are more texts than were tried
    verdict unknown;  // of a text that could not be compared; reason NONE: none
    verdict yes;
} plug_search;

static bool is_plain(const plug_search *s, const family_text *t)
{
    return !t->returns_nothing && !s->plain.returns_nothing
           && metric_string(s->plain.sql, t->sql, DIALECT_SQLITE, s->e->a,
                            s->e->scratch)
                      .v
                  == ANSWER_YES;
}

static void keep_unknown(plug_search *s, verdict v)
{
    if (v.v == ANSWER_UNKNOWN) {
        s->unknown = verdict_unknown(v.reason, (str){0});
    }
}

static bool passes(plug_search *s, ptrdiff_t variant, const family_text *t)
{
    const evidence *e = s->e;
    execution x = {.offset = -1};
    s->n_tried++;
    if (is_plain(s, t)) {
        return false;
    }
    if (!t->returns_nothing) {
        x = evidence_run(e, t->sql, s->stop, e->pred_no);
    }
    e->source->tried(e->of);
    const int64_t start = clock_ns();
    if (x.status == REASON_NONE) {
        const verdict v =
            exec_compare_variant(e, s->what, s->r, variant, &x, t->sql);
        if (v.v == ANSWER_YES) {
            s->yes = v;
            s->yes.plugged = t->sql;
            return true;
        }
        keep_unknown(s, v);
    } else {
        keep_unknown(s, verdict_failed(x.status, (str){0}));
    }
    s->ns_left -= x.ns + clock_ns() - start;
    return false;
}

static bool search_texts(plug_search *s, ptrdiff_t variant)
{
    const evidence *e = s->e;
    text_plug p =
        text_plug_of(e->a, e->families[s->f].variants[variant].prepared,
                     s->plain.prepared, TEXT_PLUG_MOST, e->scratch);
    const arena before = *e->a;
    str text;
    text_plug_next(&p, e->a, &text);  // the prediction itself: it failed
    while (s->ns_left > 0 && text_plug_next(&p, e->a, &text)) {
        const family_text t = text_family_of(s->f)->plugged(e->a, text);
        if (passes(s, variant, &t)) {
            return true;
        }
        *e->a = before;
    }
    s->is_cut |= text_plug_is_cut(&p);
    return false;
}

static bool search_trees(plug_search *s, ptrdiff_t variant)
{
    const evidence *e = s->e;
    const bound_text *gold = evidence_gold_tree(e, variant);
    const bound_text *pred = evidence_pred_tree(e);
    if (!gold->binding || !pred->binding) {
        return false;
    }
    plug p = plug_of(e->a, gold->binding, pred->binding, PLUG_MOST, e->scratch);
    const arena before = *e->a;
    family_text t = {0};
    while (s->ns_left > 0 && plug_next(&p, e->a, &t.sql, e->scratch)) {
        if (passes(s, variant, &t)) {
            return true;
        }
        *e->a = before;
    }
    s->is_cut |= plug_is_cut(&p);
    return false;
}

static verdict nothing_passed(const plug_search *s, verdict plain)
{
    arena *a = s->e->a;
    const long long n = (long long)s->n_tried;
    if (s->ns_left <= 0) {
        return verdict_unknown(
            REASON_TIMEOUT,
            arena_printf(a,
                         "the gold's values were tried for %d times the limit "
                         "of one query; none passes",
                         PLUG_BUDGET));
    }
    if (s->is_cut) {
        return verdict_unknown(
            REASON_TOO_MANY_VARIANTS,
            n > 0 ? arena_printf(a, "none of the first %lld passes", n)
                  : S("too many values to replace with the gold's"));
    }
    if (s->unknown.reason != REASON_NONE && plain.v == ANSWER_NO) {
        return s->unknown;
    }
    if (n > 0) {
        plain.detail = arena_printf(
            a, "%.*s%snor with the gold's values (%lld tried)",
            STR_ARG(plain.detail), plain.detail.len > 0 ? "; " : "", n);
    }
    return plain;
}

verdict exec_plugged(const evidence *e, comparison what, rules r, verdict plain)
{
    const family_id f = evaluator_of(r)->family;
    const gold_set *set = &e->families[f];
    const bool in_trees = evaluator_has(r, PLUGS_TREES);
    if (plain.v == ANSWER_YES || !e->has_db || set->n_ran == 0
        || (in_trees && e->runs[f].status != REASON_NONE)) {
        return plain;
    }
    if (e->killed != REASON_NONE) {
        return verdict_unknown(e->killed,
                               S("it killed its worker; the gold's values were "
                                 "not tried"));
    }
    plug_search s = {
        .e = e,
        .what = what,
        .r = r,
        .f = f,
        .plain = text_family_of(f)->pred(e->a, evidence_text_of(f, e->pred),
                                         evidence_family_options(e->options)),
        .stop = exec_stop(e, f, e->pred->sql),
        .ns_left = e->timeout_ms * 1000000 * PLUG_BUDGET,
    };
    for (ptrdiff_t i = 0; i < set->n; i++) {
        if (set->runs[i].status == REASON_NONE
            && (in_trees ? search_trees : search_texts)(&s, i)) {
            return s.yes;
        }
    }
    return nothing_passed(&s, plain);
}
