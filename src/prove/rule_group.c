/*
 * rule_group.c - rules about GROUP BY, DISTINCT and ORDER BY.
 */
#include "prove/rule_common.h"
#include "relation/known.h"

// Whether the condition says the same of all rows of a group: by what has one
// value there, and by subqueries that leave the engine no choice.
static walk_step search_untold(void *context, const term *t)
{
    const closure *c = context;
    bool chooses = t->block && !block_selects_tables(t->block);
    bool is_free = t->kind == TERM_COLUMN && !closure_has(c, t);
    return chooses || is_free ? WALK_END : WALK_ON;
}

bool rule_having_where(prover *p, block *b, ptrdiff_t at)
{
    const term *t = b->having.ptr[at];
    closure c = closure_of(p, b, &b->group);
    bool moves = (t->has & (HAS_AGGREGATE | HAS_WINDOW)) == 0
                 && !term_walk(t, search_untold, &c);
    if (moves) {
        term_list_remove(&b->having, at);
        term_conjoin(p, &b->where, t);
    }
    return moves;
}

// GROUP BY without aggregates.
static bool only_groups(const block *b)
{
    return b->has_group && b->having.len == 0
           && !block_has(b, HAS_AGGREGATE | HAS_WINDOW);
}

static bool has_results(prover *p, const closure *c, const block *b)
{
    for (ptrdiff_t i = 0; i < b->select.len; i++) {
        if (!closure_has_grouped(p, c, b->select.ptr[i])) {
            return false;
        }
    }
    for (ptrdiff_t i = 0; i < b->order.len; i++) {
        if (!closure_has_grouped(p, c, b->order.ptr[i].term)) {
            return false;
        }
    }
    return true;
}

bool items_tell_groups(prover *p, const block *b)
{
    closure c = closure_of(p, b, &b->select);
    bool tell = true;
    for (ptrdiff_t i = 0; tell && i < b->group.len; i++) {
        tell = closure_has_key(&c, b->group.ptr[i])
               || term_list_has(&b->select, b->group.ptr[i]);
    }
    return tell;
}

// Whether each group is a row, or all that counts is whether there is one.
static bool groups_are_rows(prover *p, const block *b)
{
    return b->is_test || know_tells_rows(p, b, &b->group);
}

// Whether groups and what they show determine each other.
static bool shows_groups(prover *p, const block *b)
{
    closure grouped = closure_of(p, b, &b->group);
    return b->repeats != REPEATS_KEPT && has_results(p, &grouped, b);
}

bool rule_group_distinct(prover *p, block *b)
{
    if (!only_groups(b)) {
        return false;
    }
    bool are_rows = groups_are_rows(p, b);
    if (!are_rows && !shows_groups(p, b)) {
        return false;
    }
    block_ungroup(b);
    b->repeats = are_rows ? b->repeats : REPEATS_DROPPED;
    return true;
}

bool rule_distinct_key(prover *p, block *b)
{
    if (b->repeats == REPEATS_NONE || b->is_test || block_is_one_group(b)
        || know_picks(p, b)) {
        return false;
    }
    bool is_idle = b->has_group ? items_tell_groups(p, b)
                                : know_tells_rows(p, b, &b->select);
    b->repeats = is_idle ? REPEATS_NONE : b->repeats;
    return is_idle;
}

bool rule_order_fd(prover *p, block *b)
{
    term_list before = {0};
    for (ptrdiff_t i = 0; i < b->order.len; i++) {
        sort_term *key = &b->order.ptr[i];
        const term *t = key->term;
        bool is_last = sort_puts_nulls_last(p, key->is_descending);
        if (key->nulls_last != is_last && know_not_null(p, b, t)) {
            key->nulls_last = is_last;
            return true;
        }
        closure c = closure_of(p, b, &before);
        bool is_plain =
            (t->has & (HAS_AGGREGATE | HAS_WINDOW | HAS_BLOCK)) == 0;
        if (is_plain && closure_has_key(&c, t)) {
            for (ptrdiff_t k = i; k + 1 < b->order.len; k++) {
                b->order.ptr[k] = b->order.ptr[k + 1];
            }
            b->order.len--;
            return true;
        }
        term_list_push(p, &before, t);
    }
    return false;
}

// Whether a key of each table is held equal to what all rows have in common.
static bool is_row_of_keys(prover *p, const block *b)
{
    return know_tells_rows(p, b, &(term_list){0});
}

bool rule_one_row(prover *p, block *b)
{
    bool is_cut =
        b->offset || (b->limit && b->limit->number < 1);  // or no number
    if (b->has_group || is_cut
        || (b->order.len == 0 && !b->limit && b->repeats != REPEATS_DROPPED)
        || !(b->is_grouped ? !block_is_bare(b, &b->select)
                           : is_row_of_keys(p, b))) {
        return false;
    }
    b->order.len = 0;
    b->limit = NULL;
    b->repeats = REPEATS_KEPT;
    return true;
}

// d of JULIANDAY(d), a column declared DATE; NULL: it is none.
static const term *day_of(prover *p, const term *t)
{
    const term *d =
        t->n == 1 && str_equal(t->text, S("julianday")) ? t->args[0] : NULL;
    const schema_column *c = d ? term_declared(d) : NULL;
    bool is_day = c && c->kind == KIND_DATE && term_is_binary(d);
    return is_day && prover_assumes_type(p, c) ? d : NULL;
}

// x of -x, x + 1 and 2 * x, numbers; NULL: it is none of them. `falls`: with x
// rising.
static const term *scaled(prover *p, const term *t, bool *falls)
{
    unsigned touched = p->touched;
    if (t->kind == TERM_NEGATE) {
        *falls = true;
        return known_number(known_kind_of(p, t->args[0]))
                       && prover_takes_types(p, touched)
                   ? t->args[0]
                   : NULL;
    }
    bool adds = t->kind == TERM_ADD || t->kind == TERM_SUBTRACT;
    if ((!adds && t->kind != TERM_MULTIPLY) || t->flag) {
        return NULL;
    }
    int literal = t->args[1]->kind == TERM_INTEGER;
    const term *by = t->args[literal];
    const term *x = t->args[1 - literal];
    bool fits = by->kind == TERM_INTEGER && (adds || by->number != 0)
                && known_is(p, x, KNOWN_INTEGER, ASSUME_DEFAULT)
                && prover_takes_types(p, touched)
                && prover_assumes(p, ASSUME_NO_OVERFLOW);
    *falls = adds ? t->kind == TERM_SUBTRACT && literal == 0 : by->number < 0;
    return fits ? x : NULL;
}

bool rule_order_rising(prover *p, block *b)
{
    for (ptrdiff_t i = 0; i < b->order.len; i++) {
        sort_term *key = &b->order.ptr[i];
        bool falls = false;
        const term *x = day_of(p, key->term);
        x = x ? x : scaled(p, key->term, &falls);
        // Which of equal rows DISTINCT keeps hangs on how they are ordered.
        if (x && b->repeats != REPEATS_DROPPED) {
            key->term = x;
            key->is_descending ^= falls;
            return true;
        }
    }
    return false;
}
