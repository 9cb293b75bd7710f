/*
 * spider_hardness.c - how hard a gold is (definitions/spider.md#hardness).
 *
 * Method      Three counts (clauses, nested queries, others) decide the level
 *             by thresholds. The counts follow the program, which takes the
 *             members at even places of a list for its conditions.
 */
#include "evaluators/spider_set.h"

typedef struct hardness_counts {
    ptrdiff_t clauses;  // component 1
    ptrdiff_t nested;   // component 2
    ptrdiff_t others;
} hardness_counts;

// The evaluator's view of a list: conditions at even places.
static void count_list(const spider_conds *list, hardness_counts *n)
{
    for (ptrdiff_t i = 0; i < list->len; i++) {
        const spider_cond *c = &list->ptr[i];
        if (i % 2 == 1) {
            n->clauses += c->link == SPIDER_LINK_OR;
            continue;
        }
        n->clauses +=
            c->link == SPIDER_LINK_NONE && c->test == SPIDER_TEST_LIKE;
        n->nested += c->first.kind == SPIDER_VALUE_QUERY;
        n->nested += c->second.kind == SPIDER_VALUE_QUERY;
    }
}

static ptrdiff_t count_aggregates(const spider_query *q)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < q->select.len; i++) {
        n += q->select.ptr[i].agg != SPIDER_AGG_NONE;
    }
    // It means to count aggregates here, and counts NOT.
    for (ptrdiff_t i = 0; i < q->where.len; i += 2) {
        n += q->where.ptr[i].is_not || q->where.ptr[i].link != SPIDER_LINK_NONE;
    }
    for (ptrdiff_t i = 0; i < q->group.len; i++) {
        n += q->group.ptr[i].agg != SPIDER_AGG_NONE;
    }
    for (ptrdiff_t i = 0; i < q->order.len; i++) {
        n += q->order.ptr[i].first.agg != SPIDER_AGG_NONE;
        n += q->order.ptr[i].second.agg != SPIDER_AGG_NONE;
    }
    for (ptrdiff_t i = 0; i < q->having.len; i++) {
        n += q->having.ptr[i].is_not
             || q->having.ptr[i].link != SPIDER_LINK_NONE;
    }
    return n;
}

static hardness_counts count_all(const spider_query *q)
{
    hardness_counts n = {0};
    n.clauses = (q->where.len > 0) + (q->group.len > 0) + q->has_order
                + q->has_limit + (q->from.len > 0 ? q->from.len - 1 : 0);
    count_list(&q->on, &n);
    count_list(&q->where, &n);
    count_list(&q->having, &n);
    for (int b = 0; b < SPIDER_SET_OPS; b++) {
        n.nested += q->branches[b] != NULL;
    }
    n.others = (count_aggregates(q) > 1) + (q->select.len > 1)
               + (q->where.len > 1) + (q->group.len > 1);
    return n;
}

str spider_level(ptrdiff_t clauses, ptrdiff_t nested, ptrdiff_t others)
{
    if (clauses <= 1 && others == 0 && nested <= 1) {
        return nested == 0 ? S("easy") : S("hard");
    }
    if (nested == 0
        && ((others <= 2 && clauses <= 1) || (clauses <= 2 && others < 2))) {
        return S("medium");
    }
    bool is_hard =
        nested == 0
        && ((others > 2 && clauses <= 2) || (clauses == 3 && others <= 2));
    return is_hard ? S("hard") : S("extra");
}

str spider_hardness(const spider_query *gold)
{
    hardness_counts n = count_all(gold);
    return spider_level(n.clauses, n.nested, n.others);
}
