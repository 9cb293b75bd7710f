/*
 * spider_set.c - clause by clause (definitions/spider.md#exact-set-match).
 *
 * Method      Both queries are put in canonical form; then each component is a
 *             pair of multisets, of which the common part is counted. Trees
 *             inside (subqueries, derived tables) must be equal as they are.
 */
#include "evaluators/spider_set.h"

#include "evaluators/spider_canon.h"

#include <assert.h>

const str spider_part_words[SPIDER_PARTS] = {
    S_INIT("select"),       S_INIT("select(no AGG)"),   S_INIT("where"),
    S_INIT("where(no OP)"), S_INIT("group(no Having)"), S_INIT("group"),
    S_INIT("order"),        S_INIT("and/or"),           S_INIT("IUEN"),
    S_INIT("keywords"),
};

static bool query_equal(const spider_query *a, const spider_query *b);

static bool col_equal(const spider_col *a, const spider_col *b)
{
    return a->agg == b->agg && a->column == b->column
           && a->is_distinct == b->is_distinct;
}

static bool val_equal(const spider_val *a, const spider_val *b)
{
    return a->op == b->op && col_equal(&a->first, &b->first)
           && a->has_second == b->has_second
           && (!a->has_second || col_equal(&a->second, &b->second));
}

static bool value_equal(const spider_value *a, const spider_value *b)
{
    if (a->kind != b->kind) {
        return false;
    }
    switch (a->kind) {
    case SPIDER_VALUE_NONE: return true;
    case SPIDER_VALUE_LITERAL: return str_equal(a->literal, b->literal);
    case SPIDER_VALUE_COLUMN: return col_equal(&a->column, &b->column);
    case SPIDER_VALUE_QUERY: return query_equal(a->query, b->query);
    }
    return false;
}

static bool cond_equal(const spider_cond *a, const spider_cond *b)
{
    return a->link == b->link && a->is_not == b->is_not && a->test == b->test
           && val_equal(&a->left, &b->left) && value_equal(&a->first, &b->first)
           && value_equal(&a->second, &b->second);
}

static bool conds_equal(const spider_conds *a, const spider_conds *b)
{
    bool same = a->len == b->len;
    for (ptrdiff_t i = 0; same && i < a->len; i++) {
        same = cond_equal(&a->ptr[i], &b->ptr[i]);
    }
    return same;
}

static bool item_equal(const spider_item *a, const spider_item *b)
{
    return a->agg == b->agg && val_equal(&a->val, &b->val);
}

static bool unit_equal(const spider_unit *a, const spider_unit *b)
{
    return a->table == b->table && !a->query == !b->query
           && (!a->query || query_equal(a->query, b->query));
}

static bool group_equal(const spider_cols *a, const spider_cols *b)
{
    bool same = a->len == b->len;
    for (ptrdiff_t i = 0; same && i < a->len; i++) {
        same = col_equal(&a->ptr[i], &b->ptr[i]);
    }
    return same;
}

static bool order_equal(const spider_query *a, const spider_query *b)
{
    bool same = a->has_order == b->has_order && a->order.len == b->order.len
                && a->is_descending == b->is_descending;
    for (ptrdiff_t i = 0; same && i < a->order.len; i++) {
        same = val_equal(&a->order.ptr[i], &b->order.ptr[i]);
    }
    return same;
}

// The trees themselves, for subqueries and derived tables.
static bool query_equal(const spider_query *a, const spider_query *b)
{
    bool same = a->is_distinct == b->is_distinct
                && a->select.len == b->select.len && a->from.len == b->from.len
                && a->has_limit == b->has_limit && conds_equal(&a->on, &b->on)
                && conds_equal(&a->where, &b->where)
                && group_equal(&a->group, &b->group)
                && conds_equal(&a->having, &b->having) && order_equal(a, b);
    for (ptrdiff_t i = 0; same && i < a->select.len; i++) {
        same = item_equal(&a->select.ptr[i], &b->select.ptr[i]);
    }
    for (ptrdiff_t i = 0; same && i < a->from.len; i++) {
        same = unit_equal(&a->from.ptr[i], &b->from.ptr[i]);
    }
    for (int k = 0; same && k < SPIDER_SET_OPS; k++) {
        const spider_query *x = a->branches[k];
        const spider_query *y = b->branches[k];
        same = !x == !y && (!x || query_equal(x, y));
    }
    return same;
}

typedef bool same_at(const void *gold,
                     ptrdiff_t i,
                     const void *pred,
                     ptrdiff_t k);

// The size of the common part of two multisets. They have as many elements as
// a query has items: few.
static part_count common(const void *gold,
                         ptrdiff_t n_gold,
                         const void *pred,
                         ptrdiff_t n_pred,
                         same_at *same,
                         arena scratch)
{
    part_count c = {n_gold, n_pred, 0};
    bool *used = arena_new(&scratch, bool, n_gold);
    for (ptrdiff_t k = 0; k < n_pred; k++) {
        for (ptrdiff_t i = 0; i < n_gold; i++) {
            if (!used[i] && same(gold, i, pred, k)) {
                used[i] = true;
                c.matched++;
                break;
            }
        }
    }
    return c;
}

static bool same_item(const void *gold,
                      ptrdiff_t i,
                      const void *pred,
                      ptrdiff_t k)
{
    const spider_item *a = gold;
    const spider_item *b = pred;
    return item_equal(&a[i], &b[k]);
}

static bool same_item_val(const void *gold,
                          ptrdiff_t i,
                          const void *pred,
                          ptrdiff_t k)
{
    const spider_item *a = gold;
    const spider_item *b = pred;
    return val_equal(&a[i].val, &b[k].val);
}

// Lists of conditions are counted in steps of two.
static bool same_cond(const void *gold,
                      ptrdiff_t i,
                      const void *pred,
                      ptrdiff_t k)
{
    const spider_cond *a = gold;
    const spider_cond *b = pred;
    return cond_equal(&a[2 * i], &b[2 * k]);
}

static bool same_cond_val(const void *gold,
                          ptrdiff_t i,
                          const void *pred,
                          ptrdiff_t k)
{
    const spider_cond *a = gold;
    const spider_cond *b = pred;
    return val_equal(&a[2 * i].left, &b[2 * k].left);
}

typedef struct group_side {
    const spider_cols *cols;
    const schema *s;
} group_side;

// By the column's name alone: its table does not count, nor an aggregate.
static bool same_group_name(const void *gold,
                            ptrdiff_t i,
                            const void *pred,
                            ptrdiff_t k)
{
    const group_side *a = gold;
    const group_side *b = pred;
    int32_t x = a->cols->ptr[i].column;
    int32_t y = b->cols->ptr[k].column;
    return (x == SPIDER_ALL) == (y == SPIDER_ALL)
           && str_equal_fold(spider_column_name(a->s, x),
                             spider_column_name(b->s, y));
}

static part_count group_count(const spider_query *g, const spider_query *p)
{
    part_count c = {g->group.len > 0, p->group.len > 0, 0};
    bool same = g->group.len == p->group.len;
    for (ptrdiff_t i = 0; same && i < g->group.len; i++) {
        same = g->group.ptr[i].column == p->group.ptr[i].column;
    }
    c.matched = c.gold && c.pred && same && conds_equal(&g->having, &p->having);
    return c;
}

static part_count order_count(const spider_query *g, const spider_query *p)
{
    part_count c = {g->has_order, p->has_order, 0};
    c.matched = c.gold && order_equal(g, p) && g->has_limit == p->has_limit;
    return c;
}

enum {
    LINKS_AND = 1,
    LINKS_OR = 2,
};

static unsigned links_of(const spider_conds *list)
{
    unsigned links = 0;
    for (ptrdiff_t i = 1; i < list->len; i += 2) {
        links |= list->ptr[i].link == SPIDER_LINK_AND ? LINKS_AND : 0u;
        links |= list->ptr[i].link == SPIDER_LINK_OR ? LINKS_OR : 0u;
    }
    return links;
}

static ptrdiff_t bits(unsigned set)
{
    return (set & 1u) + (set >> 1 & 1u);
}

// The evaluator returns the two totals in each other's place.
static part_count and_or_count(const spider_query *g, const spider_query *p)
{
    unsigned gold = links_of(&g->where);
    unsigned pred = links_of(&p->where);
    if (gold == pred) {
        return (part_count){1, 1, 1};
    }
    return (part_count){bits(pred), bits(gold), 0};
}

// Words that stand for clauses and conditions, one bit each.
enum keyword_bit {
    WORD_WHERE,
    WORD_GROUP,
    WORD_HAVING,
    WORD_ORDER,
    WORD_ASC,
    WORD_DESC,
    WORD_LIMIT,
    WORD_BRANCH,  // and the two after it
    WORD_OR = WORD_BRANCH + SPIDER_SET_OPS,
    WORD_NOT,
    WORD_IN,
    WORD_LIKE,
    WORD_COUNT,
};

static uint32_t list_keywords(const spider_conds *list)
{
    uint32_t set = 0;
    for (ptrdiff_t i = 0; i < list->len; i++) {
        const spider_cond *c = &list->ptr[i];
        if (i % 2 == 1) {
            set |= c->link == SPIDER_LINK_OR ? 1u << WORD_OR : 0u;
            continue;
        }
        bool is_cond = c->link == SPIDER_LINK_NONE;
        set |= is_cond && c->is_not ? 1u << WORD_NOT : 0u;
        set |= is_cond && c->test == SPIDER_TEST_IN ? 1u << WORD_IN : 0u;
        set |= is_cond && c->test == SPIDER_TEST_LIKE ? 1u << WORD_LIKE : 0u;
    }
    return set;
}

static uint32_t keywords_of(const spider_query *q)
{
    uint32_t set = list_keywords(&q->on) | list_keywords(&q->where)
                   | list_keywords(&q->having);
    set |= q->where.len > 0 ? 1u << WORD_WHERE : 0u;
    set |= q->group.len > 0 ? 1u << WORD_GROUP : 0u;
    set |= q->having.len > 0 ? 1u << WORD_HAVING : 0u;
    if (q->has_order) {
        set |= 1u << WORD_ORDER;
        set |= 1u << (q->is_descending ? WORD_DESC : WORD_ASC);
    }
    set |= q->has_limit ? 1u << WORD_LIMIT : 0u;
    for (unsigned b = 0; b < SPIDER_SET_OPS; b++) {
        set |= q->branches[b] ? 1u << (WORD_BRANCH + b) : 0u;
    }
    return set;
}

static ptrdiff_t count_bits(uint32_t set)
{
    return __builtin_popcount(set);
}

static bool is_exact(const spider_query *g,
                     const spider_query *p,
                     const schema *s,
                     part_count parts[SPIDER_PARTS],
                     arena scratch);

static part_count branches_count(const spider_query *g,
                                 const spider_query *p,
                                 const schema *s,
                                 arena scratch)
{
    part_count c = {0};
    for (int b = 0; b < SPIDER_SET_OPS; b++) {
        const spider_query *x = g->branches[b];
        const spider_query *y = p->branches[b];
        part_count ignored[SPIDER_PARTS];
        c.gold += x != NULL;
        c.pred += y != NULL;
        c.matched += x && y && is_exact(x, y, s, ignored, scratch);
    }
    return c;
}

static void count_parts(const spider_query *g,
                        const spider_query *p,
                        const schema *s,
                        part_count parts[SPIDER_PARTS],
                        arena scratch)
{
    parts[SPIDER_PART_SELECT] =
        common(g->select.ptr, g->select.len, p->select.ptr, p->select.len,
               same_item, scratch);
    parts[SPIDER_PART_SELECT_NO_AGG] =
        common(g->select.ptr, g->select.len, p->select.ptr, p->select.len,
               same_item_val, scratch);
    ptrdiff_t n_gold = (g->where.len + 1) / 2;
    ptrdiff_t n_pred = (p->where.len + 1) / 2;
    parts[SPIDER_PART_WHERE] =
        common(g->where.ptr, n_gold, p->where.ptr, n_pred, same_cond, scratch);
    parts[SPIDER_PART_WHERE_NO_OP] = common(g->where.ptr, n_gold, p->where.ptr,
                                            n_pred, same_cond_val, scratch);
    group_side gold_group = {&g->group, s};
    group_side pred_group = {&p->group, s};
    parts[SPIDER_PART_GROUP_NO_HAVING] =
        common(&gold_group, g->group.len, &pred_group, p->group.len,
               same_group_name, scratch);
    parts[SPIDER_PART_GROUP] = group_count(g, p);
    parts[SPIDER_PART_ORDER] = order_count(g, p);
    parts[SPIDER_PART_AND_OR] = and_or_count(g, p);
    parts[SPIDER_PART_IUEN] = branches_count(g, p, s, scratch);
    uint32_t gold_words = keywords_of(g);
    uint32_t pred_words = keywords_of(p);
    parts[SPIDER_PART_KEYWORDS] =
        (part_count){count_bits(gold_words), count_bits(pred_words),
                     count_bits(gold_words & pred_words)};
}

static bool same_unit(const void *gold,
                      ptrdiff_t i,
                      const void *pred,
                      ptrdiff_t k)
{
    const spider_unit *a = gold;
    const spider_unit *b = pred;
    return unit_equal(&a[i], &b[k]);
}

static ptrdiff_t count_derived(const spider_units *units)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < units->len; i++) {
        n += units->ptr[i].query != NULL;
    }
    return n;
}

static bool is_exact(const spider_query *g,
                     const spider_query *p,
                     const schema *s,
                     part_count parts[SPIDER_PARTS],
                     arena scratch)
{
    count_parts(g, p, s, parts, scratch);
    for (int k = 0; k < SPIDER_PARTS; k++) {
        if (!part_is_right(parts[k])) {
            return false;
        }
    }
    // The evaluator cannot sort two derived tables; nothing is exact then.
    if (count_derived(&g->from) > 1 || count_derived(&p->from) > 1) {
        return false;
    }
    return g->from.len == 0
           || part_is_right(common(g->from.ptr, g->from.len, p->from.ptr,
                                   p->from.len, same_unit, scratch));
}

// An ON condition as the paper compares it: the test and an unordered pair of
// canonical columns.
typedef struct on_pair {
    bool is_not;
    spider_test test;
    int32_t low;
    int32_t high;
} on_pair;

enum {
    ON_LITERAL = -1,
    ON_QUERY = -2,
};

static on_pair on_pair_of(const spider_cond *c, const spider_keys *keys)
{
    int32_t left = keys->canonical[c->left.first.column];
    int32_t right = c->first.kind == SPIDER_VALUE_COLUMN
                        ? keys->canonical[c->first.column.column]
                    : c->first.kind == SPIDER_VALUE_QUERY ? ON_QUERY
                                                          : ON_LITERAL;
    return (on_pair){c->is_not, c->test, left < right ? left : right,
                     left < right ? right : left};
}

static bool same_pair(const void *gold,
                      ptrdiff_t i,
                      const void *pred,
                      ptrdiff_t k)
{
    const on_pair *a = gold;
    const on_pair *b = pred;
    return a[i].is_not == b[k].is_not && a[i].test == b[k].test
           && a[i].low == b[k].low && a[i].high == b[k].high;
}

static ptrdiff_t list_pairs(const spider_conds *on,
                            const spider_keys *keys,
                            on_pair *out)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < on->len; i++) {
        if (on->ptr[i].link == SPIDER_LINK_NONE) {
            out[n++] = on_pair_of(&on->ptr[i], keys);
        }
    }
    return n;
}

// [003 5 differs] No released program compares ON; this is what reproduces the
// paper's tables [003 5] (definitions/spider.md#adapted-exact-set-match).
static bool same_joins(const spider_query *g,
                       const spider_query *p,
                       const spider_keys *keys,
                       arena scratch)
{
    arena local = scratch;
    on_pair *gold = arena_new(&local, on_pair, g->on.len);
    on_pair *pred = arena_new(&local, on_pair, p->on.len);
    ptrdiff_t n_gold = list_pairs(&g->on, keys, gold);
    ptrdiff_t n_pred = list_pairs(&p->on, keys, pred);
    bool same =
        part_is_right(common(gold, n_gold, pred, n_pred, same_pair, local));
    for (int b = 0; same && b < SPIDER_SET_OPS; b++) {
        if (g->branches[b] && p->branches[b]) {
            same = same_joins(g->branches[b], p->branches[b], keys, scratch);
        }
    }
    return same;
}

spider_match spider_set_match(const spider_query *gold,
                              const spider_query *pred,
                              const schema *s,
                              const schema *keys,
                              arena *a,
                              arena scratch)
{
    spider_match m = {.pred_parses = pred != NULL};
    spider_keys folded = spider_keys_of(a, s, keys, scratch);
    const spider_query *g = spider_canon(a, gold, s, &folded);
    const spider_query *p =
        spider_canon(a, pred ? pred : spider_query_empty(a), s, &folded);
    m.is_exact = is_exact(g, p, s, m.parts, scratch);
    // The pairs are taken from the queries as parsed, before values go.
    m.is_adapted =
        m.is_exact && pred && same_joins(gold, pred, &folded, scratch);
    return m;
}
