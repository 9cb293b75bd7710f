/*
 * plug.c - the gold's constants put into the prediction's query.
 *
 * Method      The constants of both queries are listed, each with its place
 *             (what it is compared with, or what it bounds) and its role
 *             (relation_values.h). Each constant of the prediction becomes a
 *             slot, and its candidates are the gold's constants of the first
 *             of three ways that gives any: the same place and role; the same
 *             place in another role; another place, when the type fits and the
 *             prediction has no constant for that place. A slot whose only
 *             candidate is what already stands there is dropped.
 *
 * Texts are the product of the candidates, counted as a number whose digits
 * have different bases: digit i chooses for slot i. Slot i starts at its
 * `first`, so that two constants of one place and role take two different
 * candidates in the first text, which is the likeliest.
 *
 * Invariants  (1) A slot has at least one candidate, and 0 <= first < n.
 *             (2) Neither tree is changed: a text is printed from a copy.
 *             (3) No two texts have the same choices: n_given is the number
 *                 whose digits are the choices, and it only grows.
 *
 * Cost        plug_of: slots x constants of the gold. plug_next: nodes x slots.
 *             Scratch is cut in halves, for the copy and for the printer.
 */
#include "relation/plug.h"

#include "relation/relation_values.h"
#include "sql/ast_rewrite.h"
#include "sql/name.h"
#include "sql/print.h"

#include <assert.h>

enum {
    PLACES_MAX = 200,      // of a query
    CANDIDATES_MAX = 256,  // of a slot; more than a query has places
};

typedef vec_of(plug_slot) slot_list;

// A constant and its place in words.
typedef struct placed_value {
    met_value met;
    str place;
} placed_value;

typedef struct placed_values {
    const binding *b;
    placed_value *ptr;
    ptrdiff_t len;
    bool is_cut;  // there are more
} placed_values;

static placed_values places_of(arena *a, const binding *b)
{
    relation_values all = relation_values_of(a, b);
    ptrdiff_t n = all.values.len < PLACES_MAX ? all.values.len : PLACES_MAX;
    placed_values out = {b, arena_new(a, placed_value, n), n,
                         n < all.values.len};
    for (ptrdiff_t i = 0; i < n; i++) {
        const met_value *v = &all.values.ptr[i];
        out.ptr[i] = (placed_value){*v, relation_place_of(a, b, v)};
    }
    return out;
}

static bool is_comparison(met_role r)
{
    return r == MET_EQUAL || r == MET_LOW || r == MET_HIGH || r == MET_LIST;
}

static bool same_place(const placed_value *x, const placed_value *y)
{
    return str_equal(x->place, y->place);
}

static bool has_place(const placed_values *values, const placed_value *v)
{
    for (ptrdiff_t i = 0; i < values->len; i++) {
        if (same_place(&values->ptr[i], v)) {
            return true;
        }
    }
    return false;
}

static bool is_numeric(const ast *n)
{
    if (n->kind == AST_IN) {
        n = n->kid[IN_LIST];
    }
    str text = n->text;
    bool is_quoted = n->kind == AST_STRING && text.len >= 2;
    return n->kind == AST_NUMBER || n->kind == AST_UNARY
           || str_to_double(is_quoted ? str_sub(text, 1, text.len - 1) : text,
                            NULL);
}

static bool fits_kind(schema_kind slot, const ast *value)
{
    bool is_number = value->kind == AST_NUMBER || value->kind == AST_UNARY;
    return schema_kind_is_number(slot) ? is_numeric(value)
                                       : slot != KIND_TEXT || !is_number;
}

// How a value of the gold may come into a slot, the best way first.
typedef enum way {
    WAY_ROLE,   // the same place in the same role
    WAY_PLACE,  // the same place in another role
    WAY_TYPE,   // it fits, and the prediction has no place for it
    WAYS,
} way;

static bool may_go(way w,
                   const placed_value *value,
                   const placed_value *slot,
                   const placed_values *pred)
{
    bool is_same = same_place(value, slot);
    met_role from = value->met.role;
    met_role to = slot->met.role;
    bool is_near = to == MET_PATTERN ? from == MET_PATTERN
                                     : is_comparison(to) && is_comparison(from);
    switch (w) {
    case WAY_ROLE: return is_same && from == to && to != MET_OTHER;
    case WAY_PLACE: return is_same && is_near;
    case WAY_TYPE:
        return is_near && !has_place(pred, value)
               && fits_kind(bind_type(pred->b, slot->met.beside).kind,
                            value->met.node);
    case WAYS: break;
    }
    return false;
}

static void add_candidate(arena *a, node_list *list, const ast *n)
{
    if (list->len <= CANDIDATES_MAX) {
        node_list_add(a, list, n);
    }
}

// The values of a list one by one, for a slot that takes one.
static void add_value(arena *a,
                      node_list *list,
                      const ast *value,
                      met_role role)
{
    bool is_list = value->kind == AST_IN;
    if (!is_list || role == MET_LIST) {
        add_candidate(a, list, value);
        return;
    }
    for (const ast *n = value->kid[IN_LIST]; n; n = n->next) {
        add_candidate(a, list, n);
    }
}

static ptrdiff_t count_before(const placed_values *pred, ptrdiff_t i)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t k = 0; k < i; k++) {
        n += same_place(&pred->ptr[k], &pred->ptr[i])
             && pred->ptr[k].met.role == pred->ptr[i].met.role;
    }
    return n;
}

// False when it has more candidates than are kept.
static bool add_slot(arena *a,
                     slot_list *slots,
                     const placed_values *gold,
                     const placed_values *pred,
                     ptrdiff_t i)
{
    const placed_value *slot = &pred->ptr[i];
    node_list found = {0};
    for (int w = 0; w < WAYS && found.len == 0; w++) {
        for (ptrdiff_t g = 0; g < gold->len; g++) {
            if (may_go((way)w, &gold->ptr[g], slot, pred)) {
                add_value(a, &found, gold->ptr[g].met.node, slot->met.role);
            }
        }
    }
    bool is_cut = found.len > CANDIDATES_MAX;
    found.len -= is_cut;
    bool is_news =
        found.len > 1
        || (found.len == 1 && !ast_equal(found.ptr[0], slot->met.node));
    if (is_news) {
        plug_slot *s = vec_push(a, slots);
        *s = (plug_slot){.node = slot->met.node,
                         .candidates = found.ptr,
                         .n = found.len,
                         .first = count_before(pred, i) % found.len};
        assert(s->first >= 0 && s->first < s->n);  // invariant 1
    }
    return !is_cut;
}

plug plug_of(arena *a,
             const binding *gold,
             const binding *pred,
             int64_t most,
             arena scratch)
{
    assert(gold && pred);
    assert(gold->query && pred->query);
    placed_values of_gold = places_of(&scratch, gold);
    placed_values of_pred = places_of(&scratch, pred);
    slot_list slots = {0};
    bool is_cut = of_gold.is_cut || of_pred.is_cut;
    for (ptrdiff_t i = 0; i < of_pred.len; i++) {
        is_cut |= !add_slot(a, &slots, &of_gold, &of_pred, i);
    }
    plug p = {.pred = pred,
              .slots = slots.ptr,
              .n_slots = slots.len,
              .n_most = most,
              .n_texts = slots.len > 0,
              .is_cut = is_cut};
    for (ptrdiff_t i = 0; i < slots.len; i++) {
        p.n_texts *= slots.ptr[i].n;
        p.n_texts = p.n_texts > INT32_MAX ? INT32_MAX : p.n_texts;
    }
    return p;
}

typedef struct filling {
    arena *a;
    const plug *p;
    const ast **chosen;  // by slot
} filling;

// "x" as 'x', for it is a string wherever it goes.
static ast *as_string(void *context, const ast *n)
{
    arena *a = context;
    if (n->kind != AST_DOUBT) {
        return NULL;
    }
    ast *string = ast_new(a, AST_STRING);
    string->text = name_literal(a, n->text);
    return string;
}

// What was chosen for a slot of the prediction's tree.
static ast *fill(void *context, const ast *n)
{
    const filling *f = context;
    const ast *chosen = NULL;
    for (ptrdiff_t i = 0; i < f->p->n_slots; i++) {
        chosen = f->p->slots[i].node == n ? f->chosen[i] : chosen;
    }
    ast *value = chosen ? ast_rewrite(f->a, chosen, as_string, f->a) : NULL;
    if (!chosen || n->kind != AST_IN) {
        return value;
    }
    ast *in = ast_copy(f->a, n);
    in->kid[IN_LIST] = chosen->kind == AST_IN ? value->kid[IN_LIST] : value;
    return in;
}

bool plug_next(plug *p, arena *a, str *out, arena scratch)
{
    assert(p->n_given >= 0 && p->n_most >= 0);
    if (p->n_given >= p->n_texts || p->n_given >= p->n_most) {
        return false;
    }
    arena trees = arena_half(&scratch);
    filling f = {.a = &trees, .p = p};
    f.chosen = (const ast **)arena_alloc(&trees, sizeof *f.chosen,
                                         _Alignof(max_align_t), p->n_slots);
    int64_t turn = p->n_given++;
    for (ptrdiff_t i = 0; i < p->n_slots; i++) {
        const plug_slot *s = &p->slots[i];
        f.chosen[i] = s->candidates[(s->first + turn % s->n) % s->n];
        turn /= s->n;
        assert(f.chosen[i]);
    }
    *out = print_line(a, ast_rewrite(f.a, p->pred->query->node, fill, &f),
                      p->pred->dialect, scratch);
    return true;
}

bool plug_is_cut(const plug *p)
{
    return p->is_cut || p->n_texts > p->n_most;
}
