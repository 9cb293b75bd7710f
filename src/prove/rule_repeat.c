/*
 * rule_repeat.c - a table that is joined once more than it is needed, where
 * repeats do not matter.
 *
 * Method      One occurrence is superfluous when another one of the same table
 *             could stand for it: every condition on it holds for the other
 *             one as well, because it is among the conditions that stay, or
 *             says what they hold equal. Then each row of the query without it
 *             is a row of the query with it. A condition on columns in which
 *             both are held equal stays, of the other one.
 */
#include "prove/rule_common.h"
#include "relation/relation_ranking.h"
#include "relation/relation_rows.h"

// Whether the condition holds wherever the conditions of `rest` do. What held
// both rows equal says c = c of one, which holds where c is not NULL: that goes
// to `added`.
static bool is_held(prover *p,
                    const block *rest,
                    const term *t,
                    term_list *added)
{
    if (conditions_imply(p, &rest->where, t)) {
        return true;
    }
    const term *x = term_tested_not_null(t);
    if (x) {
        return know_not_null(p, rest, x);
    }
    bool is_tie = t->kind == TERM_EQUAL && t->args[0] == t->args[1];
    if (is_tie) {
        term_conjoin(p, added, t);
    }
    return is_tie
           || (t->kind == TERM_EQUAL
               && know_same_class(p, rest, t->args[0], t->args[1]));
}

// Whether the two rows have one value in all that the condition uses.
typedef struct agree_search {
    prover *p;
    const block *b;
    instance *gone;
    instance *other;
} agree_search;

static walk_step search_unlike(void *context, const term *t)
{
    const agree_search *a = context;
    bool fails = t->source == a->gone
                 && !know_same_class(a->p, a->b, t,
                                     term_column(a->p, a->other, t->column));
    return fails ? WALK_END : WALK_ON;
}

static bool stands_for(prover *p,
                       block *b,
                       instance *other,
                       instance *gone,
                       term_list *added)
{
    if (other == gone || other->table != gone->table || other->is_outer) {
        return false;
    }
    agree_search agree = {p, b, gone, other};
    block rest = *b;
    term_list asked = take_conditions(p, &rest, gone);
    for (ptrdiff_t i = 0; i < asked.len; i++) {
        const term *t = asked.ptr[i];
        const term *of_other = term_of_other(p, t, gone, other);
        if (!(t->has & HAS_BLOCK) && is_held(p, &rest, of_other, added)) {
            continue;
        }
        if (term_walk(t, search_unlike, &agree)) {
            return false;
        }
        term_list_add(p, added, of_other);
    }
    return true;
}

static void drop(prover *p, block *b, instance *gone, const term_list *added)
{
    take_conditions(p, b, gone);
    block_remove_source(b, gone);
    term_conjoin_all(p, &b->where, added);
}

// A row of the query around an EXISTS, to which WHERE holds it equal in some
// column, may stand for it, too.
static bool stands_outside(prover *p, block *b, instance *gone)
{
    for (ptrdiff_t i = 0; i < b->where.len; i++) {
        const term *t = b->where.ptr[i];
        for (int k = 0; t->kind == TERM_EQUAL && k < 2; k++) {
            instance *far = t->args[k]->source;
            term_list added = {0};
            if (t->args[1 - k]->source == gone && far
                && stands_for(p, b, far, gone, &added)
                && leave_to_where(p, b, gone)) {
                drop(p, b, gone, &added);
                return true;
            }
        }
    }
    return false;
}

bool rule_redundant_join(prover *p, block *b, instance *gone)
{
    bool may = forgets_repeats(b);
    for (ptrdiff_t k = 0; may && k < b->sources.len; k++) {
        term_list added = {0};
        if (stands_for(p, b, b->sources.ptr[k], gone, &added)
            && leave_to_where(p, b, gone)) {
            drop(p, b, gone, &added);
            block_check_repeats(b);
            return true;
        }
    }
    return may && b->is_test && stands_outside(p, b, gone);
}

static bool is_joinable(const term *t)
{
    return t->kind == TERM_EXISTS && block_is_plain(t->block)
           && !block_has_outer(t->block);
}

static bool has_tables_of(const block *more, const block *less)
{
    bool has = less->sources.len > 0;
    for (ptrdiff_t i = 0; has && i < less->sources.len; i++) {
        ptrdiff_t k = 0;
        while (k < more->sources.len
               && more->sources.ptr[k]->table != less->sources.ptr[i]->table) {
            k++;
        }
        has = less->sources.ptr[i]->columns_of && k < more->sources.len;
    }
    return has;
}

// Whether the conditions of the block are among the others, or say that
// something is not NULL that never is.
static bool are_known(prover *p, const block *b, const term_list *others)
{
    bool known = true;
    for (ptrdiff_t i = 0; known && i < b->where.len; i++) {
        const term *t = b->where.ptr[i];
        const term *x = term_tested_not_null(t);
        known =
            term_list_has(others, t) || (x && know_not_null_but(p, b, x, t));
    }
    return known;
}

// Whether where one block has a row, the other one has: beside its tables those
// of the other are superfluous. The former is no longer what it was.
static bool absorbs(prover *p, block *both, const block *less)
{
    block *copy = block_copy(p, less);
    term_list where = term_list_copy(p, &both->where);
    both->is_test = true;
    block_absorb(p, both, copy);
    for (ptrdiff_t i = 0; i < copy->sources.len; i++) {
        if (!rule_redundant_join(p, both, copy->sources.ptr[i])) {
            return false;
        }
    }
    return are_known(p, both, &where);
}

static bool has_row_of(prover *p, const block *more, const block *less)
{
    return has_tables_of(more, less) && absorbs(p, block_copy(p, more), less);
}

// Whether each row of the block is one for which EXISTS at `at` is true.
static bool has_own_row(prover *p, const block *b, ptrdiff_t at)
{
    const term *t = b->where.ptr[at];
    if (block_has_outer(b) || !has_tables_of(b, t->block)) {
        return false;
    }
    block rows = {.sources = b->sources, .where = term_list_copy(p, &b->where)};
    term_list_remove(&rows.where, at);
    block *copy = rows_showing(p, &rows, &(term_list){.ptr = &t, .len = 1});
    return absorbs(p, copy, copy->select.ptr[0]->block);
}

bool rule_exists_implied(prover *p, block *b, ptrdiff_t at)
{
    const term *t = b->where.ptr[at];
    if (!is_joinable(t)) {
        return false;
    }
    bool implied = false;
    for (ptrdiff_t i = 0; !implied && i < b->where.len; i++) {
        const term *other = b->where.ptr[i];
        implied = i != at && is_joinable(other)
                  && has_row_of(p, other->block, t->block);
    }
    if (implied || has_own_row(p, b, at)) {
        term_list_remove(&b->where, at);
        return true;
    }
    return false;
}

bool exists_finds_partner(prover *p, const block *b, instance *s)
{
    block rows = {.where = s->on};
    bool finds = false;
    block_add_source(p, &rows, s);
    s->is_outer = false;
    s->on.len = 0;
    for (ptrdiff_t i = 0; !finds && i < b->where.len; i++) {
        const term *t = b->where.ptr[i];
        finds = is_joinable(t) && has_row_of(p, t->block, &rows);
    }
    s->is_outer = true;
    s->on = rows.where;
    return finds;
}

// Two rows of one table, in what they are held equal and in what not.
typedef struct row_pair {
    instance *kept;
    instance *gone;
    term_list group;    // columns of the kept one
    term_list others;   // conditions on these columns alone
    const term *apart;  // in which they differ
} row_pair;

// The column of the kept row that a comparison holds against the same one of
// the row that goes; NULL: it compares something else.
static const term *compared(const row_pair *r, const term *t)
{
    const term *c = term_against(t, r->gone);
    return c && c->source == r->kept && c->column >= 0 ? c : NULL;
}

static bool tells_apart(int kind)
{
    return kind == TERM_UNEQUAL || kind == TERM_LESS;
}

static bool read_pair(prover *p, const block *b, row_pair *r)
{
    for (ptrdiff_t i = 0; i < b->where.len; i++) {
        const term *t = b->where.ptr[i];
        const term *column = compared(r, t);
        if (!column) {
            term_list_push(p, &r->others, t);
        } else if (know_identifies(p, b, t)) {
            term_list_add(p, &r->group, column);
        } else if (tells_apart(t->kind) && !r->apart) {
            r->apart = column;
        } else {
            return false;
        }
    }
    return r->apart && r->group.len > 0;
}

static const term *visit_pair(rewrite *r, const term *t)
{
    const row_pair *pair = r->context;
    r->fails |= t->block != NULL;
    if (t->source != pair->gone && t->source != pair->kept) {
        return t->block ? t : NULL;
    }
    const term *own = term_column(r->p, pair->kept, t->column);
    r->fails |= !term_list_has(&pair->group, own);
    return own;
}

bool rule_pair_group(prover *p, block *b)
{
    if (b->repeats != REPEATS_DROPPED || b->sources.len != 2
        || !block_selects_tables(b)) {
        return false;
    }
    row_pair pair = {.kept = b->sources.ptr[0], .gone = b->sources.ptr[1]};
    if (!read_pair(p, b, &pair)) {
        return false;
    }
    rewrite r = {.p = p, .visit = visit_pair, .context = &pair};
    block trial = block_results_rewritten(&r, b);
    trial.where = (term_list){0};
    for (ptrdiff_t i = 0; i < pair.others.len; i++) {
        term_conjoin(p, &trial.where, term_rewrite(&r, pair.others.ptr[i]));
    }
    if (r.fails) {
        return false;
    }
    for (ptrdiff_t i = 0; i < pair.group.len; i++) {
        term_conjoin(p, &trial.where, not_null_test(p, pair.group.ptr[i]));
    }
    const term *count = term_aggregate(p, S("count"), true, &pair.apart, 1);
    block_group_by(&trial, pair.group);
    term_list_push(p, &trial.having,
                   term_compare(p, TERM_LESS_EQUAL, term_integer(p, 2), count));
    *b = trial;
    block_remove_source(b, pair.gone);
    return true;
}
