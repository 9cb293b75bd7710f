/*
 * know_closure.c - what determines what; see know.h.
 *
 * Method      A flag for each column of each source, set until nothing changes:
 *             columns held equal to one that is set or to a literal, and all
 *             columns of a source that has a key among those that are set. An
 *             outer source has one row at most for each row before it when its
 *             ON equates a key of it; what else its ON asks must be determined
 *             too, for it decides between that row and none.
 */
#include "prove/know.h"

enum {
    ROUNDS_MAX = 100
};

static ptrdiff_t slot_of(const term *t)
{
    const instance *i = t->source;
    return i->slot + (t->column >= 0 ? t->column : instance_columns(i));
}

static bool has_column(const closure *c, const term *t)
{
    return !know_owns(c->b, t->source) || c->in[slot_of(t)];
}

typedef struct column_search {
    const closure *c;
    bool all;
} column_search;

static bool search_columns(void *context, const term *t)
{
    column_search *s = context;
    if (t->kind == TERM_COLUMN) {
        s->all &= has_column(s->c, t);
    } else if (t->has & (HAS_BLOCK | HAS_AGGREGATE | HAS_WINDOW)) {
        s->all = false;
    }
    return s->all;
}

bool closure_has(const closure *c, const term *t)
{
    column_search s = {.c = c, .all = true};
    term_walk(t, search_columns, &s);
    return s.all;
}

bool closure_has_source(const closure *c, const instance *i)
{
    ptrdiff_t n = instance_columns(i);
    for (ptrdiff_t k = 0; k < n; k++) {
        if (!c->in[i->slot + k]) {
            return false;
        }
    }
    return n > 0;
}

static bool is_value(const term *t)
{
    schema_collation collation;
    return t->kind == TERM_COLUMN && !t->source->is_outer
           && term_affinity(t) != AFFINITY_BLOB
           && (!term_collation(t, &collation) || collation == COLLATION_BINARY);
}

// Which side of the conjunct is a column that it makes a constant; -1: none.
static int fixed_side(const term *t)
{
    if (t->kind == TERM_IS && t->args[1]->kind == TERM_NULL) {
        return t->args[0]->kind == TERM_COLUMN ? 0 : -1;
    }
    if (t->kind != TERM_EQUAL) {
        return -1;
    }
    const term *a = t->args[0];
    const term *b = t->args[1];
    return term_is_literal(b) && is_value(a)   ? 0
           : term_is_literal(a) && is_value(b) ? 1
                                               : -1;
}

static bool set_column(closure *c, const term *t)
{
    if (!know_owns(c->b, t->source) || c->in[slot_of(t)]) {
        return false;
    }
    c->in[slot_of(t)] = true;
    return true;
}

static bool set_all(closure *c, const instance *i)
{
    ptrdiff_t n = instance_columns(i) + 1;
    bool changed = false;
    for (ptrdiff_t k = 0; k < n; k++) {
        changed |= !c->in[i->slot + k];
        c->in[i->slot + k] = true;
    }
    return changed;
}

static bool take_condition(prover *p, closure *c, const term *t)
{
    int fixed = fixed_side(t);
    if (fixed >= 0) {
        return set_column(c, t->args[fixed]);
    }
    if (!know_equates(p, t)) {
        return false;
    }
    bool left = has_column(c, t->args[0]);
    bool right = has_column(c, t->args[1]);
    return left && right ? false
           : left        ? set_column(c, t->args[1])
           : right       ? set_column(c, t->args[0])
                         : false;
}

static bool table_key(prover *p, const closure *c, instance *i)
{
    const schema_table *table = i->columns_of;
    if (c->in[i->slot + table->n_columns] && table->has_rowid) {
        return true;
    }
    for (ptrdiff_t u = 0; u < table->n_uniques; u++) {
        const schema_unique *unique = &table->uniques[u];
        bool is_key = unique->n > 0;
        for (ptrdiff_t k = 0; is_key && k < unique->n; k++) {
            int32_t column = unique->columns[k];
            is_key =
                c->in[i->slot + column]
                && (i->is_outer
                        ? schema_never_null(table, column)
                              && prover_assumes(p, ASSUME_NOT_NULL)
                        : know_not_null(p, c->b, term_column(p, i, column)));
        }
        if (is_key && prover_assumes(p, ASSUME_KEYS)) {
            return true;
        }
    }
    return false;
}

static bool is_one_row(const block *b)
{
    return (b->is_grouped && !b->has_group && !b->set)
           || (b->limit && term_is_number(b->limit, 1));
}

static bool select_key(prover *p, const block *b, const term_list *known)
{
    if (b->distinct && known->len == b->select.len) {
        return true;
    }
    closure inner = closure_of(p, b, known);
    if (!b->is_grouped) {
        return closure_covers(p, &inner);
    }
    for (ptrdiff_t i = 0; i < b->group.len; i++) {
        const term *t = b->group.ptr[i];
        if (!term_list_has(known, t) && !closure_has(&inner, t)) {
            return false;
        }
    }
    return true;
}

// Whether the rows of the block are told apart by those of its columns that
// are in the closure.
static bool body_key(prover *p, const closure *c, const instance *i)
{
    const block *b = i->body;
    if (is_one_row(b)) {
        return true;
    }
    if (b->set) {
        return !b->is_all && closure_has_source(c, i);
    }
    term_list known = {0};
    for (ptrdiff_t k = 0; k < b->select.len; k++) {
        if (c->in[i->slot + k]) {
            term_list_push(p, &known, b->select.ptr[k]);
        }
    }
    return select_key(p, b, &known);
}

static bool has_key(prover *p, const closure *c, instance *i)
{
    return i->body ? body_key(p, c, i) : table_key(p, c, i);
}

// Its ON and what is in the closure leave an outer source one row at most.
static bool is_fixed_outer(prover *p, const closure *c, instance *i)
{
    closure with = *c;
    with.in = arena_new(p->a, bool, c->n + 1);
    for (ptrdiff_t k = 0; k < c->n; k++) {
        with.in[k] = c->in[k];
    }
    i->is_outer = false;
    for (ptrdiff_t k = 0; k < i->on.len; k++) {
        take_condition(p, &with, i->on.ptr[k]);
    }
    i->is_outer = true;
    if (!has_key(p, &with, i)) {
        return false;
    }
    set_all(&with, i);
    // What ON says of the rows before it decides whether there is a partner.
    for (ptrdiff_t k = 0; k < i->on.len; k++) {
        closure before = *c;
        before.in = with.in;
        bool *own = arena_new(p->a, bool, c->n + 1);
        for (ptrdiff_t s = 0; s < c->n; s++) {
            own[s] = c->in[s];
        }
        before.in = own;
        set_all(&before, i);
        if (!closure_has(&before, i->on.ptr[k])) {
            return false;
        }
    }
    return true;
}

static bool step(prover *p, closure *c)
{
    bool changed = false;
    for (ptrdiff_t i = 0; i < c->b->where.len; i++) {
        changed |= take_condition(p, c, c->b->where.ptr[i]);
    }
    for (ptrdiff_t i = 0; i < c->b->sources.len; i++) {
        instance *source = c->b->sources.ptr[i];
        if (has_key(p, c, source)
            || (source->is_outer && is_fixed_outer(p, c, source))) {
            changed |= set_all(c, source);
        }
    }
    return changed;
}

closure closure_of(prover *p, const block *b, const term_list *from)
{
    closure c = {.b = b};
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        b->sources.ptr[i]->slot = (int32_t)c.n;
        c.n += instance_columns(b->sources.ptr[i]) + 1;
    }
    c.in = arena_new(p->a, bool, c.n + 1);
    for (ptrdiff_t i = 0; i < from->len; i++) {
        if (from->ptr[i]->kind == TERM_COLUMN) {
            set_column(&c, from->ptr[i]);
        }
    }
    for (int round = 0; round < ROUNDS_MAX && step(p, &c); round++) {
        p->work += 10;
    }
    return c;
}

bool closure_covers(prover *p, const closure *c)
{
    for (ptrdiff_t i = 0; i < c->b->sources.len; i++) {
        if (!closure_has_source(c, c->b->sources.ptr[i])
            || !has_key(p, c, c->b->sources.ptr[i])) {
            return false;
        }
    }
    return true;
}
