/*
 * rule_partner.c - a table joined to a derived table that groups the same
 * table: the rows of a group are there, so nobody needs to look for them.
 *
 * Method      The table is held equal to columns that the derived table groups
 *             by, and perhaps to the MIN or MAX of one column: some row of
 *             each group is such a partner, if these are not NULL. Where there
 *             can be only one, or repeats do not count, the derived table can
 *             stand for both. What was shown of the table is shown of the
 *             group, with its type.
 */
#include "prove/rule_common.h"

#include <string.h>

// A table, the derived table that groups it, and what of the one is what of
// the other.
typedef struct partner {
    rewrite r;  // first, so that it can be found from there
    instance *table;
    instance *groups;
    instance *inside;   // the table in the derived table
    const term **same;  // by column of the table; NULL: none
    bool has_extreme;
} partner;

static bool is_grouped_table(const instance *g, const instance *table)
{
    const block *body = g->body;
    return body && body->has_group && !block_has_limit(body)
           && !block_has(body, HAS_WINDOW) && body->sources.len == 1
           && body->sources.ptr[0]->table == table->table
           && !body->sources.ptr[0]->is_outer;
}

static const term *inside_column(prover *p, const partner *m, int32_t column)
{
    return term_column(p, m->inside, column);
}

// MIN(c) or MAX(c) of a column in which equal values are identical.
static bool is_extreme(prover *p, const term *item, const term *c)
{
    return aggregated(item, "min max") == c && know_exact(p, c) != EXACT_NOT;
}

// Whether the condition holds a column of the table equal to what the derived
// table shows of a row of the group.
static bool links(prover *p, const block *b, partner *m, const term *t)
{
    for (int k = 0; t->kind == TERM_EQUAL && k < 2; k++) {
        const term *c = term_bare(t->args[k]);
        const term *shown = term_bare(t->args[1 - k]);
        if (c->source != m->table || c->column < 0 || shown->source != m->groups
            || m->same[c->column]) {
            continue;
        }
        const block *body = m->groups->body;
        const term *item = term_bare(body->select.ptr[shown->column]);
        const term *inside = inside_column(p, m, c->column);
        bool is_key = item == inside && term_list_has(&body->group, inside)
                      && know_identifies(p, b, t);
        if (is_key || (!m->has_extreme && is_extreme(p, item, inside))) {
            m->has_extreme |= !is_key;
            m->same[c->column] = term_as(p, shown, term_type_of(c));
            return true;
        }
    }
    return false;
}

static const term *visit_inside(rewrite *r, const term *t)
{
    const partner *m = (const partner *)r;
    return t->source == m->table ? inside_column(r->p, m, t->column) : NULL;
}

static walk_step search_unshown(void *context, const term *t)
{
    const partner *m = context;
    return t->source == m->table && (t->column < 0 || !m->same[t->column])
               ? WALK_END
               : WALK_ON;
}

// Whether all that is used of the table is shown of the group, too.
static bool shows_used(partner *m, const block *b, const term_list *where)
{
    block rest = *b;
    rest.where = *where;
    return !block_walk(&rest, search_unshown, m);
}

// Whether each row of a group satisfies the condition: it is one inside.
static bool holds_inside(partner *m, const term *t)
{
    return (t->has & HAS_BLOCK) == 0
           && term_list_has(&m->groups->body->where, term_rewrite(&m->r, t));
}

static void drop(prover *p, block *b, partner *m, const term_list *rest)
{
    b->where = *rest;
    block_remove_source(b, m->table);
    for (int32_t k = 0; k < instance_columns(m->table); k++) {
        if (!m->same[k]) {
            continue;
        }
        block_replace(p, b, m->table, k, m->same[k]);
        if (!know_not_null(p, m->groups->body, inside_column(p, m, k))) {
            term_conjoin(p, &b->where, not_null_test(p, term_bare(m->same[k])));
        }
    }
    tidy_where(p, b);
    block_check_repeats(b);
}

static bool join_partner(prover *p, block *b, instance *table, instance *g)
{
    partner m = {
        .r = {.p = p, .visit = visit_inside},
        .table = table,
        .groups = g,
        .inside = g->body->sources.ptr[0],
        .same = arena_new(p->a, const term *, instance_columns(table) + 1),
    };
    bool *is_link = arena_new(p->a, bool, b->where.len + 1);
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < b->where.len; i++) {
        is_link[i] = links(p, b, &m, b->where.ptr[i]);
        n += is_link[i];
    }
    term_list rest = {0};
    for (ptrdiff_t i = 0; i < b->where.len; i++) {
        const term *t = b->where.ptr[i];
        bool is_idle =
            is_link[i] || (term_uses(t, table) && holds_inside(&m, t));
        if (!is_idle) {
            term_list_push(p, &rest, t);
        }
    }
    if (n == 0 || !shows_used(&m, b, &rest)
        || !(forgets_repeats(b) || has_one_partner(p, b, table))) {
        return false;
    }
    drop(p, b, &m, &rest);
    return true;
}

bool rule_group_partner(prover *p, block *b, instance *table)
{
    for (ptrdiff_t k = 0; k < b->sources.len; k++) {
        instance *g = b->sources.ptr[k];
        if (!g->is_outer && is_grouped_table(g, table)
            && join_partner(p, b, table, g)) {
            return true;
        }
    }
    return false;
}

// The column of the table that the condition holds equal to what the derived
// table groups it by; NULL: it says something else.
static const term *grouped_by(prover *p,
                              const instance *table,
                              const instance *g,
                              const term *t)
{
    for (int k = 0; t->kind == TERM_EQUAL && k < 2; k++) {
        const term *c = term_bare(t->args[k]);
        const term *shown = term_bare(t->args[1 - k]);
        if (c->kind != TERM_COLUMN || c->source != table || c->column < 0
            || shown->kind != TERM_COLUMN || shown->source != g) {
            continue;
        }
        const block *body = g->body;
        const term *item = term_bare(body->select.ptr[shown->column]);
        const term *inside = term_column(p, body->sources.ptr[0], c->column);
        if (item == inside && term_list_has(&body->group, inside)) {
            return c;
        }
    }
    return NULL;
}

bool has_group_of_its_own(prover *p,
                          const block *b,
                          const term_list *on,
                          const instance *g)
{
    bool has = false;
    for (ptrdiff_t i = 0; !has && i < b->sources.len; i++) {
        const instance *table = b->sources.ptr[i];
        has = table != g && !table->is_outer && is_grouped_table(g, table)
              && g->body->where.len == 0 && g->body->having.len == 0
              && on->len > 0;
        for (ptrdiff_t k = 0; has && k < on->len; k++) {
            const term *c = grouped_by(p, table, g, on->ptr[k]);
            has = c && know_not_null(p, b, c);
        }
    }
    return has;
}

// Whether the condition says no more than that it is a row of the group: by
// what it is grouped by, or by the MIN or MAX of one column.
static bool finds_row(prover *p,
                      const instance *table,
                      const instance *g,
                      const term *t,
                      bool *has_extreme)
{
    const block *body = g->body;
    const term *c = grouped_by(p, table, g, t);
    for (int k = 0; !c && !*has_extreme && t->kind == TERM_EQUAL && k < 2;
         k++) {
        const term *own = term_bare(t->args[k]);
        const term *shown = term_bare(t->args[1 - k]);
        bool is_pair = own->kind == TERM_COLUMN && own->source == table
                       && own->column >= 0 && shown->kind == TERM_COLUMN
                       && shown->source == g;
        if (is_pair
            && is_extreme(p, term_bare(body->select.ptr[shown->column]),
                          term_column(p, body->sources.ptr[0], own->column))) {
            c = own;
            *has_extreme = true;
        }
    }
    return c
           && know_not_null(p, body,
                            term_column(p, body->sources.ptr[0], c->column));
}

bool has_row_of_group(prover *p,
                      const block *b,
                      const term_list *on,
                      const instance *table)
{
    bool has = false;
    for (ptrdiff_t i = 0; !has && table->table >= 0 && i < b->sources.len;
         i++) {
        const instance *g = b->sources.ptr[i];
        bool has_extreme = false;
        has = g != table && !g->is_outer && is_grouped_table(g, table)
              && on->len > 0;
        for (ptrdiff_t k = 0; has && k < on->len; k++) {
            has = finds_row(p, table, g, on->ptr[k], &has_extreme);
        }
    }
    return has;
}

// A table of which only COUNT(CASE WHEN p THEN 1 END) asks.
typedef struct tested {
    rewrite r;  // first, so that it can be found from there
    instance *table;
    const term *test;   // p; NULL: none seen yet
    const term *count;  // what the COUNT becomes
    bool fails;
} tested;

// p of COUNT(CASE WHEN p THEN 1 END); NULL: it is none.
static const term *test_of(const term *t)
{
    const term *x = t->flag ? NULL : aggregated(t, "count");
    bool is_test =
        x && x->kind == TERM_CASE && x->n == 2
        && x->args[1]->kind == TERM_INTEGER
        && !(x->args[0]->has & (HAS_BLOCK | HAS_AGGREGATE | HAS_WINDOW));
    return is_test ? x->args[0] : NULL;
}

static const term *visit_tested(rewrite *r, const term *t)
{
    tested *m = (tested *)r;
    if (t->kind == TERM_AGGREGATE && term_uses(t, m->table)) {
        const term *test = test_of(t);
        const term *counted = aggregated(t, "count min max");
        if (test && (!m->test || m->test == test)) {
            m->test = test;
            return m->count;
        }
        m->fails |=
            test || !counted || !(t->flag || !str_equal(t->text, S("count")));
    } else if (t->kind == TERM_AGGREGATE) {
        m->fails |= !(t->flag || str_among(t->text, "min max"));
    }
    if (t->kind == TERM_COLUMN && t->source == m->table) {
        const term *other =
            t->column < 0 ? NULL : shown_elsewhere(r->p, r->b, t);
        m->fails |= !other;
        return other;
    }
    m->fails |= t->block != NULL;
    return NULL;
}

// COUNT of the first column that is NULL in padded rows alone; NULL: there is
// none.
static const term *count_rows_of(prover *p, instance *table)
{
    for (int32_t k = 0; k < instance_columns(table); k++) {
        if (know_never_null(p, table->columns_of, k)) {
            const term *c = term_column(p, table, k);
            return term_aggregate(p, S("count"), false, &c, 1);
        }
    }
    return NULL;
}

// Whether the conditions on the table hold it equal to the groups alone, so
// that each group has a partner there.
static bool finds_partner(prover *p,
                          instance *table,
                          const instance *g,
                          const term_list *on)
{
    bool finds = on->len > 0 && !g->is_outer && is_grouped_table(g, table);
    for (ptrdiff_t i = 0; finds && i < on->len; i++) {
        const term *c = grouped_by(p, table, g, on->ptr[i]);
        finds =
            c
            && know_not_null(
                p, g->body, term_column(p, g->body->sources.ptr[0], c->column));
    }
    return finds;
}

static bool has_partner(prover *p,
                        const block *b,
                        instance *table,
                        const term_list *on)
{
    bool has = false;
    for (ptrdiff_t k = 0; !has && k < b->sources.len; k++) {
        has = finds_partner(p, table, b->sources.ptr[k], on);
    }
    return has;
}

bool rule_case_partner(prover *p, block *b, instance *table)
{
    tested m = {.table = table, .count = count_rows_of(p, table)};
    m.r = (rewrite){.p = p, .visit = visit_tested, .b = b};
    if (!b->has_group || !m.count || block_has_outer(b)) {
        return false;
    }
    block trial = *b;
    term_list on = take_conditions(p, &trial, table);
    if (!has_partner(p, b, table, &on)) {
        return false;
    }
    trial.group = term_list_rewritten(&m.r, &b->group);
    trial.select = term_list_rewritten(&m.r, &b->select);
    trial.having = term_list_rewritten(&m.r, &b->having);
    memset(&trial.order, 0, sizeof trial.order);
    for (ptrdiff_t i = 0; i < b->order.len; i++) {
        sort_term key = b->order.ptr[i];
        key.term = term_rewrite(&m.r, key.term);
        *vec_push(p->a, &trial.order) = key;
    }
    if (m.fails || !m.test) {
        return false;
    }
    *b = trial;
    table->is_outer = true;
    table->on = on;
    term_conjoin(p, &table->on, m.test);
    return true;
}
