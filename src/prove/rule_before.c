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
#include "relation/relation_ranking.h"
#include "relation/relation_rows.h"

typedef struct asked {
    rewrite r;   // first, so that it can be found from there; from the table
    block rows;  // what it is asked for
    vec_of(block *) made;
} asked;

// Whether the aggregate is of the table alone, and ignores a padded row.
static bool is_of_table(const asked *a, const term *t)
{
    bool is_padded = a->r.from->is_outer;
    const term *x = t->n == 1 ? t->args[0] : NULL;
    return x ? (is_padded ? x->source == a->r.from : term_uses(x, a->r.from))
             : counts_rows(t) && !is_padded;
}

// (SELECT AGG(x) FROM the table WHERE what joins it)
static const term *visit_asked(rewrite *r, const term *t)
{
    asked *a = (asked *)r;
    if (t->kind != TERM_AGGREGATE) {
        r->fails |=
            t->block || t->kind == TERM_WINDOW || t->source == a->r.from;
        return NULL;
    }
    if (!is_of_table(a, t)) {
        r->fails = true;
        return t;
    }
    block *copy =
        rows_showing(r->p, &a->rows, &(term_list){.ptr = &t, .len = 1});
    copy->sources.ptr[0]->is_outer = false;
    copy->sources.ptr[0]->on.len = 0;
    copy->is_grouped = true;
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
    if (!a->r.from->is_outer && !is_one_itself(p, b, a)) {
        block *copy = rows_showing(p, &a->rows, &(term_list){0});
        term_conjoin(p, &b->where, term_exists(p, copy));
    }
}

bool rule_table_before(prover *p, block *b, instance *table)
{
    if (!b->has_group || table->body || !groups_others(p, b, table)) {
        return false;
    }
    block trial = *b;
    asked a = {
        .r = {.p = p, .visit = visit_asked, .b = b, .from = table},
    };
    a.rows.pos = b->pos;
    *vec_push(p->a, &a.rows.sources) = table;
    a.rows.where =
        table->is_outer ? table->on : take_conditions(p, &trial, table);
    if (!joins_by_order(b, &a.rows.where)
        || (table->is_outer && term_list_uses(&b->where, table))) {
        return false;
    }
    trial = block_results_rewritten(&a.r, &trial);
    if (a.r.fails) {
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

/* Windows with an order. */

// What a window with an order by one key asks of its partition for each row.
typedef struct running {
    prover *p;
    const block *b;
    ranking order;
    term_kind which;  // rows, as of ranking_rows()
    str name;         // of the aggregate
    bool is_rank;     // one more than that
    bool is_value;    // what the nearest of them shows
} running;

// An aggregate takes rows that tie with the row, the frame of ROWS does not. Of
// equal values that are not the same MIN and MAX take one by the order of rows.
static bool read_aggregate(running *w, const term *call, bool is_total)
{
    const char *rows = " ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW";
    str name = call->text;
    if (is_total && str_ends_fold(name, str_from(rows))) {
        name = str_sub(name, 0, name.len - str_from(rows).len);
    }
    w->name = arena_printf(w->p->a, "%.*s", STR_ARG(name));
    w->which = TERM_LESS_EQUAL;
    return !call->flag
           && (str_among(w->name, "count sum avg total")
               || (str_among(w->name, "min max")
                   && term_is_binary(call->args[0])));
}

static bool read_running(running *w, const term *call)
{
    bool is_total = ranking_is_total(w->p, &w->order);
    bool is_next =
        call->n == 1 || (call->n == 2 && term_is_number(call->args[1], 1));
    w->name = S("count");
    w->is_rank = str_among(call->text, "rank dense_rank")
                 || (is_total && str_equal(call->text, S("row_number")));
    w->is_value =
        is_total && is_next && str_among(call->text, "lag lead first_value");
    w->which = str_equal(call->text, S("lead"))          ? TERM_GREATER
               : str_equal(call->text, S("first_value")) ? TERM_NULL
                                                         : TERM_LESS;
    return w->is_rank || w->is_value || read_aggregate(w, call, is_total);
}

// What the nearest of the rows shows; the first of the partition.
static block *nearest(const running *w, const term *call, const term *key)
{
    const term *both[] = {call->args[0], key};
    block *rows = ranking_rows(w->p, &w->order, w->which,
                               &(term_list){.ptr = both, .len = 2});
    sort_term by = {.term = rows->select.ptr[1]};
    by.is_descending =
        w->order.keys.ptr[0].is_descending != (w->which == TERM_LESS);
    by.nulls_last = sort_puts_nulls_last(w->p, by.is_descending);
    *vec_push(w->p->a, &rows->order) = by;
    rows->limit = term_integer(w->p, 1);
    term_list_remove(&rows->select, 1);
    return rows;
}

static const term *scalar_of(const running *w, const term *call)
{
    prover *p = w->p;
    const term *key = w->order.keys.ptr[0].term;
    bool is_dense = str_equal(call->text, S("dense_rank"));
    const term *shown =
        is_dense ? term_aggregate(p, w->name, true, &key, 1)
                 : term_aggregate(p, w->name, false, call->args, call->n);
    block *rows = w->is_value
                      ? nearest(w, call, key)
                      : ranking_rows(p, &w->order, w->which,
                                     &(term_list){.ptr = &shown, .len = 1});
    rows->is_grouped = !w->is_value;
    rules_apply_after(p, rows);
    const term *value =
        term_make(p, (term){.kind = TERM_SCALAR, .block = rows});
    return w->is_rank ? term_arithmetic(p, TERM_ADD, value, term_integer(p, 1))
                      : value;
}

static walk_step search_running(void *context, const term *t)
{
    running *w = context;
    if (t->kind != TERM_WINDOW) {
        return t->block ? WALK_PAST : WALK_ON;
    }
    w->order = ranking_of_window(w->p, w->b, t);
    return ranking_key(w->p, &w->order) && read_running(w, t->args[0])
               ? WALK_END
               : WALK_ON;
}

static bool replace_window(prover *p, block *b)
{
    // Most blocks have no window: that saves a walk.
    bool fits = !b->is_grouped && block_has(b, HAS_WINDOW);
    for (ptrdiff_t i = 0; fits && i < b->sources.len; i++) {
        fits = !b->sources.ptr[i]->body;
    }
    running w = {.p = p, .b = b};
    const term *t = fits ? block_walk_results(b, search_running, &w) : NULL;
    if (t) {
        block_replace_term(p, b, t, scalar_of(&w, t->args[0]));
    }
    return t;
}

// Of a derived table from outside, where other rules come first.
bool rule_window_scalar(prover *p, block *b)
{
    bool changed = !b->is_source && replace_window(p, b);
    for (ptrdiff_t i = 0; !changed && i < b->sources.len; i++) {
        block *body = b->sources.ptr[i]->body;
        changed = body && replace_window(p, body);
    }
    return changed;
}
