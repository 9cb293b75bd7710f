/*
 * rule_sides.c - what is asked of a set operation, asked of its sides; and
 * sides that have no row in common.
 *
 * Method      A row of the result is a row of a side, so a condition that says
 *             the same of equal rows may leave rows out of the sides. Where
 *             sides have no repeats and share no row, UNION drops none.
 */
#include "prove/rule_common.h"
#include "sql/semantics.h"

#include <assert.h>

// What the condition asks of one source, as that of a side of its body.
typedef struct side_condition {
    rewrite r;  // first, so that it can be found from there
    instance *source;
    const block *side;
    bool fails;
} side_condition;

static const term *visit_side(rewrite *r, const term *t)
{
    side_condition *c = (side_condition *)r;
    c->fails |= t->block || (t->source && t->source != c->source);
    if (!t->source || c->fails) {
        return t->block ? t : NULL;
    }
    return term_as(r->p, c->side->select.ptr[t->column], term_type_of(t));
}

// Whether rows may be left out of each side before they meet those of others.
static bool may_ask_sides(const block *b)
{
    return b->set ? !block_has_limit(b) && may_ask_sides(b->left)
                        && may_ask_sides(b->right)
                  : block_is_plain(b);
}

static bool drops_repeats(const block *b)
{
    return b->set ? b->set != SET_UNION || !b->is_all || drops_repeats(b->left)
                        || drops_repeats(b->right)
                  : b->repeats == REPEATS_DROPPED;
}

static void ask_sides(side_condition *c, block *side, const term *t)
{
    if (side->set) {
        ask_sides(c, side->left, t);
        ask_sides(c, side->right, t);
        return;
    }
    c->side = side;
    term_conjoin(c->r.p, &side->where, term_rewrite(&c->r, t));
}

typedef struct column_use {
    prover *p;
    instance *source;
    bool is_exact;  // rows of which one is kept are identical there
    bool found;
} column_use;

static walk_step search_other(void *context, const term *t)
{
    column_use *u = context;
    bool is_own = t->source == u->source;
    u->found |= is_own;
    bool fails =
        is_own
            ? !compares_as_sides(u->p, t->source->body, t->column)
                  || (u->is_exact
                      && !know_exact_output(u->p, t->source->body, t->column))
            : t->source || t->block;
    return fails ? WALK_END : WALK_ON;
}

static bool asks_only(prover *p, instance *s, const term *t)
{
    column_use u = {.p = p, .source = s, .is_exact = drops_repeats(s->body)};
    return !term_walk(t, search_other, &u) && u.found;
}

bool rule_union_where(prover *p, block *b, ptrdiff_t at)
{
    const term *t = b->where.ptr[at];
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        instance *s = b->sources.ptr[i];
        if (s->is_outer || !s->body || !s->body->set || !may_ask_sides(s->body)
            || !asks_only(p, s, t)) {
            continue;
        }
        side_condition c = {.r = {.p = p, .visit = visit_side}, .source = s};
        term_list_remove(&b->where, at);
        ask_sides(&c, s->body, t);
        assert(!c.fails);  // see asks_only()
        rules_settle(p, s->body);
        return true;
    }
    return false;
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
    if (b->set == SET_UNION && b->is_all) {
        return has_no_repeats(p, b->left) && has_no_repeats(p, b->right)
               && are_all_apart(b->left, b->right);
    }
    bool are_dropped = b->set || b->repeats == REPEATS_DROPPED;
    return are_dropped
               ? know_exact_rows(p, b)
               : b->repeats == REPEATS_NONE || (b->is_grouped && !b->has_group);
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
