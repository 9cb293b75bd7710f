// set_match.c - the verdict over the components of spider_set.h.
#include "evaluators/set_match.h"

#include "evaluators/spider_set.h"
#include "evaluators/spider_text.h"

const set_query *set_query_of(arena *a, str sql, const schema *s, arena scratch)
{
    return spider_query_of(a, sql, s, scratch);
}

const set_query *set_pred_of(arena *a, str line, const schema *s, arena scratch)
{
    return spider_query_of(a, spider_value_to_one(a, line), s, scratch);
}

str set_query_hardness(const set_query *gold)
{
    return spider_hardness(gold);
}

static verdict verdict_of(const spider_match *m, set_match_kind kind, arena *a)
{
    bool is_right = kind == SET_MATCH_RELEASED ? m->is_exact : m->is_adapted;
    verdict v = is_right ? verdict_yes()
                : m->pred_parses
                    ? verdict_no(REASON_CLAUSES_DIFFER, (str){0})
                    : verdict_no(REASON_SYNTAX_ERROR,
                                 S("Spider's grammar cannot read it"));
    str wrong =
        verdict_take_parts(&v, m->parts, spider_part_words, SPIDER_PARTS, a);
    if (v.reason == REASON_CLAUSES_DIFFER) {
        v.detail = wrong.len > 0 ? wrong
                   : m->is_exact ? S("ON conditions")
                                 : S("tables");
    }
    return v;
}

verdict set_match(set_match_kind kind,
                  const set_query *gold,
                  const set_query *pred,
                  const schema *s,
                  const schema *keys,
                  arena *a,
                  arena scratch)
{
    spider_match m = spider_set_match(gold, pred, s, keys, a, scratch);
    return verdict_of(&m, kind, a);
}
