// rule_use.c - where a source is used; see rule_common.h.
#include "prove/rule_common.h"

bool list_uses(const term_list *l, const instance *s)
{
    for (ptrdiff_t i = 0; i < l->len; i++) {
        if (term_uses(l->ptr[i], s)) {
            return true;
        }
    }
    return false;
}

bool is_shown(const block *b, const instance *s)
{
    for (ptrdiff_t i = 0; i < b->order.len; i++) {
        if (term_uses(b->order.ptr[i].term, s)) {
            return true;
        }
    }
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        if (list_uses(&b->sources.ptr[i]->on, s)) {
            return true;
        }
    }
    return list_uses(&b->select, s) || list_uses(&b->group, s)
           || list_uses(&b->having, s);
}

// The column of another source that is the same as this one; NULL: none.
static const term *same_elsewhere(prover *p, const block *b, const term *c)
{
    for (ptrdiff_t i = 0; i < b->where.len; i++) {
        const term *t = b->where.ptr[i];
        if (!know_identifies(p, b, t)) {
            continue;
        }
        for (int k = 0; k < 2; k++) {
            if (t->args[k] == c && t->args[1 - k]->source != c->source) {
                return t->args[1 - k];
            }
        }
    }
    return NULL;
}

// Writes columns of the source as those they equal, but not where they are
// made equal.
void show_others(prover *p, block *b, instance *s)
{
    for (int32_t k = 0; k < instance_columns(s); k++) {
        const term *to = same_elsewhere(p, b, term_column(p, s, k));
        if (!to) {
            continue;
        }
        term_list where = b->where;
        b->where = (term_list){0};
        block_replace(p, b, s, k, to);
        b->where = where;
    }
}

term_list take_conditions(prover *p, block *b, const instance *s)
{
    term_list kept = {0};
    term_list taken = {0};
    for (ptrdiff_t i = 0; i < b->where.len; i++) {
        const term *t = b->where.ptr[i];
        term_list_push(p, term_uses(t, s) ? &taken : &kept, t);
    }
    b->where = kept;
    return taken;
}
