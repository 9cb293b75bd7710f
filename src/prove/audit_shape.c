/*
 * audit_shape.c - what must hold where a step joins a table under a LIMIT; see
 * need.def.
 */
#include "prove/audit_fact.h"
#include "prove/audit_need.h"
#include "prove/audit_same.h"

// The block is the derived table, with the parent and the conditions beside.
static bool is_joined_body(const need_step *s,
                           const block *body,
                           const instance *parent)
{
    const block *is = s->is;
    bool holds =
        !body->set && block_has_limit(body) && body->limit == is->limit
        && body->offset == is->offset && body->distinct == body->is_unique
        && !is->distinct && body->is_grouped == is->is_grouped
        && body->has_group == is->has_group
        && (!body->is_grouped || body->has_group)
        && term_lists_equal(&body->group, &is->group)
        && term_lists_equal(&body->having, &is->having) && same_orders(body, is)
        && is->sources.len == body->sources.len + 1 && block_owns(is, parent)
        && !block_has(body, HAS_WINDOW);
    for (ptrdiff_t i = 0; holds && i < body->sources.len; i++) {
        holds = block_owns(is, body->sources.ptr[i]);
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
        if (!c || c->kind != TERM_COLUMN || !block_owns(body, c->source)
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
