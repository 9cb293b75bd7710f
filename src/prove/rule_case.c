/*
 * rule_case.c - rules about CASE in aggregates, and about COALESCE.
 */
#include "prove/rule_common.h"
#include "relation/relation_type.h"

// What an aggregate of the block must be, and what all of them ask for.
typedef struct case_search {
    prover *p;
    term_list common;  // conditions
    bool has_one;
} case_search;

// The CASE WHEN p THEN x END that an aggregate which forgets NULL is of; NULL:
// it is none.
static const term *tested(const term *t)
{
    const term *x = aggregated(t, "count sum min max total");
    return x && is_when(x) ? x : NULL;
}

static term_list parts_of(prover *p, const term *when)
{
    term_list one = {0};
    term_list_push(p, &one, when);
    return when->kind == TERM_AND ? term_list_of_args(p, when) : one;
}

static void keep_common(case_search *s, const term *when)
{
    term_list parts = parts_of(s->p, when);
    term_list both = {0};
    for (ptrdiff_t i = 0; i < parts.len; i++) {
        const term *t = parts.ptr[i];
        if (!s->has_one || term_list_has(&s->common, t)) {
            term_list_add(s->p, &both, t);
        }
    }
    s->common = both;
    s->has_one = true;
}

static walk_step search_cases(void *context, const term *t)
{
    case_search *s = context;
    if (t->kind != TERM_AGGREGATE) {
        return t->block ? WALK_PAST : WALK_ON;
    }
    const term *x = tested(t);
    // COUNT of what may be NULL is a condition of its own.
    if (!x
        || (str_equal(t->text, S("count")) && !t->flag
            && !term_is_literal(x->args[1]))) {
        return WALK_END;
    }
    keep_common(s, x->args[0]);
    return WALK_PAST;
}

// An aggregate without the conditions that all rows satisfy.
static const term *visit_case(rewrite *r, const term *t)
{
    if (t->block) {
        return t;
    }
    if (t->kind != TERM_AGGREGATE) {
        return NULL;
    }
    const term *x = t->args[0];
    term_list parts = parts_of(r->p, x->args[0]);
    for (ptrdiff_t i = parts.len - 1; i >= 0; i--) {
        if (term_list_has(r->context, parts.ptr[i])) {
            term_list_remove(&parts, i);
        }
    }
    const term *args[] = {
        term_all(r->p, TERM_AND, parts.ptr, (int32_t)parts.len), x->args[1]};
    const term *rest = term_case(r->p, args, 2);
    return term_aggregate(r->p, t->text, t->flag, &rest, 1);
}

bool rule_case_where(prover *p, block *b)
{
    case_search s = {.p = p};
    if (b->has_group || b->having.len > 0 || block_is_bare(b, &b->select)
        || term_list_walk(&b->select, search_cases, &s) || s.common.len == 0) {
        return false;
    }
    rewrite r = {.p = p, .visit = visit_case, .context = &s.common};
    term_list_rewrite(&r, &b->select);
    term_conjoin_all(p, &b->where, &s.common);
    return true;
}

// X of 1 <= X, 0 < X and X <> 0; NULL: the condition is another.
static const term *asked_for(const term *t)
{
    bool some = false;
    const term *x = asked_for_rows(t, 1, &some);
    return some ? x : NULL;
}

// p and q of COUNT(CASE WHEN p THEN 1 END) + COUNT(CASE WHEN q THEN 1 END).
static bool counted_tests(prover *p, const term *t, term_list *tests)
{
    if (t->kind == TERM_ADD) {
        return counted_tests(p, t->args[0], tests)
               && counted_tests(p, t->args[1], tests);
    }
    const term *when = counted_when(t);
    if (when) {
        term_list_add(p, tests, when);
    }
    return when;
}

// Whether the aggregate forgets rows for which none of the tests holds.
static bool asks_one(prover *p, const term *t, const term_list *tests)
{
    const term *x = tested(t);
    bool asks = false;
    term_list parts = x ? parts_of(p, x->args[0]) : (term_list){0};
    for (ptrdiff_t i = 0; !asks && i < tests->len; i++) {
        term_list wanted = parts_of(p, tests->ptr[i]);
        asks = term_list_has_all(&parts, &wanted);
    }
    return asks;
}

static bool all_ask_one(prover *p, const block *b, const term_list *tests)
{
    group_results results = know_results(p, b);
    bool all = !results.is_bare;
    for (ptrdiff_t i = 0; all && i < results.aggregates.len; i++) {
        all = asks_one(p, results.aggregates.ptr[i], tests);
    }
    return all;
}

bool rule_case_having(prover *p, block *b, ptrdiff_t at)
{
    const term *x = asked_for(b->having.ptr[at]);
    term_list tests = {0};
    if (!x || !counted_tests(p, x, &tests) || !all_ask_one(p, b, &tests)) {
        return false;
    }
    term_list_remove(&b->having, at);
    term_conjoin(p, &b->where,
                 term_all(p, TERM_OR, tests.ptr, (int32_t)tests.len));
    return true;
}

// x of COALESCE(x, y) where x is not NULL.
static const term *visit_coalesce(rewrite *r, const term *t)
{
    const term *x = str_equal(t->text, S("coalesce")) ? t->args[0] : NULL;
    bool is_idle = x && !(block_is_one_group(r->b) && term_is_bare(r->b, x))
                   && know_not_null(r->p, r->b, x) && type_same(r->p, t, x);
    return is_idle ? term_as(r->p, x, term_type_of(t)) : t->block ? t : NULL;
}

bool rule_coalesce(prover *p, block *b)
{
    rewrite r = {.p = p, .visit = visit_coalesce, .b = b};
    return rewrite_terms(&r, b);
}
