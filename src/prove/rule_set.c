/*
 * rule_set.c - rules about UNION, INTERSECT and EXCEPT.
 */
#include "prove/rule_common.h"
#include "relation/relation_type.h"

#include <assert.h>

static const term *visit_output(rewrite *r, const term *t)
{
    (void)r;
    return t->kind == TERM_OUTPUT ? r->outputs[t->column] : NULL;
}

// The block becomes this SELECT, under its own ORDER BY and LIMIT.
static void become(prover *p, block *b, const block *select)
{
    assert(b->set && !select->set);
    block_become_under(b, select);
    b->repeats = REPEATS_DROPPED;
    rewrite r = {.p = p, .visit = visit_output, .outputs = select->select.ptr};
    for (ptrdiff_t i = 0; i < b->order.len; i++) {
        b->order.ptr[i].term = term_rewrite(&r, b->order.ptr[i].term);
    }
}

static bool may_be_test(const block *kept, const block *tested)
{
    return block_is_plain(kept) && !tested->set && !block_is_one_group(tested);
}

// May the side stand for the set operation, column by column?
static bool shows_as(prover *p, const block *b, const block *side)
{
    bool is_shown = b->is_result && b->order.len == 0;
    bool same = true;
    for (int32_t i = 0; same && i < block_outputs(b); i++) {
        same = (is_shown && b->is_all)
               || (term_types_equal(term_type_of_output(b, i),
                                    term_type_of_output(side, i))
                   && (b->is_all || know_exact_output(p, side, i)));
        same =
            same
            && str_equal(type_of_output(p, b, i), type_of_output(p, side, i));
    }
    return same;
}

bool rule_set_empty(prover *p, block *b)
{
    bool is_left = has_no_rows(b->left);
    if (!is_left && !has_no_rows(b->right)) {
        return false;
    }
    // Of A EXCEPT nothing and of UNION the other side is left.
    bool keeps_left = b->set == SET_UNION    ? !is_left
                      : b->set == SET_EXCEPT ? true
                                             : is_left;
    block *kept = keeps_left ? b->left : b->right;
    bool is_bare = b->is_all && b->order.len == 0 && !block_has_limit(b);
    if ((kept->set && !is_bare)
        || (block_has_limit(kept) && (!is_bare || b->is_result))
        || !shows_as(p, b, kept) || (!b->is_all && block_is_one_group(kept))) {
        return false;
    }
    bool is_all = b->is_all;
    repeats were = kept->repeats;
    if (is_bare) {
        block_become(b, kept);
    } else {
        become(p, b, kept);
        b->repeats = is_all || were == REPEATS_NONE ? were : REPEATS_DROPPED;
    }
    return true;
}

// Whether one of two columns of the sides is not NULL.
static bool is_there(prover *p,
                     const block *one,
                     const block *other,
                     ptrdiff_t i)
{
    return know_not_null(p, one, one->select.ptr[i])
           || know_not_null(p, other, other->select.ptr[i]);
}

// Whether the sides meet by identity. Of a derived table what is joined with it
// says more of NULL.
static bool meets(prover *p, const block *b, const block *kept, const block *in)
{
    assert(kept->select.len == in->select.len);  // sides of one set operation
    bool meet = true;
    for (ptrdiff_t i = 0; meet && i < kept->select.len; i++) {
        const term *x = kept->select.ptr[i];
        const term *y = in->select.ptr[i];
        meet = know_identifies(p, b, term_of(p, TERM_EQUAL, x, y))
               && (!b->is_source || is_there(p, kept, in, i));
    }
    return meet;
}

// EXISTS of a row of the side that shows what the block shows, NULL for NULL.
static const term *shows_too(prover *p, const block *b, block *side)
{
    block *rows = block_around(p, side);
    side->is_source = true;
    for (int32_t i = 0; i < b->select.len; i++) {
        const term *x = b->select.ptr[i];
        const term *y = rows->select.ptr[i];
        term_conjoin(p, &rows->where,
                     is_there(p, b, side, i) ? term_compare(p, TERM_EQUAL, y, x)
                                             : term_is(p, y, x));
    }
    return term_exists(p, rows);
}

bool rule_set_in(prover *p, block *b)
{
    bool is_except = b->set == SET_EXCEPT;
    if ((!is_except && b->set != SET_INTERSECT) || b->is_all) {
        return false;
    }
    bool swaps = !is_except && !may_be_test(b->left, b->right);
    block *kept = swaps ? b->right : b->left;
    block *tested = swaps ? b->left : b->right;
    if (!may_be_test(kept, tested) || !meets(p, b, kept, tested)) {
        return false;
    }
    become(p, b, kept);
    const term *too = shows_too(p, b, tested);
    term_conjoin(p, &b->where, is_except ? term_not(p, too) : too);
    return true;
}

bool block_speaks_of(prover *p, block *b, const block *of)
{
    bool fits = b->sources.len == of->sources.len;
    for (ptrdiff_t i = 0; fits && i < of->sources.len; i++) {
        fits = of->sources.ptr[i]->columns_of
               && of->sources.ptr[i]->table == b->sources.ptr[i]->table;
    }
    for (ptrdiff_t i = 0; fits && i < of->sources.len; i++) {
        instance *to = of->sources.ptr[i];
        for (int32_t k = -1; k < instance_columns(to); k++) {
            block_replace(p, b, b->sources.ptr[i], k,
                          k < 0 ? term_rowid(p, to) : term_column(p, to, k));
        }
    }
    return fits;
}

block *block_over_tables_of(prover *p, const block *side, const block *of)
{
    bool fits = block_selects_tables(of) && block_selects_tables(side);
    block *copy = fits ? block_copy(p, side) : NULL;
    return copy && block_speaks_of(p, copy, of) ? copy : NULL;
}

// EXISTS (... p OR q) of EXISTS (... p) and EXISTS (... q); NULL: they are of
// other tables.
static const term *exists_either(prover *p, const term *one, const term *other)
{
    if (one->kind != TERM_EXISTS || other->kind != TERM_EXISTS) {
        return NULL;
    }
    block *both = block_copy(p, one->block);
    const block *too = block_over_tables_of(p, other->block, both);
    if (!too) {
        return NULL;
    }
    const term *sides[] = {term_all_of(p, &both->where),
                           term_all_of(p, &too->where)};
    both->where = (term_list){0};
    term_conjoin(p, &both->where, term_all(p, TERM_OR, sides, 2));
    return term_exists(p, both);
}

// The OR with one test in place of two of its branches.
static const term *or_with(prover *p,
                           const term *t,
                           const term *one,
                           const term *other,
                           const term *either)
{
    term_list branches = {0};
    term_list_push(p, &branches, either);
    for (int32_t i = 0; i < t->n; i++) {
        if (t->args[i] != one && t->args[i] != other) {
            term_list_push(p, &branches, t->args[i]);
        }
    }
    return term_all(p, TERM_OR, branches.ptr, (int32_t)branches.len);
}

const term *rule_or_exists(rewrite *r, const term *t)
{
    for (int32_t i = 0; t->kind == TERM_OR && i < t->n; i++) {
        for (int32_t k = i + 1; k < t->n; k++) {
            const term *either = exists_either(r->p, t->args[i], t->args[k]);
            if (either) {
                return or_with(r->p, t, t->args[i], t->args[k], either);
            }
        }
    }
    return NULL;
}

bool rule_none_exists(prover *p, block *b, ptrdiff_t at)
{
    const term *t = b->where.ptr[at];
    const term *either = NULL;
    for (ptrdiff_t i = 0; t->kind == TERM_NOT && !either && i < at; i++) {
        const term *other = b->where.ptr[i];
        either = other->kind == TERM_NOT
                     ? exists_either(p, t->args[0], other->args[0])
                     : NULL;
        if (either) {
            term_list_remove(&b->where, at);
            where_becomes(p, b, i, term_not(p, either));
        }
    }
    return either;
}

// Whether no row of the one is a row of the other, both of the same tables.
static bool shares_none(prover *p, const block *one, const block *other)
{
    return one->repeats != REPEATS_DROPPED && other->repeats != REPEATS_DROPPED
           && exclude_each_other(p, one, &other->where);
}

bool rule_set_where(prover *p, block *b)
{
    if (b->set != SET_UNION || (!b->is_all && !know_exact_rows(p, b->left))) {
        return false;
    }
    const block *other = block_over_tables_of(p, b->right, b->left);
    if (!other || !term_lists_equal(&b->left->select, &other->select)
        || (b->is_all && !shares_none(p, b->left, other))) {
        return false;
    }
    const term *both[] = {term_all_of(p, &b->left->where),
                          term_all_of(p, &other->where)};
    bool is_all = b->is_all;
    become(p, b, b->left);
    b->repeats = is_all ? REPEATS_KEPT : REPEATS_DROPPED;
    b->where = (term_list){0};
    term_conjoin(p, &b->where, term_all(p, TERM_OR, both, 2));
    return true;
}
