/*
 * rule_window.c - windows over whole partitions, and what moves into and out of
 * the tables that show windows.
 *
 * MAX(x) OVER (PARTITION BY p) is the column of a derived table that groups
 * the same rows by p.
 */
#include "prove/rule_sides.h"
#include "relation/known.h"
#include "relation/relation_ranking.h"
#include "relation/relation_type.h"

#include <assert.h>

bool window_is_whole(const term *w)
{
    assert(w->kind == TERM_WINDOW);
    const term *call = w->args[0];
    return w->args[2]->n == 0 && !call->flag
           && str_among(call->text, "min max count sum avg total");
}

// Ends at a sum of fractions that a derived table shows: added up a second time
// it may not be what it was.
static walk_step search_sum(void *p, const term *t)
{
    const block *body = t->kind == TERM_COLUMN ? t->source->body : NULL;
    bool adds =
        t->kind == TERM_AGGREGATE && str_among(t->text, "sum avg total");
    if ((!body && !adds) || known_kind_of(p, t) == KNOWN_INTEGER) {
        return WALK_ON;
    }
    return adds || body->set
                   || term_walk(body->select.ptr[t->column], search_sum, p)
               ? WALK_END
               : WALK_ON;
}

static walk_step search_window(void *p, const term *t)
{
    bool fits = t->kind == TERM_WINDOW && window_is_whole(t)
                && !term_walk(t, search_sum, p);
    return fits ? WALK_END : t->block ? WALK_PAST : WALK_ON;
}

// SELECT keys, AGG(x) FROM the same rows GROUP BY keys
static block *grouped_rows(prover *p, const block *b, const term *window)
{
    const term *call = window->args[0];
    term_list keys = {0};
    term_list shown = term_list_of_args(p, window->args[1]);
    term_list_push(p, &shown,
                   term_aggregate(p, call->text, false, call->args, call->n));
    block *copy = rows_showing(p, b, &shown);
    for (int32_t i = 0; i < window->args[1]->n; i++) {
        term_list_push(p, &keys, copy->select.ptr[i]);
    }
    block_group_by(copy, keys);
    copy->repeats = keys.len > 0 ? REPEATS_KEPT : REPEATS_NONE;
    return copy;
}

bool rule_window_group(prover *p, block *b)
{
    const term *window =
        b->is_grouped ? NULL : block_walk_results(b, search_window, p);
    if (!window) {
        return false;
    }
    instance *s = instance_of(p, grouped_rows(p, b, window));
    term_list same = {0};
    for (int32_t i = 0; i < window->args[1]->n; i++) {
        const term *key = window->args[1]->args[i];
        const term *t = term_compare(p, TERM_EQUAL, key, term_column(p, s, i));
        if (!know_identifies(p, b, t) || !know_not_null(p, b, key)) {
            return false;
        }
        term_list_push(p, &same, t);
    }
    rules_settle(p, s->body);
    if (s->body->has_group && s->body->group.len == 0) {
        // The only group is there: the window is over its rows.
        s->body->has_group = false;
        s->body->repeats = REPEATS_KEPT;
        rules_settle(p, s->body);
    }
    block_replace_term(p, b, window, term_column(p, s, window->args[1]->n));
    block_add_source(p, b, s);
    term_conjoin_all(p, &b->where, &same);
    return true;
}

// What groups show, as columns of a derived table of them.
static const term *visit_shown(rewrite *r, const term *t)
{
    block *body = r->from->body;
    bool is_key = term_list_has(&body->group, t) && know_exact(r->p, t);
    if (!is_key && t->kind != TERM_AGGREGATE) {
        bool is_own = block_owns(body, t->source);
        r->fails |= is_own || t->block;
        return is_own || t->block ? t : NULL;
    }
    return instance_showing(r->p, r->from, t);
}

bool rule_window_over_groups(prover *p, block *b)
{
    if (!b->is_grouped || !block_has(b, HAS_WINDOW)) {
        return false;
    }
    block *body = block_new(p);
    *body = (block){.no = body->no,
                    .pos = b->pos,  // nowhere in the text: no length
                    .sources = b->sources,
                    .where = b->where,
                    .is_grouped = true,
                    .has_group = b->has_group,
                    .group = b->group,
                    .having = b->having};
    rewrite r = {.p = p, .visit = visit_shown, .from = instance_of(p, body)};
    block over = *b;
    block_ungroup(&over);
    over = block_results_rewritten(&r, &over);
    if (r.fails || body->select.len == 0) {
        return false;
    }
    over.sources = (block){0}.sources;
    over.where = (term_list){0};
    *b = over;
    block_add_source(p, b, r.from);
    rules_settle(p, body);
    return true;
}

// What a condition is of: columns that a derived table shows.
typedef struct partition_search {
    prover *p;
    const instance *source;
    const term *whole;  // whether it is NULL is all that is asked of it
    const term *shown;  // of the column at hand
} partition_search;

// Ends at a window that is not partitioned by what is shown.
static walk_step search_other_partition(void *context, const term *t)
{
    const partition_search *s = context;
    bool is_by = t->kind != TERM_WINDOW;
    for (int32_t i = 0; !is_by && i < t->args[1]->n; i++) {
        is_by = term_bare(t->args[1]->args[i]) == s->shown;
    }
    return !is_by ? WALK_END : t->block ? WALK_PAST : WALK_ON;
}

// Ends at a column that does not tell partitions. NULL or not are all of one,
// whatever is equal there.
static walk_step search_untold(void *context, const term *t)
{
    partition_search *s = context;
    if (t->source != s->source) {
        return WALK_ON;
    }
    const block *body = s->source->body;
    const term *item = body->select.ptr[t->column];
    s->shown = term_bare(item);
    bool tells = (s->whole == t || know_exact(s->p, s->shown))
                 && (item->has & HAS_WINDOW) == 0
                 && !block_walk_results(body, search_other_partition, s);
    return tells ? WALK_ON : WALK_END;
}

static bool has_windows(const instance *s)
{
    const block *body = s->body;
    return body && !s->is_outer && !body->set && !body->is_grouped
           && !block_has_limit(body) && block_has(body, HAS_WINDOW);
}

bool rule_window_where(prover *p, block *b, ptrdiff_t at)
{
    const term *t = b->where.ptr[at];
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        instance *s = b->sources.ptr[i];
        partition_search told = {p, s, term_tested_not_null(t), NULL};
        if (has_windows(s) && term_uses(t, s)
            && !term_walk(t, search_untold, &told)
            && move_inside(p, b, at, s, &s->body->where, OF_SIDE)) {
            return true;
        }
    }
    return false;
}
