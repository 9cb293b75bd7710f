/*
 * rule_semi.c - rules about joins that only ask whether there is a partner.
 */
#include "prove/rule_sides.h"

static bool is_distinct_source(const instance *s)
{
    const block *body = s->body;
    return body && body->repeats != REPEATS_KEPT
           && (body->repeats == REPEATS_DROPPED || !body->is_grouped)
           && !block_has_limit(body) && !block_has(body, HAS_WINDOW);
}

bool forgets_repeats(const block *b)
{
    return (block_is_plain(b) && (b->repeats != REPEATS_KEPT || b->is_test))
           || groups_forget_repeats(b);
}

// UNION as UNION ALL, also in its sides.
static bool keep_all(prover *p, block *set)
{
    bool is_union = set->set == SET_UNION && !block_has_limit(set);
    bool keeps = is_union && !set->is_all && know_exact_rows(p, set);
    set->is_all |= keeps;
    bool left = is_union && set->is_all && keep_all(p, set->left);
    bool right = is_union && set->is_all && keep_all(p, set->right);
    return keeps || left || right;
}

bool rule_distinct_source(prover *p, block *b, instance *s)
{
    if (forgets_repeats(b) && b->repeats != REPEATS_NONE
        && keep_all(p, s->body)) {
        return true;
    }
    if (!forgets_repeats(b) || !is_distinct_source(s)
        || !(s->body->repeats == REPEATS_NONE || know_exact_rows(p, s->body))) {
        return false;
    }
    s->body->repeats = REPEATS_KEPT;
    block_check_repeats(b);
    return true;
}

// Columns of all sources but this one.
static term_list other_columns(prover *p, const block *b, const instance *s)
{
    term_list all = {0};
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        instance *other = b->sources.ptr[i];
        int32_t n = instance_columns(other);
        for (int32_t k = 0; other != s && k < n; k++) {
            term_list_push(p, &all, term_column(p, other, k));
        }
    }
    return all;
}

bool has_one_partner(prover *p, const block *b, const instance *s)
{
    term_list others = other_columns(p, b, s);
    closure c = closure_of_same(p, b, &others);
    return closure_has_row(&c, s);
}

// The source by itself with conditions; it leaves the block.
static block *partner_rows(prover *p,
                           block *b,
                           instance *s,
                           term_list conditions)
{
    block *inner = block_new(p);
    // Nowhere in the text: no length, so that its steps are not taken for b's.
    inner->pos = b->pos;
    inner->where = conditions;
    block_remove_source(b, s);
    block_add_source(p, inner, s);
    return inner;
}

// EXISTS of them.
static const term *partner_test(prover *p,
                                block *b,
                                instance *s,
                                term_list conditions)
{
    return term_exists(p, partner_rows(p, b, s, conditions));
}

// EXISTS of one side of the union.
static const term *side_test(prover *p,
                             const block *inner,
                             const instance *s,
                             bool is_right)
{
    return term_exists(p, with_side(p, inner, s, is_right));
}

bool rule_union_exists(prover *p, block *b, instance *s)
{
    if (b->sources.len == 1 || s->body->set != SET_UNION
        || block_has_limit(s->body) || !sides_stand(p, s)
        || !(forgets_repeats(b) || has_one_partner(p, b, s))
        || !leave_to_where(p, b, s)) {
        return false;
    }
    const block *inner = partner_rows(p, b, s, take_conditions(p, b, s));
    const term *sides[] = {side_test(p, inner, s, false),
                           side_test(p, inner, s, true)};
    block_check_repeats(b);
    term_conjoin(p, &b->where, term_all(p, TERM_OR, sides, 2));
    return true;
}

// Whether a condition is c IS NULL, of a c that is not NULL where there is a
// partner, perhaps by ON: then all else of the source is NULL in the result.
static bool is_denied(prover *p, const block *b, instance *s)
{
    bool is = false;
    for (ptrdiff_t i = 0; !is && i < b->where.len; i++) {
        const term *c = term_tested_null(b->where.ptr[i]);
        is = c && never_null_inside(p, s, c);
    }
    return is;
}

// How a padded source is used: only c IS NULL, of a c that has no NULL in it.
typedef struct null_use {
    prover *p;
    instance *source;
    term_list on;
    bool is_asked;
} null_use;

// Ends where it is used otherwise.
static walk_step search_null_use(void *context, const term *t)
{
    null_use *u = context;
    const term *c = term_tested_null(t);
    bool asks = c && c->source == u->source;
    if (asks) {
        u->source->on = u->on;
        asks = never_null_inside(u->p, u->source, c);
        u->source->on = (term_list){0};
    }
    u->is_asked |= asks;
    bool is_used =
        t->source == u->source || (t->block && term_uses(t, u->source));
    return is_used ? WALK_END : asks || t->block ? WALK_PAST : WALK_ON;
}

// Each use gets a test of its own: rules take subqueries apart.
static const term *visit_null_use(rewrite *r, const term *t)
{
    const term *c = term_tested_null(t);
    if (!c || c->source != r->from) {
        return NULL;
    }
    block *copy = block_copy(r->p, r->to->block);
    return term_not(
        r->p, term_make(r->p, (term){.kind = TERM_EXISTS, .block = copy}));
}

bool rule_anti_join(prover *p, block *b, instance *s)
{
    bool denies = is_denied(p, b, s);
    if (!denies && !has_one_partner(p, b, s)) {
        return false;
    }
    const block joined = {.sources = b->sources, .where = b->where};
    block rest = *b;
    rest.where = (term_list){0};
    null_use use = {.p = p, .source = s, .on = s->on};
    null_use shown = use;
    s->on = (term_list){0};
    bool is_used = block_walk(denies ? &joined : b, search_null_use, &use);
    bool is_shown =
        b->is_grouped && !denies
        && (block_walk(&rest, search_null_use, &shown) || shown.is_asked);
    if (is_used || is_shown || !use.is_asked) {
        s->on = use.on;
        return false;
    }
    for (int32_t k = -1; denies && k < instance_columns(s); k++) {
        replace_but_where(p, b, s, k, term_null(p));
    }
    s->is_outer = false;
    const term *test = partner_test(p, b, s, use.on);
    rewrite r = {.p = p, .visit = visit_null_use, .from = s, .to = test};
    block_rewrite(&r, b);
    return true;
}

bool aggregate_forgets_repeats(const term *t)
{
    return t->flag || str_among(t->text, "min max");
}

// But for COUNT(*), if that may be.
static walk_step search_repeats(void *may_count, const term *t)
{
    return t->kind != TERM_WINDOW && !t->block
                   && (t->kind != TERM_AGGREGATE || aggregate_forgets_repeats(t)
                       || (may_count && counts_rows(t)))
               ? WALK_ON
               : WALK_END;
}

bool groups_forget_repeats(const block *b)
{
    return b->is_grouped && !block_walk_results(b, search_repeats, NULL);
}

bool groups_count_rows(const block *b)
{
    bool may = true;
    return b->is_grouped && !block_walk_results(b, search_repeats, &may);
}

bool rule_join_exists(prover *p, block *b, instance *s)
{
    // Groups stay joined, as those do that IN asks for.
    bool is_once = is_distinct_source(s) && !s->body->is_grouped;
    bool forgets = groups_forget_repeats(b);
    if (b->sources.len == 1 || !(is_once || forgets)
        || !(has_one_partner(p, b, s) ? is_once : forgets)
        || !leave_to_where(p, b, s)) {
        return false;
    }
    const term *test = partner_test(p, b, s, take_conditions(p, b, s));
    term_list_add(p, &b->where, test);
    return true;
}
