/*
 * rule_union.c - rules about derived tables that are set operations, and about
 * their columns that nobody uses, or that are literals.
 */
#include "base/places.h"
#include "prove/rule_sides.h"
#include "relation/relation_type.h"

#include <assert.h>
#include <string.h>

static bool is_union_all(const block *b)
{
    return block_is_union_all(b) && !block_has_limit(b) && b->order.len == 0;
}

// The keys of ORDER BY as columns of the result, which all of them are.
static void order_as_outputs(prover *p, block *b)
{
    assert(orders_by_items(b));
    for (ptrdiff_t i = 0; i < b->order.len; i++) {
        const term *key = b->order.ptr[i].term;
        b->order.ptr[i].term = term_make(
            p, (term){.kind = TERM_OUTPUT,
                      .column = (int32_t)term_list_at(&b->select, key)});
    }
}

// Whether the column is an item as it is, of rows that nobody compares, and
// nothing else.
static bool is_only_shown(const block *b, const term *column)
{
    // The type of a value has no say in ORDER BY, the collation has.
    bool has_order = term_type_of(column).collation != COLLATION_OTHER;
    bool found = b->repeats == REPEATS_DROPPED;
    for (ptrdiff_t i = 0; !found && i < b->select.len; i++) {
        found = b->select.ptr[i] != column
                && term_walk(b->select.ptr[i], search_wanted, &column);
    }
    for (ptrdiff_t i = 0; !found && i < b->order.len; i++) {
        const term *key = b->order.ptr[i].term;
        found = (key != column || !has_order)
                && term_walk(key, search_wanted, &column);
    }
    block rest = *b;
    rest.select.len = 0;
    rest.order.len = 0;
    return !found && !block_walk(&rest, search_wanted, &column);
}

static void become_set(block *b, block *left, block *right, bool is_all)
{
    assert(left && right);
    block set = {
        .no = b->no,
        .pos = b->pos,
        .len = b->len,
        .set = SET_UNION,
        .is_all = is_all,
        .left = left,
        .right = right,
        .order = b->order,
        .limit = b->limit,
        .offset = b->offset,
    };
    *b = set;
}

// Whether each column is the same in the sides of the union as out of it: they
// have one type, and compare alike or nobody compares them.
static bool may_replace(prover *p, const block *b, instance *s)
{
    for (int32_t k = 0; k < instance_columns(s); k++) {
        const term *column = term_column(p, s, k);
        bool is_unlike = term_type_of(column).is_unlike;
        bool is_shown =
            b->is_result && !prover_is_typed(p) && is_only_shown(b, column);
        if ((is_unlike && !is_shown) || !type_of_sides_same(p, s->body, k)) {
            return false;
        }
    }
    return true;
}

static bool may_split(const block *b)
{
    return !b->is_grouped && !b->is_test
           && !block_has(b, HAS_AGGREGATE | HAS_WINDOW) && orders_by_items(b);
}

bool rule_union_pull(prover *p, block *b, instance *s)
{
    if (!may_split(b) || !is_union_all(s->body) || !may_replace(p, b, s)) {
        return false;
    }
    bool is_all = b->repeats != REPEATS_DROPPED;
    b->repeats = is_all ? REPEATS_KEPT : REPEATS_DROPPED;
    block *left = with_side(p, b, s, false);
    block *right = with_side(p, b, s, true);
    order_as_outputs(p, b);
    become_set(b, left, right, is_all);
    return true;
}

static bool shows_all(prover *p, const block *b, instance *s)
{
    if (b->select.len != instance_columns(s)) {
        return false;
    }
    for (int32_t i = 0; i < b->select.len; i++) {
        if (b->select.ptr[i] != term_column(p, s, i)) {
            return false;
        }
    }
    return true;
}

// SQLite may convert a column of a derived table to what it takes for its type,
// and takes another for the same union when it is one SELECT further in.
static bool is_alike_to_readers(const block *b, const block *body)
{
    bool alike = true;
    for (int32_t k = 0; k < b->select.len && alike; k++) {
        const term *column = b->select.ptr[k];
        alike = !term_type_of_output(body, k).is_unlike
                || (b->is_result && is_only_shown(b, column));
    }
    return alike;
}

bool rule_set_itself(prover *p, block *b)
{
    if (!may_split(b) || b->sources.len != 1 || b->where.len > 0) {
        return false;
    }
    instance *s = b->sources.ptr[0];
    const block *body = s->body;
    bool is_bare = body && body->set && !block_has_limit(body) && !s->is_outer;
    if (!is_bare || !shows_all(p, b, s)
        || (b->repeats != REPEATS_KEPT && body->is_all)
        || !is_alike_to_readers(b, body)) {
        return false;
    }
    order_as_outputs(p, b);
    block_become_under(b, body);
    return true;
}

// Calls `each` for the SELECTs of a union; false once one says so.
typedef bool leaf_visit(prover *p, block *leaf, void *context);

static bool each_leaf(prover *p, block *b, leaf_visit *each, void *context)
{
    if (is_union_all(b)) {
        return each_leaf(p, b->left, each, context)
               && each_leaf(p, b->right, each, context);
    }
    return !b->set && each(p, b, context);
}

// Two columns of a derived table, of which the second one shows the same.
typedef struct twin_columns {
    int32_t first;
    int32_t second;
} twin_columns;

static bool shows_twice(prover *p, block *leaf, void *context)
{
    const twin_columns *c = context;
    const term *t = leaf->select.ptr[c->first];
    (void)p;
    return t == leaf->select.ptr[c->second]
           && (t->has & (HAS_BLOCK | HAS_WINDOW)) == 0;
}

// Which columns of a source are used, by first use; those that show the same
// are one.
typedef struct column_use {
    prover *p;
    const instance *source;
    int32_t *order;  // by new place: the old one
    int32_t *place;  // by old place: the new one + 1; 0: unused
    int32_t n;
} column_use;

static walk_step note_use(void *context, const term *t)
{
    column_use *u = context;
    if (t->source != u->source || u->place[t->column] > 0) {
        return WALK_ON;
    }
    int32_t at = 0;
    bool is_known = false;
    while (at < u->n && !is_known) {
        twin_columns twins = {u->order[at++], t->column};
        is_known = each_leaf(u->p, u->source->body, shows_twice, &twins);
    }
    if (!is_known) {
        u->order[u->n++] = t->column;
        at = u->n;
    }
    u->place[t->column] = at;
    return WALK_ON;
}

// Whether the rows are told apart without the columns that nobody uses.
static bool forgets_unused(const block *leaf, const column_use *u)
{
    for (ptrdiff_t i = 0; i < leaf->select.len; i++) {
        const term *t = leaf->select.ptr[i];
        if (u->place[i] == 0 && !term_is_literal(t) && t->kind != TERM_NULL) {
            return false;
        }
    }
    return u->n > 0;
}

static bool may_prune(prover *p, block *leaf, void *context)
{
    (void)p;
    return leaf->repeats != REPEATS_DROPPED || forgets_unused(leaf, context);
}

static bool prune_leaf(prover *p, block *leaf, void *context)
{
    const column_use *u = context;
    term_list kept = {0};
    for (int32_t i = 0; i < u->n; i++) {
        term_list_push(p, &kept, leaf->select.ptr[u->order[i]]);
    }
    if (u->n == 0) {
        term_list_push(p, &kept, term_integer(p, 1));
    }
    leaf->select = kept;
    leaf->repeats =
        leaf->repeats == REPEATS_DROPPED ? REPEATS_DROPPED : REPEATS_KEPT;
    rules_apply_after(p, leaf);
    return true;
}

static bool is_in_place(const column_use *u, int32_t columns)
{
    return places_stay(u->order, u->n)
           && (u->n == columns || (u->n == 0 && columns == 1));
}

static walk_step search_unplaced(void *context, const term *t)
{
    const rewrite *r = context;
    bool is_it = t->source == r->from && r->places[t->column] == 0;
    return is_it ? WALK_END : WALK_ON;
}

// Only a MIN or MAX that was written and is gone may name a column that has no
// place: that it is gone is all that is known of it.
static const term *visit_place(rewrite *r, const term *t)
{
    bool is_column = t->source == r->from;
    if (!is_column && t->kind != TERM_AGGREGATE) {
        return NULL;
    }
    if (term_walk(t, search_unplaced, r)) {
        return term_null(r->p);
    }
    return is_column
               ? term_column(r->p, r->from->twin, r->places[t->column] - 1)
               : NULL;
}

bool rule_unused_column(prover *p, block *b, instance *s)
{
    if (!s->body) {
        return false;
    }
    int32_t n = instance_columns(s);
    column_use u = {
        .p = p,
        .source = s,
        .order = arena_new(p->a, int32_t, n + 1),
        .place = arena_new(p->a, int32_t, n + 1),
    };
    block_walk(b, note_use, &u);
    if (is_in_place(&u, n) || !each_leaf(p, s->body, may_prune, &u)) {
        return false;
    }
    each_leaf(p, s->body, prune_leaf, &u);
    instance *pruned = instance_new(p);
    int32_t no = pruned->no;
    *pruned = *s;
    pruned->no = no;
    s->twin = pruned;
    rewrite r = {.p = p, .visit = visit_place, .from = s, .places = u.place};
    b->sources.ptr[block_place_of(b, s)] = pruned;
    block_rewrite(&r, b);
    s->twin = NULL;
    return true;
}

// The sides of a UNION ALL over the same tables, one at a time.
typedef struct union_sides {
    rewrite r;  // first, so that it can be found from there; from the union
    vec_of(const block *) leaves;  // all of the tables of the first
    term_list holds;               // by leaf: what its rows satisfy
} union_sides;

static bool add_leaf(prover *p, block *leaf, void *context)
{
    union_sides *s = context;
    bool fits = block_selects_tables(leaf) && leaf->repeats != REPEATS_DROPPED;
    const block *over = !fits ? NULL
                        : s->leaves.len > 0
                            ? block_over_tables_of(p, leaf, s->leaves.ptr[0])
                            : leaf;
    if (over) {
        *vec_push(p->a, &s->leaves) = over;
    }
    return over;
}

static const term *of_side(union_sides *s, ptrdiff_t at, const term *t)
{
    assert(at < s->leaves.len);
    const term *to =
        side_term(s->r.p, s->r.from, s->leaves.ptr[at], t, OF_SIDE_AND_OTHERS);
    s->r.fails |= !to;
    return to ? to : t;
}

// COUNT of the rows of all sides; NULL: it is another aggregate.
static const term *count_sides(union_sides *s, const term *t)
{
    prover *p = s->r.p;
    const term *sum = NULL;
    if (t->flag || !str_equal(t->text, S("count"))) {
        return NULL;
    }
    for (ptrdiff_t i = 0; i < s->leaves.len; i++) {
        const term *args[] = {s->holds.ptr[i], t->n == 0
                                                   ? term_integer(p, 1)
                                                   : of_side(s, i, t->args[0])};
        const term *one = term_case(p, args, 2);
        const term *count = term_aggregate(p, S("count"), false, &one, 1);
        sum = sum ? term_arithmetic(p, TERM_ADD, sum, count) : count;
    }
    return sum;
}

static const term *visit_sides(rewrite *r, const term *t)
{
    union_sides *s = (union_sides *)r;
    const term *to = NULL;
    if (t->kind == TERM_AGGREGATE) {
        to = count_sides(s, t);
    } else if (t->source == s->r.from) {
        to = of_side(s, 0, t);
        for (ptrdiff_t i = 1; to && i < s->leaves.len; i++) {
            to = of_side(s, i, t) == to ? to : NULL;
        }
    } else {
        s->r.fails |=
            t->kind == TERM_WINDOW
            || (t->block
                && ((t->has & HAS_AGGREGATE) || term_uses(t, s->r.from)));
        return t->block ? t : NULL;
    }
    s->r.fails |= !to;
    return to ? to : t;
}

static term_list over_sides(union_sides *s, const term_list *l)
{
    term_list out = {0};
    for (ptrdiff_t i = 0; i < l->len; i++) {
        s->r.fails |=
            (l->ptr[i]->has & HAS_BLOCK) && term_uses(l->ptr[i], s->r.from);
        term_list_push(s->r.p, &out, term_rewrite(&s->r, l->ptr[i]));
    }
    return out;
}

// What the rows of each side satisfy: its own conditions and those of the join.
static void read_holds(union_sides *s, const term_list *asked)
{
    prover *p = s->r.p;
    for (ptrdiff_t i = 0; i < s->leaves.len; i++) {
        term_list all = {0};
        for (ptrdiff_t k = 0; k < asked->len; k++) {
            s->r.fails |= (asked->ptr[k]->has & HAS_BLOCK) != 0;
            term_list_push(p, &all, of_side(s, i, asked->ptr[k]));
        }
        const term_list *own = &s->leaves.ptr[i]->where;
        for (ptrdiff_t k = 0; k < own->len; k++) {
            s->r.fails |= (own->ptr[k]->has & HAS_BLOCK) != 0;
            term_list_push(p, &all, own->ptr[k]);
        }
        term_list_push(p, &s->holds,
                       term_all(p, TERM_AND, all.ptr, (int32_t)all.len));
    }
}

// The block over the tables of the sides; false: more than the number of their
// rows is asked for.
static bool count_over_sides(prover *p, block *b, instance *source)
{
    union_sides s = {.r = {.p = p, .visit = visit_sides, .from = source}};
    if (!each_leaf(p, source->body, add_leaf, &s)) {
        return false;
    }
    block trial = block_trial(p, b);
    term_list asked = take_conditions(p, &trial, source);
    read_holds(&s, &asked);
    trial.select = over_sides(&s, &b->select);
    trial.group = over_sides(&s, &b->group);
    for (ptrdiff_t i = 0; i < trial.group.len; i++) {
        trial.group.ptr[i] = term_key(p, trial.group.ptr[i]);
    }
    trial.having = over_sides(&s, &b->having);
    block_remove_source(&trial, source);
    block_absorb(p, &trial, &(block){.sources = s.leaves.ptr[0]->sources});
    // Each row of a side is one of the tables with what all sides share.
    if (s.r.fails || know_results(p, &trial).is_bare) {
        return false;
    }
    *b = trial;
    term_conjoin(p, &b->where,
                 term_all(p, TERM_OR, s.holds.ptr, (int32_t)s.holds.len));
    return true;
}

bool rule_union_count(prover *p, block *b, instance *s)
{
    if (!b->has_group || b->order.len > 0 || !is_union_all(s->body)) {
        return false;
    }
    show_others(p, b, s);
    bool in_on = false;
    for (ptrdiff_t k = 0; k < b->sources.len; k++) {
        in_on |= term_list_uses(&b->sources.ptr[k]->on, s);
    }
    return !in_on && count_over_sides(p, b, s);
}

bool rule_literal_column(prover *p, block *b, instance *s)
{
    bool changed = false;
    bool may = !s->body->set && !shows_no_rows(p, b);
    for (int32_t k = 0; may && k < instance_columns(s); k++) {
        const term *literal = s->body->select.ptr[k];
        const term *column = term_column(p, s, k);
        if (term_is_literal(literal) && type_same(p, literal, column)
            && block_walk(b, search_wanted, &column)) {
            block_replace(p, b, s, k,
                          term_as(p, literal, term_type_of(column)));
            changed = true;
        }
    }
    return changed;
}
