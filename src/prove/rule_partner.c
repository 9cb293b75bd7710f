/*
 * rule_partner.c - sources of which it is known that each row finds a partner
 * there: a parent, by a foreign key; the group of a row, and a row of a group,
 * where a derived table groups the table beside it; the children of a parent.
 *
 * Method      Of a row and its group either tells what the other shows, so
 *             where nothing else is asked of one of them it goes, if there is
 *             one partner at most, or repeats do not count. What was shown of
 *             it is shown of the other, with its type.
 */
#include "prove/rule_common.h"
#include "relation/relation_rows.h"

static bool finds_own(prover *p,
                      const block *b,
                      const term_list *on,
                      instance *s,
                      instance *other)
{
    row_group g;
    return !other->is_outer
           && ((know_row_group(p, on, s, other, &g) && row_group_has_row(p, &g))
               || (know_row_group(p, on, other, s, &g)
                   && row_group_has_group(p, &g, b)));
}

bool finds_partner(prover *p, const block *b, const term_list *on, instance *s)
{
    bool finds = has_parent(p, b, on, s, NULL);
    for (ptrdiff_t i = 0; !finds && i < b->sources.len; i++) {
        instance *other = b->sources.ptr[i];
        finds = finds_own(p, b, on, s, other);  // no source groups itself
    }
    return finds;
}

// A row or its group that is to go.
typedef struct spare {
    prover *p;
    const block *b;
    const row_group *g;
    instance *source;
    const term_list *own;    // its columns
    const term_list *other;  // what equals them
} spare;

// Whether what equals its column number `i` can stand for it.
static bool is_shown(const spare *s, ptrdiff_t i)
{
    const term *link = s->g->links.ptr[i];
    return link == s->g->extreme || know_identifies(s->p, s->b, link);
}

static walk_step search_unshown(void *context, const term *t)
{
    const spare *s = context;
    bool shown = t->source != s->source;
    for (ptrdiff_t i = 0; !shown && i < s->own->len; i++) {
        shown = s->own->ptr[i] == t && is_shown(s, i);
    }
    return shown ? WALK_ON : WALK_END;
}

// Takes the source out, and all conditions but these. `is_once`: a row finds
// one of them at most.
static bool drop(prover *p,
                 block *b,
                 spare *s,
                 const term_list *where,
                 bool is_once)
{
    block rest = *b;
    rest.where = *where;
    if (!(is_once || forgets_repeats(b))
        || block_walk(&rest, search_unshown, s)) {
        return false;
    }
    b->where = *where;
    block_remove_source(b, s->source);
    for (ptrdiff_t i = 0; i < s->own->len; i++) {
        const term *c = s->own->ptr[i];
        const term *shown = s->other->ptr[i];
        block_replace(p, b, s->source, c->column,
                      term_as(p, shown, term_type_of(c)));
        if (!know_not_null(p, b, shown)) {
            term_conjoin(p, &b->where, not_null_test(p, shown));
        }
    }
    block_check_repeats(b);
    return true;
}

static bool drop_row(prover *p, block *b, const row_group *g)
{
    spare s = {p, b, g, g->row, &g->columns, &g->shown};
    term_list where = {0};
    for (ptrdiff_t i = 0; i < g->rest.len; i++) {
        if (!row_group_holds(p, g, g->rest.ptr[i])) {
            term_list_push(p, &where, g->rest.ptr[i]);
        }
    }
    return drop(p, b, &s, &where, has_one_partner(p, b, g->row));
}

static bool drop_group(prover *p, block *b, const row_group *g)
{
    spare s = {p, b, g, g->groups, &g->shown, &g->columns};
    return !g->extreme && g->groups->body->having.len == 0
           && know_takes_row(p, g->groups->body, g->row, b)
           && drop(p, b, &s, &g->rest, row_group_is_own(p, g));
}

bool rule_group_partner(prover *p, block *b, instance *s)
{
    bool drops = false;
    for (ptrdiff_t k = 0; !drops && k < b->sources.len; k++) {
        instance *other = b->sources.ptr[k];
        row_group g;
        drops = !other->is_outer
                && (s->body ? know_row_group(p, &b->where, other, s, &g)
                                  && drop_group(p, b, &g)
                            : know_row_group(p, &b->where, s, other, &g)
                                  && drop_row(p, b, &g));
    }
    return drops;
}

// A table of which only aggregates of CASE WHEN p THEN x END ask.
typedef struct tested {
    rewrite r;  // first, so that it can be found from there
    instance *table;
    const term *test;  // p; NULL: none seen yet
    bool fails;
} tested;

// The aggregate of the rows for which the test holds; NULL: it asks otherwise.
static const term *of_tested(tested *m, const term *t)
{
    prover *p = m->r.p;
    const term *when = aggregated(t, "count sum min max");
    const term *test = when && is_when(when) ? when->args[0] : NULL;
    bool fits = test && !(test->has & HAS_BLOCK)
                && (!m->test || m->test == test)
                && (!m->table->is_outer || know_rejects(test, NULL, m->table));
    if (!fits) {
        return NULL;
    }
    m->test = test;
    if (counted_when(t)) {
        return count_of_partners(p, m->table);
    }
    const term *x = term_as(p, when->args[1], term_type_of(when));
    return know_null_when(x, NULL, m->table)
               ? term_aggregate(p, t->text, t->flag, &x, 1)
               : NULL;
}

static const term *visit_tested(rewrite *r, const term *t)
{
    tested *m = (tested *)r;
    if (t->kind == TERM_AGGREGATE) {
        bool is_own = term_uses(t, m->table);
        const term *of = is_own ? of_tested(m, t) : NULL;
        m->fails |= !of
                    && (!aggregate_forgets_repeats(t)
                        || (is_own && m->table->is_outer));
        return of;
    }
    if (t->source == m->table) {
        const term *other =
            t->column < 0 ? NULL : shown_elsewhere(r->p, r->b, t);
        m->fails |= !other;
        return other;
    }
    m->fails |= t->block != NULL;
    return NULL;
}

// Whether each row finds a partner in the table, or is padded, and no outer
// join asks for more of it.
static bool keeps_rows(prover *p,
                       const block *b,
                       const term_list *on,
                       instance *table)
{
    if (!table->is_outer) {
        return !block_has_outer(b) && finds_partner(p, b, on, table);
    }
    bool asked = term_list_uses(&b->where, table);
    for (ptrdiff_t i = 0; !asked && i < b->sources.len; i++) {
        const instance *s = b->sources.ptr[i];
        asked = s != table && term_list_uses(&s->on, table);
    }
    return !asked;
}

bool rule_case_partner(prover *p, block *b, instance *table)
{
    if (!b->has_group || table->body) {
        return false;
    }
    tested m = {.r = {.p = p, .visit = visit_tested, .b = b}, .table = table};
    block trial = *b;
    term_list on =
        table->is_outer ? table->on : take_conditions(p, &trial, table);
    if (!keeps_rows(p, &trial, &on, table)) {
        return false;
    }
    trial = block_results_rewritten(&m.r, &trial);
    trial.group = term_list_rewritten(&m.r, &b->group);
    if (m.fails || !m.test) {
        return false;
    }
    *b = trial;
    table->is_outer = true;
    table->on = on;
    term_conjoin(p, &table->on, m.test);
    return true;
}

static const term *visit_rows(rewrite *r, const term *t)
{
    return counts_rows(t) ? r->to : t->block ? t : NULL;
}

// Each row of the parent once, of the children that are joined with it.
static bool count_children(prover *p,
                           block *b,
                           const block *joined,
                           instance *parent)
{
    for (int32_t k = 0; k < instance_columns(parent); k++) {
        if (!is_key_target(p, parent, k)) {
            continue;
        }
        const term *c = term_column(p, parent, k);
        rewrite r = {.p = p, .visit = visit_rows, .of = HAS_AGGREGATE};
        r.to = term_aggregate(p, S("count"), true, &c, 1);
        block trial = block_results_rewritten(&r, joined);
        if (know_tells_rows(p, b, &(term_list){.ptr = &c, .len = 1})
            && rule_fk_parent(p, &trial, parent)) {
            *b = trial;
            return true;
        }
    }
    return false;
}

bool rule_parent_counted(prover *p, block *b, ptrdiff_t at)
{
    const term *t = b->where.ptr[at];
    if (t->kind != TERM_EXISTS || !groups_count_rows(b)
        || !block_is_plain(t->block) || block_has_outer(t->block)
        || block_has_outer(b) || know_results(p, b).is_bare) {
        return false;
    }
    block joined = block_trial(p, b);
    term_list_remove(&joined.where, at);
    block_absorb(p, &joined, block_copy(p, t->block));
    bool counted = false;
    for (ptrdiff_t i = 0; !counted && i < b->sources.len; i++) {
        counted = count_children(p, b, &joined, b->sources.ptr[i]);
    }
    return counted;
}
