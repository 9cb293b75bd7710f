/*
 * rule_sides.c - what is asked of a set operation, asked of its sides; and
 * sides that have no row in common.
 *
 * Method      A row of the result is a row of a side. A term over its columns
 *             is one over what a side shows there, if these have the type that
 *             the column has, and, where of equal rows one is kept, are
 *             identical. So a condition may leave rows out of each side, and an
 *             expression be one more column of each: of a side that does more
 *             than select, around it. Where sides have no repeats and share no
 *             row, UNION drops none.
 */
#include "prove/rule_sides.h"

#include "relation/relation_type.h"
#include "sql/semantics.h"

#include <assert.h>

// Whether a set operation leaves out rows that others of its are equal to.
static bool merges(const block *b)
{
    return b->set && !block_has_limit(b)
           && (!block_is_union_all(b) || merges(b->left) || merges(b->right));
}

// Whether the column says the same as what the sides show there: of equal rows
// one is kept, which others must be identical with.
static bool stands(prover *p, const instance *s, int32_t column)
{
    return compares_as_sides(p, s->body, column)
           && (!merges(s->body) || know_exact_output(p, s->body, column));
}

bool sides_stand(prover *p, const instance *s)
{
    bool all = true;
    for (int32_t k = 0; all && k < instance_columns(s); k++) {
        all = stands(p, s, k);
    }
    return all;
}

// A term over a set operation, as one over the items of a side.
typedef struct carried {
    rewrite r;  // first, so that it can be found from there
    const instance *source;
    side_reach reach;
} carried;

static const term *visit_side(rewrite *r, const term *t)
{
    const carried *c = (const carried *)r;
    if (!t->source) {
        return NULL;
    }
    if (t->source == c->source && stands(r->p, c->source, t->column)) {
        return term_as(r->p, block_output(r->b, t->column), term_type_of(t));
    }
    if (t->source->twin) {
        return term_column(r->p, t->source->twin, t->column);
    }
    r->fails |= t->source == c->source || c->reach == OF_SIDE;
    return t;
}

const term *side_term(prover *p,
                      const instance *s,
                      const block *side,
                      const term *t,
                      side_reach reach)
{
    carried c = {
        .r = {.p = p, .visit = visit_side, .copies = true, .b = side},
        .source = s,
        .reach = reach,
    };
    const term *to = term_rewrite(&c.r, t);
    return c.r.fails ? NULL : to;
}

bool move_inside(prover *p,
                 block *b,
                 ptrdiff_t at,
                 instance *s,
                 term_list *to,
                 side_reach reach)
{
    const term *inside = side_term(p, s, s->body, b->where.ptr[at], reach);
    if (inside) {
        term_list_remove(&b->where, at);
        term_conjoin(p, to, inside);
        rules_settle(p, s->body);
    }
    return inside;
}

static bool is_leaf(const block *b)
{
    return !b->set || block_has_limit(b);
}

// A SELECT of all rows of the side, which may leave some out and show more.
static block *open_side(prover *p, block *side)
{
    if (block_is_plain(side) && side->repeats != REPEATS_DROPPED) {
        return side;
    }
    block *rows = block_around(p, side);
    rows->is_source = side->is_source;
    return rows;
}

// Asks each side for it; gives what stands in place of the block.
typedef void side_ask(prover *p, block *side, void *context);

static block *ask_sides(prover *p, block *b, side_ask *ask, void *context)
{
    if (is_leaf(b)) {
        block *rows = open_side(p, b);
        ask(p, rows, context);
        return rows;
    }
    b->left = ask_sides(p, b->left, ask, context);
    b->right = ask_sides(p, b->right, ask, context);
    return b;
}

block *with_side(prover *p, const block *b, const instance *from, bool right)
{
    block *copy = block_copy(p, b);
    instance *s = copy->sources.ptr[block_place_of(b, from)];
    assert(s->body && s->body->set == SET_UNION);
    s->body = right ? s->body->right : s->body->left;
    copy->order.len = 0;
    copy->limit = NULL;
    copy->offset = NULL;
    copy->is_result = false;
    rules_settle(p, copy);
    return copy;
}

// What is asked of the rows of one source.
typedef struct asked {
    const instance *source;
    const term *what;
} asked;

static void leave_out(prover *p, block *side, void *context)
{
    const asked *a = context;
    term_conjoin(p, &side->where,
                 side_term(p, a->source, side, a->what, OF_SIDE));
}

bool rule_union_where(prover *p, block *b, ptrdiff_t at)
{
    const term *t = b->where.ptr[at];
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        instance *s = b->sources.ptr[i];
        if (s->is_outer || !s->body || is_leaf(s->body) || !term_uses(t, s)
            || !side_term(p, s, s->body, t, OF_SIDE)) {
            continue;
        }
        term_list_remove(&b->where, at);
        ask_sides(p, s->body, leave_out, &(asked){s, t});
        rules_settle(p, s->body);
        return true;
    }
    return false;
}

static void show_more(prover *p, block *side, void *context)
{
    const asked *a = context;
    const term *t = side_term(p, a->source, side, a->what, OF_SIDE);
    term_list_push(p, &side->select,
                   term_item(p, term_as(p, t, term_type_of(a->what))));
}

// Whether each side computes the term, and gives it the type that it has.
static bool computes(prover *p,
                     const instance *s,
                     const block *side,
                     const term *t)
{
    if (!is_leaf(side)) {
        return computes(p, s, side->left, t) && computes(p, s, side->right, t);
    }
    const term *to = side_term(p, s, side, t, OF_SIDE);
    return to && type_same(p, to, t);
}

static bool is_computed(prover *p, const instance *s, const term *t)
{
    return term_bare(t)->kind != TERM_COLUMN && term_uses(t, s)
           && computes(p, s, s->body, t);
}

typedef struct computed_search {
    prover *p;
    const instance *source;
} computed_search;

static walk_step search_computed(void *context, const term *t)
{
    const computed_search *c = context;
    return t->kind == TERM_AGGREGATE && t->n == 1
                   && is_computed(c->p, c->source, t->args[0])
               ? WALK_END
               : WALK_ON;
}

static const term *visit_argument(rewrite *r, const term *t)
{
    return t->kind == TERM_AGGREGATE && t->n == 1 && t->args[0] == r->wanted
               ? term_remake(r->p, t, &r->to)
               : NULL;
}

// What the groups are made by, or an aggregate; NULL: nothing that the sides
// compute.
static const term *computed(prover *p, const block *b, const instance *s)
{
    for (ptrdiff_t i = 0; i < b->group.len; i++) {
        if (is_computed(p, s, b->group.ptr[i])) {
            return b->group.ptr[i];
        }
    }
    return block_walk_results(b, search_computed, &(computed_search){p, s});
}

bool rule_union_item(prover *p, block *b, instance *s)
{
    const term *found = is_leaf(s->body) ? NULL : computed(p, b, s);
    if (!found) {
        return false;
    }
    bool is_key = term_list_has(&b->group, found);
    const term *what = is_key ? found : found->args[0];
    int32_t column = instance_columns(s);
    ask_sides(p, s->body, show_more, &(asked){s, what});
    rewrite r = {
        .p = p,
        .visit = is_key ? rewrite_wanted : visit_argument,
        .wanted = what,
        .to = term_as(p, term_column(p, s, column), term_type_of(what)),
    };
    block_rewrite(&r, b);
    rules_settle(p, s->body);
    return true;
}

// Whether some column tells rows of the one from those of the other, by
// literals that no collation takes for one.
static bool are_apart(const block *l, const block *r, int32_t column)
{
    if (l->set || r->set) {
        const block *set = l->set ? l : r;
        const block *other = l->set ? r : l;
        return are_apart(set->left, other, column)
               && (set->set != SET_UNION
                   || are_apart(set->right, other, column));
    }
    const term *a = l->select.ptr[column];
    const term *b = r->select.ptr[column];
    bool are_texts = a->kind == TERM_TEXT && b->kind == TERM_TEXT
                     && !text_may_fold_more(a->text)
                     && !text_may_fold_more(b->text);
    bool are_numbers = a->kind == TERM_INTEGER && b->kind == TERM_INTEGER;
    return (are_texts && !str_equal_fold(a->text, b->text))
           || (are_numbers && a->number != b->number);
}

static bool are_all_apart(const block *l, const block *r)
{
    bool apart = false;
    for (int32_t k = 0; !apart && k < block_outputs(l); k++) {
        apart = are_apart(l, r, k);
    }
    return apart;
}

// No repeats, and none that were dropped of which either could be the one kept.
static bool has_no_repeats(prover *p, const block *b)
{
    if (b->is_all) {
        return has_no_repeats(p, b->left) && has_no_repeats(p, b->right)
               && are_all_apart(b->left, b->right);
    }
    bool are_dropped = b->set || b->repeats == REPEATS_DROPPED;
    return are_dropped ? know_exact_rows(p, b)
                       : b->repeats == REPEATS_NONE || block_is_one_group(b);
}

bool rule_union_apart(prover *p, block *b)
{
    bool fits = b->set == SET_UNION && !b->is_all && has_no_repeats(p, b->left)
                && has_no_repeats(p, b->right)
                && are_all_apart(b->left, b->right);
    for (int32_t k = 0; fits && k < block_outputs(b); k++) {
        fits = compares_as_sides(p, b, k);
    }
    if (fits) {
        b->is_all = true;
        // Around them was DISTINCT until now.
        rules_settle(p, b->left);
        rules_settle(p, b->right);
    }
    return fits;
}
