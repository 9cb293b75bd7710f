/*
 * rule_partial.c - aggregates of aggregates: the sum of the counts of parts is
 * the count of the whole.
 *
 * Method      The parts are the groups of a derived table, or of all sides of
 *             a UNION ALL; the rows of a DISTINCT one are groups, too. Each of
 *             its columns is a key of its groups or an aggregate that can be
 *             put together from parts. Then its rows are taken as they are,
 *             and aggregated once.
 *
 *             Other tables may stand beside it: nothing joins them but keys, so
 *             each row of a group has the partners of the group. What they show
 *             comes more often then: only aggregates that do not count repeats
 *             may be of it, or of values that tell the groups apart and count
 *             once each.
 */
#include "prove/rule_common.h"
#include "relation/known.h"
#include "relation/normal_internal.h"
#include "relation/relation_type.h"

#include <assert.h>

typedef enum column_part {
    PART_UNKNOWN,
    PART_KEY,
    PART_ROWS,  // COUNT(*)
    PART_COUNT,
    PART_SUM,
    PART_MIN,
    PART_MAX,
    PART_CLASS,  // a key whose equal values may be unlike: it can be counted
    PART_OTHER,
} column_part;

typedef struct partial {
    rewrite r;  // first, so that it can be found from there
    const block *around;
    instance *source;
    column_part *parts;  // by column
    term_type *types;    // by column: of what the first side aggregates
    bool *shows;         // by column: also outside of aggregates
    int32_t n;
    bool has_group;  // of all leaves, after the first
    bool is_first;
    bool may_be_empty;  // without groups SUM is NULL, COUNT is 0
    bool is_idle;       // and that is the same at hand
    bool fails;
} partial;

// Each row of it is a group of its own.
static bool is_distinct(const block *leaf)
{
    return leaf->repeats == REPEATS_DROPPED && block_is_plain(leaf);
}

// A key has one value in its group, of rows; the least of the least is by one
// order.
static column_part part_of(prover *p, const block *leaf, const term *t)
{
    const term *key = term_bare(t);
    if (is_distinct(leaf) || term_list_has(&leaf->group, key)
        || (leaf->has_group && term_is_literal(key))) {
        return know_exact(p, key) ? PART_KEY : PART_CLASS;
    }
    if (t->kind != TERM_AGGREGATE || t->flag
        || (t->n == 1 && !term_is_binary(t->args[0]))) {
        return PART_OTHER;
    }
    bool is_extreme = str_among(t->text, "min max");
    if (is_extreme && !type_looks_alike(p, t->args[0])) {
        return PART_OTHER;
    }
    return counts_rows(t)                   ? PART_ROWS
           : str_equal(t->text, S("count")) ? PART_COUNT
           : str_equal(t->text, S("sum"))   ? PART_SUM
           : str_equal(t->text, S("min"))   ? PART_MIN
           : str_equal(t->text, S("max"))   ? PART_MAX
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
    bool is_distinct_leaf = is_distinct(leaf);
    bool has_group = leaf->has_group || is_distinct_leaf;
    bool fits =
        (is_distinct_leaf
         || (leaf->is_grouped && leaf->having.len == 0 && !block_has_limit(leaf)
             && leaf->repeats != REPEATS_DROPPED))
        && (p->is_first || has_group == p->has_group);
    for (int32_t i = 0; fits && i < p->n; i++) {
        column_part part = part_of(p->r.p, leaf, leaf->select.ptr[i]);
        bool is_like = is_like_first(p, i, leaf->select.ptr[i]);
        is_like |= part == PART_COUNT;
        p->parts[i] =
            p->is_first || (p->parts[i] == part && is_like) ? part : PART_OTHER;
    }
    p->has_group = has_group;
    p->is_first = false;
    return fits;
}

static bool read_leaves(partial *p, const block *b)
{
    if (b->set) {
        return block_is_union_all(b) && !block_has_limit(b)
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

static const term *visit_partial(rewrite *r, const term *t);

// Whether it is of keys and of other tables.
static bool is_of_keys(partial *p, const term *t)
{
    bool failed = p->fails;
    p->fails = false;
    term_rewrite(&p->r, t);
    bool fits = !p->fails;
    p->fails = failed;
    return fits;
}

static column_part part_shown(const partial *p, const term *x)
{
    assert(x->source != p->source || (x->column >= 0 && x->column < p->n));
    return x->source == p->source ? p->parts[x->column] : PART_UNKNOWN;
}

// What SUM adds up for each row where it added `x` up for each group; NULL:
// that cannot be said. A product has its factor in each row.
static const term *added_up(partial *p, const term *x)
{
    prover *in = p->r.p;
    for (int k = 0; x->kind == TERM_MULTIPLY && k < 2; k++) {
        const term *by = x->args[1 - k];
        column_part part = part_shown(p, x->args[k]);
        if ((part == PART_SUM || part == PART_ROWS) && !prover_is_typed(in)
            && known_kind_of(in, by) == KNOWN_INTEGER && is_of_keys(p, by)
            && prover_assumes(in, ASSUME_NO_OVERFLOW)) {
            return part == PART_SUM ? x : by;
        }
    }
    return part_shown(p, x) == PART_SUM ? x : NULL;
}

// COUNT of the whole. Where all rows are counted no group counts 0 of them; one
// that is no group, but a whole table, may.
static const term *sum_of_counts(partial *p, const term *x, column_part part)
{
    prover *in = p->r.p;
    bool is_null = p->may_be_empty && !p->is_idle;
    const term *args[] = {
        term_aggregate(in, S("count"), false, &x, part == PART_COUNT),
        term_integer(in, 0)};
    return !is_null ? args[0]
           : part == PART_ROWS && p->has_group
               ? term_call(in, S("nullif"), args, 2)
               : NULL;
}

static const term *sum_of_parts(partial *p, const term *t)
{
    const term *x = t->args[0];
    column_part part = part_shown(p, x);
    if (prover_may_not(p->r.p, S("partial-sum"))) {
        return NULL;
    }
    if (part == PART_COUNT || part == PART_ROWS) {
        return sum_of_counts(p, x, part);
    }
    const term *added = added_up(p, x);
    return added ? term_aggregate(p->r.p, S("sum"), false, &added, 1) : NULL;
}

// COUNT(*) of a key that is never NULL, and its own in each row.
static const term *count_of_keys(partial *p)
{
    for (int32_t i = 0; i < p->n; i++) {
        const term *key = term_column(p->r.p, p->source, i);
        if (know_not_null(p->r.p, p->around, key)
            && group_rows_differ_in(p->r.p, p->around, key)) {
            return key;
        }
    }
    return NULL;
}

// The same of DISTINCT values, where each row has its own; NULL: it has not.
static const term *of_distinct(partial *p, const term *t)
{
    const term *c = aggregated(t, "count sum avg total");
    const term *x = counts_rows(t) ? count_of_keys(p)
                    : c && group_rows_differ_in(p->r.p, p->around, c) ? c
                                                                      : NULL;
    bool is_class =
        x && part_shown(p, x) == PART_CLASS && str_equal(t->text, S("count"));
    if (is_class) {
        p->shows[x->column] = true;
    }
    return is_class || (x && is_of_keys(p, x))
               ? term_aggregate(p->r.p, t->text, true, &x, 1)
               : NULL;
}

// The aggregate of an aggregate as one, or of what does not count repeats;
// NULL: it is neither.
static const term *put_together(partial *p, const term *t)
{
    assert(t->kind == TERM_AGGREGATE);
    const term *x = t->n == 1 && !t->flag ? t->args[0] : NULL;
    column_part part = x ? part_shown(p, x) : PART_UNKNOWN;
    // SUM may be of another type than what it adds up.
    bool is_sum = x && str_equal(t->text, S("sum")) && type_same(p->r.p, t, x);
    const term *sum = is_sum ? sum_of_parts(p, t) : NULL;
    if (sum) {
        return sum;
    }
    bool is_min = str_equal(t->text, S("min"));
    bool is_max = str_equal(t->text, S("max"));
    if ((is_min && part == PART_MIN) || (is_max && part == PART_MAX)
        || ((is_min || is_max) && part == PART_KEY)) {
        return t;
    }
    bool forgets = t->flag || is_min || is_max;
    return !forgets ? of_distinct(p, t) : is_of_keys(p, t->args[0]) ? t : NULL;
}

// What is divided, or divides, with NULL for 0; NULL: it is neither, or gives
// something else of no rows.
static const term *idle_part(partial *p, const term *t)
{
    prover *in = p->r.p;
    bool divides = t->kind == TERM_DIVIDE && !prover_is_typed(in)
                   && vanishes(in, t->args[1]);
    const term *padded = or_zero(t);
    if (p->is_idle || !(divides || (padded && aggregated(padded, "sum")))) {
        return NULL;
    }
    p->is_idle = true;
    const term *args[] = {term_rewrite(&p->r, t->args[0]),
                          term_rewrite(&p->r, t->args[1])};
    p->is_idle = false;
    return term_remake(in, t, args);
}

static const term *visit_partial(rewrite *r, const term *t)
{
    partial *p = (partial *)r;
    const term *idle = idle_part(p, t);
    if (idle) {
        return idle;
    }
    if (t->kind == TERM_AGGREGATE) {
        const term *whole = put_together(p, t);
        p->fails |= !whole;
        return whole ? whole : t;
    }
    if (t->block) {
        p->fails |= term_uses(t, p->source) || (t->has & HAS_AGGREGATE);
        return t;
    }
    bool shows = t->source == p->source;
    p->fails |= shows && p->parts[t->column] != PART_KEY;
    if (shows) {
        p->shows[t->column] = true;
    }
    return NULL;
}

// All that the block asks, put together.
static bool asks_of_whole(partial *all, const block *b, block *trial)
{
    all->may_be_empty = !b->has_group && (all->has_group || b->where.len > 0);
    *trial = block_results_rewritten(&all->r, b);
    term_list_rewritten(&all->r, &b->where);
    term_list_rewritten(&all->r, &b->group);
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        term_list_rewritten(&all->r, &b->sources.ptr[i]->on);
    }
    bool is_alone = b->sources.len == 1;
    return !all->fails && (all->has_group || (is_alone && !b->has_group))
           && (is_alone || !know_results(all->r.p, b).is_bare);
}

// Shows all keys of its groups.
static void show_keys(prover *p, block *body)
{
    for (ptrdiff_t i = 0; i < body->group.len; i++) {
        term_list_add(p, &body->select, body->group.ptr[i]);
    }
}

bool rule_partial_aggregate(prover *p, block *b, instance *s)
{
    block *body = s->body;
    if (!b->is_grouped) {
        return false;
    }
    ptrdiff_t n_shown = body->select.len;
    show_keys(p, body);
    partial all = {.source = s, .n = instance_columns(s), .is_first = true};
    all.r = (rewrite){.p = p, .visit = visit_partial};
    all.around = b;
    all.parts = arena_new(p->a, column_part, all.n + 1);
    all.types = arena_new(p->a, term_type, all.n + 1);
    all.shows = arena_new(p->a, bool, all.n + 1);
    block trial;
    if (!read_leaves(&all, body) || !asks_of_whole(&all, b, &trial)) {
        body->select.len = n_shown;
        return false;
    }
    *b = trial;
    open_leaves(&all, body);
    rules_settle(p, body);
    return true;
}
