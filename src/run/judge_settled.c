/*
 * judge_settled.c - evidence that is better than an opinion.
 *
 * Equal texts and proofs are equivalent in every sense. A database on which
 * the results differ refutes semantic equivalence, but says nothing about what
 * a person would be content with; there the deterministic metric speaks first.
 */
#include "run/judge_run.h"

static str verdict_of(const judge_pair *p, str key)
{
    return json_get_text(json_get(p->verdicts, key), S("v"));
}

bool judge_is_settled(const judge_pair *p, str notion, judge_result *out)
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
