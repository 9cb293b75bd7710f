/*
 * audit_shape.c - what must hold where a step makes another kind of block of
 * one: the join under a LIMIT, a set operation of a group; see need.def.
 */
#include "prove/audit_fact.h"
#include "prove/audit_need.h"
#include "relation/relation_block.h"

// --- LIMIT

static bool has_source(const block *b, const instance *i)
{
    bool found = false;
    for (ptrdiff_t k = 0; k < b->sources.len; k++) {
        found |= b->sources.ptr[k] == i;
    }
    return found;
}

// The block is the derived table, with the parent and the conditions beside.
static bool is_joined_body(const need_step *s,
                           const block *body,
                           const instance *parent)
{
    const block *is = s->is;
    bool holds = !body->set && block_has_limit(body) && body->limit == is->limit
                 && body->offset == is->offset
                 && body->distinct == body->is_unique && !is->distinct
                 && body->is_grouped == is->is_grouped
                 && body->has_group == is->has_group
                 && (!body->is_grouped || body->has_group)
                 && term_lists_equal(&body->group, &is->group)
                 && term_lists_equal(&body->having, &is->having)
                 && body->order.len == is->order.len
                 && is->sources.len == body->sources.len + 1
                 && has_source(is, parent) && !block_has(body, HAS_WINDOW);
    for (ptrdiff_t i = 0; holds && i < body->sources.len; i++) {
        holds = has_source(is, body->sources.ptr[i]);
    }
    for (ptrdiff_t i = 0; holds && i < body->order.len; i++) {
        holds = body->order.ptr[i].term == is->order.ptr[i].term
                && body->order.ptr[i].is_descending
                       == is->order.ptr[i].is_descending;
    }
    return holds;
}

// What of the derived table a condition holds equal to the column, by identity
// or so that a foreign key compares alike, by the type of the parent.
static const term *item_beside(const need_step *s,
                               const stage_source *cut,
                               const term *target)
{
    for (ptrdiff_t i = 0; i < s->was->b.where.len; i++) {
        const term *t = s->was->b.where.ptr[i];
        for (int k = 0; t->kind == TERM_EQUAL && k < 2; k++) {
            const term *shown = t->args[k];
            if (t->args[1 - k] == target && shown->kind == TERM_COLUMN
                && shown->source == cut->is
                && (fact_identical(s->p, shown, target)
                    || fact_fixes(s->p, target, shown))) {
                return cut->body.select.ptr[shown->column];
            }
        }
    }
    return NULL;
}

static bool joins_by(const need_step *s,
                     const stage_source *cut,
                     instance *parent,
                     const schema_key *key)
{
    const block *body = &cut->body;
    stage inner = stage_of(s->p, body);
    const instance *child = NULL;
    for (ptrdiff_t k = 0; k < key->n; k++) {
        const term *c =
            item_beside(s, cut, term_column(s->p, parent, key->targets[k]));
        if (!c || c->kind != TERM_COLUMN || !has_source(body, c->source)
            || c->source->is_outer || c->source->table != key->child
            || c->column != key->columns[k] || (child && child != c->source)
            || (body->is_grouped && !term_list_has(&body->group, c))
            || !fact_not_null(s->p, &inner, c, NULL)) {
            return false;
        }
        child = c->source;
    }
    return child && s->was->b.where.len == key->n;
}

bool need_limit_is_of_child(const need_step *s)
{
    const block *was = &s->was->b;
    const schema *all = s->p->bound->schema;
    unsigned both = ASSUME_FOREIGN_KEYS | ASSUME_KEYS;
    bool may = block_is_plain(was) && s->was->n == 2 && was->order.len == 0
               && was->distinct == was->is_unique
               && (s->p->assume & both) == both;
    for (int i = 0; may && i < 2; i++) {
        const stage_source *cut = &s->was->sources[i];
        const stage_source *parent = &s->was->sources[1 - i];
        bool fits = cut->was.body && !cut->was.is_outer
                    && parent->was.table >= 0 && !parent->was.is_outer
                    && is_joined_body(s, &cut->body, parent->is);
        for (ptrdiff_t k = 0; fits && k < all->n_keys; k++) {
            const schema_key *key = &all->keys[k];
            if (key->is_sound && key->parent == parent->was.table
                && joins_by(s, cut, parent->is, key)) {
                return true;
            }
        }
    }
    return false;
}

// --- both of two values

static bool is_kind(audit_fact_kind kind, const term *t)
{
    return (kind == FACT_TEXT && t->kind == TERM_TEXT)
           || (kind == FACT_WHOLE && t->kind == TERM_INTEGER);
}

// x IN (a, b) with two values of x's kind, as they are.
static bool lists_both(const need_step *s, const term *x)
{
    audit_fact_kind kind = fact_exact(s->p, x);
    for (ptrdiff_t i = 0; i < s->was->b.where.len; i++) {
        const term *t = s->was->b.where.ptr[i];
        if (t->kind == TERM_IN_LIST && t->n == 3 && t->args[0] == x
            && t->args[1] != t->args[2] && is_kind(kind, t->args[1])
            && is_kind(kind, t->args[2])) {
            return true;
        }
    }
    return false;
}

static bool counts_both(const need_step *s, const term *t)
{
    for (int k = 0; k < 2; k++) {
        const term *count = t->n == 2 ? t->args[k] : t;
        bool compares =
            t->kind == TERM_EQUAL || (t->kind == TERM_LESS_EQUAL && k == 1);
        if (compares && count->kind == TERM_AGGREGATE && count->flag
            && count->n == 1 && str_equal(count->text, S("count"))
            && term_is_number(t->args[1 - k], 2)) {
            return lists_both(s, count->args[0]);
        }
    }
    return false;
}

static bool is_side(const block *side, const block *was)
{
    return side && !side->set && side->distinct && !block_has_limit(side)
           && side->select.len == was->select.len;
}

bool need_group_has_both(const need_step *s)
{
    const block *was = &s->was->b;
    bool holds = was->has_group && !block_has_limit(was) && was->order.len == 0
                 && was->having.len == 1 && counts_both(s, was->having.ptr[0])
                 && s->is->set == SET_INTERSECT && !s->is->is_all
                 && is_side(s->is->left, was) && is_side(s->is->right, was)
                 && was->select.len > 0;
    for (ptrdiff_t i = 0; holds && i < was->select.len; i++) {
        holds = term_list_has(&was->group, was->select.ptr[i])
                && fact_exact(s->p, was->select.ptr[i]) != FACT_MIXED;
    }
    for (ptrdiff_t i = 0; holds && i < was->group.len; i++) {
        holds = term_list_has(&was->select, was->group.ptr[i]);
    }
    return holds;
}

// The column of `kept` that a comparison is of, on both sides; NULL: none.
static const term *pair_column(const need_step *s,
                               instance *kept,
                               const term *t)
{
    const term *a = t->n == 2 ? t->args[0] : NULL;
    const term *b = a ? t->args[1] : NULL;
    bool is_pair = a && a->kind == TERM_COLUMN && b->kind == TERM_COLUMN
                   && a->column == b->column && a->source != b->source
                   && stage_find(s->was, a->source)
                   && stage_find(s->was, b->source);
    return is_pair ? term_column(s->p, kept, a->column) : NULL;
}

static bool is_pair_key(const need_step *s, instance *kept, const term *k)
{
    block alone = {0};
    block_add_source(s->p, &alone, kept);
    stage one = stage_of(s->p, &alone);
    term_list from = {0};
    term_list_push(s->p, &from, k);
    fixed f = fact_fixed(s->p, &one, &from, false);
    return fixed_rows(s->p, &f) && fact_not_null(s->p, &one, k, NULL);
}

static bool asks_two_rows(const need_step *s)
{
    const term *t = s->is->having.len == 1 ? s->is->having.ptr[0] : NULL;
    return t && t->kind == TERM_LESS_EQUAL && term_is_number(t->args[0], 2)
           && t->args[1]->kind == TERM_AGGREGATE && t->args[1]->n == 0
           && str_equal(t->args[1]->text, S("count"));
}

typedef struct pair_look {
    const block *b;
    bool fails;
} pair_look;

static bool look_for_else(void *context, const term *t)
{
    pair_look *l = context;
    l->fails |= t->block
                || (t->kind == TERM_COLUMN && t->source == l->b->sources.ptr[0]
                    && !term_list_has(&l->b->group, t));
    return !l->fails;
}

bool need_gone_is_pair(const need_step *s)
{
    instance *kept = s->is->sources.len == 1 ? s->is->sources.ptr[0] : NULL;
    bool holds = kept && kept->table >= 0 && s->was->n == 2
                 && s->was->sources[0].was.table == kept->table
                 && s->was->sources[1].was.table == kept->table
                 && s->is->has_group && asks_two_rows(s);
    int keys = 0;
    term_list equal = {0};
    for (ptrdiff_t i = 0; holds && i < s->was->b.where.len; i++) {
        const term *t = s->was->b.where.ptr[i];
        const term *c = pair_column(s, kept, t);
        if (c && t->kind == TERM_EQUAL
            && fact_identical(s->p, t->args[0], t->args[1])) {
            term_list_add(s->p, &equal, c);
        } else if (c) {
            keys++;
            holds = (t->kind == TERM_UNEQUAL || t->kind == TERM_LESS
                     || t->kind == TERM_GREATER)
                    && is_pair_key(s, kept, c);
        }
    }
    for (ptrdiff_t i = 0; holds && i < s->is->group.len; i++) {
        holds = term_list_has(&equal, s->is->group.ptr[i]);
    }
    pair_look l = {.b = s->is};
    for (ptrdiff_t i = 0; holds && i < s->is->select.len; i++) {
        term_walk(s->is->select.ptr[i], look_for_else, &l);
    }
    for (ptrdiff_t i = 0; holds && i < s->is->where.len; i++) {
        term_walk(s->is->where.ptr[i], look_for_else, &l);
    }
    return holds && !l.fails && keys == 1 && equal.len == s->is->group.len;
}
