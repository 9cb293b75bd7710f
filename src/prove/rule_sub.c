/*
 * rule_sub.c - rules about subqueries: IN, EXISTS and joins.
 *
 * A subquery of a term may be seen from several terms (an item and, by its
 * alias, WHERE), so what moves out of it is a copy.
 */
#include "prove/rule_common.h"

#include <assert.h>

// Whether one of equal rows will do for all of them: they are identical, or
// IN tells them apart no more than DISTINCT does.
static bool may_be_distinct(prover *p, const term *in)
{
    const block *b = in->block;
    for (ptrdiff_t i = 0; i < block_outputs(b); i++) {
        term_type item = term_type_of_output(b, (int32_t)i);
        term_type x = term_type_of(term_part(in->args[0], i));
        bool is_alike = !item.is_unlike && item.affinity == AFFINITY_TEXT
                        && item.collation == x.collation;
        if (!is_alike && !know_exact_output(p, b, (int32_t)i)) {
            return false;
        }
    }
    return true;
}

// Whether its rows come as often as they do.
static bool keeps_repeats(const block *b)
{
    return !block_has_limit(b)
           && (b->set ? block_is_union_all(b)
                      : b->repeats == REPEATS_KEPT && !block_is_one_group(b));
}

// Drops the order of rows; and repeats, where it is the same without.
static bool ease_rows(block *b, bool without_repeats)
{
    bool drops_order = b->order.len > 0 && !block_has_limit(b);
    if (drops_order) {
        b->order.len = 0;
    }
    if (without_repeats) {
        b->is_all = false;
        b->repeats = b->set ? b->repeats : REPEATS_DROPPED;
    }
    return drops_order || without_repeats;
}

bool rule_order_derived(prover *p, block *b, instance *s)
{
    (void)p;
    (void)b;
    return s->body && ease_rows(s->body, false);
}

// Which of equal rows is kept does not matter where they are identical.
static bool ease_side(prover *p, const block *b, block *side)
{
    return ease_rows(side, !b->is_all && keeps_repeats(side)
                               && know_exact_rows(p, side));
}

bool rule_set_rows(prover *p, block *b)
{
    bool left = ease_side(p, b, b->left);
    return ease_side(p, b, b->right) || left;
}

static bool ease_exists(prover *p, block *b)
{
    bool is_positive = b->limit && b->limit->number > 0;
    if (is_positive) {
        b->limit = NULL;
    }
    if (b->is_test || b->set || block_has_limit(b) || block_is_one_group(b)) {
        return is_positive;
    }
    b->is_test = true;
    b->repeats = REPEATS_KEPT;
    b->order.len = 0;
    b->select = (term_list){0};
    term_list_push(p, &b->select, term_integer(p, 1));
    return true;
}

typedef struct ease {
    prover *p;
    bool changed;
} ease;

static walk_step ease_term(void *context, const term *t)
{
    ease *e = context;
    if (t->kind == TERM_IN) {
        e->changed |= ease_rows(t->block, keeps_repeats(t->block)
                                              && may_be_distinct(e->p, t));
    } else if (t->kind == TERM_EXISTS) {
        e->changed |= ease_exists(e->p, t->block);
    }
    return t->has & HAS_BLOCK ? WALK_ON : WALK_PAST;
}

bool rule_test_rows(prover *p, block *b)
{
    ease e = {.p = p};
    block_walk(b, ease_term, &e);
    return e.changed;
}

static bool all_alike(const term *in)
{
    for (ptrdiff_t i = 0; i < in->block->select.len; i++) {
        if (!term_in_is_equal(term_part(in->args[0], i),
                              in->block->select.ptr[i])) {
            return false;
        }
    }
    return true;
}

// IN of rows that one by one are equal or not, as = has it.
static bool is_in_of_rows(prover *p, const term *t)
{
    return t->kind == TERM_IN && block_is_plain(t->block)
           && (t->block->repeats != REPEATS_DROPPED || may_be_distinct(p, t))
           && all_alike(t);
}

// EXISTS (... y = x) of x IN (SELECT y ...)
static const term *exists_of(prover *p, const term *in)
{
    assert(in->kind == TERM_IN);
    block *copy = block_copy(p, in->block);
    for (ptrdiff_t i = 0; i < copy->select.len; i++) {
        term_conjoin(p, &copy->where,
                     term_compare(p, TERM_EQUAL, term_part(in->args[0], i),
                                  copy->select.ptr[i]));
    }
    return term_exists(p, copy);
}

// Nor without the condition `but`.
static bool none_is_null(prover *p,
                         const block *b,
                         const term *in,
                         const term *but)
{
    for (ptrdiff_t i = 0; i < in->block->select.len; i++) {
        if (!know_not_null_but(p, b, term_part(in->args[0], i), but)
            || !know_not_null(p, in->block, in->block->select.ptr[i])) {
            return false;
        }
    }
    return true;
}

// IN as a part of an item, or of the condition `wanted`.
static const term *visit_in(rewrite *r, const term *t)
{
    if (is_in_of_rows(r->p, t) && none_is_null(r->p, r->b, t, r->wanted)) {
        return exists_of(r->p, t);
    }
    return t->block ? t : NULL;
}

// There NULL is as good as false.
static const term *part_as_exists(rewrite *r, const term *t)
{
    return is_in_of_rows(r->p, t) ? exists_of(r->p, t) : NULL;
}

bool rule_in_exists(prover *p, block *b)
{
    rewrite in = {.p = p, .visit = visit_in, .of = HAS_BLOCK, .b = b};
    for (ptrdiff_t i = 0; i < b->where.len; i++) {
        const term *t = b->where.ptr[i];
        in.wanted = t;
        const term *with = change_part(p, b, t, part_as_exists);
        with = with != t ? with : term_rewrite(&in, t);
        if (where_becomes(p, b, i, with)) {
            return true;
        }
    }
    in.wanted = NULL;
    for (ptrdiff_t i = 0; !b->is_grouped && i < b->select.len; i++) {
        const term *t = b->select.ptr[i];
        const term *with = t->has & HAS_WINDOW ? t : term_rewrite(&in, t);
        if (with != t) {
            b->select.ptr[i] = with;
            return true;
        }
    }
    return false;
}

// Whether a row may come as often as it has partners.
static bool takes_repeats(const block *b)
{
    return ((b->repeats != REPEATS_KEPT && orders_by_items(b)) || b->is_test)
           && block_is_plain(b) && !block_has_outer(b);
}

// The condition that EXISTS of no table is, or of one row anyway; NULL: it is
// of other rows.
static const term *test_of_none(rewrite *r, const term *t)
{
    const block *in = t->kind == TERM_EXISTS ? t->block : NULL;
    bool is_bare = in && block_is_plain(in) && in->sources.len == 0;
    bool is_one = in && block_is_one_group(in) && in->having.len == 0
                  && !block_has_limit(in);
    return is_one    ? term_boolean(r->p, true)
           : is_bare ? term_all_of(r->p, &block_copy(r->p, in)->where)
                     : NULL;
}

// NOT EXISTS of no table is a condition that is not true.
static bool deny(prover *p, block *b, ptrdiff_t at, const term *exists)
{
    rewrite r = {.p = p};
    const term *test = test_of_none(&r, exists);
    return test && where_becomes(p, b, at, not_true(p, b, test));
}

bool rule_exists_join(prover *p, block *b, ptrdiff_t at)
{
    const term *t = b->where.ptr[at];
    if (t->kind == TERM_NOT) {
        return deny(p, b, at, t->args[0]);
    }
    if (t->kind == TERM_OR
        || (t->kind == TERM_EXISTS && block_is_one_group(t->block))) {
        return change_where(p, b, at, test_of_none);
    }
    if (t->kind != TERM_EXISTS || !block_is_plain(t->block)
        || block_has_outer(t->block)) {
        return false;
    }
    bool is_once = know_tells_rows(p, t->block, &(term_list){0});
    if (!is_once && !takes_repeats(b)) {
        return false;
    }
    block *copy = block_copy(p, t->block);
    term_list_remove(&b->where, at);
    block_absorb(p, b, copy);
    if (!is_once) {
        block_check_repeats(b);
    }
    return true;
}

// Drops from NOT EXISTS what another condition says of the row around it.
static bool drop_known(prover *p, block *b, ptrdiff_t at, const block *none)
{
    block *copy = block_copy(p, none);
    for (ptrdiff_t i = none->where.len - 1; i >= 0; i--) {
        if (term_list_has(&b->where, none->where.ptr[i])) {
            term_list_remove(&copy->where, i);
        }
    }
    bool drops = copy->where.len < none->where.len;
    if (drops) {
        b->where.ptr[at] = term_not(
            p, term_make(p, (term){.kind = TERM_EXISTS, .block = copy}));
    }
    return drops;
}

bool rule_exists_where(prover *p, block *b, ptrdiff_t at)
{
    const term *t = b->where.ptr[at];
    const term *test = t->kind == TERM_NOT ? t->args[0] : t;
    return test != t && test->kind == TERM_EXISTS && block_is_plain(test->block)
           && drop_known(p, b, at, test->block);
}
