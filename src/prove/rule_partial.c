/*
 * rule_partial.c - aggregates of aggregates: the sum of the counts of parts is
 * the count of the whole.
 *
 * Method      The parts are the groups of a derived table, or of all sides of
 *             a UNION ALL. Each of its columns is a key of its groups or an
 *             aggregate that can be put together from parts. Then its rows are
 *             taken as they are, and aggregated once.
 */
#include "prove/rule_common.h"
#include "relation/relation_type.h"

#include <assert.h>

typedef enum column_part {
    PART_UNKNOWN,
    PART_KEY,
    PART_COUNT,
    PART_SUM,
    PART_MIN,
    PART_MAX,
    PART_OTHER,
} column_part;

typedef struct partial {
    rewrite r;  // first, so that it can be found from there
    instance *source;
    column_part *parts;  // by column
    term_type *types;    // by column: of what the first side aggregates
    bool *shows;         // by column: also outside of aggregates
    int32_t n;
    bool has_group;  // of all leaves, after the first
    bool is_first;
    bool sums_counts;
    bool fails;
} partial;

// A key has one value in its group; the least of the least is by one order.
static column_part part_of(prover *p, const block *leaf, const term *t)
{
    const term *key = term_bare(t);
    if (term_is_literal(key) || term_list_has(&leaf->group, key)) {
        return know_exact(p, key) ? PART_KEY : PART_OTHER;
    }
    schema_collation c = COLLATION_BINARY;
    if (t->kind != TERM_AGGREGATE || t->flag
        || (t->n == 1 && term_collation(t->args[0], &c)
            && c != COLLATION_BINARY)) {
        return PART_OTHER;
    }
    bool is_extreme = str_among(t->text, "min max");
    if (is_extreme && !type_looks_alike(p, t->args[0])) {
        return PART_OTHER;
    }
    return str_equal(t->text, S("count")) ? PART_COUNT
           : str_equal(t->text, S("sum")) ? PART_SUM
           : str_equal(t->text, S("min")) ? PART_MIN
           : str_equal(t->text, S("max")) ? PART_MAX
                                          : PART_OTHER;
}

// Beside others the column has the type of the first side in SQLite, and what
// was aggregated first was none of a column yet.
static bool is_like_first(partial *p, int32_t i, const term *t)
{
    bool is_aggregate = t->kind == TERM_AGGREGATE && t->n == 1;
    term_type type = term_type_of(is_aggregate ? t->args[0] : t);
    p->types[i] = p->is_first ? type : p->types[i];
    return term_types_equal(type, p->types[i]);
}

static bool read_leaf(partial *p, const block *leaf)
{
    assert(leaf->select.len == p->n);
    bool fits = leaf->is_grouped && leaf->having.len == 0
                && !block_has_limit(leaf) && leaf->repeats != REPEATS_DROPPED
                && (p->is_first || leaf->has_group == p->has_group);
    for (int32_t i = 0; fits && i < p->n; i++) {
        column_part part = part_of(p->r.p, leaf, leaf->select.ptr[i]);
        bool is_like = is_like_first(p, i, leaf->select.ptr[i]);
        is_like |= part == PART_COUNT;
        p->parts[i] =
            p->is_first || (p->parts[i] == part && is_like) ? part : PART_OTHER;
    }
    p->has_group = leaf->has_group;
    p->is_first = false;
    return fits;
}

static bool read_leaves(partial *p, const block *b)
{
    if (b->set) {
        return b->set == SET_UNION && b->is_all && !block_has_limit(b)
               && read_leaves(p, b->left) && read_leaves(p, b->right);
    }
    return read_leaf(p, b);
}

static void open_leaves(const partial *all, block *b)
{
    prover *p = all->r.p;
    if (b->set) {
        open_leaves(all, b->left);
        open_leaves(all, b->right);
        return;
    }
    for (ptrdiff_t i = 0; i < b->select.len; i++) {
        const term *t = b->select.ptr[i];
        if (t->kind == TERM_AGGREGATE) {
            b->select.ptr[i] = t->n == 0 ? term_integer(p, 1) : t->args[0];
        } else if (!all->shows[i]) {
            b->select.ptr[i] = term_bare(t);
        }
    }
    block_ungroup(b);
    b->order.len = 0;
    b->repeats = REPEATS_KEPT;
}

// The aggregate of an aggregate as one; NULL: it is none.
static const term *put_together(partial *p, const term *t)
{
    assert(t->kind == TERM_AGGREGATE);
    const term *x = t->n == 1 && !t->flag ? t->args[0] : NULL;
    if (!x || x->source != p->source) {
        return NULL;
    }
    assert(x->column >= 0 && x->column < p->n);
    column_part part = p->parts[x->column];
    bool is_sum = str_equal(t->text, S("sum"));
    // SUM may be of another type than what it adds up.
    if (!type_same(p->r.p, t, x)) {
        return NULL;
    }
    if (is_sum && part == PART_COUNT) {
        p->sums_counts = true;
        return term_aggregate(p->r.p, S("count"), false, &x, 1);
    }
    bool fits = (is_sum && part == PART_SUM)
                || (str_equal(t->text, S("min"))
                    && (part == PART_MIN || part == PART_KEY))
                || (str_equal(t->text, S("max"))
                    && (part == PART_MAX || part == PART_KEY));
    return fits ? t : NULL;
}

static const term *visit_partial(rewrite *r, const term *t)
{
    partial *p = (partial *)r;
    if (t->kind == TERM_AGGREGATE) {
        const term *whole = put_together(p, t);
        p->fails |= !whole;
        return whole ? whole : t;
    }
    bool shows = t->source == p->source;
    p->fails |= t->block || (shows && p->parts[t->column] != PART_KEY);
    if (shows) {
        p->shows[t->column] = true;
    }
    return NULL;
}

bool rule_partial_aggregate(prover *p, block *b)
{
    block *body = only_body(b);
    if (!b->is_grouped || !body) {
        return false;
    }
    instance *s = b->sources.ptr[0];
    partial all = {.source = s, .n = instance_columns(s), .is_first = true};
    all.r = (rewrite){.p = p, .visit = visit_partial};
    all.parts = arena_new(p->a, column_part, all.n + 1);
    all.types = arena_new(p->a, term_type, all.n + 1);
    all.shows = arena_new(p->a, bool, all.n + 1);
    if (!read_leaves(&all, body)) {
        return false;
    }
    block trial = block_results_rewritten(&all.r, b);
    term_list_rewritten(&all.r, &b->where);
    term_list_rewritten(&all.r, &b->group);
    // Of no groups a sum is NULL, a count 0.
    bool may_be_empty = all.has_group && !b->has_group;
    if (all.fails || (all.sums_counts && may_be_empty)
        || (b->has_group && !all.has_group)) {
        return false;
    }
    *b = trial;
    open_leaves(&all, body);
    rules_settle(p, body);
    return true;
}
