/*
 * rule_own.c - a row is one of its table's rows.
 *
 * Method      A subquery that asks the table of a row of the query around it,
 *             under conditions that the row itself satisfies, finds the row. So
 *             where no row of its kind may be so, it is not so; and the rows up
 *             to it in an order are those before it and one more.
 */
#include "prove/rule_common.h"
#include "relation/relation_rows.h"

// Whether `t` is the condition, or one of which this is a branch.
static bool is_branch(prover *p, const term *t, const term *condition)
{
    term_list branches = term_list_of_args(p, t);
    return t == condition
           || (t->kind == TERM_OR && term_list_has(&branches, condition));
}

// Whether NOT EXISTS of the rows says of a row of the block, beside what else
// is known of it, that the condition is not false.
static bool implies_own(prover *p,
                        const block *b,
                        const block *none,
                        const term *t)
{
    bool found = false;
    for (ptrdiff_t i = 0; !found && i < b->sources.len; i++) {
        instance *row = b->sources.ptr[i];
        term_list rest;
        found = !row->is_outer && know_rest_of_row(p, none, row, b, t, &rest)
                && rest.len == 1 && is_branch(p, rest.ptr[0], term_not(p, t));
    }
    return found;
}

bool rule_own_none(prover *p, block *b, ptrdiff_t at)
{
    const term *t = b->where.ptr[at];
    bool found = false;
    bool is_own = (t->has & HAS_BLOCK) == 0;
    for (ptrdiff_t i = 0; is_own && !found && i < b->where.len; i++) {
        const term *not = b->where.ptr[i];
        found = not ->kind == TERM_NOT && not ->args[0]->kind == TERM_EXISTS
                && block_is_plain(not ->args[0]->block)
                && implies_own(p, b, not ->args[0]->block, t);
    }
    bool is_there = found && know_not_null_but(p, b, t, t);
    if (!is_there && !(found && term_compares(t))) {
        return false;
    }
    // Not false, so true, unless it is NULL.
    term_list_remove(&b->where, at);
    for (int k = 0; !is_there && k < 2; k++) {
        term_conjoin(p, &b->where, not_null_test(p, t->args[k]));
    }
    return true;
}

// The column of the block's table that the condition holds against the same
// one of the row, up to it or from it on; NULL: it says something else.
static const term *reaches(const block *of, const term *t, const instance *row)
{
    const term *c = term_against(t, row);
    return t->kind == TERM_LESS_EQUAL && c && c->source == of->sources.ptr[0]
               ? c
               : NULL;
}

// Whether the rows of the block that are equal in the column count as one.
static bool counts_once(prover *p,
                        const block *of,
                        const term *reached,
                        const term *c)
{
    const term *counted = of->select.ptr[0];
    block one = {.sources = of->sources,
                 .where = term_list_copy(p, &of->where)};
    term_conjoin(p, &one.where,
                 term_of(p, TERM_EQUAL, reached->args[0], reached->args[1]));
    closure told = closure_of(p, &one, &(term_list){0});
    return counts_rows(counted)
               ? closure_covers(p, &told)
               : counted->flag && aggregated(counted, "count") == c;
}

// (SELECT COUNT(*) of the rows before the row) + 1; NULL: the subquery counts
// others.
static const term *count_before(prover *p, const block *of, const instance *row)
{
    for (ptrdiff_t i = 0; i < of->where.len; i++) {
        const term *t = of->where.ptr[i];
        const term *c = reaches(of, t, row);
        if (!c || !counts_once(p, of, t, c)) {
            continue;
        }
        block before = *of;
        before.where = term_list_copy(p, &of->where);
        before.where.ptr[i] =
            term_compare(p, TERM_LESS, t->args[0], t->args[1]);
        const term *count = term_make(
            p, (term){.kind = TERM_SCALAR, .block = block_copy(p, &before)});
        return term_arithmetic(p, TERM_ADD, count, term_integer(p, 1));
    }
    return NULL;
}

static const term *visit_counted(rewrite *r, const term *t)
{
    const block *of = t->kind == TERM_SCALAR ? t->block : NULL;
    bool counts = of && block_is_one_row(of)
                  && (counts_rows(of->select.ptr[0])
                      || aggregated(of->select.ptr[0], "count"));
    const term *count = NULL;
    for (ptrdiff_t i = 0; counts && !count && i < r->b->sources.len; i++) {
        instance *row = r->b->sources.ptr[i];
        count = !row->is_outer && know_takes_row(r->p, of, row, r->b)
                    ? count_before(r->p, of, row)
                    : NULL;
    }
    return count ? count : t->block ? t : NULL;
}

bool rule_own_counted(prover *p, block *b)
{
    rewrite r = {.p = p, .visit = visit_counted, .of = HAS_BLOCK, .b = b};
    return !b->is_grouped && rewrite_terms(&r, b);
}
