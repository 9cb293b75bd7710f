/*
 * rule_before.c - a table that is joined to be aggregated for each row, as
 * subqueries.
 *
 * Method      FROM t JOIN u ON u.id <= t.id GROUP BY t.id asks of each row of t
 *             for all rows of u before it. An aggregate of these is a subquery
 *             of its own, in the place of the aggregate; so running sums and
 *             ranks are one, whether joined, asked for or of a window.
 *             A row without any is dropped by an inner join; so it is if it
 *             must have one, unless it is one itself.
 *
 * Invariants  (1) A group is one row of the other tables.
 *             (2) Something but equality joins the table: what is joined by
 *                 equality alone stays a join of groups.
 */
#include "prove/rule_common.h"
#include "relation/relation_rows.h"

typedef struct asked {
    rewrite r;   // first, so that it can be found from there
    block rows;  // what the table is asked for
    instance *table;
    vec_of(block *) made;
    bool fails;
} asked;

// Whether the aggregate is of the table alone, and ignores a padded row.
static bool is_of_table(const asked *a, const term *t)
{
    bool is_padded = a->table->is_outer;
    const term *x = t->n == 1 ? t->args[0] : NULL;
    return x ? (is_padded ? x->source == a->table : term_uses(x, a->table))
             : counts_rows(t) && !is_padded;
}

// (SELECT AGG(x) FROM the table WHERE what joins it)
static const term *visit_asked(rewrite *r, const term *t)
{
    asked *a = (asked *)r;
    if (t->kind != TERM_AGGREGATE) {
        a->fails |= t->block || t->kind == TERM_WINDOW
                    || (t->source && t->source == a->table);
        return NULL;
    }
    if (!is_of_table(a, t)) {
        a->fails = true;
        return t;
    }
    block rows = a->rows;
    term_list_push(r->p, &rows.select, t);
    block *copy = block_copy(r->p, &rows);
    copy->sources.ptr[0]->is_outer = false;
    copy->sources.ptr[0]->on.len = 0;
    copy->is_grouped = true;
    copy->pos = r->b->pos;
    *vec_push(r->p->a, &a->made) = copy;
    return term_make(r->p, (term){.kind = TERM_SCALAR, .block = copy});
}

// Whether a row of the same table is itself one of those that it is joined
// with. Not the table itself: what joins it by order is no condition of WHERE.
static bool is_one_itself(prover *p, const block *b, const asked *a)
{
    bool is_one = false;
    for (ptrdiff_t i = 0; !is_one && i < b->sources.len; i++) {
        is_one = know_takes_row(p, &a->rows, b->sources.ptr[i], b);
    }
    return is_one;
}

// Whether all other sources are one row in each group, none of them padded.
static bool groups_others(prover *p, const block *b, const instance *table)
{
    closure c = closure_of(p, b, &b->group);
    bool all = !term_list_uses(&b->group, table);
    for (ptrdiff_t i = 0; all && i < b->sources.len; i++) {
        const instance *s = b->sources.ptr[i];
        all = s == table || (!s->is_outer && closure_has_row(&c, s));
    }
    return all && !know_results(p, b).is_bare;
}

static bool joins_by_order(const block *b, const term_list *on)
{
    bool found = false;
    for (ptrdiff_t i = 0; i < on->len; i++) {
        const term *t = on->ptr[i];
        bool is_pair = term_compares(t) && t->kind != TERM_EQUAL
                       && t->kind != TERM_UNEQUAL;
        found |= is_pair && t->args[0]->source != t->args[1]->source
                 && block_owns(b, t->args[0]->source)
                 && block_owns(b, t->args[1]->source);
        if (t->has & HAS_BLOCK) {
            return false;
        }
    }
    return found;
}

// An inner join drops a row that finds none.
static void ask_for_one(prover *p, block *b, const asked *a)
{
    if (!a->table->is_outer && !is_one_itself(p, b, a)) {
        block *copy = block_copy(p, &a->rows);
        copy->pos = b->pos;
        term_conjoin(p, &b->where, term_exists(p, copy));
    }
}

bool rule_table_before(prover *p, block *b, instance *table)
{
    if (!b->has_group || table->body || !groups_others(p, b, table)) {
        return false;
    }
    block trial = *b;
    asked a = {.table = table};
    a.r = (rewrite){.p = p, .visit = visit_asked, .b = b};
    *vec_push(p->a, &a.rows.sources) = table;
    a.rows.where =
        table->is_outer ? table->on : take_conditions(p, &trial, table);
    if (!joins_by_order(b, &a.rows.where)
        || (table->is_outer && term_list_uses(&b->where, table))) {
        return false;
    }
    trial = block_results_rewritten(&a.r, &trial);
    if (a.fails) {
        return false;
    }
    for (ptrdiff_t i = 0; i < a.made.len; i++) {
        rules_apply_after(p, a.made.ptr[i]);
    }
    ask_for_one(p, &trial, &a);
    *b = trial;
    block_remove_source(b, table);
    term_list having = b->having;
    block_ungroup(b);
    term_conjoin_all(p, &b->where, &having);
    return true;
}
