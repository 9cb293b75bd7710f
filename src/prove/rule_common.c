/*
 * rule_common.c - small questions and the steps that rules have in common.
 *
 * Invariants  What is said of a block holds for every legal database; a
 *             function that changes a block keeps its result.
 *
 * Cost        Linear in the block.
 */
#include "prove/rule_common.h"

#include "relation/relation_type.h"

#include <assert.h>
#include <string.h>

const term *not_null_test(prover *p, const term *c)
{
    return term_not(p, term_is(p, c, term_null(p)));
}

const term *aggregated(const term *t, const char *names)
{
    bool is_one =
        t->kind == TERM_AGGREGATE && t->n == 1 && str_among(t->text, names);
    return is_one ? t->args[0] : NULL;
}

bool counts_rows(const term *t)
{
    return t->kind == TERM_AGGREGATE && t->n == 0;
}

bool is_when(const term *t)
{
    return t->kind == TERM_CASE && t->n == 2;
}

bool group_rows_differ_in(prover *p, const block *b, const term *c)
{
    term_list from = term_list_copy(p, &b->group);
    term_list_push(p, &from, c);
    return know_tells_rows(p, b, &from);
}

const term *count_when(prover *p, const term *test)
{
    const term *args[] = {test, term_integer(p, 1)};
    const term *one = term_case(p, args, 2);
    return term_aggregate(p, S("count"), false, &one, 1);
}

const term *counted_when(const term *t)
{
    const term *x = t->flag ? NULL : aggregated(t, "count");
    return x && is_when(x) && term_is_literal(x->args[1]) ? x->args[0] : NULL;
}

const term *or_zero(const term *t)
{
    bool is_one = str_equal(t->text, S("coalesce")) && t->n == 2
                  && term_is_number(t->args[1], 0);
    return is_one ? t->args[0] : NULL;
}

bool vanishes(prover *p, const term *t)
{
    const term *none = know_of_none(p, t);
    return none
           && (none->kind == TERM_NULL
               || (term_is_number(none, 0) && !prover_is_typed(p)));
}

static walk_step search_shown(void *context, const term *t)
{
    const rewrite *r = context;
    bool is_leaf = t->kind == TERM_COLUMN || t->block;
    return is_leaf && term_is_bare(r->b, t) ? WALK_END
           : t->kind == TERM_AGGREGATE
                   || (t->n > 0 && know_null_of_none(r->p, t))
               ? WALK_PAST
               : WALK_ON;
}

bool shows_no_rows(prover *p, const block *b)
{
    rewrite g = {.p = p, .b = b};
    return block_is_one_group(b)
           && (term_list_walk(&b->select, search_shown, &g)
               || term_list_walk(&b->having, search_shown, &g));
}

static bool shows_keys(const block *b)
{
    return b->has_group && term_list_has_all(&b->select, &b->group);
}

bool comes_once(const block *b)
{
    return b->set ? !b->is_all : b->repeats != REPEATS_KEPT;
}

bool counts_for_rows(const block *b, int32_t column)
{
    return !shows_keys(b) || term_list_has(&b->group, b->select.ptr[column]);
}

block *only_body(const block *b)
{
    const instance *s = b->sources.len == 1 ? b->sources.ptr[0] : NULL;
    return s && !s->is_outer ? s->body : NULL;
}

bool read_bound(const term *t, bound *out)
{
    if (!term_compares(t)) {
        return false;
    }
    bool swaps = term_is_literal(t->args[0]);
    *out = (bound){.x = t->args[swaps], .literal = t->args[!swaps]};
    for (int order = -1; order <= 1; order++) {
        bool holds =
            term_order_holds((term_kind)t->kind, swaps ? -order : order);
        out->allows |= (unsigned)holds << (order + 1);
    }
    return term_is_literal(out->literal);
}

bool read_threshold(const term *t, bound *out)
{
    return read_bound(t, out) && out->literal->kind == TERM_INTEGER;
}

bool bound_takes(const bound *b, int64_t n)
{
    int64_t other = b->literal->number;
    return b->allows
           & (n < other   ? ALLOWS_LESS
              : n > other ? ALLOWS_GREATER
                          : ALLOWS_EQUAL);
}

const term *asked_for_rows(const term *t, int64_t least, bool *from_there)
{
    bound b;
    if (!read_threshold(t, &b)) {
        return NULL;
    }
    *from_there = bound_takes(&b, least);
    bool asks = bound_takes(&b, least - 1) != *from_there
                && bound_takes(&b, INT64_MAX) == *from_there;
    return asks ? b.x : NULL;
}

const term *term_exists(prover *p, block *rows)
{
    rows->is_test = true;
    rows->repeats = REPEATS_KEPT;
    rows->order.len = 0;
    rows->select = (term_list){0};
    term_list_push(p, &rows->select, term_integer(p, 1));
    rules_settle(p, rows);
    return term_make(p, (term){.kind = TERM_EXISTS, .block = rows});
}

const term *term_all_of(prover *p, const term_list *l)
{
    return term_all(p, TERM_AND, l->ptr, (int32_t)l->len);
}

const term *not_true(prover *p, const block *b, const term *t)
{
    const term *no = term_not(p, t);
    const term *either[] = {no, term_is(p, t, term_null(p))};
    return know_not_null(p, b, t) ? no : term_all(p, TERM_OR, either, 2);
}

static const term *visit_part(rewrite *r, const term *t)
{
    rewrite_visit **change = r->context;
    const term *changed = (*change)(r, t);
    bool has_parts = t->kind == TERM_AND || t->kind == TERM_OR;
    return changed ? changed : has_parts ? NULL : t;
}

const term *change_part(prover *p,
                        const block *b,
                        const term *t,
                        rewrite_visit *change)
{
    rewrite r = {.p = p, .visit = visit_part, .b = b, .context = &change};
    return term_rewrite(&r, t);
}

bool where_becomes(prover *p, block *b, ptrdiff_t at, const term *with)
{
    bool changes = with != b->where.ptr[at];
    if (changes) {
        term_list_remove(&b->where, at);
        term_conjoin(p, &b->where, with);
    }
    return changes;
}

bool change_where(prover *p, block *b, ptrdiff_t at, rewrite_visit *change)
{
    const term *with = change_part(p, b, b->where.ptr[at], change);
    return where_becomes(p, b, at, with);
}

bool moves_up(const block *b)
{
    return b->is_source && b->repeats != REPEATS_DROPPED && !block_has_limit(b);
}

bool rewrite_results(rewrite *r, block *b)
{
    r->changes = false;
    *b = block_results_rewritten(r, b);
    return r->changes;
}

bool rewrite_terms(rewrite *r, block *b)
{
    rewrite_results(r, b);
    b->where = conditions_rewritten(r, &b->where);
    b->group = term_list_rewritten(r, &b->group);
    return r->changes;
}

bool orders_by_items(const block *b)
{
    for (ptrdiff_t i = 0; i < b->order.len; i++) {
        if (!term_list_has(&b->select, b->order.ptr[i].term)) {
            return false;
        }
    }
    return true;
}

walk_step search_wanted(void *wanted, const term *t)
{
    return t == *(const term **)wanted ? WALK_END : WALK_ON;
}

bool has_no_rows(const block *b)
{
    return (!block_is_one_group(b) && term_list_has_false(&b->where))
           || term_list_has_false(&b->having);
}

bool any_rejects(const term_list *l, const instance *s)
{
    bool rejects = false;
    for (ptrdiff_t i = 0; !rejects && i < l->len; i++) {
        rejects = know_rejects(l->ptr[i], NULL, s);
    }
    return rejects;
}

void make_inner(prover *p, block *b, instance *source)
{
    assert(source->is_outer);
    source->is_outer = false;
    term_conjoin_all(p, &b->where, &source->on);
    source->on.len = 0;
}

bool never_null_inside(prover *p, instance *s, const term *c)
{
    for (ptrdiff_t i = 0; i < s->on.len; i++) {
        if (know_rejects(s->on.ptr[i], c, NULL)) {
            return true;
        }
    }
    block inside = {0};
    bool was_outer = s->is_outer;
    s->is_outer = false;
    bool never = know_not_null(p, &inside, c);
    s->is_outer = was_outer;
    return never;
}

const term *count_of_partners(prover *p, instance *s)
{
    for (int32_t k = 0; k < instance_columns(s); k++) {
        const term *c = term_column(p, s, k);
        if (never_null_inside(p, s, c)) {
            return term_aggregate(p, S("count"), false, &c, 1);
        }
    }
    return NULL;
}

static bool is_null_output(prover *p, const block *b, int32_t column)
{
    return know_exact_output(p, b, column) == EXACT_NULL;
}

bool compares_as_sides(prover *p, const block *b, int32_t column)
{
    return !b->set
           || (!term_type_of_output(b, column).is_unlike
               && (type_of_sides_same(p, b, column)
                   || is_null_output(p, b->left, column)
                   || is_null_output(p, b->right, column))
               && compares_as_sides(p, b->left, column)
               && compares_as_sides(p, b->right, column));
}

block block_results_rewritten(rewrite *r, const block *b)
{
    block now = *b;
    now.select = term_list_rewritten(r, &b->select);
    now.having = conditions_rewritten(r, &b->having);
    memset(&now.order, 0, sizeof now.order);
    for (ptrdiff_t i = 0; i < b->order.len; i++) {
        sort_term key = b->order.ptr[i];
        key.term = term_rewrite(r, key.term);
        r->changes |= key.term != b->order.ptr[i].term;
        *vec_push(r->p->a, &now.order) = key;
    }
    return now;
}
