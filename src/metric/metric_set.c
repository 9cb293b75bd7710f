/*
 * metric_set.c - set: assay's own set match, and under rules that have one of
 * their own that one, as released and adapted.
 *
 * Method      Each variant of the gold that the other grammar reads is
 *             compared; the first that fits wins, else the no with the fewest
 *             wrong components is kept.
 */
#include "metric/metric.h"
#include "metric/set_clauses.h"

typedef enum set_kind {
    SET_OWN,
    SET_RELEASED,
    SET_ADAPTED,  // and the ON conditions are the same
} set_kind;

// set is assay's own, unless no rules are asked for but of an evaluator that
// has a set match, too; the other kinds are that one's.
void metric_keys_set(metric_keys *keys,
                     const score_options *o,
                     str word,
                     arena *a)
{
    bool is_own = o->n_rules == 0;
    const evaluator *other = NULL;
    for (ptrdiff_t i = 0; i < o->n_rules; i++) {
        bool has_match = evaluator_has(o->rules[i], HAS_SET_MATCH);
        other = has_match ? evaluator_of(o->rules[i]) : other;
        is_own |= !has_match;
    }
    if (is_own) {
        *vec_push(a, keys) = (metric_key){.key = word, .part = SET_OWN};
    }
    if (other) {
        *vec_push(a, keys) = (metric_key){
            .key = arena_printf(a, "%.*s:%.*s", STR_ARG(word),
                                STR_ARG(other->word)),
            .part = SET_RELEASED,
        };
        *vec_push(a, keys) = (metric_key){
            .key = arena_printf(a, "%.*s:adapted", STR_ARG(word)),
            .part = SET_ADAPTED,
        };
    }
}

static ptrdiff_t count_right(const verdict *v)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < v->n_parts; i++) {
        n += v->parts[i].is_right;
    }
    return n;
}

// What the engine ran, or finds no fault with, is no syntax error because assay
// cannot read it.
static verdict own_set(const evidence *e)
{
    verdict v = set_own(e);
    bool is_asked = evidence_uses_family(e, FAMILY_PLAIN) && e->has_db
                    && e->families[FAMILY_PLAIN].n_ran > 0;
    reason status = e->runs[FAMILY_PLAIN].status;
    bool is_valid =
        is_asked && (status == REASON_NONE || status == REASON_NOT_UNDERSTOOD);
    return is_valid && v.v == ANSWER_NO && v.reason == REASON_SYNTAX_ERROR
               ? verdict_unknown(REASON_NOT_UNDERSTOOD,
                                 arena_printf(e->a,
                                              "assay cannot read it: %.*s",
                                              STR_ARG(v.detail)))
               : v;
}

verdict metric_judge_set(const evidence *e, metric_key key)
{
    if (key.part == SET_OWN) {
        return own_set(e);
    }
    str no_schema;
    const schema *s = evidence_schema(e, &no_schema);
    if (!s) {
        return verdict_unknown(REASON_NO_DATABASE, no_schema);
    }
    const schema *keys = e->keys ? e->keys : s;
    const set_query *p = set_pred_of(e->a, e->pred->line, s, e->scratch);
    set_match_kind how =
        key.part == SET_RELEASED ? SET_MATCH_RELEASED : SET_MATCH_ADAPTED;
    const gold_set *set = &e->families[FAMILY_PLAIN];
    verdict best = verdict_unknown(
        REASON_GOLD_FAILED, set->error.len > 0
                                ? set->error
                                : S("Spider's grammar cannot read the gold"));
    for (ptrdiff_t i = 0; i < set->n; i++) {
        if (!e->set_golds[i]) {
            continue;
        }
        verdict v =
            set_match(how, e->set_golds[i], p, s, keys, e->a, e->scratch);
        v.variant = i;
        if (v.v == ANSWER_YES) {
            return v;
        }
        if (best.v == ANSWER_UNKNOWN || count_right(&v) > count_right(&best)) {
            best = v;
        }
    }
    return best;
}
