/*
 * spider_set.c - clause by clause (definitions/spider.md#exact-set-match).
 *
 * Method      Both queries are put in canonical form; then each component is a
 *             pair of multisets, of which the common part is counted. Trees
 *             inside (subqueries, derived tables) must be equal as they are.
 */
#include "evaluators/spider_set.h"

#include "evaluators/spider_canon.h"

#include <string.h>

const str spider_part_words[SPIDER_PARTS] = {
    S_INIT("select"),       S_INIT("select(no AGG)"),   S_INIT("where"),
    S_INIT("where(no OP)"), S_INIT("group(no Having)"), S_INIT("group"),
    S_INIT("order"),        S_INIT("and/or"),           S_INIT("IUEN"),
    S_INIT("keywords"),
};

// Which bytes of records are to be equal: those of a member, or all.
typedef struct record_part {
    ptrdiff_t step;  // from record to record
    ptrdiff_t from;
    size_t size;
} record_part;

static const record_part ITEM = {sizeof(spider_item), 0, sizeof(spider_item)};
static const record_part ITEM_VAL = {
    sizeof(spider_item), offsetof(spider_item, val), sizeof(spider_val)};

// Lists of conditions are counted in steps of two.
static const record_part COND = {2 * sizeof(spider_cond), 0,
                                 sizeof(spider_cond)};
static const record_part COND_VAL = {
    2 * sizeof(spider_cond), offsetof(spider_cond, left), sizeof(spider_val)};

static bool same_bytes(const void *gold,
                       ptrdiff_t i,
                       const void *pred,
                       ptrdiff_t k,
                       record_part part)
{
    return memcmp((const char *)gold + i * part.step + part.from,
                  (const char *)pred + k * part.step + part.from, part.size)
           == 0;
}

// The size of the common part of two multisets. They have as many elements as
// a query has items: few.
static part_count common(const void *gold,
                         ptrdiff_t n_gold,
                         const void *pred,
                         ptrdiff_t n_pred,
                         record_part part,
                         arena scratch)
{
    part_count c = {n_gold, n_pred, 0};
    bool *used = arena_new(&scratch, bool, n_gold);
    for (ptrdiff_t k = 0; k < n_pred; k++) {
        for (ptrdiff_t i = 0; i < n_gold; i++) {
            if (!used[i] && same_bytes(gold, i, pred, k, part)) {
                used[i] = true;
                c.matched++;
                break;
            }
        }
    }
    return c;
}

#define LISTS_EQUAL(a, b) \
    ((a).len == (b).len   \
     && ((a).len == 0     \
         || memcmp((a).ptr, (b).ptr, (size_t)(a).len * sizeof *(a).ptr) == 0))

// By the column's name alone: its table does not count, nor an aggregate.
static part_count group_names_count(const spider_query *g,
                                    const spider_query *p,
                                    const schema *s,
                                    arena scratch)
{
    static const record_part whole = {sizeof(uint64_t), 0, sizeof(uint64_t)};
    const spider_cols *lists[] = {&g->group, &p->group};
    uint64_t *names[2];
    for (int side = 0; side < 2; side++) {
        names[side] = arena_new(&scratch, uint64_t, lists[side]->len);
        for (ptrdiff_t i = 0; i < lists[side]->len; i++) {
            str name = spider_column_name(s, lists[side]->ptr[i].column);
            names[side][i] = hash64_fold(name);
        }
    }
    return common(names[0], g->group.len, names[1], p->group.len, whole,
                  scratch);
}

static part_count group_count(const spider_query *g, const spider_query *p)
{
    part_count c = {g->group.len > 0, p->group.len > 0, 0};
    bool same = g->group.len == p->group.len;
    for (ptrdiff_t i = 0; same && i < g->group.len; i++) {
        same = g->group.ptr[i].column == p->group.ptr[i].column;
    }
    c.matched = c.gold && c.pred && same && LISTS_EQUAL(g->having, p->having);
    return c;
}

static part_count order_count(const spider_query *g, const spider_query *p)
{
    part_count c = {g->has_order, p->has_order, 0};
    c.matched = c.gold && c.pred && g->is_descending == p->is_descending
                && g->has_limit == p->has_limit
                && LISTS_EQUAL(g->order, p->order);
    return c;
}

// A bit for AND, and one for OR.
static unsigned links_of(const spider_conds *list)
{
    unsigned links = 0;
    for (ptrdiff_t i = 1; i < list->len; i += 2) {
        links |= 1u << list->ptr[i].link & ~(1u << SPIDER_LINK_NONE);
    }
    return links;
}

static ptrdiff_t count_bits(uint32_t set)
{
    return __builtin_popcount(set);
}

// The evaluator returns the two totals in each other's place.
static part_count and_or_count(const spider_query *g, const spider_query *p)
{
    unsigned gold = links_of(&g->where);
    unsigned pred = links_of(&p->where);
    if (gold == pred) {
        return (part_count){1, 1, 1};
    }
    return (part_count){count_bits(pred), count_bits(gold), 0};
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
        common(g->select.ptr, g->select.len, p->select.ptr, p->select.len, ITEM,
               scratch);
    parts[SPIDER_PART_SELECT_NO_AGG] =
        common(g->select.ptr, g->select.len, p->select.ptr, p->select.len,
               ITEM_VAL, scratch);
    ptrdiff_t n_gold = (g->where.len + 1) / 2;
    ptrdiff_t n_pred = (p->where.len + 1) / 2;
    parts[SPIDER_PART_WHERE] =
        common(g->where.ptr, n_gold, p->where.ptr, n_pred, COND, scratch);
    parts[SPIDER_PART_WHERE_NO_OP] =
        common(g->where.ptr, n_gold, p->where.ptr, n_pred, COND_VAL, scratch);
    parts[SPIDER_PART_GROUP_NO_HAVING] = group_names_count(g, p, s, scratch);
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

static ptrdiff_t count_derived(const spider_units *units)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < units->len; i++) {
        n += units->ptr[i].table < 0;
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
    static const record_part unit = {sizeof(spider_unit), 0,
                                     sizeof(spider_unit)};
    return g->from.len == 0
           || part_is_right(common(g->from.ptr, g->from.len, p->from.ptr,
                                   p->from.len, unit, scratch));
}

// An ON condition as the paper compares it: the test and an unordered pair of
// canonical columns.
typedef struct on_pair {
    int32_t is_not;
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
    static const record_part pair = {sizeof(on_pair), 0, sizeof(on_pair)};
    bool same = part_is_right(common(gold, n_gold, pred, n_pred, pair, local));
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
