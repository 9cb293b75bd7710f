// rule_use.c - where a source is used; see rule_common.h.
#include "prove/rule_common.h"

const term *shown_elsewhere(prover *p, const block *b, const term *c)
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

void replace_but_where(prover *p,
                       block *b,
                       instance *s,
                       int32_t column,
                       const term *to)
{
    term_list where = b->where;
    b->where = (term_list){0};
    block_replace(p, b, s, column, to);
    b->where = where;
}

void show_others(prover *p, block *b, instance *s)
{
    for (int32_t k = 0; k < instance_columns(s); k++) {
        const term *to = shown_elsewhere(p, b, term_column(p, s, k));
        if (to) {
            replace_but_where(p, b, s, k, to);
        }
    }
}

typedef struct shown_search {
    prover *p;
    const block *b;
    const instance *source;
} shown_search;

// A column of the source that is the same as no other.
static walk_step search_shown(void *context, const term *t)
{
    const shown_search *s = context;
    return t->source == s->source
                   && (t->column < 0 || !shown_elsewhere(s->p, s->b, t))
               ? WALK_END
               : WALK_ON;
}

bool leave_to_where(prover *p, block *b, instance *s)
{
    block rest = *b;
    rest.where.len = 0;
    bool leaves = !block_walk(&rest, search_shown, &(shown_search){p, b, s});
    if (leaves) {
        show_others(p, b, s);
    }
    return leaves;
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
