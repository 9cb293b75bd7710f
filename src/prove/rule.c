/*
 * rule.c - applying the rules; see rule.h.
 *
 * Method      Blocks inside first, then the rules in the order of the table,
 *             from the start again after each that applied. What a rule relies
 *             on is gathered while it looks (prover.touched) and kept if it
 *             applied.
 *
 *             A script says which rule comes next in which block. Rules apply
 *             others to what they take apart, and those stand before them; or
 *             have them applied once their own step is done.
 *
 *             A step that changes the type of a column proves nothing.
 */
#include "prove/rule.h"

#include "base/words.h"
#include "prove/form.h"
#include "prove/rule_common.h"
#include "relation/relation_type.h"

const rule rules[] = {
#define SAME               true
#define MOVE               false
#define ANY                false
#define SQLITE             true
#define AT_of_select(f)    .of_block = (f)
#define AT_of_set(f)       .of_block = (f)
#define AT_of_table(f)     .of_source = (f)
#define AT_of_derived(f)   .of_source = (f)
#define AT_of_inner(f)     .of_source = (f)
#define AT_of_outer(f)     .of_source = (f)
#define AT_of_source(f)    .of_source = (f)
#define AT_of_where(f)     .of_condition = (f)
#define AT_of_condition(f) .of_condition = (f)
#define AT_of_part(f)      .of_part = (f)
#define AT_of_having(f)    .of_condition = (f)
#define RULE(place, calls, engines, function, word, says, when) \
    {.name = S_INIT(word),                                      \
     .places = RULE_##place,                                    \
     AT_##place(rule_##function),                               \
     .keeps_calls = calls,                                      \
     .is_sqlite = engines},
#include "prove/rule.def"
#undef SAME
#undef MOVE
#undef ANY
#undef SQLITE
};

const ptrdiff_t rule_count = countof(rules);

static unsigned place_of(const instance *s)
{
    return s->is_outer ? RULE_of_outer
           : s->body   ? RULE_of_derived
                       : RULE_of_table;
}

// The places that the block has: what looks at another one need not be asked.
static unsigned places_in(const block *b)
{
    unsigned all = b->set ? RULE_of_set : RULE_of_select;
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        const instance *s = b->sources.ptr[i];
        all |= place_of(s) | (s->is_outer ? RULE_of_on : 0);
    }
    return all | (b->where.len > 0 ? RULE_of_where : 0)
           | (b->has_group ? RULE_of_having : 0);
}

// Whether it is not switched off, and holds for the engine.
static bool may_apply(const rule *r, const prover *p)
{
    return !prover_may_not(p, r->name) && !(r->is_sqlite && prover_is_typed(p));
}

static bool applies_to_conditions(const rule *r,
                                  prover *p,
                                  block *b,
                                  const term_list *conditions)
{
    bool done = false;
    for (ptrdiff_t i = 0; !done && i < conditions->len; i++) {
        done = r->of_condition ? r->of_condition(p, b, i)
                               : change_where(p, b, i, r->of_part);
    }
    return done;
}

// A partner is asked for as a row is: what ON says is true of it.
static bool applies_to_on(const rule *r, prover *p, block *b, instance *s)
{
    block on = {.sources = b->sources, .where = s->on};
    s->is_outer = false;
    bool done = applies_to_conditions(r, p, &on, &on.where);
    s->is_outer = true;
    s->on = on.where;
    return done;
}

static bool applies_to_sources(const rule *r, prover *p, block *b)
{
    bool done = false;
    for (ptrdiff_t i = 0; !done && i < b->sources.len; i++) {
        instance *s = b->sources.ptr[i];
        if (r->places & place_of(s)) {
            done = r->of_source(p, b, s);
        } else if (r->places & RULE_of_on && s->is_outer) {
            done = applies_to_on(r, p, b, s);
        }
    }
    return done;
}

static bool applies(const rule *r, prover *p, block *b)
{
    if (!may_apply(r, p)) {
        return false;
    }
    if (r->of_block) {
        return r->of_block(p, b);
    }
    return applies_to_sources(r, p, b)
           || (r->places & RULE_of_where
               && applies_to_conditions(r, p, b, &b->where))
           || (r->places & RULE_of_having
               && applies_to_conditions(r, p, b, &b->having));
}

static void add_step(prover *p, const block *b, const rule *r)
{
    proof_step *s = vec_push(p->a, &p->proving->steps);
    s->side = p->proving->side;
    s->rule = r->name;
    s->pos = b->pos;
    s->len = b->len;
    if (p->proving->options->explains) {
        s->form = form_block(p, b, 0, ITEMS_IN_ORDER, NULL);
    }
}

// What a block shows, before a step.
typedef struct shown {
    ptrdiff_t n;
    const str *types;
} shown;

// The query itself without rows: prove.c compares the types that it had.
static bool is_empty_result(const block *b)
{
    return b->is_result && !b->set && b->sources.len == 0 && b->where.len == 1
           && term_is_number(b->where.ptr[0], 0);
}

// The law of relation_type.h: whoever reads the columns of the block finds the
// types that were there. EXISTS reads none.
static bool keeps_types(prover *p, const shown *before, const block *b)
{
    ptrdiff_t n = block_outputs(b);
    bool reads = prover_is_typed(p) && !b->is_test && !is_empty_result(b);
    bool keeps = !reads || n == before->n;
    const str *types = reads && keeps ? type_outputs(p, b) : NULL;
    for (ptrdiff_t i = 0; types && keeps && i < n; i++) {
        keeps = str_equal(types[i], before->types[i]);
    }
    return keeps;
}

static void take_step(prover *p, const shown *before, block *b, const rule *r)
{
    p->used |= p->touched;
    add_step(p, b, r);
    if (!keeps_types(p, before, b)) {
        prover_stop(p, arena_printf(p->a,
                                    "a step of %.*s that changes the type of "
                                    "a column",
                                    STR_ARG(r->name)));
    }
}

void rules_apply_after(prover *p, block *b)
{
    *vec_push(p->a, &p->proving->fresh) = b;
}

static void apply_to_fresh(prover *p)
{
    while (p->proving->fresh.len > 0) {
        rules_apply(p, p->proving->fresh.ptr[--p->proving->fresh.len]);
    }
}

const rule *rule_named(str name)
{
    ptrdiff_t i = words_at(rules, name, name);
    return i < 0 ? NULL : &rules[i];
}

static const term *visit_again(rewrite *r, const term *t)
{
    (void)r;
    return t->block ? t : NULL;
}

// Terms are made again: what rules put into them may have another local form.
static shown settle(prover *p, block *b)
{
    rewrite r = {.p = p, .visit = visit_again};
    if (!b->set) {
        block_rewrite(&r, b);
    }
    return (shown){block_outputs(b), type_outputs(p, b)};
}

// The first step of the script for this block that applies here. Others may
// be meant for a copy of the block, or for what a later step makes of it.
static bool apply_script(prover *p, block *b)
{
    const proof *script = p->proving->options->script;
    ptrdiff_t first = p->proving->n_replayed;
    const shown before = settle(p, b);
    const unsigned there = places_in(b);
    for (ptrdiff_t i = first; i < script->steps.len; i++) {
        const proof_step *s = &script->steps.ptr[i];
        const rule *r = rule_named(s->rule);
        if (!r || !(r->places & there) || s->side != p->proving->side
            || s->pos != b->pos || s->len != b->len) {
            continue;
        }
        p->touched = 0;
        p->proving->n_replayed = first;
        if (applies(r, p, b)) {
            bool is_next = p->proving->n_replayed == i;
            p->proving->n_replayed++;
            take_step(p, &before, b, r);
            apply_to_fresh(p);
            return is_next;
        }
    }
    p->proving->n_replayed = first;
    return false;
}

static bool apply_one(prover *p, block *b)
{
    if (p->proving->options->script) {
        return apply_script(p, b);
    }
    const shown before = settle(p, b);
    const unsigned there = places_in(b);
    for (ptrdiff_t i = 0; i < rule_count; i++) {
        p->touched = 0;
        if (rules[i].places & there && applies(&rules[i], p, b)) {
            take_step(p, &before, b, &rules[i]);
            apply_to_fresh(p);
            return true;
        }
    }
    return false;
}

static void apply_in_term(prover *p, const term *t)
{
    if ((t->has & HAS_BLOCK) == 0) {
        return;
    }
    if (t->block) {
        rules_apply(p, t->block);
    }
    for (int32_t i = 0; i < t->n; i++) {
        apply_in_term(p, t->args[i]);
    }
}

static void apply_in_list(prover *p, const term_list *l)
{
    for (ptrdiff_t i = 0; i < l->len; i++) {
        apply_in_term(p, l->ptr[i]);
    }
}

static void apply_in_parts(prover *p, block *b)
{
    if (b->set) {
        rules_apply(p, b->left);
        rules_apply(p, b->right);
        return;
    }
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        if (b->sources.ptr[i]->body) {
            b->sources.ptr[i]->body->is_source = true;
            rules_apply(p, b->sources.ptr[i]->body);
        }
        apply_in_list(p, &b->sources.ptr[i]->on);
    }
    apply_in_list(p, &b->where);
    apply_in_list(p, &b->select);
    apply_in_list(p, &b->group);
    apply_in_list(p, &b->having);
    for (ptrdiff_t i = 0; i < b->order.len; i++) {
        apply_in_term(p, b->order.ptr[i].term);
    }
}

void rules_apply(prover *p, block *b)
{
    if (prover_stopped(p) || p->depth >= DEPTH_MAX) {
        return;
    }
    p->depth++;
    // What stands around a block says what may be done in it.
    p->touched = 0;
    bool has_tested =
        !prover_may_not(p, S("distinct-setlike")) && rule_test_rows(p, b);
    bool has_set =
        b->set && !prover_may_not(p, S("set-distinct")) && rule_set_rows(p, b);
    if (has_tested || has_set) {
        p->used |= p->touched;
    }
    apply_in_parts(p, b);
    int steps = 0;
    while (!prover_stopped(p) && steps < REWRITES_MAX && apply_one(p, b)) {
        steps++;
    }
    p->depth--;
}

void rules_settle(prover *p, block *b)
{
    unsigned touched = p->touched;
    rules_apply(p, b);
    p->touched = touched;
}
