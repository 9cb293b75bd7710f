/*
 * rule_repeat.c - a table that is joined once more than it is needed, where
 * repeats do not matter.
 *
 * Method      One occurrence is superfluous when another one of the same table
 *             could stand for it: every condition on it holds for the other
 *             one as well, because it is among the conditions that stay, or
 *             says what they hold equal. Then each row of the query without it
 *             is a row of the query with it.
 */
#include "prove/rule_common.h"

typedef struct stand_in {
    rewrite r;  // first, so that it can be found from there
    instance *gone;
    instance *other;
} stand_in;

static const term *visit_stand_in(rewrite *r, const term *t)
{
    const stand_in *s = (const stand_in *)r;
    bool is_meant = t->kind == TERM_COLUMN && t->source == s->gone;
    return is_meant ? term_column(r->p, s->other, t->column) : NULL;
}

// Whether the condition holds wherever the conditions of `rest` do. What says
// c = c holds where c is not NULL, which goes to `added`.
static bool is_held(prover *p,
                    const block *rest,
                    const term *t,
                    term_list *added)
{
    if (term_list_has(&rest->where, t)) {
        return true;
    }
    if (t->kind == TERM_NOT && t->args[0]->kind == TERM_IS
        && t->args[0]->args[1]->kind == TERM_NULL) {
        return know_not_null(p, rest, t->args[0]->args[0]);
    }
    bool may_be = t->kind == TERM_EQUAL && t->args[0]->kind == TERM_COLUMN
                  && t->args[1]->kind == TERM_COLUMN;
    if (may_be && t->args[0] == t->args[1]) {
        term_list_add(p, added, not_null_test(p, t->args[0]));
        return true;
    }
    return may_be && know_same_class(p, rest, t->args[0], t->args[1]);
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
    stand_in s = {
        .r = {.p = p, .visit = visit_stand_in},
        .gone = gone,
        .other = other,
    };
    block rest = *b;
    rest.where = (term_list){0};
    for (ptrdiff_t i = 0; i < b->where.len; i++) {
        if (!term_uses(b->where.ptr[i], gone)) {
            term_list_push(p, &rest.where, b->where.ptr[i]);
        }
    }
    for (ptrdiff_t i = 0; i < b->where.len; i++) {
        const term *t = b->where.ptr[i];
        if (term_uses(t, gone)
            && ((t->has & HAS_BLOCK)
                || !is_held(p, &rest, term_rewrite(&s.r, t), added))) {
            return false;
        }
    }
    return true;
}

static void drop(prover *p, block *b, instance *gone, const term_list *added)
{
    take_conditions(p, b, gone);
    block_remove_source(b, gone);
    for (ptrdiff_t i = 0; i < added->len; i++) {
        term_conjoin(p, &b->where, added->ptr[i]);
    }
}

bool rule_redundant_join(prover *p, block *b)
{
    if (!block_is_plain(b) || !(b->distinct || b->is_test)) {
        return false;
    }
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        instance *gone = b->sources.ptr[i];
        if (gone->is_outer || gone->table < 0) {
            continue;
        }
        for (ptrdiff_t k = 0; k < b->sources.len; k++) {
            term_list added = {0};
            if (!stands_for(p, b, b->sources.ptr[k], gone, &added)) {
                continue;
            }
            show_others(p, b, gone);
            if (!is_shown(b, gone)) {
                drop(p, b, gone, &added);
                b->is_unique = false;
                return true;
            }
        }
    }
    return false;
}
