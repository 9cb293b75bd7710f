/*
 * audit_column.c - which columns of derived tables a step used in place of
 * others; see need.def.
 */
#include "prove/audit_fact.h"
#include "prove/audit_need.h"
#include "prove/audit_same.h"

#include <assert.h>

typedef struct column_search {
    const term *wanted;
    bool found;
} column_search;

static bool search_column(void *context, const term *t)
{
    column_search *s = context;
    s->found |= t == s->wanted;
    return !s->found;
}

static void search_column_in(void *context, const term *t)
{
    term_walk(t, search_column, context);
}

static bool is_used_now(const need_step *s, const term *c)
{
    column_search use = {.wanted = c};
    block_each(s->is, search_column_in, &use);
    return use.found;
}

static bool was_used(const need_step *s, const term *c)
{
    column_search use = {.wanted = c};
    block was = s->was->b;
    was.sources.len = 0;
    block_each(&was, search_column_in, &use);
    for (ptrdiff_t i = 0; i < s->was->n; i++) {
        const term_list *on = &s->was->sources[i].was.on;
        term_list_walk(on, search_column, &use);
    }
    return use.found;
}

// In a SELECT, or in all sides of a UNION ALL.
static bool shows_same(const block *b, int32_t i, int32_t k)
{
    assert(i != k);  // a column is itself
    if (b->set) {
        return b->set == SET_UNION && b->is_all && shows_same(b->left, i, k)
               && shows_same(b->right, i, k);
    }
    return b->select.ptr[i] == b->select.ptr[k];
}

static bool has_twin(const need_step *s, const stage_source *source, int32_t k)
{
    for (int32_t i = 0; i < block_outputs(&source->body); i++) {
        if (i != k && shows_same(&source->body, i, k)
            && is_used_now(s, term_column(s->p, source->is, i))) {
            return true;
        }
    }
    return false;
}

bool need_column_is_twin(const need_step *s)
{
    for (ptrdiff_t i = 0; i < s->was->n; i++) {
        const stage_source *source = &s->was->sources[i];
        ptrdiff_t n = source->was.body ? block_outputs(&source->body) : 0;
        for (int32_t k = 0; k < n; k++) {
            const term *c = term_column(s->p, source->is, k);
            if (was_used(s, c) && !is_used_now(s, c)
                && !has_twin(s, source, k)) {
                return false;
            }
        }
    }
    return true;
}

// --- columns that are gone

// The only source that is new, or that is gone; NULL: there are others.
static const stage_source *only_gone(const need_step *s)
{
    const stage_source *gone = NULL;
    int n = 0;
    for (ptrdiff_t i = 0; i < s->was->n; i++) {
        bool is_there = block_owns(s->is, s->was->sources[i].is);
        n += !is_there;
        gone = is_there ? gone : &s->was->sources[i];
    }
    return n == 1 ? gone : NULL;
}

static instance *only_new(const need_step *s)
{
    instance *added = NULL;
    int n = 0;
    for (ptrdiff_t i = 0; i < s->is->sources.len; i++) {
        bool is_new = !stage_find(s->was, s->is->sources.ptr[i]);
        n += is_new;
        added = is_new ? s->is->sources.ptr[i] : added;
    }
    return n == 1 ? added : NULL;
}

// The sides of a UNION ALL as they are now, from the left; false: it is more
// than that.
typedef vec_of(const block *) side_list;

static bool add_sides(prover *p, side_list *all, const block *b)
{
    if (!b->set) {
        *vec_push(p->a, all) = b;
        return true;
    }
    return b->set == SET_UNION && b->is_all && !fact_has_limit(b)
           && b->order.len == 0 && add_sides(p, all, b->left)
           && add_sides(p, all, b->right);
}

// A derived table, its sides before and now, and where its columns went.
typedef struct narrowing {
    const stage_source *gone;
    side_list now;
    int32_t *place;  // by column; -1: it is gone
    int32_t *use;    // by column: which of them is used first; or UNUSED
    int32_t n_uses;
    instance *to;
} narrowing;

enum {
    UNUSED = INT32_MAX
};

// Does the column show in all sides what the other one shows now?
static bool shows_alike(const narrowing *n, int32_t was, int32_t is)
{
    for (ptrdiff_t i = 0; i < n->now.len; i++) {
        if (n->gone->sides.ptr[i].select.ptr[was]
            != n->now.ptr[i]->select.ptr[is]) {
            return false;
        }
    }
    return true;
}

// 1 where nothing is used.
static bool is_dummy(const narrowing *n)
{
    bool is = true;
    for (ptrdiff_t i = 0; i < n->now.len; i++) {
        const term_list *select = &n->now.ptr[i]->select;
        is &= select->len == 1 && term_is_number(select->ptr[0], 1);
    }
    return is;
}

// Notes in which order columns are used.
static bool note_column(void *context, const term *t)
{
    narrowing *n = context;
    if (t->kind == TERM_COLUMN && t->source == n->gone->is
        && n->use[t->column] == UNUSED) {
        n->use[t->column] = n->n_uses++;
    }
    return true;
}

static void note_columns(void *context, const term *t)
{
    term_walk(t, note_column, context);
}

// Where each column went: of those that show the same, what was used first is
// first now. False: what is shown now was not shown before.
static bool find_places(const need_step *s, narrowing *n)
{
    int32_t width = (int32_t)n->gone->sides.ptr[0].select.len;
    block was = s->was->b;
    was.sources.len = 0;
    n->use = arena_new(s->p->a, int32_t, width + 1);
    n->place = arena_new(s->p->a, int32_t, width + 1);
    for (int32_t j = 0; j < width; j++) {
        n->use[j] = UNUSED;
        n->place[j] = -1;
    }
    for (ptrdiff_t i = 0; i < s->was->n; i++) {
        block on = {.where = s->was->sources[i].was.on};
        block_each(&on, note_columns, n);
    }
    block_each(&was, note_columns, n);
    for (int32_t k = 0; k < n->now.ptr[0]->select.len; k++) {
        int32_t best = -1;
        for (int32_t j = 0; j < width; j++) {
            bool fits = n->place[j] < 0 && shows_alike(n, j, k);
            best = fits && (best < 0 || n->use[j] < n->use[best]) ? j : best;
        }
        if (best >= 0) {
            n->place[best] = k;
        } else if (!is_dummy(n)) {
            return false;
        }
    }
    return true;
}

static bool is_constant(const term *t)
{
    return term_is_literal(t) || t->kind == TERM_NULL;
}

// Are the rows of a side those that they were, as often as they were?
static bool keeps_rows(const need_step *s,
                       const narrowing *n,
                       const block *was,
                       const block *is)
{
    bool same = was->sources.len == is->sources.len && !was->set && !is->set
                && term_lists_equal(&was->where, &is->where)
                && term_lists_equal(&was->group, &is->group)
                && term_lists_equal(&was->having, &is->having)
                && was->is_grouped == is->is_grouped
                && was->has_group == is->has_group && !fact_has_limit(was)
                && !fact_has_limit(is);
    for (ptrdiff_t i = 0; same && i < was->sources.len; i++) {
        same = was->sources.ptr[i] == is->sources.ptr[i];
    }
    if (!same || !is->distinct) {
        return same && fact_distinct_idle(s->p, was);
    }
    bool keeps_one = false;
    for (ptrdiff_t k = 0; k < was->select.len; k++) {
        bool is_kept = n->place[k] >= 0;
        keeps_one |= is_kept;
        same &= is_kept || is_constant(was->select.ptr[k]);
    }
    return same && keeps_one && was->distinct;
}

static const term *visit_narrowed(rewrite *r, const term *t)
{
    bool is_meant = t->kind == TERM_COLUMN && t->source == r->from;
    int32_t place = is_meant ? r->places[t->column] : -1;
    return place >= 0 ? term_column(r->p, r->to->source, place) : NULL;
}

// Is the block what it was, with the columns where they are now?
static bool is_else_same(const need_step *s, const narrowing *n)
{
    rewrite r = {.p = s->p,
                 .visit = visit_narrowed,
                 .from = n->gone->is,
                 .to = term_column(s->p, n->to, 0),
                 .places = n->place};
    return same_rewritten(s, &r, n->gone, n->to);
}

bool need_gone_is_narrower(const need_step *s)
{
    narrowing n = {.gone = only_gone(s), .to = only_new(s)};
    if (!n.gone || !n.to || !n.gone->was.body || n.to->body != n.gone->was.body
        || !add_sides(s->p, &n.now, n.to->body)
        || n.now.len != n.gone->sides.len || !find_places(s, &n)) {
        return false;
    }
    for (ptrdiff_t i = 0; i < n.now.len; i++) {
        const block *is = n.now.ptr[i];
        if (is->select.len != n.now.ptr[0]->select.len
            || !keeps_rows(s, &n, &n.gone->sides.ptr[i], is)) {
            return false;
        }
    }
    return is_else_same(s, &n);
}
