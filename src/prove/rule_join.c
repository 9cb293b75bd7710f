/*
 * rule_join.c - rules about joins and derived tables.
 */
#include "base/places.h"
#include "prove/rule_common.h"

#include <assert.h>

// Whether DISTINCT in the block changes nothing.
static bool distinct_is_idle(prover *p, const block *b)
{
    return b->repeats == REPEATS_KEPT || know_tells_rows(p, b, &b->select);
}

// Whether each column of a derived table is NULL where its first table is.
static bool is_null_with_table(const block *body)
{
    for (ptrdiff_t i = 0; i < body->select.len; i++) {
        if (body->sources.len == 0
            || !know_null_when(body->select.ptr[i], NULL,
                               body->sources.ptr[0])) {
            return false;
        }
    }
    return true;
}

// What a derived table may be on the padded side of an outer join: one table,
// and columns that are NULL when it is padded.
static bool fits_padded(const block *body)
{
    return body->sources.len == 1 && !body->sources.ptr[0]->is_outer
           && is_null_with_table(body);
}

static void merge_padded(prover *p, block *b, instance *outer)
{
    block *body = outer->body;
    assert(outer->is_outer && body->sources.len == 1);  // see fits_padded()
    instance *inner = body->sources.ptr[0];
    block_replace_outputs(p, b, outer);
    inner->is_outer = true;
    inner->on = outer->on;
    term_conjoin_all(p, &inner->on, &body->where);
    block_add_source(p, b, inner);
    block_remove_source(b, outer);
}

// A DISTINCT block without it: where the items tell the rows of some tables
// apart, the others need only be there. NULL: it drops other repeats, too.
static block *asking_for_others(prover *p, const block *b)
{
    block *rest = block_copy(p, b);
    block *others = block_new(p);
    others->pos = b->pos;
    for (ptrdiff_t i = 0; i < rest->sources.len;) {
        instance *s = rest->sources.ptr[i];
        if (term_list_uses(&rest->select, s)) {
            i++;
            continue;
        }
        term_list where = take_conditions(p, rest, s);
        term_conjoin_all(p, &others->where, &where);
        block_remove_source(rest, s);
        block_add_source(p, others, s);
    }
    if (others->sources.len == 0 || block_has_outer(b) || b->order.len > 0
        || !know_tells_rows(p, rest, &rest->select)) {
        return NULL;
    }
    term_list_add(p, &rest->where, term_exists(p, others));
    rest->repeats = REPEATS_KEPT;
    return rest;
}

bool rule_derived_merge(prover *p, block *b, instance *source)
{
    block *body = source->body;
    if (!body || !block_is_plain(body)
        || (source->is_outer && !fits_padded(body))
        || (shows_no_rows(p, b) && !is_null_with_table(body))) {
        return false;
    }
    if (!distinct_is_idle(p, body) && !(body = asking_for_others(p, body))) {
        return false;
    }
    source->body = body;
    if (source->is_outer) {
        merge_padded(p, b, source);
        return true;
    }
    block_replace_outputs(p, b, source);
    block_remove_source(b, source);
    block_absorb(p, b, body);
    return true;
}

// Whether a condition says c = target, as the foreign key compares: '1' has the
// parent 1, and where that is a number so does the condition. 1 has the parent
// '1' as well, but a column without a type that holds 1 is not equal to it.
static bool is_compared(prover *p,
                        const block *b,
                        const term *c,
                        const term *target)
{
    bool is = false;
    for (ptrdiff_t i = 0; !is && i < b->where.len; i++) {
        const term *t = b->where.ptr[i];
        is = t->kind == TERM_EQUAL && (t->args[0] == c || t->args[1] == c)
             && (t->args[0] == target || t->args[1] == target)
             && term_affinity(target) != AFFINITY_TEXT
             && know_meets_one(p, target, c);
    }
    return is;
}

// The child whose foreign key `key` the conditions hold equal to the parent, by
// identity or else as it compares.
static instance *child_of(prover *p,
                          const block *b,
                          instance *parent,
                          const schema_key *key,
                          bool is_identical)
{
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        instance *child = b->sources.ptr[i];
        bool fits =
            child != parent && child->table == key->child && !child->is_outer;
        for (ptrdiff_t k = 0; fits && k < key->n; k++) {
            const term *c = term_column(p, child, key->columns[k]);
            const term *target = term_column(p, parent, key->targets[k]);
            fits = know_same_class(p, b, c, target)
                   || (!is_identical && is_compared(p, b, c, target));
        }
        if (fits) {
            return child;
        }
    }
    return NULL;
}

typedef struct other_use {
    const instance *parent;
    const schema_key *key;
} other_use;

static walk_step search_other(void *context, const term *t)
{
    const other_use *u = context;
    return t->source == u->parent
                   && !places_have(u->key->targets, u->key->n, t->column)
               ? WALK_END
               : WALK_ON;
}

static bool drop_parent(prover *p,
                        block *b,
                        instance *parent,
                        const schema_key *key)
{
    bool is_used = block_walk(b, search_other, &(other_use){parent, key});
    instance *child = is_used ? NULL : child_of(p, b, parent, key, true);
    if (!child || !prover_assumes(p, ASSUME_FOREIGN_KEYS | ASSUME_KEYS)) {
        return false;
    }
    for (ptrdiff_t k = 0; k < key->n; k++) {
        block_replace(p, b, parent, key->targets[k],
                      term_column(p, child, key->columns[k]));
    }
    block_remove_source(b, parent);
    return true;
}

// Whether it is a sound foreign key to the table.
static bool leads_to(const schema_key *key, const instance *parent)
{
    return key->is_sound && key->parent == parent->table;
}

bool is_key_target(prover *p, const instance *parent, int32_t column)
{
    const schema *s = p->bound->schema;
    bool is = false;
    for (ptrdiff_t k = 0; !is && k < s->n_keys; k++) {
        const schema_key *key = &s->keys[k];
        is = leads_to(key, parent) && places_have(key->targets, key->n, column);
    }
    return is;
}

bool rule_fk_parent(prover *p, block *b, instance *parent)
{
    const schema *s = p->bound->schema;
    bool applied = false;
    for (ptrdiff_t k = 0; !applied && k < s->n_keys; k++) {
        applied = leads_to(&s->keys[k], parent)
                  && drop_parent(p, b, parent, &s->keys[k]);
    }
    return applied;
}

// The column of a table that the values of a column come from, out of derived
// tables too; NULL: they are computed, or padded.
static const term *origin_of(const term *c)
{
    while (c && c->source->body) {
        const block *body = c->source->body;
        const term *item =
            body->set ? NULL : term_bare(body->select.ptr[c->column]);
        c = item && item->source && !item->source->is_outer ? item : NULL;
    }
    return c;
}

// Whether the condition holds a column of a derived table that is the foreign
// key, and not NULL, equal to its target.
static bool has_derived_child(prover *p,
                              const block *b,
                              const block *joined,
                              instance *parent,
                              const schema_key *key)
{
    const term *t = joined->where.len == 1 ? joined->where.ptr[0] : NULL;
    bool has = false;
    for (int k = 0; t && t->kind == TERM_EQUAL && key->n == 1 && !has && k < 2;
         k++) {
        const term *target = term_column(p, parent, key->targets[0]);
        const term *c = t->args[k];
        const term *origin =
            c->source && c->source->body && !c->source->is_outer ? origin_of(c)
                                                                 : NULL;
        has = origin && t->args[1 - k] == target
              && origin->source->table == key->child
              && origin->column == key->columns[0] && know_not_null(p, b, c)
              && (know_same_class(p, joined, c, target)
                  || is_compared(p, joined, c, target));
    }
    return has;
}

// The tables of the block and the parent under the conditions.
static block joined_by(prover *p,
                       const block *b,
                       const term_list *on,
                       instance *parent)
{
    block joined =
        block_trial(p, &(block){.sources = b->sources, .where = *on});
    if (!block_owns(b, parent)) {
        block_add_source(p, &joined, parent);
    }
    return joined;
}

// The child that the conditions give one parent by the key, and no more; NULL:
// there is none.
static instance *child_by(prover *p,
                          const block *joined,
                          instance *parent,
                          const schema_key *key)
{
    bool fits = leads_to(key, parent) && joined->where.len == key->n;
    return fits ? child_of(p, joined, parent, key, false) : NULL;
}

bool has_parent(prover *p,
                const block *b,
                const term_list *on,
                instance *parent,
                const term_list *among)
{
    const schema *s = p->bound->schema;
    block joined = joined_by(p, b, on, parent);
    bool has = false;
    bool was_outer = parent->is_outer;
    parent->is_outer = false;
    for (ptrdiff_t k = 0; !has && k < s->n_keys; k++) {
        const schema_key *key = &s->keys[k];
        instance *child = child_by(p, &joined, parent, key);
        has = child != NULL;
        if (!has && leads_to(key, parent) && !among) {
            has = has_derived_child(p, b, &joined, parent, key);
            continue;
        }
        for (ptrdiff_t i = 0; has && i < key->n; i++) {
            const term *c = term_column(p, child, key->columns[i]);
            has = know_not_null(p, b, c) && (!among || term_list_has(among, c));
        }
    }
    parent->is_outer = was_outer;
    return has && prover_assumes(p, ASSUME_FOREIGN_KEYS | ASSUME_KEYS);
}

// Used in its own ON does not count.
static bool is_used(block *b, instance *source)
{
    term_list on = source->on;
    source->on.len = 0;
    bool used = block_uses(b, source);
    source->on = on;
    return used;
}

// Whether all its rows are padded.
static bool is_never_there(const instance *s)
{
    return term_list_has_false(&s->on) || (s->body && has_no_rows(s->body));
}

static void show_null(prover *p, block *b, instance *s)
{
    for (int32_t k = s->body ? 0 : -1; k < instance_columns(s); k++) {
        const term *c = k < 0 ? term_rowid(p, s) : term_column(p, s, k);
        block_replace(p, b, s, k, term_as(p, term_null(p), term_type_of(c)));
    }
}

bool rule_outer_unused(prover *p, block *b, instance *s)
{
    bool is_never = is_never_there(s);
    bool used = is_used(b, s);
    bool drops =
        used ? is_never && !prover_is_typed(p)
             : is_never || forgets_repeats(b) || has_one_partner(p, b, s);
    if (drops) {
        block_remove_source(b, s);
        show_null(p, b, s);
    }
    return drops;
}

// Of COUNT(c) alone COUNT(*) is made: count-rows.
static bool is_null_only(const block *b, const term *c)
{
    if (b->has_group || b->having.len > 0 || b->select.len == 0) {
        return false;
    }
    bool counts = b->select.len == 1;
    for (ptrdiff_t i = 0; i < b->select.len; i++) {
        const term *t = b->select.ptr[i];
        if (t->kind != TERM_AGGREGATE || t->n != 1 || t->args[0] != c) {
            return false;
        }
        counts &= !t->flag && str_equal(t->text, S("count"));
    }
    return !counts;
}

// c IS NULL in a larger condition, of a c that is not NULL without it.
static const term *visit_null_test(rewrite *r, const term *t)
{
    const term *x = term_tested_null(t);
    bool is_false = x && know_not_null_but(r->p, r->b, x, r->wanted);
    return is_false ? term_boolean(r->p, false) : t->block ? t : NULL;
}

// x = y for the condition x IS y, where either is not NULL in the block.
static bool ease(prover *p,
                 const block *b,
                 const term *but,
                 term_list *where,
                 ptrdiff_t at)
{
    const term *t = where->ptr[at];
    bool eases = t->kind == TERM_IS && !term_tested_null(t)
                 && (know_not_null_but(p, b, t->args[0], but)
                     || know_not_null_but(p, b, t->args[1], but));
    if (eases) {
        term_list_remove(where, at);
        term_conjoin(p, where,
                     term_compare(p, TERM_EQUAL, t->args[0], t->args[1]));
    }
    return eases;
}

// The same in EXISTS, of what is not NULL around it.
static bool ease_rows(prover *p, const block *b, const term *t)
{
    const term *exists = t->kind == TERM_NOT ? t->args[0] : t;
    block *rows = exists->kind == TERM_EXISTS ? exists->block : NULL;
    bool eases = false;
    for (ptrdiff_t i = 0; rows && !eases && i < rows->where.len; i++) {
        eases = ease(p, b, t, &rows->where, i);
    }
    if (eases) {
        rules_settle(p, rows);
    }
    return eases;
}

bool rule_isnotnull(prover *p, block *b, ptrdiff_t at)
{
    const term *t = b->where.ptr[at];
    const term *x = term_tested_not_null(t);
    if (x && (know_not_null_but(p, b, x, t) || is_null_only(b, x))) {
        term_list_remove(&b->where, at);
        return true;
    }
    if (ease(p, b, t, &b->where, at) || ease_rows(p, b, t)) {
        return true;
    }
    rewrite r = {.p = p, .visit = visit_null_test, .b = b, .wanted = t};
    return t->kind == TERM_OR && where_becomes(p, b, at, term_rewrite(&r, t));
}

// Of a subquery that has one row at most and shows a column of its one table;
// NULL: it is none.
static const block *looks_up(prover *p, const term *t)
{
    const block *in = t->kind == TERM_SCALAR ? t->block : NULL;
    if (!in || !block_is_plain(in) || in->sources.len != 1
        || in->sources.ptr[0]->is_outer
        || in->select.ptr[0]->source != in->sources.ptr[0]) {
        return NULL;
    }
    return know_tells_rows(p, in, &(term_list){0}) ? in : NULL;
}

static walk_step search_lookup(void *context, const term *t)
{
    return looks_up(context, t) ? WALK_END : t->block ? WALK_PAST : WALK_ON;
}

// Such a subquery among the items, or in a comparison that must be true; NULL:
// there is none. What is equal to one is rather found by IN.
static const term *find_lookup(prover *p, const block *b)
{
    const term *t = term_list_walk(&b->select, search_lookup, p);
    for (ptrdiff_t i = 0; !t && i < b->where.len; i++) {
        const term *condition = b->where.ptr[i];
        bool asks = term_compares(condition) && condition->kind != TERM_EQUAL;
        t = asks ? term_walk(condition, search_lookup, p) : NULL;
    }
    return t;
}

bool rule_scalar_join(prover *p, block *b)
{
    bool may = block_is_plain(b) && b->sources.len > 0;
    const term *t = may ? find_lookup(p, b) : NULL;
    if (!t) {
        return false;
    }
    block *copy = block_copy(p, t->block);
    instance *s = copy->sources.ptr[0];
    s->is_outer = true;
    s->on = copy->where;
    block_replace_term(p, b, t,
                       term_as(p, copy->select.ptr[0], term_type_of(t)));
    block_add_source(p, b, s);
    return true;
}

// What is true exactly when a parent is found that EXISTS asks for: that no
// column of the foreign key is NULL. NULL: it asks for something else.
static const term *of_parent(prover *p, const block *b, const block *in)
{
    if (!block_selects_tables(in) || in->sources.len != 1) {
        return NULL;
    }
    const schema *s = p->bound->schema;
    instance *parent = in->sources.ptr[0];
    block joined = joined_by(p, b, &in->where, parent);
    for (ptrdiff_t k = 0; k < s->n_keys; k++) {
        const schema_key *key = &s->keys[k];
        instance *child = child_by(p, &joined, parent, key);
        if (!child || !prover_assumes(p, ASSUME_FOREIGN_KEYS | ASSUME_KEYS)) {
            continue;
        }
        term_list tests = {0};
        for (ptrdiff_t i = 0; i < key->n; i++) {
            const term *c = term_column(p, child, key->columns[i]);
            term_list_push(p, &tests, not_null_test(p, c));
        }
        return term_all_of(p, &tests);
    }
    return NULL;
}

static const term *visit_parent(rewrite *r, const term *t)
{
    const term *tests =
        t->kind == TERM_EXISTS ? of_parent(r->p, r->b, t->block) : NULL;
    return tests ? tests : t->block ? t : NULL;
}

bool rule_exists_parent(prover *p, block *b, ptrdiff_t at)
{
    const term *t = b->where.ptr[at];
    rewrite r = {.p = p, .visit = visit_parent, .b = b};
    return (t->has & HAS_BLOCK) && where_becomes(p, b, at, term_rewrite(&r, t));
}
