// score_gold.c - from the gold of a case to the queries that are run for it.
#include "score/score_case.h"
#include "sql/outline.h"
#include "sql/template.h"

gold_family score_family_of(rules r)
{
    switch (r) {
    case RULES_SPIDER: return FAMILY_SPIDER;
    case RULES_DEFOG: return FAMILY_DEFOG;
    case RULES_ASSAY:
    case RULES_STRICT:
    case RULES_BIRD:
    case RULES_SPIDER2:
    case RULES_SQL_EVAL:
    case RULES_COUNT: break;
    }
    return FAMILY_PLAIN;
}

bool score_wants(const judging *j, score_metric m)
{
    return j->s->options->metrics & SCORE_BIT(m);
}

bool score_wants_all_rows(const judging *j)
{
    return score_wants(j, SCORE_SOFT_F1) || score_wants(j, SCORE_CELL_F1)
           || score_wants(j, SCORE_PRAGMATIC);
}

bool score_uses_family(const judging *j, gold_family f)
{
    return (f == FAMILY_PLAIN && score_wants(j, SCORE_SUITE))
           || score_compares_family(j, f);
}

bool score_compares_family(const judging *j, gold_family f)
{
    const score_options *o = j->s->options;
    if (f == FAMILY_PLAIN && score_wants_all_rows(j)) {
        return true;
    }
    bool compares = score_wants(j, SCORE_EXEC) || score_wants(j, SCORE_SUBSET);
    for (ptrdiff_t k = 0; compares && k < o->n_rules; k++) {
        if (score_family_of(o->rules[k]) == f) {
            return true;
        }
    }
    return false;
}

spider_text score_spider_text(const judging *j, str sql, spider_side side)
{
    spider_distinct distinct = j->s->options->distinct == DISTINCT_KEEP
                                   ? SPIDER_KEEP_DISTINCT
                                   : SPIDER_DROP_DISTINCT;
    return spider_text_of(j->a, sql, distinct, side);
}

gold_variant score_variant_of(const judging *j, gold_family f, str sql)
{
    if (f == FAMILY_SPIDER) {
        spider_text t = score_spider_text(j, sql, SPIDER_GOLD);
        return (gold_variant){t.sql, t.orders_matter, t.returns_nothing,
                              t.prepared};
    }
    sql_outline outline = sql_outline_of(sql, j->s->options->dialect);
    return (gold_variant){.sql = sql, .has_order = outline.has_outer_order};
}

void score_expand(judging *j, gold_family f)
{
    const record *gold = j->task->gold;
    gold_set *set = &j->families[f];
    template_variants texts = {0};
    template_options options = {
        .dialect = j->s->options->dialect,
        .keep_whole = gold->golds_are_final,
        .as_reference = f == FAMILY_DEFOG,
    };
    diag d = diag_new(j->a);
    if (!template_expand(&texts, j->a, gold->golds, gold->n_golds, options, &d,
                         j->s->scratch)) {
        set->error = d.messages.len > 0 ? diag_format(j->a, d.messages.ptr[0])
                                        : S("the gold has no query");
        return;
    }
    if (texts.n == 0) {
        set->error = S("the gold has no query");
    }
    gold_variant *variants = arena_new(j->a, gold_variant, texts.n);
    for (ptrdiff_t i = 0; i < texts.n; i++) {
        variants[i] = score_variant_of(j, f, texts.sql[i]);
    }
    set->variants = variants;
    set->n = texts.n;
}
