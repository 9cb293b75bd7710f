/*
 * judge_settled.c - evidence that is better than an opinion.
 *
 * doubt       Equal texts and proofs are equivalent in every sense. A database
 *             on which the results differ refutes semantic equivalence, but
 *             says nothing about what a person would be content with; there
 *             the deterministic metric speaks first.
 * disagree    Metrics that look at results or at what is meant are witnesses of
 *             one rank. Where all that have an opinion have the same one, that
 *             is it; where they contradict each other, or none has one, the
 *             model is asked.
 *
 * Where the gold says that no query answers the question there is nothing to
 * ask: right is who gives none.
 */
#include "job/judge_run.h"
#include "read/abstention.h"

static str verdict_of(const judge_pair *p, str key)
{
    return json_get_text(json_get(p->verdicts, key), S("v"));
}

static bool by_evidence(const judge_pair *p, str notion, judge_result *out)
{
    static const struct {
        str key;
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
    for (ptrdiff_t i = 0; i < countof(evidence); i++) {
        bool fits = !evidence[i].notion
                    || str_equal(notion, str_from(evidence[i].notion));
        if (fits && str_equal(verdict_of(p, evidence[i].key), evidence[i].v)) {
            *out = (judge_result){
                .decision = evidence[i].decision,
                .why = evidence[i].key,
            };
            return true;
        }
    }
    return false;
}

// exec and exec:bird, suite, subset, pragmatic, equiv; but not exec@5.
static bool is_witness(str key)
{
    str metric = str_cut(&key, ':');
    return str_among(metric, "exec suite subset pragmatic equiv");
}

// "exec yes, suite no"; counts who says what.
static str hear_witnesses(const judge_pair *p,
                          arena *a,
                          ptrdiff_t *n_yes,
                          ptrdiff_t *n_no)
{
    buf b = buf_new(a);
    const json *v = p->verdicts ? p->verdicts->child : NULL;
    for (; v; v = v->next) {
        str word = json_get_text(v, S("v"));
        bool is_yes = str_equal(word, S("yes"));
        bool is_no = str_equal(word, S("no"));
        if (is_witness(v->key) && (is_yes || is_no)) {
            buf_printf(&b, "%s%.*s %.*s", b.len > 0 ? ", " : "",
                       STR_ARG(v->key), STR_ARG(word));
            *n_yes += is_yes;
            *n_no += is_no;
        }
    }
    return buf_str(&b);
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
    ptrdiff_t n_yes = 0;
    ptrdiff_t n_no = 0;
    *out = (judge_result){0};
    if (judge_is_unanswerable(p)) {
        bool is_right = abstention_is_given(p->right, *a);
        out->decision = is_right ? DECISION_EQUIVALENT : DECISION_INEQUIVALENT;
        out->why = S("unanswerable");
        return true;
    }
    if (ask == ASK_ALL || (ask == ASK_DOUBT && by_evidence(p, notion, out))) {
        return ask == ASK_DOUBT;
    }
    str heard = hear_witnesses(p, a, &n_yes, &n_no);
    if (ask == ASK_DISAGREE && (n_yes > 0) != (n_no > 0)) {
        *out = (judge_result){
            .decision = n_yes > 0 ? DECISION_EQUIVALENT : DECISION_INEQUIVALENT,
            .why = S("all_agree"),
        };
        return true;
    }
    out->asked = heard.len > 0 ? heard : S("nothing known");
    return false;
}
