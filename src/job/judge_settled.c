/*
 * judge_settled.c - evidence that is better than an opinion.
 *
 * Method      Equal texts and proofs are equivalent in every sense. A database
 *             on which the results differ refutes semantic equivalence, but
 *             says nothing about what a person would be content with; there
 *             the deterministic metric speaks first, and what it does not know
 *             is in doubt. How much is measured: the share of people who say
 *             otherwise than most about such evidence.
 *
 * Where the gold says that no query answers the question there is nothing to
 * ask: right is who gives none.
 */
#include "job/judge_run.h"
#include "metric/leniency.h"
#include "read/abstention.h"

static const double DOUBT_MOST = 0.5;  // a coin knows as much

static const struct {
    str metric;
    str v;
    const char *notion;  // NULL: both
    decision decision;
} evidence[] = {
    {S_INIT("string"), S_INIT("yes"), NULL, DECISION_EQUIVALENT},
    {S_INIT("equiv"), S_INIT("yes"), NULL, DECISION_EQUIVALENT},
    {S_INIT("equiv"), S_INIT("no"), "semantic", DECISION_INEQUIVALENT},
    {S_INIT("suite"), S_INIT("no"), "semantic", DECISION_INEQUIVALENT},
    {S_INIT("exec"), S_INIT("no"), "semantic", DECISION_INEQUIVALENT},
    {S_INIT("pragmatic"), S_INIT("yes"), "pragmatic", DECISION_EQUIVALENT},
    {S_INIT("pragmatic"), S_INIT("no"), "pragmatic", DECISION_INEQUIVALENT},
};

// Of exec, exec:bird and the like; but not of exec@5.
static const json *verdict_of(const judge_pair *p, str metric)
{
    const json *v = p->verdicts ? p->verdicts->child : NULL;
    for (; v; v = v->next) {
        str key = v->key;
        if (str_equal(str_cut(&key, ':'), metric)) {
            return v;
        }
    }
    return NULL;
}

static bool by_evidence(const judge_pair *p, str notion, judge_result *out)
{
    for (ptrdiff_t i = 0; i < countof(evidence); i++) {
        const json *v = verdict_of(p, evidence[i].metric);
        bool fits = !evidence[i].notion
                    || str_equal(notion, str_from(evidence[i].notion));
        if (fits && v && str_equal(json_get_text(v, S("v")), evidence[i].v)) {
            *out = (judge_result){
                .decision = evidence[i].decision,
                .why = evidence[i].metric,
            };
            return true;
        }
    }
    return false;
}

static double doubt_of(people_counts c)
{
    double n = c.yes + c.no;
    double less = c.yes < c.no ? c.yes : c.no;
    return n > 0 ? less / n : DOUBT_MOST;
}

// Of what the metric pragmatic does not know: its class, and where people do
// not agree about differences, the one that they agree about least.
static double doubt_about(verdict_class class, str detail)
{
    double most = 0;
    str differences = detail;
    str_cut(&differences, ':');
    while (differences.len > 0) {
        leniency l = LENIENCY_COUNT;
        if (leniency_from_word(str_trim(str_cut(&differences, ',')), &l)) {
            double doubt = doubt_of(leniency_people(l));
            most = doubt > most ? doubt : most;
        }
    }
    return most > 0 ? most : doubt_of(verdict_class_people(class));
}

// "exec yes, suite no".
static str what_is_known(const judge_pair *p, arena *a)
{
    buf b = buf_new(a);
    const json *last = NULL;
    for (ptrdiff_t i = 1; i < countof(evidence); i++) {
        const json *v = verdict_of(p, evidence[i].metric);
        str word = json_get_text(v, S("v"));
        if (v && v != last && str_among(word, "yes no")) {
            buf_printf(&b, "%s%.*s %.*s", b.len > 0 ? ", " : "",
                       STR_ARG(v->key), STR_ARG(word));
        }
        last = v;
    }
    return b.len > 0 ? buf_str(&b) : S("nothing known");
}

static void say_doubt(const judge_pair *p,
                      str notion,
                      judge_result *out,
                      arena *a)
{
    bool is_pragmatic = str_equal(notion, S("pragmatic"));
    const json *v = is_pragmatic ? verdict_of(p, S("pragmatic")) : NULL;
    verdict_class class = CLASS_NONE;
    str word = json_get_text(v, S("class"));
    out->doubt = DOUBT_MOST;
    if (verdict_class_from_word(word, &class)) {
        out->asked = verdict_class_word(class);
        out->doubt = doubt_about(class, json_get_text(v, S("detail")));
    } else {
        out->asked = what_is_known(p, a);
    }
}

bool judge_is_unanswerable(const judge_pair *p)
{
    return abstention_is_right(&(record){.golds = &p->left, .n_golds = 1});
}

bool judge_is_settled(const judge_pair *p,
                      judge_ask ask,
                      str notion,
                      judge_result *out,
                      arena *a)
{
    *out = (judge_result){0};
    if (judge_is_unanswerable(p)) {
        bool is_right = abstention_is_given(p->right, *a);
        out->decision = is_right ? DECISION_EQUIVALENT : DECISION_INEQUIVALENT;
        out->why = S("unanswerable");
        return true;
    }
    if (ask == ASK_ALL) {
        return false;
    }
    if (by_evidence(p, notion, out)) {
        return true;
    }
    say_doubt(p, notion, out, a);
    return false;
}
