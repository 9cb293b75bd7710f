/*
 * match.c - pairing sources and subqueries; see match.h.
 *
 * Method      Blocks with equal forms are the same. Others must have the same
 *             shape; then all ways of pairing sources of one table (or of
 *             derived tables that are the same) are tried, up to a number of
 *             them. Paired sources get one number, so that equal terms of both
 *             sides have equal texts.
 */
#include "prove/form.h"
#include "prove/match_internal.h"
#include "relation/build.h"
#include "relation/relation_class.h"

#include <assert.h>
#include <string.h>

enum {
    PAIRINGS_MAX = 24,
    NESTED_MAX = 12,
};

static const str words[] = {
#define MATCH(name, word, says, when) S_INIT(word),
#include "prove/match.def"
};

str match_word(match_part part)
{
    assert(part < MATCH_PART_COUNT);
    return words[part];
}

bool match_type(const term *left, const term *right)
{
    term_type l = term_type_of(left);
    term_type r = term_type_of(right);
    l.has_collation = r.has_collation;  // as columns of a derived table
    return term_types_equal(l, r);
}

static bool same_shape(const block *l, const block *r)
{
    return l->set == r->set && l->is_all == r->is_all
           && l->is_grouped == r->is_grouped && l->has_group == r->has_group
           && (l->repeats == REPEATS_KEPT) == (r->repeats == REPEATS_KEPT)
           && !l->limit == !r->limit && !l->offset == !r->offset
           && l->order.len == r->order.len
           && block_outputs(l) == block_outputs(r)
           && l->sources.len == r->sources.len;
}

// Of items in any order the forms have been compared when the matcher is asked.
static bool same_forms(matcher *m,
                       const block *l,
                       const block *r,
                       int32_t first,
                       match_items items,
                       int32_t *columns)
{
    if (items == MATCH_ANY_ORDER) {
        return false;
    }
    form_items how = items == MATCH_IN_ORDER ? ITEMS_IN_ORDER : ITEMS_NONE;
    str left = form_block(m->p[0], l, first, how, NULL);
    str right = form_block(m->p[1], r, first, how, NULL);
    for (int32_t i = 0; i < block_outputs(l); i++) {
        columns[i] = i;
    }
    return str_equal(left, right) && !prover_stopped(m->p[0])
           && !prover_stopped(m->p[1]);
}

// Sources

// Derived tables that are the same: what their columns are called.
typedef struct body_pair {
    bool is_tried;
    bool is_same;
    const str *names[2];
} body_pair;

typedef struct arranging {
    pairing *f;
    body_pair *bodies;  // by place of the left source, then of the right one
    bool *taken;        // by place of the right source
    int tried;
} arranging;

static void name_columns(matcher *m,
                         body_pair *pair,
                         const int32_t *to,
                         int32_t n)
{
    str *left = arena_new(m->p[0]->a, str, n + 1);
    str *right = arena_new(m->p[0]->a, str, n + 1);
    for (int32_t i = 0; i < n; i++) {
        left[i] = arena_printf(m->p[0]->a, "c%d", (int)i);
        right[to[i]] = left[i];
    }
    pair->names[0] = left;
    pair->names[1] = right;
}

static bool same_bodies(pairing *f, body_pair *pair, instance *l, instance *r)
{
    matcher *m = f->m;
    int32_t first = f->e[0].first - f->n;
    if (pair->is_tried) {
        return pair->is_same;
    }
    pair->is_tried = true;
    str left = form_block(m->p[0], l->body, first, ITEMS_NONE, &pair->names[0]);
    str right =
        form_block(m->p[1], r->body, first, ITEMS_NONE, &pair->names[1]);
    pair->is_same = str_equal(left, right) && !prover_stopped(m->p[0])
                    && !prover_stopped(m->p[1]);
    if (!pair->is_same && instance_columns(l) == instance_columns(r)) {
        int32_t n = instance_columns(l);
        int32_t *to = arena_new(m->p[0]->a, int32_t, n + 1);
        pair->is_same =
            match_nested(m, l->body, r->body, first, MATCH_ANY_ORDER, to);
        name_columns(m, pair, to, n);
    }
    return pair->is_same;
}

static bool may_pair(arranging *w, int32_t left, int32_t right)
{
    instance *l = w->f->order[0][left];
    instance *r = w->f->b[1]->sources.ptr[right];
    if (w->taken[right] || l->is_outer != r->is_outer || !l->body != !r->body) {
        return false;
    }
    return l->body ? same_bodies(w->f, &w->bodies[left * w->f->n + right], l, r)
                   : l->table == r->table;
}

static void number_sources(arranging *w, const int32_t *chosen)
{
    pairing *f = w->f;
    for (int32_t i = 0; i < f->n; i++) {
        for (int side = 0; side < 2; side++) {
            instance *s = f->order[side][i];
            s->number = f->e[0].first - f->n + i;
            s->classes = NULL;
            s->items =
                s->body ? w->bodies[i * f->n + chosen[i]].names[side] : NULL;
        }
    }
}

// Subqueries

typedef struct found_terms {
    prover *p;
    term_list list;
} found_terms;

static walk_step find_blocks(void *context, const term *t)
{
    found_terms *found = context;
    if (t->block) {
        term_list_add(found->p, &found->list, t);
    }
    return t->block ? WALK_PAST : WALK_ON;
}

static term_list subqueries_of(prover *p, const block *b)
{
    found_terms found = {.p = p};
    block_walk_own(b, find_blocks, &found);
    return found.list;
}

static bool same_subqueries(pairing *f, const term *t, const term *u)
{
    bool is_alike = t->kind == u->kind && t->n == u->n;
    for (int32_t i = 0; is_alike && i < t->n; i++) {
        is_alike = match_type(t->args[i], u->args[i])
                   && str_equal(encode_name(&f->e[0], t->args[i]),
                                encode_name(&f->e[1], u->args[i]));
    }
    if (!is_alike || block_outputs(t->block) != block_outputs(u->block)) {
        return false;
    }
    bool rows_only = t->kind == TERM_EXISTS && !t->block->set
                     && !block_is_one_group(t->block);
    int32_t *columns =
        arena_new(f->m->p[0]->a, int32_t, block_outputs(t->block) + 1);
    return match_nested(f->m, t->block, u->block, f->e[0].first,
                        rows_only ? MATCH_ROWS_ONLY : MATCH_IN_ORDER, columns);
}

// Subqueries of the right that are the same as one of the left are called as
// that one.
static void name_subqueries(pairing *f)
{
    term_list left = subqueries_of(f->m->p[0], f->b[0]);
    term_list right = subqueries_of(f->m->p[1], f->b[1]);
    for (ptrdiff_t k = 0; k < right.len; k++) {
        const term *u = right.ptr[k];
        str own = encode_name(&f->e[1], u);
        const term *same = NULL;
        for (ptrdiff_t i = 0; !same && i < left.len; i++) {
            const term *t = left.ptr[i];
            same = str_equal(encode_name(&f->e[0], t), own) ? t : NULL;
        }
        for (ptrdiff_t i = 0; !same && i < left.len; i++) {
            const term *t = left.ptr[i];
            if (same_subqueries(f, t, u)) {
                *vec_push(f->m->p[1]->a, &f->e[1].aliases) =
                    (alias){u, encode_name(&f->e[0], t)};
                same = t;
            }
        }
    }
}

static bool try_pairing(arranging *w, const int32_t *chosen)
{
    pairing *f = w->f;
    w->tried++;
    number_sources(w, chosen);
    f->e[1].aliases = (alias_list){0};
    solver_push(f->m->s);
    name_subqueries(f);
    unsigned parts = f->m->parts;
    bool found = match_selects(f);
    solver_pop(f->m->s);
    if (!found) {
        f->m->parts = parts;
    }
    return found;
}

static bool arrange(arranging *w, int32_t place, int32_t *chosen)
{
    pairing *f = w->f;
    if (place == f->n) {
        return try_pairing(w, chosen);
    }
    for (int32_t i = 0; i < f->n && w->tried < PAIRINGS_MAX; i++) {
        if (!may_pair(w, place, i)) {
            continue;
        }
        w->taken[i] = true;
        chosen[place] = i;
        f->order[1][place] = f->b[1]->sources.ptr[i];
        if (arrange(w, place + 1, chosen)) {
            return true;
        }
        w->taken[i] = false;
    }
    return false;
}

static bool pair_selects(matcher *m,
                         const block *l,
                         const block *r,
                         int32_t first,
                         match_items items,
                         int32_t *columns)
{
    arena *a = m->p[0]->a;
    assert(l->sources.len == r->sources.len);  // see same_shape()
    int32_t n = (int32_t)l->sources.len;
    pairing f = {
        .m = m,
        .b = {l, r},
        .n = n,
        .items = items,
        .is_nested = m->depth > 1,
        .columns = columns,
    };
    for (int side = 0; side < 2; side++) {
        f.order[side] = arena_new(a, instance *, n + 1);
        f.e[side] = (encoder){
            .s = m->s,
            .p = m->p[side],
            .first = first + n,
            .in_groups = l->has_group,
        };
    }
    f.checks = arena_new(a, term_list, n + 1);
    for (int32_t i = 0; i < n; i++) {
        f.order[0][i] = l->sources.ptr[i];
        f.checks[i] = build_checks(m->p[0], f.order[0][i]);
    }
    arranging w = {
        .f = &f,
        .bodies = arena_new(a, body_pair, (ptrdiff_t)n * n + 1),
        .taken = arena_new(a, bool, n + 1),
    };
    return arrange(&w, 0, arena_new(a, int32_t, n + 1));
}

// Set operations

static bool match_sets(matcher *m,
                       const block *l,
                       const block *r,
                       int32_t first,
                       int32_t *columns)
{
    assert(l->set && l->set == r->set);
    unsigned parts = m->parts;
    if (match_nested(m, l->left, r->left, first, MATCH_IN_ORDER, columns)
        && match_nested(m, l->right, r->right, first, MATCH_IN_ORDER,
                        columns)) {
        return true;
    }
    m->parts = parts;
    return form_sides_agree(m->p[0], l) && form_sides_agree(m->p[1], r)
           && match_nested(m, l->left, r->right, first, MATCH_IN_ORDER, columns)
           && match_nested(m, l->right, r->left, first, MATCH_IN_ORDER,
                           columns);
}

bool match_nested(matcher *m,
                  const block *l,
                  const block *r,
                  int32_t first,
                  match_items items,
                  int32_t *columns)
{
    if (!same_shape(l, r) || m->depth >= NESTED_MAX) {
        return false;
    }
    if (l->set) {
        items = MATCH_IN_ORDER;
    }
    m->depth++;
    bool found =
        same_forms(m, l, r, first, items, columns)
        || (str_equal(form_order(m->p[0], l, first, l->set),
                      form_order(m->p[1], r, first, r->set))
            && (l->set ? match_sets(m, l, r, first, columns)
                       : pair_selects(m, l, r, first, items, columns)));
    m->depth--;
    return found && !prover_stopped(m->p[0]) && !prover_stopped(m->p[1]);
}

match_result match_blocks(solver *s,
                          match_side left,
                          match_side right,
                          bool may_permute,
                          arena *a)
{
    match_result out = {0};
    matcher m = {
        .s = s,
        .p = {left.p, right.p},
        .a = a,
    };
    ptrdiff_t n = block_outputs(left.b);
    out.columns = arena_new(a, int32_t, n + 1);
    if (!same_shape(left.b, right.b) || !solver_begin(s)) {
        return out;
    }
    out.is_same = match_nested(&m, left.b, right.b, 0,
                               may_permute ? MATCH_ANY_ORDER : MATCH_IN_ORDER,
                               out.columns);
    out.parts = m.parts;
    return out;
}
