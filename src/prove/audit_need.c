/*
 * audit_need.c - what must hold of the block before; see need.def. What must
 * hold of what changed is in audit_change.c.
 */
#include "prove/audit_need.h"

#include "prove/audit_fact.h"
#include "prove/audit_same.h"
#include "relation/normal.h"
#include "relation/relation_type.h"

bool need_plain(const need_step *s)
{
    return block_is_plain(&s->was->b);
}

bool need_plain_or_alone(const need_step *s)
{
    block rows = s->was->b;
    if (s->was->n == 1 && (!rows.distinct || rows.is_unique)) {
        rows.limit = NULL;
        rows.offset = NULL;
    }
    return block_is_plain(&rows);
}

bool need_union_selects(const need_step *s)
{
    const block *was = &s->was->b;
    const block *left = was->left;
    const block *right = was->right;
    bool holds = was->set == SET_UNION && !was->is_all && s->is->distinct
                 && !s->is->set && fact_same_tables(left, right);
    for (ptrdiff_t i = 0; holds && i < left->select.len; i++) {
        holds = fact_exact(s->p, left->select.ptr[i]) != FACT_MIXED;
    }
    return holds;
}

bool need_no_outer(const need_step *s)
{
    for (ptrdiff_t i = 0; i < s->was->n; i++) {
        if (s->was->sources[i].was.is_outer) {
            return false;
        }
    }
    return true;
}

bool need_no_limit(const need_step *s)
{
    return !block_has_limit(&s->was->b);
}

bool need_no_having(const need_step *s)
{
    return s->was->b.having.len == 0;
}

bool need_no_calls(const need_step *s)
{
    return !block_has(&s->was->b, HAS_AGGREGATE | HAS_WINDOW);
}

bool need_grouped(const need_step *s)
{
    return !s->was->b.set && s->was->b.is_grouped;
}

bool need_calls_keep_types(const need_step *s)
{
    return str_equal(s->was->calls, type_aggregates(s->p, s->is));
}

bool need_has_group(const need_step *s)
{
    return !s->was->b.set && s->was->b.has_group;
}

bool need_no_group(const need_step *s)
{
    return !s->was->b.set && !s->was->b.is_grouped
           && !block_has(&s->was->b, HAS_AGGREGATE);
}

static bool is_one_group(const block *b)
{
    return !b->set && b->is_grouped && !b->has_group
           && !block_is_bare(b, &b->select) && !block_has(b, HAS_WINDOW);
}

// Of COUNT(CASE WHEN p THEN x END) and the like p; NULL: it is something else.
static const term *case_condition(const term *call)
{
    const term *x =
        call->kind == TERM_AGGREGATE && call->n == 1 ? call->args[0] : NULL;
    return x && x->kind == TERM_CASE && x->n == 2 ? x->args[0] : NULL;
}

typedef struct case_look {
    const need_step *s;
    bool fails;
} case_look;

static bool look_for_cases(void *context, const term *t)
{
    case_look *l = context;
    if (t->kind != TERM_AGGREGATE) {
        return !l->fails;
    }
    term_list when = {0};
    if (case_condition(t)) {
        term_list_push(l->s->p, &when, case_condition(t));
    }
    for (ptrdiff_t i = 0; i < l->s->is->where.len; i++) {
        const term *now = l->s->is->where.ptr[i];
        l->fails |= !term_list_has(&l->s->was->b.where, now)
                    && !fact_implies(l->s->p, &when, now);
    }
    return false;
}

// X of HAVING 1 <= X, X <> 0; NULL: it asks for something else.
static const term *asked_count(const term *t)
{
    bool has_low = t->n == 2 && t->args[0]->kind == TERM_INTEGER;
    int64_t low = has_low ? t->args[0]->number : -1;
    bool is_more =
        (t->kind == TERM_LESS_EQUAL && low == 1)
        || ((t->kind == TERM_LESS || t->kind == TERM_UNEQUAL) && low == 0);
    bool is_other = t->kind == TERM_UNEQUAL && t->args[1]->kind == TERM_INTEGER
                    && t->args[1]->number == 0;
    return is_more ? t->args[1] : is_other ? t->args[0] : NULL;
}

// Adds the conditions of rows that the sum of COUNTs counts.
static void add_counted(prover *p, term_list *tests, const term *sum)
{
    for (int32_t i = 0; sum->kind == TERM_ADD && i < 2; i++) {
        add_counted(p, tests, sum->args[i]);
    }
    const term *when = case_condition(sum);
    if (when && str_equal(sum->text, S("count"))
        && term_is_literal(sum->args[0]->args[1])) {
        term_list_push(p, tests, when);
    }
}

// What is gone from HAVING asked for a row of those that there are now.
static bool having_counts(const need_step *s)
{
    bool counts = true;
    for (ptrdiff_t i = 0; counts && i < s->was->b.having.len; i++) {
        const term *t = s->was->b.having.ptr[i];
        const term *sum = asked_count(t);
        term_list tests = {0};
        if (sum) {
            add_counted(s->p, &tests, sum);
        }
        counts = term_list_has(&s->is->having, t)
                 || (tests.len > 0
                     && fact_implies(s->p, &s->is->where,
                                     term_all(s->p, TERM_OR, tests.ptr,
                                              (int32_t)tests.len)));
    }
    return counts;
}

bool need_cases_ask_where(const need_step *s)
{
    case_look l = {.s = s};
    block_walk_results(&s->was->b, look_for_cases, &l);
    return !l.fails && having_counts(s)
           && (s->was->b.having.len > 0 || !need_no_calls(s));
}

bool need_one_group(const need_step *s)
{
    return is_one_group(&s->was->b);
}

bool need_one_row(const need_step *s)
{
    const block *b = &s->was->b;
    fixed f = fact_fixed(s->p, s->was, &(term_list){0}, false);
    bool has_rows = !b->set && !b->is_grouped && !b->has_group
                    && !block_has(b, HAS_WINDOW) && s->was->n > 0;
    return has_rows ? fixed_rows(s->p, &f) : need_one_group(s);
}

static bool look_for_repeats(void *context, const term *t)
{
    bool *forget = context;
    bool is_extreme = str_among(t->text, "min max");
    *forget &= t->kind != TERM_WINDOW && !t->block
               && (t->kind != TERM_AGGREGATE || t->flag || is_extreme);
    return *forget;
}

// Whether the groups look the same however often each of their rows comes.
static bool aggregates_forget(const need_step *s)
{
    bool forget = true;
    block_walk_results(&s->was->b, look_for_repeats, &forget);
    return forget && (s->was->b.has_group || !need_no_calls(s));
}

// Ordered by what is no item DISTINCT may choose among several rows; how often
// each of them comes changes nothing there either.
bool need_no_repeats(const need_step *s)
{
    const block *b = &s->was->b;
    return (block_is_plain(b) && (b->is_test || b->distinct))
           || (b->is_grouped && !b->set && aggregates_forget(s));
}

bool need_is_shown(const need_step *s)
{
    const block *was = &s->was->b;
    return s->p->rounds && was->is_result && !was->set && was->order.len == 0
           && (!was->distinct || was->is_unique)
           && term_lists_equal(&was->group, &s->is->group)
           && term_lists_equal(&was->having, &s->is->having);
}

bool need_has_false(const need_step *s)
{
    const block *b = &s->was->b;
    bool has_rows = !b->is_grouped || b->has_group;
    return !b->set
           && (term_list_has_false(&b->having)
               || (has_rows && term_list_has_false(&b->where)));
}

bool need_keeps_types(const need_step *s)
{
    const block *b = &s->was->b;
    bool is_free = b->is_result || b->is_test;
    bool holds = is_free || !prover_is_typed(s->p);
    for (ptrdiff_t i = 0; holds && !is_free && i < b->select.len; i++) {
        holds = term_types_equal(term_type_of(b->select.ptr[i]),
                                 term_type_of(s->is->select.ptr[i]));
    }
    return holds && b->select.len == s->is->select.len;
}

bool need_positive_limit(const need_step *s)
{
    const term *limit = s->was->b.limit;
    return !s->was->b.offset
           && (!limit || (limit->kind == TERM_INTEGER && limit->number > 0));
}

static bool tells_group(const need_step *s, const fixed *f)
{
    const block *b = &s->was->b;
    for (ptrdiff_t i = 0; i < b->group.len; i++) {
        if (!fixed_key(f, b->group.ptr[i])
            && !term_list_has(&b->select, b->group.ptr[i])) {
            return false;
        }
    }
    return true;
}

bool need_items_tell_rows(const need_step *s)
{
    fixed f = fact_fixed(s->p, s->was, &s->was->b.select, false);
    return s->was->b.has_group ? tells_group(s, &f)
                               : !s->was->b.is_grouped && fixed_rows(s->p, &f);
}

bool need_group_tells_rows(const need_step *s)
{
    fixed f = fact_fixed(s->p, s->was, &s->was->b.group, false);
    return fixed_rows(s->p, &f);
}

bool need_groups_are_rows(const need_step *s)
{
    return (s->was->b.is_test && need_no_limit(s)) || need_group_tells_rows(s);
}

static bool has_value(const need_step *s, const fixed *f, const term *t)
{
    return fixed_value(f, t)
           || (term_list_has(&s->was->b.group, t) && fact_exact(s->p, t));
}

bool need_group_tells_items(const need_step *s)
{
    const block *b = &s->was->b;
    fixed f = fact_fixed(s->p, s->was, &b->group, false);
    bool holds = true;
    for (ptrdiff_t i = 0; holds && i < b->select.len; i++) {
        holds = has_value(s, &f, b->select.ptr[i]);
    }
    for (ptrdiff_t i = 0; holds && i < b->order.len; i++) {
        holds = has_value(s, &f, b->order.ptr[i].term);
    }
    fixed shown = fact_fixed(s->p, s->was, &b->select, false);
    return holds && (b->distinct || tells_group(s, &shown));
}

bool need_is_body(const need_step *s)
{
    const block *b = &s->was->b;
    const stage_source *one = s->was->n == 1 ? &s->was->sources[0] : NULL;
    bool holds = one && !one->was.is_outer && one->was.body && one->body.set
                 && !block_has_limit(&one->body) && one->body.order.len == 0
                 && b->where.len == 0 && !b->is_grouped
                 && !(b->distinct && one->body.is_all)
                 && b->select.len == block_outputs(&one->body);
    bool is_free = b->is_result && (!b->distinct || b->is_unique);
    for (ptrdiff_t i = 0; holds && i < b->select.len; i++) {
        const term *t = b->select.ptr[i];
        term_type type = term_type_of_output(&one->body, (int32_t)i);
        bool sorts = b->order.len > 0 && type.collation == COLLATION_OTHER;
        holds = t->kind == TERM_COLUMN && t->source == one->is && t->column == i
                && ((is_free && !sorts) || !type.is_unlike);
    }
    return holds;
}

bool need_keeps_body_limit(const need_step *s)
{
    const stage_source *one = s->was->n == 1 ? &s->was->sources[0] : NULL;
    const block *body = one && one->was.body ? &one->body : NULL;
    bool holds = body && s->was->b.where.len == 0 && s->was->b.order.len == 0
                 && s->is->limit == body->limit && s->is->offset == body->offset
                 && same_orders(s->is, body)
                 && body->distinct == body->is_unique && !body->set;
    return holds;
}
