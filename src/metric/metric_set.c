/*
 * metric_set.c - set: assay's own set match, and under rules that have one of
 * their own that one, as released and adapted.
 *
 * Method      Each variant of the gold that the other grammar reads is
 *             compared; the first that fits wins, else the no with the fewest
 *             wrong components is kept.
 */
#include "metric/metric.h"
#include "score/score_clauses.h"

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

verdict metric_judge_set(judging *j, const metric_call *call)
{
    if (call->key.part == SET_OWN) {
        return score_own_set(j);
    }
    if (!j->db) {
        return verdict_unknown(j->db_status, j->db_error);
    }
    if (engine_schema_error(j->db).len > 0) {
        return verdict_unknown(REASON_NO_DATABASE, engine_schema_error(j->db));
    }
    const schema *s = engine_schema(j->db);
    const schema *keys = j->task->keys ? j->task->keys : s;
    const set_query *p = set_pred_of(j->a, call->pred->line, s, j->s->scratch);
    set_match_kind how =
        call->key.part == SET_RELEASED ? SET_MATCH_RELEASED : SET_MATCH_ADAPTED;
    const gold_set *set = &j->families[FAMILY_PLAIN];
    verdict best = verdict_unknown(
        REASON_GOLD_FAILED, set->error.len > 0
                                ? set->error
                                : S("Spider's grammar does not read the gold"));
    for (ptrdiff_t i = 0; i < set->n; i++) {
        if (!j->set_golds[i]) {
            continue;
        }
        verdict v =
            set_match(how, j->set_golds[i], p, s, keys, j->a, j->s->scratch);
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
