/*
 * prove.c - see prove.h.
 *
 * Method      Each side by itself: blocks from the tree, rules, form. An ORDER
 *             BY that only one side asks for is dropped on both (rule
 *             order-one-sided); equal forms are a proof. If the columns may
 *             come in another order, forms with sorted columns are compared
 *             too, and the columns paired by their texts.
 */
#include "prove/prove.h"

#include "base/places.h"
#include "prove/form.h"
#include "prove/match.h"
#include "prove/rule.h"
#include "relation/build.h"
#include "relation/normal.h"
#include "relation/relation_type.h"
#include "relation/relation_values.h"

#include <assert.h>

static const struct {
    unsigned bit;
    str word;
} words[] = {
    {ASSUME_KEYS, S_INIT("keys")},
    {ASSUME_NOT_NULL, S_INIT("not-null")},
    {ASSUME_FOREIGN_KEYS, S_INIT("foreign-keys")},
    {ASSUME_TYPES, S_INIT("types")},
    {ASSUME_NO_OVERFLOW, S_INIT("no-overflow")},
};

str assume_word(unsigned bit)
{
    for (ptrdiff_t i = 0; i < countof(words); i++) {
        if (words[i].bit == bit) {
            return words[i].word;
        }
    }
    return S("");
}

// A form, and the prover after it was made.
typedef struct kept_form {
    str text;
    const str *items;
    prover after;
} kept_form;

enum {
    KEPT_FORMS = 2  // ITEMS_IN_ORDER, then ITEMS_SORTED
};

// A side at work.
typedef struct half {
    prover p;
    proving at;             // its
    const kept_form *kept;  // KEPT_FORMS; NULL: made when they are asked for
    block *b;               // NULL: there is an obstacle
    const str *types;       // of the columns, before any rule
    bool is_ordered;
    bool is_limited;
    unsigned parts;  // 1 << match_part: what the solver was needed for
} half;

// Nothing compares what the query itself shows, but for its DISTINCT.
static void show_values(prover *p, block *b)
{
    if (block_is_union_all(b) && b->order.len == 0) {
        show_values(p, b->left);
        show_values(p, b->right);
    }
    for (ptrdiff_t i = 0; !b->set && i < b->select.len; i++) {
        const term *t = b->select.ptr[i];
        b->select.ptr[i] =
            b->repeats != REPEATS_KEPT ? term_key(p, t) : term_bare(t);
    }
}

static void half_open(half *h,
                      arena *a,
                      const binding *bound,
                      const prove_options *options,
                      bool uses_types)
{
    h->p.a = a;
    h->p.bound = bound;
    h->p.assume = options->assume;
    h->p.rounds = options->rounds;
    h->p.elsewhere = options->elsewhere;
    h->p.without = options->without;
    h->p.unsafe = options->unsafe;
    h->p.proving = &h->at;
    h->at.options = options;
    // The steps of the left side come first.
    while (options->script && h->at.n_replayed < options->script->steps.len
           && options->script->steps.ptr[h->at.n_replayed].side != h->at.side) {
        h->at.n_replayed++;
    }
    h->p.uses_types = uses_types;
    h->b = build_query(&h->p);
    h->p.used |= h->p.touched;
    if (h->b) {
        h->is_ordered = h->b->order.len > 0;
        h->is_limited = h->b->limit || h->b->offset;
        h->b->is_result = true;
        show_values(&h->p, h->b);
        h->types = type_outputs(&h->p, h->b);
        rules_apply(&h->p, h->b);
        // A rule may have pulled a LIMIT up.
        h->is_limited |= h->b->limit || h->b->offset;
        show_values(&h->p, h->b);
    }
}

static str half_form(half *h, form_items how, const str **items)
{
    if (h->kept) {
        assert((int)how < KEPT_FORMS);
        arena *a = h->p.a;
        h->p = h->kept[how].after;
        h->p.a = a;
        h->p.proving = &h->at;
        if (items) {
            *items = h->kept[how].items;
        }
        return h->kept[how].text;
    }
    h->p.touched = 0;
    h->p.forms_whole = true;
    str form = h->b ? form_block(&h->p, h->b, 0, how, items) : S("");
    h->p.forms_whole = false;
    h->p.used |= h->p.touched;
    return prover_stopped(&h->p) ? S("") : form;
}

static proof_step *new_step(half *h, str name)
{
    assert(h->b);  // a side with an obstacle takes no steps
    proof_step *s = vec_push(h->p.a, &h->at.steps);
    *s = (proof_step){
        .side = h->at.side,
        .rule = name,
        .pos = h->b->pos,
        .len = h->b->len,
    };
    return s;
}

static void drop_order(half *h)
{
    if (h->b->order.len > 0) {
        h->b->order.len = 0;
        new_step(h, S("order-one-sided"));
    }
}

// The rules about single terms have no place of their own.
static void add_local_steps(half *h)
{
    for (int i = 0; i < LOCAL_COUNT; i++) {
        if (h->p.locals & local_bit((local_rule)i)) {
            new_step(h, local_word((local_rule)i));
        }
    }
}

static void add_solver_steps(half *h)
{
    for (int i = 0; i < MATCH_PART_COUNT; i++) {
        if (h->parts & (1u << i)) {
            new_step(h, match_word((match_part)i));
        }
    }
}

static void take_steps(proof *out, arena *a, half *h)
{
    for (ptrdiff_t i = 0; i < h->at.steps.len; i++) {
        proof_step *s = vec_push(a, &out->steps);
        *s = h->at.steps.ptr[i];
        s->side = h->at.side;
        s->form = arena_str(a, s->form);
    }
}

// What may be a block, in the order of the tree.
static node_list block_nodes(arena *a, const binding *b)
{
    node_list found = relation_nodes_of(a, b->query->node, NODES_ALL);
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < found.len; i++) {
        const ast *node = found.ptr[i];
        if (ast_is_query(node) || node->kind == AST_JOIN) {
            found.ptr[n++] = node;
        }
    }
    found.len = n;
    return found;
}

// The steps of the left side, as those of its twin, to where they are there.
static void move_steps(proof *out, const binding *const *twins, arena scratch)
{
    node_list from = block_nodes(&scratch, twins[0]);
    node_list to = block_nodes(&scratch, twins[1]);
    assert(from.len == to.len);  // they are equal but for names
    for (ptrdiff_t i = 0; i < out->steps.len; i++) {
        proof_step *s = &out->steps.ptr[i];
        bool found = s->side == PROVE_LEFT;
        for (ptrdiff_t k = 0; !found && k < from.len; k++) {
            const ast *n = from.ptr[k];
            found = n->pos == s->pos && (n->len == s->len || s->len == 0);
            s->pos = found ? to.ptr[k]->pos : s->pos;
            s->len = found && s->len > 0 ? to.ptr[k]->len : s->len;
        }
    }
}

// A query that differs from the left one in names alone shares its half: what
// was done to it, and its form.
static void open_twin(half *sides, arena *a)
{
    if (!sides[0].kept && sides[0].b && sides[0].p.obstacle.len == 0) {
        kept_form *forms = arena_new(a, kept_form, KEPT_FORMS);
        forms[ITEMS_IN_ORDER].text = half_form(&sides[0], ITEMS_IN_ORDER, NULL);
        forms[ITEMS_IN_ORDER].after = sides[0].p;
        forms[ITEMS_SORTED] = forms[ITEMS_IN_ORDER];
        sides[0].kept = forms;
    }
    sides[1] = sides[0];
    sides[1].at.side = PROVE_RIGHT;
    sides[1].p.proving = &sides[1].at;
}

// Column i of the left side is column `to[i]` of the right one.
static void pair_columns(proof *out,
                         arena *a,
                         const str *left,
                         const str *right,
                         arena scratch)
{
    assert(!left == !right);  // the items of both forms, or of none
    ptrdiff_t n = out->n_columns;
    int32_t *to = arena_new(a, int32_t, n);
    bool *taken = arena_new(&scratch, bool, n + 1);
    for (ptrdiff_t i = 0; i < n; i++) {
        to[i] = (int32_t)i;
        for (ptrdiff_t k = 0; left && k < n; k++) {
            // The same place first, where both would do.
            ptrdiff_t at = (i + k) % n;
            if (!taken[at] && str_equal(left[i], right[at])) {
                to[i] = (int32_t)at;
                break;
            }
        }
        taken[to[i]] = true;
        out->is_permuted |= to[i] != i;
    }
    out->columns = to;
}

// Where nothing is known of what the rules would make of a bare column, that is
// what stands in the way.
static str obstacle_of(const half *sides)
{
    str first =
        sides[0].p.obstacle.len > 0 ? sides[0].p.obstacle : sides[1].p.obstacle;
    bool picks = sides[0].p.picks || sides[1].p.picks;
    return first.len > 0 && picks ? S(OBSTACLE_BARE) : first;
}

// What the forms do not show may be found out by the solver.
static void ask_solver(proof *out, arena *a, half *sides, bool may_permute)
{
    solver *s = sides[0].at.options->solver;
    assert(s && sides[0].b && sides[1].b);
    sides[0].p.touched = 0;
    sides[1].p.touched = 0;
    match_result found =
        match_blocks(s, (match_side){&sides[0].p, sides[0].b},
                     (match_side){&sides[1].p, sides[1].b}, may_permute, a);
    out->lacks_solver = solver_is_absent(s);
    out->gave_up = solver_gave_up(s);
    if (!found.is_same) {
        return;
    }
    out->is_proved = true;
    out->columns = found.columns;
    out->n_columns = block_outputs(sides[0].b);
    out->is_permuted = !places_stay(found.columns, out->n_columns);
    for (int i = 0; i < 2; i++) {
        sides[i].p.used |= sides[i].p.touched;
    }
    sides[0].parts = found.parts;
}

static walk_step count_sums(void *context, const term *t)
{
    int32_t *n = context;
    *n += t->kind == TERM_AGGREGATE && str_equal(t->text, S("sum"));
    return t->block ? WALK_PAST : WALK_ON;
}

// Whether each SUM of the text is one of the query's own results in the end,
// and no step changed of which rows it is.
static bool keeps_sums(const half *h)
{
    assert(h->b);
    block results = *h->b;
    results.sources.len = 0;
    int32_t n = 0;
    block_walk(&results, count_sums, &n);
    bool keeps = !h->b->set && n == h->p.n_sums + h->p.n_averages
                 && h->p.n_failing == h->p.n_sums && h->parts == 0;
    for (ptrdiff_t i = 0; keeps && i < h->at.steps.len; i++) {
        str name = h->at.steps.ptr[i].rule;
        const rule *r = rule_named(name);
        keeps = str_equal(name, S("order-one-sided")) || (r && r->keeps_calls);
    }
    return keeps;
}

// An engine need not compute what a query does not show, nor in the order in
// which it stands; so where SUM or ABS may fail, two queries that are not one
// step for step are the same only if they do not, but for a SUM that is of the
// same rows all the way. AVG never fails, SUM over COUNT may. Of AND, OR and
// CASE SQLite computes no more than it needs, in the order of the text.
static bool needs_sums(const half *sides)
{
    const prover *l = &sides[0].p;
    const prover *r = &sides[1].p;
    bool has_steps =
        sides[0].at.steps.len + sides[1].at.steps.len + sides[0].parts > 0;
    uint64_t sorts = local_bit(LOCAL_CONJ_SORT) | local_bit(LOCAL_IIF);
    bool may_skip = l->n_failing > l->n_sums && (l->locals | r->locals) & sorts;
    return may_skip || l->n_averages != r->n_averages
           || l->n_failing != r->n_failing
           || (l->n_failing > 0 && has_steps
               && !(keeps_sums(&sides[0]) && keeps_sums(&sides[1])));
}

static bool has_rounding(const proving *p)
{
    for (ptrdiff_t i = 0; i < p->steps.len; i++) {
        if (str_equal(p->steps.ptr[i].rule, S("rounding"))) {
            return true;
        }
    }
    return false;
}

// Whether each column has the type of the one that it is paired with.
static bool have_same_types(const proof *out, const half *sides)
{
    bool same = true;
    for (ptrdiff_t i = 0; same && i < out->n_columns; i++) {
        same = str_equal(sides[0].types[i], sides[1].types[out->columns[i]]);
    }
    return same;
}

static void compare_forms(proof *out, arena *a, half *sides, arena scratch)
{
    const str *items[2] = {NULL, NULL};
    str forms[2];
    for (int i = 0; i < 2; i++) {
        forms[i] = half_form(&sides[i], ITEMS_IN_ORDER, NULL);
        out->forms[i] = arena_str(a, forms[i]);
    }
    bool found = str_equal(forms[0], forms[1]) && forms[0].len > 0;
    const prove_options *o = sides[0].at.options;
    bool may_permute =
        !o->keeps_columns && !sides[0].b->set && !sides[1].b->set;
    if (!found && may_permute) {
        for (int i = 0; i < 2; i++) {
            forms[i] = half_form(&sides[i], ITEMS_SORTED, &items[i]);
        }
        found = str_equal(forms[0], forms[1]) && forms[0].len > 0;
    }
    out->is_proved = found;
    if (found) {
        out->n_columns = block_outputs(sides[0].b);
        pair_columns(out, a, items[0], items[1], scratch);
        out->is_proved = have_same_types(out, sides);
    } else if (o->solver && !prover_is_typed(&sides[0].p)
               && obstacle_of(sides).len == 0) {
        ask_solver(out, a, sides, may_permute);
    }
}

static bool is_order_one_sided(const half *sides)
{
    return !sides[0].at.options->keeps_order
           && sides[0].is_ordered != sides[1].is_ordered && !sides[0].is_limited
           && !sides[1].is_limited;
}

// `opened`: the left side with its forms; NULL: it is opened here.
static proof attempt(arena *a,
                     const half *opened,
                     const binding *const *bound,
                     const prove_options *options,
                     bool uses_types,
                     arena scratch)
{
    proof out = {0};
    half *sides = arena_new(&scratch, half, 2);
    bool are_twins =
        !options->script && bind_equal(bound[0], bound[1], scratch);
    sides[1].at.side = PROVE_RIGHT;
    if (opened) {
        sides[0] = *opened;
        sides[0].p.a = &scratch;
        sides[0].p.proving = &sides[0].at;
    } else {
        half_open(&sides[0], &scratch, bound[0], options, uses_types);
    }
    if (are_twins) {
        open_twin(sides, &scratch);
    } else if (sides[0].b) {
        half_open(&sides[1], &scratch, bound[1], options, uses_types);
    }
    if (sides[0].b && sides[1].b && obstacle_of(sides).len == 0) {
        if (is_order_one_sided(sides)) {
            if (sides[0].kept && sides[0].is_ordered) {
                sides[0] = (half){0};  // what is shared stays as it is
                half_open(&sides[0], &scratch, bound[0], options, uses_types);
            }
            drop_order(&sides[0]);
            drop_order(&sides[1]);
        }
        compare_forms(&out, a, sides, scratch);
    }
    out.is_unnested =
        (sides[0].p.locals | sides[1].p.locals) & local_bit(LOCAL_UNNEST);
    out.wants_types = sides[0].p.wants_types || sides[1].p.wants_types;
    out.obstacle = arena_str(a, obstacle_of(sides));
    out.is_proved &= out.obstacle.len == 0;
    if (out.is_proved && needs_sums(sides)) {
        out.assumptions |= ASSUME_NO_OVERFLOW;
        out.is_proved = prover_assumes(&sides[0].p, ASSUME_NO_OVERFLOW);
    }
    for (int i = 0; out.is_proved && i < 2; i++) {
        add_local_steps(&sides[i]);
        add_solver_steps(&sides[i]);
        out.is_rounded |= has_rounding(&sides[i].at);
        take_steps(&out, a, &sides[i]);
        out.assumptions |= sides[i].p.used;
    }
    if (are_twins) {
        move_steps(&out, bound, scratch);
    }
    return out;
}

struct prove_left {
    const binding *bound;
    const prove_options *options;
    half halves[2];  // the second with uses_types
    kept_form forms[2][KEPT_FORMS];
};

static void open_left(prove_left *l, arena *a, bool uses_types)
{
    half *h = &l->halves[uses_types];
    kept_form *forms = l->forms[uses_types];
    half_open(h, a, l->bound, l->options, uses_types);
    half at_work = *h;
    at_work.p.proving = &at_work.at;
    forms[ITEMS_IN_ORDER].text = half_form(&at_work, ITEMS_IN_ORDER, NULL);
    forms[ITEMS_IN_ORDER].after = at_work.p;
    if (h->b && !h->b->set) {
        kept_form *f = &forms[ITEMS_SORTED];
        f->text = half_form(&at_work, ITEMS_SORTED, &f->items);
        f->after = at_work.p;
    }
    h->kept = forms;
}

prove_left *prove_left_open(arena *a,
                            const binding *left,
                            const prove_options *options)
{
    assert(!options->solver && !options->script);
    prove_left *l = arena_new(a, prove_left, 1);
    l->bound = left;
    l->options = options;
    open_left(l, a, false);
    open_left(l, a, true);
    return l;
}

// Whole numbers as types give them are tried only where they may help.
static proof prove_both(arena *a,
                        const half *opened,
                        const binding *const *both,
                        const prove_options *options,
                        arena scratch)
{
    arena first = *a;
    proof out = attempt(&first, opened, both, options, false, scratch);
    bool is_open =
        out.obstacle.len == 0 || str_equal(out.obstacle, S(OBSTACLE_BARE));
    bool may_gain = !out.is_proved && is_open && out.wants_types
                    && (options->assume & ASSUME_TYPES);
    if (may_gain) {
        const half *other = opened ? opened + 1 : NULL;
        return attempt(a, other, both, options, true, scratch);
    }
    *a = first;
    return out;
}

// Rules may make a subquery that aggregates of another one, which is not read
// as groups then: so nothing is once more.
static proof prove_opened(arena *a,
                          const half *opened,
                          const binding *const *both,
                          const prove_options *options,
                          arena scratch)
{
    // Beside a solver whole numbers need no rules of their own.
    bool uses_types = options->assume & ASSUME_TYPES;
    proof found = options->solver
                      ? attempt(a, NULL, both, options, uses_types, scratch)
                      : prove_both(a, opened, both, options, scratch);
    if (found.is_proved || !found.is_unnested || options->without.len > 0) {
        return found;
    }
    prove_options nested = *options;
    nested.without = local_word(LOCAL_UNNEST);
    proof out = prove_opened(a, NULL, both, &nested, scratch);
    return out.is_proved ? out : found;
}

proof prove_beside(arena *a,
                   const prove_left *left,
                   const binding *right,
                   arena scratch)
{
    const binding *const both[] = {left->bound, right};
    return prove_opened(a, left->halves, both, left->options, scratch);
}

proof prove_pair(arena *a,
                 const binding *left,
                 const binding *right,
                 const prove_options *options,
                 arena scratch)
{
    const binding *const both[] = {left, right};
    return prove_opened(a, NULL, both, options, scratch);
}

static bool is_local(const proof_step *s)
{
    for (int i = 0; i < LOCAL_COUNT; i++) {
        if (str_equal(s->rule, local_word((local_rule)i))) {
            return true;
        }
    }
    return false;
}

// The steps with a place of their own: for local rules it is enough to be
// named.
static ptrdiff_t count_placed(const proof *p)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < p->steps.len; i++) {
        n += !is_local(&p->steps.ptr[i]);
    }
    return n;
}

static bool has_step(const proof *p, const proof_step *s)
{
    for (ptrdiff_t i = 0; i < p->steps.len; i++) {
        const proof_step *t = &p->steps.ptr[i];
        if (s->side == t->side && s->pos == t->pos && s->len == t->len
            && str_equal(s->rule, t->rule)) {
            return true;
        }
    }
    return false;
}

bool prove_replay(const binding *left,
                  const binding *right,
                  const prove_options *options,
                  const proof *p,
                  arena a,
                  arena scratch)
{
    prove_options scripted = *options;
    scripted.script = p;
    if (!p->is_unnested && options->without.len == 0) {
        scripted.without = local_word(LOCAL_UNNEST);
    }
    proof again = prove_pair(&a, left, right, &scripted, scratch);
    bool same = again.is_proved && count_placed(&again) == count_placed(p)
                && (again.assumptions & ~p->assumptions) == 0;
    for (ptrdiff_t i = 0; same && i < again.steps.len; i++) {
        same = has_step(p, &again.steps.ptr[i]);
    }
    return same;
}

str prove_canonical(arena *a,
                    const binding *query,
                    const prove_options *options,
                    unsigned *assumptions,
                    arena scratch)
{
    if (assumptions) {
        *assumptions = 0;
    }
    half *h = arena_new(&scratch, half, 1);
    half_open(h, &scratch, query, options, true);
    str form = half_form(h, ITEMS_IN_ORDER, NULL);
    if (assumptions) {
        bool may_fail = h->p.n_failing + h->p.n_averages > 0;
        *assumptions = h->p.used | (may_fail ? ASSUME_NO_OVERFLOW : 0);
    }
    // Ordered by nothing is not the same as not ordered.
    return form.len == 0 || !h->is_ordered
               ? arena_str(a, form)
               : arena_printf(a, "%.*s ordered", STR_ARG(form));
}
