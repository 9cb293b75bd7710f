/*
 * rule_window.c - windows as joins with a grouped table.
 *
 * MAX(x) OVER (PARTITION BY p) is the column of a derived table that groups
 * the same rows by p; the first rank of each partition is where the key is the
 * least of it.
 */
#include "prove/rule_common.h"

#include <assert.h>

static bool is_whole_partition(const term *w)
{
    assert(w->kind == TERM_WINDOW);
    const term *call = w->args[0];
    return w->args[2]->n == 0 && !call->flag
           && str_among(call->text, "min max count sum avg total");
}

typedef struct window_search {
    prover *p;
    const block *b;
} window_search;

static walk_step search_window(void *context, const term *t)
{
    const window_search *s = context;
    bool fits = t->kind == TERM_WINDOW && is_whole_partition(t);
    for (int32_t i = 0; fits && i < t->args[1]->n; i++) {
        fits = know_not_null(s->p, s->b, t->args[1]->args[i]);
    }
    return fits ? WALK_END : t->block ? WALK_PAST : WALK_ON;
}

static const term *find_window(prover *p, const block *b)
{
    return block_walk_results(b, search_window, &(window_search){p, b});
}

// SELECT keys, AGG(x) FROM the same rows GROUP BY keys
static block *grouped_rows(prover *p, const block *b, const term *window)
{
    block rows = {.sources = b->sources, .where = b->where};
    term_list_push(p, &rows.select, window);
    block *copy = block_copy(p, &rows);
    const term *own = copy->select.ptr[0];
    // Nowhere in the text: no length, so that its steps are not taken for b's.
    copy->pos = b->pos;
    copy->select = term_list_of_args(p, own->args[1]);
    copy->group = term_list_of_args(p, own->args[1]);
    const term *call = own->args[0];
    term_list_push(p, &copy->select,
                   term_aggregate(p, call->text, false, call->args, call->n));
    copy->is_grouped = true;
    copy->has_group = copy->group.len > 0;
    return copy;
}

bool rule_window_group(prover *p, block *b)
{
    bool fits = !b->is_grouped && b->sources.len < SOURCES_MAX;
    const term *window = fits ? find_window(p, b) : NULL;
    if (!window) {
        return false;
    }
    instance *s = instance_new(p);
    s->body = grouped_rows(p, b, window);
    term_list same = {0};
    for (int32_t i = 0; i < window->args[1]->n; i++) {
        const term *t = term_compare(p, TERM_EQUAL, window->args[1]->args[i],
                                     term_column(p, s, i));
        if (!know_identifies(p, b, t)) {
            return false;
        }
        term_list_push(p, &same, t);
    }
    rules_settle(p, s->body);
    block_replace_term(p, b, window, term_column(p, s, window->args[1]->n));
    block_add_source(p, b, s);
    term_conjoin_all(p, &b->where, &same);
    return true;
}

static bool has_terms(const term *list, const term *wanted)
{
    bool all = true;
    for (int32_t i = 0; all && i < wanted->n; i++) {
        bool found = false;
        for (int32_t k = 0; !found && k < list->n; k++) {
            found = list->args[k] == wanted->args[i];
        }
        all = found;
    }
    return all;
}

// Ends at a window that is not over a whole partition, or over another one than
// those before; `context`: theirs, a list.
static walk_step search_partition(void *context, const term *t)
{
    const term **partition = context;
    if (t->kind != TERM_WINDOW) {
        return WALK_ON;
    }
    const term *by = t->args[1];
    bool fits =
        is_whole_partition(t) && by->n > 0
        && (!*partition
            || (has_terms(*partition, by) && has_terms(by, *partition)));
    *partition = by;
    return fits ? WALK_PAST : WALK_END;
}

static const term *visit_whole(rewrite *r, const term *t)
{
    if (t->kind != TERM_WINDOW) {
        return t->block ? t : NULL;
    }
    const term *call = t->args[0];
    return term_aggregate(r->p, call->text, false, call->args, call->n);
}

bool rule_window_distinct(prover *p, block *b)
{
    const term *partition = NULL;
    if (b->is_grouped || b->repeats != REPEATS_DROPPED
        || block_has(b, HAS_BLOCK)
        || block_walk_results(b, search_partition, &partition) || !partition) {
        return false;
    }
    rewrite r = {.p = p, .visit = visit_whole};
    block trial = block_results_rewritten(&r, b);
    trial.is_grouped = true;
    trial.has_group = true;
    trial.group = term_list_of_args(p, partition);
    if (know_results(p, &trial).is_loose) {
        return false;
    }
    *b = trial;
    return true;
}

// The window of `x = 1` where x is its rank and there are no two firsts.
static const term *first_rank(prover *p, const block *body, const term *t)
{
    if (t->kind != TERM_WINDOW || t->args[2]->n != 2) {
        return NULL;
    }
    const term *key = t->args[2]->args[0];
    if (!know_not_null(p, body, key)) {
        return NULL;
    }
    if (str_among(t->args[0]->text, "rank dense_rank")) {
        return t;
    }
    term_list known = term_list_of_args(p, t->args[1]);
    term_list_push(p, &known, key);
    return str_equal(t->args[0]->text, S("row_number"))
                   && know_tells_rows(p, body, &known)
               ? t
               : NULL;
}

// Columns for the key and for the least (or greatest) of its partition.
static const term *add_extreme(prover *p, instance *s, const term *window)
{
    assert(window->kind == TERM_WINDOW && window->args[2]->n == 2);
    const term *key = window->args[2]->args[0];
    bool falls = window->args[2]->args[1]->number & 1;
    const term *call = term_make(p, (term){.kind = TERM_CALL,
                                           .text = falls ? S("max") : S("min"),
                                           .n = 1,
                                           .args = &key});
    const term *none = term_make(p, (term){.kind = TERM_LIST});
    const term *args[] = {call, window->args[1], none};
    int32_t n = (int32_t)s->body->select.len;
    term_list_push(p, &s->body->select, key);
    term_list_push(
        p, &s->body->select,
        term_make(p, (term){.kind = TERM_WINDOW, .n = 3, .args = args}));
    return term_compare(p, TERM_EQUAL, term_column(p, s, n),
                        term_column(p, s, n + 1));
}

static bool take_first(prover *p, block *b, ptrdiff_t at, const term *x)
{
    instance *s = x->source;
    block *body = s->body;
    bool fits = body && block_owns(b, s) && !s->is_outer && !body->set
                && !body->is_grouped && !block_has_limit(body)
                && body->repeats != REPEATS_DROPPED;
    const term *window =
        fits ? first_rank(p, body, body->select.ptr[x->column]) : NULL;
    if (!window) {
        return false;
    }
    // Where the rank is shown it is 1.
    term_list_remove(&b->where, at);
    block_replace(p, b, s, x->column, term_integer(p, 1));
    body->select.ptr[x->column] = term_integer(p, 1);
    body->repeats = REPEATS_KEPT;
    const term *first = add_extreme(p, s, window);
    term_conjoin(p, &b->where, first);
    rules_settle(p, body);
    return true;
}

bool rule_rank_first(prover *p, block *b, ptrdiff_t at)
{
    const term *t = b->where.ptr[at];
    bool taken = false;
    for (int k = 0; t->kind == TERM_EQUAL && !taken && k < 2; k++) {
        taken = t->args[k]->kind == TERM_COLUMN
                && term_is_number(t->args[1 - k], 1)
                && take_first(p, b, at, t->args[k]);
    }
    return taken;
}
