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

#include <string.h>

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
    block rows = block_trial(p, b);
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

// Two rows of one table that are asked the same, and differ in one column.
typedef struct row_pair {
    instance *kept;
    instance *gone;
    bool uses[2];       // the kept one, the other, but for what both share
    term_list shared;   // columns of the kept one in which both are held equal
    term_list where;    // conditions on these and on other sources
    term_list asked;    // conditions on the kept one
    term_list mirror;   // conditions on the other one, of the kept one
    const term *apart;  // the column in which they differ
} row_pair;

// The column of the kept row that a comparison tells apart from the same one
// of the other row; NULL: it does something else.
static const term *told_apart(const row_pair *r, const term *t)
{
    const term *c = term_against(t, r->gone);
    bool tells = t->kind == TERM_UNEQUAL || t->kind == TERM_LESS;
    return tells && c && c->source == r->kept && c->column >= 0 ? c : NULL;
}

// What it asks of either row as asked of the kept one.
static const term *visit_pair(rewrite *r, const term *t)
{
    row_pair *pair = r->context;
    if (t->block) {
        r->fails |= term_uses(t, pair->gone) || term_uses(t, pair->kept);
        return t;
    }
    if (t->source != pair->gone && t->source != pair->kept) {
        return NULL;
    }
    const term *own = term_column(r->p, pair->kept, t->column);
    bool is_shared = term_list_has(&pair->shared, own);
    pair->uses[t->source == pair->gone] |= !is_shared;
    return own;
}

// Sorts a condition by what it uses; false: it says of the pair what the number
// of such rows does not.
static bool read_asked(rewrite *r, const term *t)
{
    row_pair *pair = r->context;
    const term *apart = told_apart(pair, t);
    if (apart && !pair->apart) {
        pair->apart = apart;
        return true;
    }
    memset(pair->uses, 0, sizeof pair->uses);
    const term *own = term_rewrite(r, t);
    term_list_push(r->p,
                   pair->uses[1]   ? &pair->mirror
                   : pair->uses[0] ? &pair->asked
                                   : &pair->where,
                   own);
    return !(pair->uses[0] && pair->uses[1]);
}

static bool read_pair(rewrite *r, const block *b)
{
    row_pair *pair = r->context;
    bool reads = pair->kept->table == pair->gone->table;
    for (int32_t i = 0; reads && i < instance_columns(pair->kept); i++) {
        const term *c = term_column(r->p, pair->kept, i);
        if (know_same_class(r->p, b, c, term_column(r->p, pair->gone, i))) {
            term_list_push(r->p, &pair->shared, c);
        }
    }
    reads = pair->shared.len > 0;
    for (ptrdiff_t i = 0; reads && i < b->where.len; i++) {
        reads = read_asked(r, b->where.ptr[i]);
    }
    return reads && pair->apart && !r->fails
           && term_list_has_all(&pair->asked, &pair->mirror)
           && term_list_has_all(&pair->mirror, &pair->asked);
}

// The rows of the other sources and what the pair shares, as groups of rows of
// which two differ.
static bool group_pair(prover *p, block *b, row_pair *pair)
{
    rewrite r = {.p = p, .visit = visit_pair, .context = pair};
    term_list keys = {0};
    if (!read_pair(&r, b)) {
        return false;
    }
    memset(pair->uses, 0, sizeof pair->uses);
    block trial = block_results_rewritten(&r, b);
    const term *count = term_aggregate(p, S("count"), true, &pair->apart, 1);
    if (r.fails || pair->uses[0] || pair->uses[1]
        || !add_identities(p, b, pair->kept, &keys)) {
        return false;
    }
    *b = trial;
    block_remove_source(b, pair->gone);
    b->where = (term_list){0};
    term_conjoin_all(p, &b->where, &pair->where);
    term_conjoin_all(p, &b->where, &pair->asked);
    add_identities(p, b, pair->kept, &pair->shared);
    block_group_by(b, pair->shared);
    term_list_push(p, &b->having,
                   term_compare(p, TERM_LESS_EQUAL, term_integer(p, 2), count));
    return true;
}

bool rule_pair_group(prover *p, block *b)
{
    bool done = false;
    bool may = (b->repeats == REPEATS_DROPPED || b->is_test)
               && block_selects_tables(b);
    for (ptrdiff_t i = 0; may && !done && i < b->sources.len; i++) {
        for (ptrdiff_t k = i + 1; !done && k < b->sources.len; k++) {
            row_pair pair = {.kept = b->sources.ptr[i],
                             .gone = b->sources.ptr[k]};
            done = group_pair(p, b, &pair);
        }
    }
    return done;
}
