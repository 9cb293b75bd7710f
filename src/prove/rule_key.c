/*
 * rule_key.c - rules about a table that stands twice for one row, and about
 * outer joins whose padding does not survive the groups.
 */
#include "prove/form.h"
#include "prove/rule_common.h"

#include <assert.h>

static bool shares_key(prover *p, block *b, instance *one, instance *other)
{
    const schema_table *table = one->columns_of;
    assert(table && one->table == other->table);
    for (ptrdiff_t u = 0; u < table->n_uniques; u++) {
        const schema_unique *unique = &table->uniques[u];
        bool is_same = unique->n > 0;
        for (ptrdiff_t k = 0; is_same && k < unique->n; k++) {
            is_same =
                know_same_class(p, b, term_column(p, one, unique->columns[k]),
                                term_column(p, other, unique->columns[k]));
        }
        if (is_same) {
            return prover_assumes(p, ASSUME_KEYS);
        }
    }
    return know_same_class(p, b, term_rowid(p, one), term_rowid(p, other));
}

static bool unite(prover *p, block *b, instance *one, instance *other)
{
    if (other->table != one->table || !shares_key(p, b, one, other)) {
        return false;
    }
    int32_t n = instance_columns(other);
    for (int32_t k = -1; k < n; k++) {
        block_replace(p, b, other, k, term_column(p, one, k));
    }
    block_remove_source(b, other);
    return true;
}

// The source is a row outside that WHERE holds equal to it in some column.
static bool unite_outside(prover *p, block *b, instance *s)
{
    bool united = false;
    for (ptrdiff_t i = 0; !united && i < b->where.len; i++) {
        const term *t = b->where.ptr[i];
        for (int k = 0; t->kind == TERM_EQUAL && !united && k < 2; k++) {
            const term *far = t->args[1 - k];
            united = far->source && !block_owns(b, far->source)
                     && unite(p, b, far->source, s);
        }
    }
    return united;
}

bool rule_self_join_key(prover *p, block *b, instance *s)
{
    for (ptrdiff_t k = b->sources.len - 1; b->sources.ptr[k] != s; k--) {
        if (unite(p, b, s, b->sources.ptr[k])) {
            return true;
        }
    }
    return unite_outside(p, b, s);
}

static bool may_choose(prover *p, const block *b);

static walk_step search_choice(void *context, const term *t)
{
    prover *p = context;
    bool chooses =
        t->kind == TERM_WINDOW || (t->block && may_choose(p, t->block));
    return chooses ? WALK_END : WALK_ON;
}

// Whether an engine may give other rows when it is asked again.
static bool may_choose(prover *p, const block *b)
{
    bool chooses = block_has_limit(b);
    if (b->set) {
        return chooses || may_choose(p, b->left) || may_choose(p, b->right);
    }
    chooses |= b->is_grouped && know_results(p, b).is_bare;
    for (ptrdiff_t i = 0; !chooses && i < b->sources.len; i++) {
        const block *body = b->sources.ptr[i]->body;
        chooses = body && may_choose(p, body);
    }
    return chooses || block_walk(b, search_choice, p);
}

// Whether columns that are equal in both tell the rows of the derived table
// apart.
static bool shares_rows(prover *p, block *b, instance *one, instance *other)
{
    bool shares = comes_once(one->body);
    for (int32_t k = 0; shares && k < instance_columns(one); k++) {
        shares = !counts_for_rows(one->body, k)
                 || know_same_class(p, b, term_column(p, one, k),
                                    term_column(p, other, k));
    }
    return shares;
}

static bool is_same_body(prover *p, const instance *one, const instance *other)
{
    str left = form_block(p, one->body, 0, ITEMS_IN_ORDER, NULL);
    return left.len > 0
           && str_equal(left,
                        form_block(p, other->body, 0, ITEMS_IN_ORDER, NULL));
}

bool rule_self_join_rows(prover *p, block *b, instance *s)
{
    for (ptrdiff_t i = b->sources.len - 1; b->sources.ptr[i] != s; i--) {
        instance *other = b->sources.ptr[i];
        if (other->body && !other->is_outer
            && instance_columns(other) == instance_columns(s)
            && shares_rows(p, b, s, other) && is_same_body(p, s, other)
            && !may_choose(p, s->body)) {
            for (int32_t k = 0; k < instance_columns(s); k++) {
                block_replace(p, b, other, k, term_column(p, s, k));
            }
            block_remove_source(b, other);
            return true;
        }
    }
    return false;
}

// An aggregate with one of these names, of what is NULL in padded rows.
static bool is_null_of(const term *t, const instance *s, const char *names)
{
    const term *x = aggregated(t, names);
    return x && know_null_when(x, NULL, s);
}

// Whether the group tells the values of all other sources, or which rows of
// these it is of, none of them padded.
static bool tells_others(prover *p,
                         const block *b,
                         const instance *s,
                         bool which_rows)
{
    closure c = closure_of(p, b, &b->group);
    bool is_told = true;
    for (ptrdiff_t i = 0; is_told && i < b->sources.len; i++) {
        const instance *other = b->sources.ptr[i];
        is_told =
            other == s
            || (which_rows ? !other->is_outer && closure_has_row(&c, other)
                           : closure_has_source(&c, other));
    }
    return is_told;
}

// Whether padded rows and others do not come into one group.
static bool groups_are_pure(prover *p, block *b, instance *s)
{
    bool are = tells_others(p, b, s, false);
    for (ptrdiff_t i = 0; !are && i < b->group.len; i++) {
        const term *t = b->group.ptr[i];
        are = t->source == s && never_null_inside(p, s, t);
    }
    return are;
}

// What is said of a group of padded rows, with 0 for COUNT of the source; where
// the group is one row, with 1 for COUNT(*).
static const term *visit_padded(rewrite *r, const term *t)
{
    return is_null_of(t, r->from, "count") ? term_integer(r->p, 0)
           : counts_rows(t)                ? r->to
           : t->block                      ? t
                                           : NULL;
}

// Whether a condition is false of such a group, as far as numbers say so.
static bool having_rejects(prover *p, const block *b, instance *s, bool is_lone)
{
    rewrite r = {.p = p, .visit = visit_padded, .from = s};
    r.to = is_lone ? term_integer(p, 1) : NULL;
    bool rejects = false;
    for (ptrdiff_t i = 0; !rejects && i < b->having.len; i++) {
        rejects = term_is_number(term_rewrite(&r, b->having.ptr[i]), 0);
    }
    return rejects;
}

static bool groups_reject(prover *p, block *b, instance *s)
{
    return b->has_group
           && (((any_rejects(&b->having, s) || having_rejects(p, b, s, false))
                && groups_are_pure(p, b, s))
               || (having_rejects(p, b, s, true)
                   && tells_others(p, b, s, true)));
}

// Whether all that is asked of the only group is what padded rows add nothing
// to.
static bool aggregates_skip(prover *p, block *b, instance *s)
{
    group_results r = know_results(p, b);
    bool skips = block_is_one_group(b) && !block_is_bare(b, &b->select)
                 && !block_is_bare(b, &b->having);
    for (ptrdiff_t k = 0; skips && k < r.aggregates.len; k++) {
        skips =
            is_null_of(r.aggregates.ptr[k], s, "count sum total avg min max");
    }
    return skips;
}

static bool where_rejects(prover *p, block *b, instance *s)
{
    (void)p;
    return any_rejects(&b->where, s);
}

static bool is_never_padded(prover *p, block *b, instance *s)
{
    return finds_partner(p, b, &s->on, s) || exists_finds_partner(p, b, s);
}

// Why no padded row is left of the source in the result.
static rule_of_source *const reasons[] = {
    where_rejects,
    is_never_padded,
    groups_reject,
    aggregates_skip,
};

bool rule_left_inner(prover *p, block *b, instance *s)
{
    for (int i = 0; i < countof(reasons); i++) {
        p->touched = 0;
        if (reasons[i](p, b, s)) {
            make_inner(p, b, s);
            return true;
        }
    }
    return false;
}
