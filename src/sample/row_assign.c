/*
 * row_assign.c - values for the cells of a template.
 *
 * Method      Random values that are worth a try, then repair: as long as a
 *             rule is not met, one of its cells gets another value that meets
 *             it without breaking more than before. A few steps suffice, for
 *             the constants of the rules are among the values.
 *
 * Invariant   Only roots have values; the other cells share them.
 *
 * Cost        STEPS_MAX * CANDIDATES evaluations of all rules, at most.
 */
#include "base/places.h"
#include "relation/relation_condition.h"
#include "relation/relation_values.h"
#include "sample/row_internal.h"
#include "sample/row_template.h"
#include "sample/value_near.h"
#include "sql/function.h"

#include <assert.h>

enum {
    STEPS_MAX = 24,   // of repair
    CANDIDATES = 12,  // that a step tries
    NEAR_TRIED = 16,  // values near the constants of a class
    OWN_MAX = 300,    // values near the constants of a root's own rules
    LOOK_DEPTH_MAX = 20,
};

// Where names are looked up while a rule is read.
typedef struct scene {
    const row_template *t;
    const template_frame *frame;
    int depth;
} scene;

static const expr_code *look(const expr_reader *r, const ast *n);

static const expr_code *read_in(arena *a, const scene *s, const ast *n)
{
    scene inner = *s;
    inner.depth++;
    return expr_read(&(expr_reader){look, &inner, a}, n);
}

// COUNT, SUM and the like, as if the group held the same row several times.
static const expr_code *look_total(arena *a, const scene *s, const ast *n)
{
    str word;
    const ast *of =
        relation_totals(s->t->b, n) ? operand_within(n, &word) : NULL;
    return !of                                ? NULL
           : str_equal_fold(word, S("count")) ? expr_of_count(a)
           : s->depth > LOOK_DEPTH_MAX
               ? NULL
               : expr_of_group(a, read_in(a, s, of),
                               str_equal_fold(word, S("sum")));
}

static const expr_code *look(const expr_reader *r, const ast *n)
{
    const scene *s = r->context;
    const row_template *t = s->t;
    if (n->kind == AST_CALL) {
        return look_total(r->a, s, n);
    }
    if (n->kind != AST_COLUMN && n->kind != AST_DOUBT) {
        return NULL;
    }
    int32_t cell = template_cell_of(t, s->frame, n);
    if (cell >= 0) {
        const column_facts *f = &t->m->columns[t->cells.ptr[cell].id];
        return expr_of_cell(r->a, template_root(t, cell),
                            &t->m->s->tables[f->table].columns[f->column]);
    }
    const bound_ref *ref = bind_ref(t->b, n);
    if (ref && ref->kind == REF_STRING) {
        return expr_of_value(r->a, value_text(n->text));
    }
    scene inner = *s;
    const ast *stands_for = template_expr_of(t, &inner.frame, n);
    return stands_for && s->depth < LOOK_DEPTH_MAX
               ? expr_plain(r->a, read_in(r->a, &inner, stands_for))
               : NULL;
}

void template_read_rules(row_template *t)
{
    for (ptrdiff_t i = 0; i < t->rules.len; i++) {
        template_rule *r = &t->rules.ptr[i];
        r->code = read_in(t->a, &(scene){.t = t, .frame = r->frame}, r->expr);
    }
}

static bool is_met(const row_template *t,
                   const assignment *x,
                   ptrdiff_t rule,
                   ptrdiff_t flipped)
{
    assert(rule >= 0 && rule < t->rules.len);
    const template_rule *r = &t->rules.ptr[rule];
    expr_eval e = {x->values, x->is_set, t->count, t->a, false};
    value v = expr_value(&e, r->code);
    bool want = r->want != (rule == flipped);
    return e.is_unknown || (want ? expr_is_true(v) : expr_is_false(v));
}

// What a constant below the node is compared with.
static void note_part(constant *c, const ast *n)
{
    function_leaves part = n->kind == AST_CALL
                               ? constant_part(function_of(n->text)->leaves)
                               : LEAVES_OTHER;
    bool likes = n->kind == AST_BINARY && operator_likes(n->form);
    c->is_pattern = likes || (c->is_pattern && !part);
    c->part = likes ? LEAVES_OTHER : part ? part : c->part;
}

// `patterns` gets those of LIKE.
static void add_literals(row_builder *b,
                         const template_rule *r,
                         int32_t id,
                         value_list *out,
                         str_list *patterns)
{
    constant c = {.id = id};
    node_list all = relation_nodes_of(b->a, r->expr, NODES_ALL);
    for (ptrdiff_t i = 0; i < all.len; i++) {
        note_part(&c, all.ptr[i]);
    }
    all = relation_nodes_of(b->a, r->expr, NODES_OF_BLOCK);
    for (ptrdiff_t i = 0; i < all.len && out->len < OWN_MAX; i++) {
        if (expr_literal(all.ptr[i], &c.v, b->a)) {
            pool_add_near(b->m, id, &c, out, b->a);
            if (r->want && c.is_pattern && c.v.kind == VALUE_TEXT) {
                *vec_push(b->a, patterns) = value_bytes(c.v);
            }
        }
    }
}

// A text that meets one pattern after the other, as '%a%' and '%b%' ask.
static void add_in_turn(row_builder *b,
                        int32_t id,
                        const str_list *patterns,
                        value_list *out)
{
    buf all = buf_new(b->a);
    for (ptrdiff_t i = 0; i < patterns->len; i++) {
        buf_add(&all, patterns->ptr[i]);
    }
    constant c = {.id = id, .is_pattern = true, .v = value_text(buf_str(&all))};
    if (patterns->len > 1) {
        pool_add_near(b->m, id, &c, out, b->a);
    }
}

// What the rules on the root themselves compare with: of all that queries say
// of its class it matters most.
static void add_own(row_builder *b,
                    const row_template *t,
                    int32_t root,
                    int32_t id,
                    value_list *out)
{
    str_list patterns = {0};
    if (b->has_odd) {
        pool_add_odd(b->m, id, out, b->a);
    }
    for (ptrdiff_t i = 0; i < t->rules.len; i++) {
        const template_rule *r = &t->rules.ptr[i];
        if (places_have(r->roots, r->n_roots, root)) {
            add_literals(b, r, id, out, &patterns);
        }
    }
    add_in_turn(b, id, &patterns, out);
}

// Those that the list lacks.
static void add_missing(value_list *out, const value_list *from, arena *a)
{
    for (ptrdiff_t i = 0; i < from->len; i++) {
        if (!near_has(out, from->ptr[i])) {
            *vec_push(a, out) = from->ptr[i];
        }
    }
}

// Assignments of one template ask for them again and again.
static const cell_values *values_of(row_builder *b,
                                    const row_template *t,
                                    int32_t cell)
{
    assert(cell >= 0 && cell < t->cells.len);
    cell_values *v = &t->values[cell];
    int32_t id = t->cells.ptr[cell].id;
    const column_facts *f = &b->m->columns[id];
    if (v->is_made) {
        return v;
    }
    v->is_made = true;
    value_list own = {0};
    add_own(b, t, template_root(t, cell), id, &own);
    add_missing(&v->own, &own, b->a);
    for (int64_t i = 0; i < (f->is_key || f->is_foreign ? 4 : 2); i++) {
        value plain = pool_plain(b->m, id, i, b->a);
        if (!value_breaks_check(b->m, id, plain, b->a)) {
            *vec_push(b->a, &v->plain) = plain;
        }
    }
    return v;
}

// All values worth a try for the cells of a root.
static value_list list_candidates(row_builder *b,
                                  const row_template *t,
                                  int32_t root)
{
    value_list out = {0};
    for (int32_t c = 0; c < t->cells.len; c++) {
        int32_t id = t->cells.ptr[c].id;
        const column_facts *f = &b->m->columns[id];
        if (template_root(t, c) != root) {
            continue;
        }
        const cell_values *fixed = values_of(b, t, c);
        add_missing(&out, &fixed->own, b->a);
        if (b->is_alike && f->alike.len > 0) {
            add_missing(&out, &f->alike, b->a);
            continue;
        }
        ptrdiff_t n_near = f->near.len < NEAR_TRIED ? f->near.len : NEAR_TRIED;
        for (ptrdiff_t i = 0; i < n_near; i++) {
            *vec_push(b->a, &out) =
                f->near.len > NEAR_TRIED
                    ? f->near.ptr[rng_below(&b->r, f->near.len)]
                    : f->near.ptr[i];
        }
        const value_list *plain =
            f->steps.len > 0 ? row_pool(b, id) : &fixed->plain;
        for (ptrdiff_t i = 0; i < plain->len; i++) {
            *vec_push(b->a, &out) = plain->ptr[i];
        }
        row_add_common(b, &out, id, 3);
    }
    return out;
}

static value draw_candidate(row_builder *b, const value_list *list)
{
    // NULL meets rules, too.
    return list->len == 0 || chance(&b->r, 0.08 + b->nulls / 2)
               ? value_null()
               : list->ptr[rng_below(&b->r, list->len)];
}

typedef struct search {
    row_builder *b;
    const row_template *t;
    assignment *x;
    value_list *candidates;  // by root, made when first wanted
    bool *met;               // by rule
    ptrdiff_t flipped;
} search;

static const value_list *candidates_of(search *s, int32_t root)
{
    assert(root >= 0 && root < s->t->cells.len
           && template_root(s->t, root) == root);
    if (!s->candidates[root].ptr) {
        s->candidates[root] = list_candidates(s->b, s->t, root);
    }
    return &s->candidates[root];
}

// Whether the rule may read the root. Of a full list it may read others.
static bool may_read(const template_rule *r, int32_t root)
{
    return r->n_roots == countof(r->roots)
           || places_have(r->roots, r->n_roots, root);
}

// How many are met, once the root has another value; -1: all may have.
static ptrdiff_t count_met(search *s, int32_t root)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t r = 0; r < s->t->rules.len; r++) {
        if (root < 0 || may_read(&s->t->rules.ptr[r], root)) {
            s->met[r] = is_met(s->t, s->x, r, s->flipped);
        }
        n += s->met[r];
    }
    return n;
}

// One unmet rule gets a try.
static void repair(search *s)
{
    ptrdiff_t n = 0;
    ptrdiff_t rule = -1;
    for (ptrdiff_t r = 0; r < s->t->rules.len; r++) {
        if (!s->met[r] && s->t->rules.ptr[r].n_roots > 0
            && rng_below(&s->b->r, ++n) == 0) {
            rule = r;
        }
    }
    if (rule < 0) {
        return;
    }
    const template_rule *r = &s->t->rules.ptr[rule];
    int32_t root = r->roots[rng_below(&s->b->r, r->n_roots)];
    value old = s->x->values[root];
    for (int i = 0; i < CANDIDATES; i++) {
        s->x->values[root] = draw_candidate(s->b, candidates_of(s, root));
        if (!is_met(s->t, s->x, rule, s->flipped)) {
            continue;
        }
        ptrdiff_t met = count_met(s, root);
        if (met >= s->x->n_met) {
            s->x->n_met = met;
            return;
        }
    }
    s->x->values[root] = old;
    count_met(s, root);
}

keep_shares keep_share(double share)
{
    return (keep_shares){share, share, share < 0.7 ? 0.7 : 1};
}

assignment template_assign(row_builder *b,
                           const row_template *t,
                           ptrdiff_t flipped,
                           const assignment *before,
                           keep_shares shares)
{
    assert(flipped >= -1 && flipped < t->rules.len);
    ptrdiff_t n = t->cells.len;
    assignment x = {.values = arena_new(b->a, value, n + 1),
                    .is_set = arena_new(b->a, bool, n + 1)};
    search s = {.b = b, .t = t, .x = &x, .flipped = flipped};
    s.candidates = arena_new(b->a, value_list, n + 1);
    s.met = arena_new(b->a, bool, t->rules.len + 1);
    for (int32_t c = 0; c < n; c++) {
        const template_cell *cell = &t->cells.ptr[c];
        if (template_root(t, c) != c || !cell->is_used) {
            continue;
        }
        double share = cell->is_grouped  ? shares.grouped
                       : cell->is_joined ? shares.joined
                                         : shares.plain;
        bool kept = before && before->is_set[c] && chance(&b->r, share);
        x.is_set[c] = true;
        x.values[c] =
            kept ? before->values[c] : draw_candidate(b, candidates_of(&s, c));
    }
    x.n_met = count_met(&s, -1);
    for (int i = 0; i < STEPS_MAX && x.n_met < t->rules.len; i++) {
        repair(&s);
    }
    assert(x.n_met >= 0 && x.n_met <= t->rules.len);
    return x;
}

// Is the cell equal to one of that slot?
static bool is_tied_to(const row_template *t, int32_t root, ptrdiff_t slot)
{
    assert(slot >= 0 && slot < t->slots.len);
    const template_slot *other = &t->slots.ptr[slot];
    ptrdiff_t width = t->m->s->tables[other->table].n_columns;
    for (int32_t c = 0; c < width; c++) {
        if (template_root(t, other->first_cell + c) == root) {
            return true;
        }
    }
    return false;
}

// A row whose partner is left out must not refer to it: the partner would be
// added again.
static bool is_cut(const row_builder *b,
                   const row_template *t,
                   int32_t cell,
                   ptrdiff_t left_out)
{
    assert(cell >= 0 && cell < t->cells.len);
    const column_facts *f = &b->m->columns[t->cells.ptr[cell].id];
    return left_out >= 0 && f->is_foreign
           && row_may_be_null(b, f->table, f->column)
           && is_tied_to(t, template_root(t, cell), left_out);
}

void template_want_rows(row_builder *b,
                        const row_template *t,
                        const assignment *x,
                        ptrdiff_t left_out)
{
    assert(left_out >= -1 && left_out < t->slots.len);
    for (ptrdiff_t i = 0; i < t->slots.len; i++) {
        const template_slot *slot = &t->slots.ptr[i];
        if (i == left_out) {
            continue;
        }
        wanted_row *row = builder_want(b, slot->table);
        ptrdiff_t width = b->m->s->tables[slot->table].n_columns;
        for (int32_t c = 0; c < width; c++) {
            int32_t cell = slot->first_cell + c;
            int32_t root = template_root(t, cell);
            if (x->is_set[root]) {
                bool cut = is_cut(b, t, cell, left_out);
                builder_want_cell(b, row, t->cells.ptr[cell].id,
                                  cut ? value_null() : x->values[root]);
            }
        }
    }
}
