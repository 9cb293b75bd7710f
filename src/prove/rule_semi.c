/*
 * rule_semi.c - rules about joins that only ask whether there is a partner.
 */
#include "prove/rule_part.h"

static bool is_distinct_source(const instance *s)
{
    const block *body = s->body;
    return body && !s->is_outer && !body->set && body->distinct
           && !body->is_grouped && !block_has_limit(body)
           && !block_has(body, HAS_AGGREGATE | HAS_WINDOW);
}

// How often a row comes does not matter to the block.
static bool forgets_repeats(const block *b)
{
    return block_is_plain(b) && (b->distinct || b->is_test);
}

bool rule_distinct_source(prover *p, block *b)
{
    (void)p;
    for (ptrdiff_t i = 0; forgets_repeats(b) && i < b->sources.len; i++) {
        instance *s = b->sources.ptr[i];
        if (is_distinct_source(s)) {
            s->body->distinct = false;
            s->body->is_unique = false;
            b->is_unique = false;
            return true;
        }
    }
    return false;
}

// Columns of all sources but this one.
static term_list other_columns(prover *p, const block *b, const instance *s)
{
    term_list all = {0};
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        instance *other = b->sources.ptr[i];
        int32_t n = instance_columns(other);
        for (int32_t k = 0; other != s && k < n; k++) {
            term_list_push(p, &all, term_column(p, other, k));
        }
    }
    return all;
}

typedef struct use {
    const instance *source;
    bool found;
} use;

static bool search_use(void *context, const term *t)
{
    use *u = context;
    u->found |= t->source == u->source;
    return !u->found;
}

static bool term_uses(const term *t, const instance *s)
{
    use u = {.source = s};
    term_walk(t, search_use, &u);
    return u.found;
}

static bool list_uses(const term_list *l, const instance *s)
{
    for (ptrdiff_t i = 0; i < l->len; i++) {
        if (term_uses(l->ptr[i], s)) {
            return true;
        }
    }
    return false;
}

// Whether more than WHERE uses the source.
static bool is_shown(const block *b, const instance *s)
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
static void show_others(prover *p, block *b, instance *s)
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

// EXISTS (SELECT 1 FROM s WHERE conditions); the source leaves the block.
static const term *partner_test(prover *p,
                                block *b,
                                instance *s,
                                term_list conditions)
{
    block *inner = block_new(p);
    inner->pos = b->pos;
    inner->len = b->len;
    inner->is_test = true;
    term_list_push(p, &inner->select, term_integer(p, 1));
    inner->where = conditions;
    block_remove_source(b, s);
    block_add_source(p, inner, s);
    unsigned touched = p->touched;
    rules_apply(p, inner);
    p->touched = touched;
    return term_make(p, (term){.kind = TERM_EXISTS, .block = inner});
}

// Takes the conditions that use the source out of WHERE.
static term_list take_conditions(prover *p, block *b, const instance *s)
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

bool rule_source_exists(prover *p, block *b)
{
    for (ptrdiff_t i = 0; !b->set && i < b->sources.len; i++) {
        instance *s = b->sources.ptr[i];
        if (!is_distinct_source(s) || b->sources.len == 1) {
            continue;
        }
        term_list others = other_columns(p, b, s);
        closure c = closure_of(p, b, &others);
        if (!closure_has_source(&c, s)) {
            continue;
        }
        show_others(p, b, s);
        if (!is_shown(b, s)) {
            const term *test = partner_test(p, b, s, take_conditions(p, b, s));
            term_list_add(p, &b->where, test);
            return true;
        }
    }
    return false;
}

// c of c IS NULL
static const term *tested_null(const term *t)
{
    bool is_test = t->kind == TERM_IS && t->args[1]->kind == TERM_NULL
                   && t->args[0]->kind == TERM_COLUMN;
    return is_test ? t->args[0] : NULL;
}

static bool is_used_beside(const block *b, const instance *s, ptrdiff_t test)
{
    for (ptrdiff_t i = 0; i < b->where.len; i++) {
        if (i != test && term_uses(b->where.ptr[i], s)) {
            return true;
        }
    }
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        if (b->sources.ptr[i] != s && list_uses(&b->sources.ptr[i]->on, s)) {
            return true;
        }
    }
    return false;
}

static void replace_shown(prover *p, block *b, instance *s)
{
    term_list where = b->where;
    b->where = (term_list){0};
    for (int32_t k = -1; k < instance_columns(s); k++) {
        block_replace(p, b, s, k, term_null(p));
    }
    b->where = where;
}

bool rule_anti_join(prover *p, block *b)
{
    for (ptrdiff_t i = 0; !b->set && i < b->where.len; i++) {
        const term *c = tested_null(b->where.ptr[i]);
        instance *s = c ? c->source : NULL;
        if (!c || !know_owns(b, s) || !s->is_outer
            || !never_null_inside(p, s, c) || is_used_beside(b, s, i)) {
            continue;
        }
        term_list on = s->on;
        s->on = (term_list){0};
        s->is_outer = false;
        term_list_remove(&b->where, i);
        replace_shown(p, b, s);
        const term *test = partner_test(p, b, s, on);
        term_list_add(p, &b->where, term_not(p, test));
        return true;
    }
    return false;
}
