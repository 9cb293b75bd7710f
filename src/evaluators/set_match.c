// set_match.c - the verdict over the components of spider_set.h.
#include "evaluators/set_match.h"

#include "base/buf.h"
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

static str name_wrong_parts(const spider_match *m, arena *a)
{
    buf b = buf_new(a);
    for (int k = 0; k < SPIDER_PARTS; k++) {
        if (!spider_part_is_right(m->parts[k])) {
            buf_list(&b, spider_part_word((spider_part)k));
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

static verdict verdict_of(const spider_match *m, set_match_kind kind, arena *a)
{
    bool is_right = kind == SET_MATCH_RELEASED ? m->is_exact : m->is_adapted;
    verdict v = is_right ? verdict_yes()
                : m->pred_parses
                    ? verdict_no(REASON_CLAUSES_DIFFER, name_wrong_parts(m, a))
                    : verdict_no(REASON_SYNTAX_ERROR,
                                 S("Spider's grammar does not read it"));
    v.parts = list_parts(m, a);
    v.n_parts = SPIDER_PARTS;
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
