/*
 * rule_outer.c - an outer join with a table of groups; see rule.h.
 *
 * Method      LEFT JOIN (SELECT k, SUM(y) FROM t GROUP BY k) ON k = x finds one
 *             group for each row, or pads it. LEFT JOIN t ON t.k = x finds the
 *             rows of that group, so that grouped by the rows that are joined
 *             it says the same: of the padded row SUM, MIN and MAX are NULL, as
 *             of the group that is not there. COUNT is 0 then, and may stand
 *             for COALESCE(COUNT, 0) alone.
 */
#include "prove/rule_common.h"
#include "relation/relation_class.h"

typedef struct ungrouping {
    rewrite r;         // first, so that it can be found from there
    instance *groups;  // the derived table
    instance *rows;    // the table that it groups
    bool fails;
} ungrouping;

// COUNT of what is NULL in the padded row alone; NULL: there is no such thing.
static const term *count_partners(prover *p, instance *rows, const term *count)
{
    if (!counts_rows(count)) {
        const term *x = aggregated(count, "count");
        return x && know_null_when(x, NULL, rows) ? count : NULL;
    }
    return count_of_partners(p, rows);
}

// The aggregate that a column of the derived table shows; NULL: none.
static const term *shown_by(const ungrouping *u, const term *t)
{
    const term *c = term_bare(t);
    bool is_own = c->kind == TERM_COLUMN && c->source == u->groups;
    return is_own ? u->groups->body->select.ptr[c->column] : NULL;
}

// COUNT(*) of the groups, beside what is NULL in the padded row.
static const term *visit_count(rewrite *r, const term *t)
{
    return counts_rows(t) ? count_of_partners(r->p, r->from) : NULL;
}

static const term *visit_column(rewrite *r, const term *t)
{
    ungrouping *u = (ungrouping *)r;
    if (t->block) {
        u->fails |= block_uses(t->block, u->groups);
        return t;
    }
    const term *padded = or_zero(t);
    const term *counted = padded ? shown_by(u, padded) : NULL;
    const term *count = counted ? count_partners(r->p, u->rows, counted) : NULL;
    if (count) {
        return count;
    }
    if (t->source != u->groups) {
        return NULL;
    }
    const term *shown = shown_by(u, t);
    u->fails |= term_is_bare(u->groups->body, shown)
                || !know_null_when(shown, NULL, u->rows);
    rewrite counts = {.p = r->p, .visit = visit_count, .from = u->rows};
    return term_as(r->p, term_rewrite(&counts, shown),
                   term_type_of_output(u->groups->body, t->column));
}

// The groups are those of one table, and what they show of it is aggregates
// and keys.
static bool groups_table(const instance *s)
{
    const block *body = s->body;
    return body && body->has_group && body->having.len == 0
           && body->repeats != REPEATS_DROPPED && body->sources.len == 1
           && body->sources.ptr[0]->columns_of && !block_has_limit(body)
           && !block_has(body, HAS_WINDOW | HAS_BLOCK);
}

// ON with the keys of the groups as columns of the table; false: it asks for
// something else, or not for all of them.
static bool take_keys(prover *p, const instance *s, term_list *on)
{
    const block *body = s->body;
    term_list keys = {0};
    for (ptrdiff_t i = 0; i < s->on.len; i++) {
        const term *t = s->on.ptr[i];
        int side = t->kind == TERM_EQUAL && t->args[1]->source == s;
        const term *c = t->kind == TERM_EQUAL ? t->args[side] : t;
        const term *key = c->source == s && c->column >= 0
                              ? body->select.ptr[c->column]
                              : NULL;
        const term *x = key ? t->args[!side] : NULL;
        if (!key || x->source == s || !term_list_has(&body->group, key)) {
            return false;
        }
        const term *joined = term_compare(p, TERM_EQUAL, key, x);
        if (!know_equates(p, joined)) {
            return false;
        }
        term_list_add(p, &keys, key);
        term_list_add(p, on, joined);
    }
    return keys.len == body->group.len;
}

// Whether nothing but items, ORDER BY and WHERE uses it.
static bool is_only_shown(const block *b, const instance *s)
{
    bool used = false;
    for (ptrdiff_t i = 0; !used && i < b->sources.len; i++) {
        const instance *other = b->sources.ptr[i];
        used = other != s
               && (term_list_uses(&other->on, s)
                   || (other->body && block_uses(other->body, s)));
    }
    return !used;
}

bool rule_outer_groups(prover *p, block *b, instance *s)
{
    term_list on = {0};
    term_list group = {0};
    if (!block_is_plain(b) || b->repeats == REPEATS_DROPPED || !groups_table(s)
        || !is_only_shown(b, s) || !take_keys(p, s, &on)) {
        return false;
    }
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        instance *other = b->sources.ptr[i];
        if (other != s && !instance_has_identity(other)) {
            return false;
        }
    }
    ungrouping u = {.groups = s, .rows = s->body->sources.ptr[0]};
    u.r = (rewrite){.p = p, .visit = visit_column, .b = b};
    u.rows->is_outer = true;
    u.rows->on = on;
    block trial = *b;
    trial.having = take_conditions(p, &trial, s);
    trial = block_results_rewritten(&u.r, &trial);
    if (u.fails) {
        u.rows->is_outer = false;
        u.rows->on.len = 0;
        return false;
    }
    *b = trial;
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        if (b->sources.ptr[i] != s) {
            instance_add_identity(p, b->sources.ptr[i], &group);
        }
    }
    for (ptrdiff_t i = 0; i < s->body->where.len; i++) {
        term_list_add(p, &u.rows->on, s->body->where.ptr[i]);
    }
    block_remove_source(b, s);
    block_add_source(p, b, u.rows);
    block_group_by(b, group);
    return true;
}
