/*
 * rule_in.c - rules about IN and = of subqueries that are no plain SELECT.
 */
#include "prove/rule_common.h"
#include "relation/relation_type.h"

#include <assert.h>

static bool uses_outside(const block *b, const block *in)
{
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        if (block_uses(in, b->sources.ptr[i])) {
            return true;
        }
    }
    return false;
}

static bool equates(prover *p, block *b, const term *in, instance *s, int32_t i)
{
    const term *same =
        term_of(p, TERM_EQUAL, term_part(in->args[0], i), term_column(p, s, i));
    return know_identifies(p, b, same);
}

// Whether the columns that are equated by identity tell the rows of the
// subquery apart.
static bool joins_by_identity(prover *p, block *b, const term *t, instance *s)
{
    const block *body = s->body;
    assert(body == t->block);  // the source stands for the subquery
    bool joins = comes_once(body);
    for (int32_t i = 0; joins && i < instance_columns(s); i++) {
        joins = !counts_for_rows(body, i) || equates(p, b, t, s, i);
    }
    return joins;
}

// IN compares by the collation of its left side only.
static bool compares_alike(const term *x, const term *y)
{
    return term_in_is_equal(x, y) && terms_exchange(x, y);
}

// Whether the subquery has one row at most.
static bool is_single(prover *p, const block *b)
{
    return !b->set
           && (b->limit ? term_is_number(b->limit, 1)
                        : know_tells_rows(p, b, &(term_list){0}));
}

// One row at most: it is there once, however it compares.
static bool joins_one(prover *p, const term *t)
{
    bool alike = is_single(p, t->block);
    for (ptrdiff_t i = 0; alike && i < t->block->select.len; i++) {
        alike =
            compares_alike(term_part(t->args[0], i), t->block->select.ptr[i]);
    }
    return alike;
}

// x = (SELECT MAX(y) ...) of x IN (SELECT y ... ORDER BY y DESC LIMIT 1), where
// only whether it is true counts; NULL: it is something else.
static const term *is_extreme(prover *p, const term *in)
{
    const term *value = extreme_shown(p, in->block);
    return value && compares_alike(in->args[0], value)
               ? term_compare(p, TERM_EQUAL, in->args[0], value)
               : NULL;
}

bool rule_in_source(prover *p, block *b, ptrdiff_t at)
{
    const term *t = b->where.ptr[at];
    if (t->kind != TERM_IN || block_is_plain(t->block)
        || uses_outside(b, t->block)) {
        return false;
    }
    const term *extreme = is_extreme(p, t);
    if (extreme) {
        return where_becomes(p, b, at, extreme);
    }
    instance *s = instance_of(p, t->block);
    if (!joins_one(p, t) && !joins_by_identity(p, b, t, s)) {
        return false;
    }
    s->body = block_copy(p, t->block);
    term_list_remove(&b->where, at);
    block_add_source(p, b, s);
    for (int32_t k = 0; k < instance_columns(s); k++) {
        term_conjoin(p, &b->where,
                     term_compare(p, TERM_EQUAL, term_part(t->args[0], k),
                                  term_column(p, s, k)));
    }
    return true;
}

// The column that the condition ties to one around the block, by identity, and
// that one; NULL: it says something else.
static const term *tied(prover *p,
                        const block *in,
                        const term *t,
                        const term **around)
{
    for (int k = 0; know_identifies(p, in, t) && k < 2; k++) {
        *around = t->args[1 - k];
        if (block_owns(in, t->args[k]->source)
            && !block_owns(in, (*around)->source)) {
            return t->args[k];
        }
    }
    return NULL;
}

static const term *in_rows(prover *p, const term *x, block *rows)
{
    return term_make(
        p, (term){.kind = TERM_IN, .block = rows, .n = 1, .args = &x});
}

// Takes the ties out of the conditions: the block shows and groups by what they
// tie, which has one value in the groups that they leave, to what goes to
// `outside`.
static void show_tied(prover *p, block *in, term_list *outside)
{
    term_list where = {0};
    in->select = (term_list){0};
    for (ptrdiff_t i = 0; i < in->where.len; i++) {
        const term *around = NULL;
        const term *own = tied(p, in, in->where.ptr[i], &around);
        if (own) {
            term_list_push(p, outside, around);
            term_list_push(p, &in->select, own);
            term_list_add(p, &in->group, own);
        } else {
            term_list_push(p, &where, in->where.ptr[i]);
        }
    }
    in->where = where;
}

const term *rule_exists_in(rewrite *r, const term *t)
{
    prover *p = r->p;
    if (t->kind != TERM_EXISTS || !t->block->has_group
        || block_has_limit(t->block)) {
        return NULL;
    }
    block *in = block_copy(p, t->block);
    term_list outside = {0};
    show_tied(p, in, &outside);
    if (outside.len == 0 || uses_outside(r->b, in)) {
        return NULL;
    }
    in->is_test = false;
    in->repeats = REPEATS_DROPPED;
    rules_settle(p, in);
    const term *row = term_make(p, (term){.kind = TERM_ROW,
                                          .n = (int32_t)outside.len,
                                          .args = outside.ptr});
    const term *x = outside.len == 1 ? outside.ptr[0] : row;
    return in_rows(p, x, in);
}

// x IN (SELECT y ...) of x = (SELECT y ...), unless the subquery always has a
// row; of such a one it is the other way round. NULL: it is none of these.
const term *rule_scalar_in(rewrite *r, const term *t)
{
    if (t->kind == TERM_IN) {
        const term *extreme = is_extreme(r->p, t);
        return extreme ? extreme : term_in_row(r->p, t->args[0], t->block);
    }
    for (int k = 0; t->kind == TERM_EQUAL && k < 2; k++) {
        const term *x = t->args[1 - k];
        const term *scalar = t->args[k];
        if (scalar->kind == TERM_SCALAR && x->kind != TERM_SCALAR
            && is_single(r->p, scalar->block)
            && !block_is_one_row(scalar->block)
            && compares_alike(x, scalar->block->select.ptr[0])) {
            return in_rows(r->p, x, scalar->block);
        }
    }
    return NULL;
}

// x IN A UNION B where x and the columns compare alike; NULL: it is not so.
static const block *in_union(prover *p, const term *t)
{
    const block *u = t->kind == TERM_IN ? t->block : NULL;
    if (!u || u->set != SET_UNION || block_has_limit(u) || u->left->set
        || u->right->set || t->args[0]->kind == TERM_ROW) {
        return NULL;
    }
    const term *x = t->args[0];
    const term *l = u->left->select.ptr[0];
    const term *r = u->right->select.ptr[0];
    schema_affinity affinity = term_affinity(x);
    bool is_alike = term_affinity(l) == affinity && term_affinity(r) == affinity
                    && term_is_binary(x) && term_is_binary(l)
                    && term_is_binary(r) && type_same(p, l, r);
    return is_alike ? u : NULL;
}

const term *rule_in_union(rewrite *r, const term *t)
{
    bool is_not = t->kind == TERM_NOT;
    const term *in = is_not ? t->args[0] : t;
    const block *u = in_union(r->p, in);
    if (!u) {
        return NULL;
    }
    const term *sides[] = {in_rows(r->p, in->args[0], u->left),
                           in_rows(r->p, in->args[0], u->right)};
    const term *both = term_all(r->p, TERM_OR, sides, 2);
    return is_not ? term_not(r->p, both) : both;
}

// Whether it is (SELECT COUNT(*) ...) of all rows.
static bool is_count(const term *t)
{
    return t->kind == TERM_SCALAR && block_is_one_row(t->block)
           && counts_rows(t->block->select.ptr[0]);
}

static const term *exists_of(prover *p, const term *scalar)
{
    block *copy = block_copy(p, scalar->block);
    copy->is_grouped = false;
    return term_exists(p, copy);
}

// A count is no NULL, so that the comparison says it as a value, too.
static const term *visit_count(rewrite *r, const term *t)
{
    bool some = false;
    const term *count = asked_for_rows(t, 1, &some);
    const term *test = count && is_count(count) ? exists_of(r->p, count) : NULL;
    return !test ? (t->block ? t : NULL) : some ? test : term_not(r->p, test);
}

bool rule_count_exists(prover *p, block *b)
{
    rewrite r = {.p = p, .visit = visit_count, .of = HAS_BLOCK, .b = b};
    return rewrite_terms(&r, b);
}
