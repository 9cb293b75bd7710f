/*
 * relation_block.c - blocks and terms walked, copied and rewritten.
 *
 * Method      A term is replaced by a new one, a block is changed in place;
 *             both lead into each other through subqueries, so their walks
 *             stand together here. A copy has instances of its own.
 *
 * Invariants  (1) Every visit counts as work; past WORK_MAX the prover stops.
 *             (2) A rewrite visits the term before its parts, and not the parts
 *                 of what it put in its place.
 *
 * Cost        Linear in the terms.
 */
#include "relation/relation_block.h"

#include "relation/normal.h"

#include <assert.h>

block *block_new(prover *p)
{
    block *b = arena_new(p->a, block, 1);
    b->no = p->n_blocks++;
    return b;
}

instance *instance_new(prover *p)
{
    instance *i = arena_new(p->a, instance, 1);
    i->no = p->n_instances++;
    i->table = -1;
    return i;
}

int32_t instance_columns(const instance *i)
{
    assert(i->body || i->columns_of);  // a block or a table
    return (int32_t)(i->body ? block_outputs(i->body)
                             : i->columns_of->n_columns);
}

static walk_step search_has(void *has, const term *t)
{
    return t->has & *(unsigned *)has ? WALK_END : WALK_PAST;
}

bool block_has(const block *b, unsigned has)
{
    return block_walk_results(b, search_has, &has);
}

static walk_step search_use(void *wanted, const term *t)
{
    return t->source == *(const instance **)wanted ? WALK_END
           : t->has & (HAS_COLUMN | HAS_BLOCK)     ? WALK_ON
                                                   : WALK_PAST;
}

bool term_uses(const term *t, const instance *i)
{
    return term_walk(t, search_use, &i);
}

bool term_list_uses(const term_list *l, const instance *i)
{
    return term_list_walk(l, search_use, &i);
}

bool block_uses(const block *b, const instance *i)
{
    return block_walk(b, search_use, &i);
}

int32_t block_place_of(const block *b, const instance *i)
{
    int32_t at = (int32_t)b->sources.len - 1;
    while (at >= 0 && b->sources.ptr[at] != i) {
        at--;
    }
    return at;
}

bool block_owns(const block *b, const instance *i)
{
    return block_place_of(b, i) >= 0;
}

bool block_has_outer(const block *b)
{
    bool found = false;
    for (ptrdiff_t i = 0; !found && i < b->sources.len; i++) {
        found = b->sources.ptr[i]->is_outer;
    }
    return found;
}

void block_become(block *b, const block *other)
{
    const block before = *b;
    *b = *other;
    b->no = before.no;
    b->pos = before.pos;
    b->len = before.len;
    b->is_source = before.is_source;
    b->is_result = before.is_result;
}

void block_become_under(block *b, const block *other)
{
    const block whole = *b;
    block_become(b, other);
    b->order = whole.order;
    b->limit = whole.limit;
    b->offset = whole.offset;
}

void block_add_source(prover *p, block *b, instance *i)
{
    assert(i->body || i->columns_of);  // it is complete: its columns count
    if (b->sources.len >= SOURCES_MAX) {
        prover_stop(p, S("a FROM of too many tables"));
        return;
    }
    *vec_push(p->a, &b->sources) = i;
}

void block_absorb(prover *p, block *into, const block *from)
{
    for (ptrdiff_t i = 0; i < from->sources.len; i++) {
        block_add_source(p, into, from->sources.ptr[i]);
    }
    term_conjoin_all(p, &into->where, &from->where);
}

block block_trial(prover *p, const block *b)
{
    block trial = *b;
    trial.sources = (block){0}.sources;
    trial.where = term_list_copy(p, &b->where);
    block_absorb(p, &trial, &(block){.sources = b->sources});
    return trial;
}

void block_remove_source(block *b, const instance *gone)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        if (b->sources.ptr[i] != gone) {
            b->sources.ptr[n++] = b->sources.ptr[i];
        }
    }
    b->sources.len = n;
}

ptrdiff_t block_outputs(const block *b)
{
    while (b->set) {
        b = b->left;
    }
    return b->select.len;
}

const term *block_output(const block *b, int32_t column)
{
    while (b->set) {
        b = b->left;
    }
    assert(column >= 0 && column < b->select.len);
    return b->select.ptr[column];
}

// What a list asks of its terms: of what is shown the whole type matters, of
// keys the collation, of conditions nothing.
typedef const term *list_part(prover *p, const term *t);

static const term *condition_part(prover *p, const term *t)
{
    (void)p;
    return term_bare(t);
}

static void list_rewrite(rewrite *r, term_list *l, list_part *part)
{
    l->ptr = r->copies ? arena_copy(r->p->a, l->ptr, l->len, 0) : l->ptr;
    l->cap = r->copies ? l->len : l->cap;
    for (ptrdiff_t i = 0; i < l->len; i++) {
        l->ptr[i] = part(r->p, term_rewrite(r, l->ptr[i]));
    }
}

// The block with instances of its own, and the terms of the other.
static block *block_twin(prover *p, const block *b)
{
    block *copy = block_new(p);
    int32_t no = copy->no;
    *copy = *b;
    copy->no = no;
    copy->sources.ptr = arena_copy(p->a, b->sources.ptr, b->sources.len, 0);
    copy->sources.cap = b->sources.len;
    copy->order.ptr = arena_copy(p->a, b->order.ptr, b->order.len, 0);
    copy->order.cap = b->order.len;
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        instance *twin = instance_new(p);
        no = twin->no;
        *twin = *b->sources.ptr[i];
        twin->no = no;
        twin->twin = NULL;
        copy->sources.ptr[i] = twin;
        b->sources.ptr[i]->twin = twin;
    }
    if (p->work++ > WORK_MAX) {
        prover_stop(p, S("a query that is too large"));
    }
    return copy;
}

// It, or a copy of it.
static block *visited(rewrite *r, block *b)
{
    const block *from = b;
    if (prover_stopped(r->p) && !r->copies) {
        return b;
    }
    b = r->copies ? block_twin(r->p, b) : b;
    if (b->set) {
        b->left = visited(r, b->left);
        b->right = visited(r, b->right);
    }
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        instance *source = b->sources.ptr[i];
        source->body = source->body ? visited(r, source->body) : NULL;
        source->on = conditions_rewritten(r, &source->on);
    }
    b->where = conditions_rewritten(r, &b->where);
    list_rewrite(r, &b->select, term_item);
    list_rewrite(r, &b->group, term_key);
    b->having = conditions_rewritten(r, &b->having);
    list_rewrite(r, &b->extremes, condition_part);
    for (ptrdiff_t i = 0; i < b->order.len; i++) {
        sort_term *key = &b->order.ptr[i];
        key->term = term_key(r->p, term_rewrite(r, key->term));
    }
    for (ptrdiff_t i = 0; r->copies && i < from->sources.len; i++) {
        from->sources.ptr[i]->twin = NULL;
    }
    return b;
}

void block_rewrite(rewrite *r, block *b)
{
    assert(!r->copies);
    visited(r, b);
}

static const term *visit_twin(rewrite *r, const term *t)
{
    bool is_copied = t->kind == TERM_COLUMN && t->source->twin;
    return is_copied ? term_column(r->p, t->source->twin, t->column) : NULL;
}

instance *instance_of(prover *p, block *body)
{
    instance *i = instance_new(p);
    i->body = body;
    return i;
}

block *block_around(prover *p, block *body)
{
    instance *s = instance_of(p, body);
    block *b = block_new(p);
    b->pos = body->pos;
    for (int32_t k = 0; k < instance_columns(s); k++) {
        term_list_push(p, &b->select, term_column(p, s, k));
    }
    block_add_source(p, b, s);
    return b;
}

block *block_copy(prover *p, const block *b)
{
    rewrite r = {.p = p, .visit = visit_twin, .copies = true};
    block from = *b;
    return visited(&r, &from);
}

const term *instance_showing(prover *p, instance *s, const term *t)
{
    term_list_add(p, &s->body->select, t);
    return term_column(p, s, (int32_t)term_list_at(&s->body->select, t));
}

const term *rewrite_wanted(rewrite *r, const term *t)
{
    return t == r->wanted ? r->to : NULL;
}

void block_replace_term(prover *p, block *b, const term *wanted, const term *to)
{
    rewrite r = {.p = p, .visit = rewrite_wanted, .wanted = wanted, .to = to};
    block_rewrite(&r, b);
}

void block_replace(prover *p,
                   block *b,
                   instance *source,
                   int32_t column,
                   const term *to)
{
    block_replace_term(p, b, term_column(p, source, column), to);
}

void block_replace_outputs(prover *p, block *b, instance *source)
{
    const block *body = source->body;
    assert(body && !body->set);  // of one SELECT, so its items have one meaning
    for (int32_t k = 0; k < instance_columns(source); k++) {
        term_type type = term_type_of_output(body, k);
        const term *item = term_as(p, body->select.ptr[k], type);
        block_replace(p, b, source, k, item);
    }
}

const term *term_rewrite(rewrite *r, const term *t)
{
    if (r->p->work++ > WORK_MAX) {
        prover_stop(r->p, S("a query that is too large"));
    }
    if (prover_stopped(r->p) || t->has == 0 || (t->has & r->of) != r->of) {
        return t;
    }
    const term *other = r->visit(r, t);
    if (other) {
        return other;
    }
    block *in = t->block ? visited(r, t->block) : NULL;
    if (in != t->block) {
        term copy = *t;
        copy.block = in;
        t = term_make(r->p, copy);
    }
    if (t->n == 0) {
        return t;
    }
    const term **args = arena_new(r->p->a, const term *, t->n);
    bool changed = false;
    for (int32_t i = 0; i < t->n; i++) {
        args[i] = term_rewrite(r, t->args[i]);
        changed |= args[i] != t->args[i];
    }
    return changed ? term_remake(r->p, t, args) : t;
}

// What becomes equal to another is left out where the list is a set, which is
// the caller's business: items of a select list stay where they are.
void term_list_rewrite(rewrite *r, term_list *l)
{
    for (ptrdiff_t i = 0; i < l->len; i++) {
        l->ptr[i] = term_rewrite(r, l->ptr[i]);
    }
}

static const term *listed_rewrite(rewrite *r, const term *t)
{
    const term *now = term_rewrite(r, t);
    r->changes |= now != t;
    return now;
}

term_list term_list_rewritten(rewrite *r, const term_list *l)
{
    term_list out = {0};
    for (ptrdiff_t i = 0; i < l->len; i++) {
        term_list_push(r->p, &out, listed_rewrite(r, l->ptr[i]));
    }
    return out;
}

term_list conditions_rewritten(rewrite *r, const term_list *l)
{
    term_list all = {0};
    for (ptrdiff_t i = 0; i < l->len; i++) {
        term_conjoin(r->p, &all, listed_rewrite(r, l->ptr[i]));
    }
    return all;
}

const term *term_walk(const term *t, term_visit *visit, void *context)
{
    walk_step how = visit(context, t);
    const term *end = how == WALK_END ? t : NULL;
    for (int32_t i = 0; how == WALK_ON && !end && i < t->n; i++) {
        end = term_walk(t->args[i], visit, context);
    }
    return how == WALK_ON && !end && t->block
               ? block_walk(t->block, visit, context)
               : end;
}

const term *term_list_walk(const term_list *l, term_visit *visit, void *context)
{
    const term *end = NULL;
    for (ptrdiff_t i = 0; !end && i < l->len; i++) {
        end = term_walk(l->ptr[i], visit, context);
    }
    return end;
}

const term *block_walk_results(const block *b, term_visit *visit, void *context)
{
    const term *end = term_list_walk(&b->select, visit, context);
    end = end ? end : term_list_walk(&b->having, visit, context);
    for (ptrdiff_t i = 0; !end && i < b->order.len; i++) {
        end = term_walk(b->order.ptr[i].term, visit, context);
    }
    return end;
}

const term *block_walk_own(const block *b, term_visit *visit, void *context)
{
    const term *end = NULL;
    for (ptrdiff_t i = 0; !end && i < b->sources.len; i++) {
        end = term_list_walk(&b->sources.ptr[i]->on, visit, context);
    }
    end = end ? end : term_list_walk(&b->where, visit, context);
    end = end ? end : term_list_walk(&b->group, visit, context);
    return end ? end : block_walk_results(b, visit, context);
}

const term *block_walk(const block *b, term_visit *visit, void *context)
{
    const term *end = b->set ? block_walk(b->left, visit, context) : NULL;
    end = b->set && !end ? block_walk(b->right, visit, context) : end;
    for (ptrdiff_t i = 0; !end && i < b->sources.len; i++) {
        const block *body = b->sources.ptr[i]->body;
        end = body ? block_walk(body, visit, context) : NULL;
    }
    return end ? end : block_walk_own(b, visit, context);
}

bool block_is_union_all(const block *b)
{
    return b->set == SET_UNION && b->is_all;
}

bool block_has_limit(const block *b)
{
    return b->limit || b->offset;
}

void block_group_by(block *b, term_list keys)
{
    b->is_grouped = true;
    b->has_group = true;
    b->group = keys;
}

void block_ungroup(block *b)
{
    b->is_grouped = false;
    b->has_group = false;
    b->group = (term_list){0};
    b->having = (term_list){0};
    b->extremes = (term_list){0};
}

void block_check_repeats(block *b)
{
    b->repeats = b->repeats == REPEATS_KEPT ? REPEATS_KEPT : REPEATS_DROPPED;
}

bool block_is_plain(const block *b)
{
    return !b->set && !b->is_grouped && !b->has_group && b->having.len == 0
           && !block_has_limit(b) && !block_has(b, HAS_AGGREGATE | HAS_WINDOW);
}

bool block_selects_tables(const block *b)
{
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        if (b->sources.ptr[i]->body) {
            return false;
        }
    }
    return block_is_plain(b) && !block_has_outer(b);
}

static walk_step search_bare(void *context, const term *t)
{
    const block *b = *(const block **)context;
    bool found = (t->kind == TERM_COLUMN && block_owns(b, t->source))
                 || (t->block && (t->has & HAS_AGGREGATE));
    for (ptrdiff_t i = 0; t->block && !found && i < b->sources.len; i++) {
        found = block_uses(t->block, b->sources.ptr[i]);
    }
    return found ? WALK_END : t->kind == TERM_AGGREGATE ? WALK_PAST : WALK_ON;
}

bool term_is_bare(const block *b, const term *t)
{
    return term_walk(t, search_bare, &b);
}

bool block_is_bare(const block *b, const term_list *l)
{
    return term_list_walk(l, search_bare, &b);
}

bool block_is_one_group(const block *b)
{
    return b->is_grouped && !b->has_group;
}

bool block_is_one_row(const block *b)
{
    return block_is_one_group(b) && b->having.len == 0 && !block_has_limit(b)
           && !block_has(b, HAS_WINDOW) && !block_is_bare(b, &b->select);
}
