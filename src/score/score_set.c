/*
 * score_set.c - set:spider, set:adapted and the hardness of a case.
 *
 * Each variant of the gold that Spider's grammar reads is compared; the first
 * that fits wins, else the no with the fewest wrong components is kept.
 */
#include "base/buf.h"
#include "evaluators/spider_text.h"
#include "score/score_case.h"

void score_read_golds(judging *j)
{
    const gold_set *set = &j->families[FAMILY_PLAIN];
    if (!j->db) {
        return;
    }
    const schema *s = engine_schema(j->db);
    j->set_golds = (const spider_query **)arena_alloc(
        j->a, sizeof *j->set_golds, _Alignof(max_align_t), set->n + 1);
    for (ptrdiff_t i = 0; i < set->n; i++) {
        j->set_golds[i] =
            spider_query_of(j->a, set->variants[i].sql, s, j->s->scratch);
    }
}

str score_hardness(judging *j, bool *is_ours)
{
    *is_ours = false;
    const gold_set *set = &j->families[FAMILY_PLAIN];
    for (ptrdiff_t i = 0; j->set_golds && i < set->n; i++) {
        if (j->set_golds[i]) {
            return spider_hardness(j->set_golds[i]);
        }
    }
    const bound_text *gold = set->n > 0 ? score_gold_tree(j, 0) : NULL;
    *is_ours = gold && gold->binding;
    return *is_ours ? clauses_hardness(gold->binding->query->node) : (str){0};
}

static str name_wrong_parts(const spider_match *m, arena *a)
{
    buf b = buf_new(a);
    for (int k = 0; k < SPIDER_PARTS; k++) {
        if (!spider_part_is_right(m->parts[k])) {
            buf_add(&b, b.len > 0 ? S(", ") : S(""));
            buf_add(&b, spider_part_word((spider_part)k));
        }
    }
    if (b.len == 0) {
        buf_add(&b, m->is_exact ? S("ON conditions") : S("tables"));
    }
    return buf_str(&b);
}

static const verdict_part *list_parts(const spider_match *m, arena *a)
{
    verdict_part *parts = arena_new(a, verdict_part, SPIDER_PARTS);
    for (int k = 0; k < SPIDER_PARTS; k++) {
        parts[k] = (verdict_part){
            .word = spider_part_word((spider_part)k),
            .is_right = spider_part_is_right(m->parts[k]),
            .in_gold = m->parts[k].gold > 0,
            .in_pred = m->parts[k].pred > 0,
        };
    }
    return parts;
}

static verdict verdict_of(const spider_match *m, score_set_kind kind, arena *a)
{
    bool is_right = kind == SET_SPIDER ? m->is_exact : m->is_adapted;
    verdict v = is_right ? verdict_yes()
                : m->pred_parses
                    ? verdict_no(REASON_CLAUSES_DIFFER, name_wrong_parts(m, a))
                    : verdict_no(REASON_SYNTAX_ERROR,
                                 S("Spider's grammar does not read it"));
    v.parts = list_parts(m, a);
    v.n_parts = SPIDER_PARTS;
    return v;
}

static ptrdiff_t count_right(const verdict *v)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < v->n_parts; i++) {
        n += v->parts[i].is_right;
    }
    return n;
}

verdict score_set(judging *j, score_set_kind kind, const score_pred *pred)
{
    if (kind == SET_OWN) {
        return score_own_set(j);
    }
    if (!j->db) {
        return verdict_unknown(REASON_NO_DATABASE, j->db_error);
    }
    const schema *s = engine_schema(j->db);
    const schema *keys = j->task->keys ? j->task->keys : s;
    str text = spider_value_to_one(j->a, pred->line);
    const spider_query *p = spider_query_of(j->a, text, s, j->s->scratch);
    const gold_set *set = &j->families[FAMILY_PLAIN];
    verdict best = verdict_unknown(
        REASON_GOLD_FAILED, set->error.len > 0
                                ? set->error
                                : S("Spider's grammar does not read the gold"));
    for (ptrdiff_t i = 0; i < set->n; i++) {
        if (!j->set_golds[i]) {
            continue;
        }
        spider_match m =
            spider_set_match(j->set_golds[i], p, s, keys, j->a, j->s->scratch);
        verdict v = verdict_of(&m, kind, j->a);
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
