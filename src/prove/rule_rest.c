/*
 * rule_rest.c - the rows of a table that are left when those are taken away
 * that other rows lead to.
 *
 * Method      Of two COUNTs the rows of one may each lead to a row of its own
 *             that the other counts: to itself, or by a foreign key to its
 *             parent. So the one is never above the other, and their difference
 *             is the number of rows that none leads to: the rest. They are
 *             equal exactly where there is no rest, which is division: no
 *             course without an exam in it.
 */
#include "prove/rule_common.h"
#include "relation/relation_ranking.h"

// What leads where: one COUNT, in groups of some keys or of all rows, and the
// table whose rows are counted as well.
typedef struct lead {
    prover *p;
    const block *of;
    const term_list *keys;
    const term *count;
    const block *all;
} lead;

// The rows that are counted, which show these terms.
static block *rows_counted(const lead *l, const term_list *shown)
{
    prover *p = l->p;
    const term *x = aggregated(l->count, "count");
    const term *when = counted_when(l->count);
    term_list all = {0};
    term_list_push(p, &all,
                   when ? when
                   : x  ? not_null_test(p, x)
                        : term_boolean(p, true));
    term_list_push_all(p, &all, shown);
    block *rows = rows_with_keys(p, l->of, l->keys, l->keys, false, &all);
    term_conjoin(p, &rows->where, rows->select.ptr[0]);
    term_list_remove(&rows->select, 0);
    for (ptrdiff_t i = 0; i < rows->sources.len; i++) {
        instance *s = rows->sources.ptr[i];
        if (s->is_outer && any_rejects(&rows->where, s)) {
            make_inner(p, rows, s);
        }
    }
    return rows;
}

// Holds what the rows lead by equal to what it leads to; false: they may be
// equal that are not the same.
static bool link_rows(prover *p,
                      block *rows,
                      const term_list *by,
                      const term_list *to)
{
    bool links = true;
    for (ptrdiff_t i = 0; i < by->len; i++) {
        const term *same = term_compare(p, TERM_EQUAL, by->ptr[i], to->ptr[i]);
        links &= know_identifies(p, rows, same);
        term_conjoin(p, &rows->where, same);
    }
    return links;
}

// Whether each row leads to one of the table, no two to the same.
static bool leads_apart(const lead *l, block *rows, const term_list *to)
{
    prover *p = l->p;
    const term_list by = rows->select;
    block *all = rows_showing(p, l->all, to);
    bool leads = (l->count->flag || know_tells_rows(p, rows, &by))
                 && know_tells_rows(p, all, &all->select)
                 && link_rows(p, all, &all->select, &by);
    for (ptrdiff_t i = 0; leads && i < by.len; i++) {
        leads = know_not_null(p, rows, by.ptr[i]);
    }
    all->is_test = true;
    term_list_push(p, &rows->where,
                   term_make(p, (term){.kind = TERM_EXISTS, .block = all}));
    ptrdiff_t at = rows->where.len - 1;
    return leads
           && (rule_exists_parent(p, rows, at)
               || rule_exists_implied(p, rows, at));
}

// The rest, if columns of a counted row lead to these of the table; NULL: they
// do not.
static block *rest_by(const lead *l,
                      instance *child,
                      const int32_t *columns,
                      const int32_t *targets,
                      ptrdiff_t n)
{
    prover *p = l->p;
    term_list by = {0};
    term_list to = {0};
    for (ptrdiff_t i = 0; i < n; i++) {
        term_list_push(p, &by, term_column(p, child, columns[i]));
        term_list_push(p, &to,
                       term_column(p, l->all->sources.ptr[0], targets[i]));
    }
    bool fits = !l->count->flag
                || (n == 1 && by.ptr[0] == aggregated(l->count, "count"));
    if (!fits || !leads_apart(l, rows_counted(l, &by), &to)) {
        return NULL;
    }
    block *rest = rows_showing(p, l->all, &to);
    block *taken = rows_counted(l, &by);
    link_rows(p, taken, &taken->select, &rest->select);
    term_conjoin(p, &rest->where, term_not(p, term_exists(p, taken)));
    return rest;
}

// The same of a row that is one of the table, which it leads to.
static block *rest_of_own(const lead *l, instance *own)
{
    const schema_table *table = own->columns_of;
    const int32_t rowid = -1;
    block *rest = NULL;
    for (ptrdiff_t u = 0; !rest && u < table->n_uniques; u++) {
        const schema_unique *key = &table->uniques[u];
        rest = rest_by(l, own, key->columns, key->columns, key->n);
    }
    return rest || !table->has_rowid ? rest
                                     : rest_by(l, own, &rowid, &rowid, 1);
}

static block *rest_of(const lead *l)
{
    const schema *s = l->p->bound->schema;
    const instance *all = l->all->sources.ptr[0];
    block *rest = NULL;
    for (ptrdiff_t i = 0; !rest && i < l->of->sources.len; i++) {
        instance *child = l->of->sources.ptr[i];
        rest = all->table == child->table ? rest_of_own(l, child) : NULL;
        for (ptrdiff_t k = 0; !rest && k < s->n_keys; k++) {
            const schema_key *key = &s->keys[k];
            bool leads = key->is_sound && key->child == child->table
                         && key->parent == all->table;
            rest = leads ? rest_by(l, child, key->columns, key->targets, key->n)
                         : NULL;
        }
    }
    return rest;
}

// The rows of one table that a subquery counts; NULL: it is none.
static const block *counts_table(const term *t)
{
    const term *scalar = term_bare(t);
    const block *in = scalar->kind == TERM_SCALAR ? scalar->block : NULL;
    bool counts = in && block_is_one_row(in) && counts_rows(in->select.ptr[0])
                  && in->sources.len == 1 && in->sources.ptr[0]->columns_of;
    return counts ? in : NULL;
}

// Whether less than all says another thing than all, of which it is side `k`.
static bool asks_for_rest(const term *t, int k)
{
    return t->kind == TERM_SUBTRACT
               ? k == 0
               : term_compares(t)
                     && term_order_holds((term_kind)t->kind, 0)
                            != term_order_holds((term_kind)t->kind,
                                                k == 1 ? -1 : 1);
}

static const term *count_of(prover *p, block *rows)
{
    rows->is_grouped = true;
    rows->select.len = 0;
    term_list_push(p, &rows->select,
                   term_aggregate(p, S("count"), false, NULL, 0));
    rules_apply_after(p, rows);
    return term_make(p, (term){.kind = TERM_SCALAR, .block = rows});
}

// What two COUNTs say of the rest, one of them perhaps of groups of the block
// by the keys; NULL: nothing.
static const term *of_rest(prover *p,
                           const block *b,
                           const term_list *keys,
                           const term *t)
{
    block *rest = NULL;
    for (int k = 0; k < 2 && !rest; k++) {
        const term *count = asks_for_rest(t, k) ? term_bare(t->args[1 - k]) : t;
        const block *in =
            count->kind == TERM_SCALAR && block_is_one_row(count->block)
                ? count->block
                : NULL;
        lead l = {p, in ? in : b, in ? &(term_list){0} : keys,
                  in ? in->select.ptr[0] : count,
                  count == t ? NULL : counts_table(t->args[k])};
        rest = l.of && l.all
                       && (counts_rows(l.count) || aggregated(l.count, "count"))
                   ? rest_of(&l)
                   : NULL;
    }
    if (!rest || t->kind == TERM_SUBTRACT) {
        return rest ? count_of(p, rest) : NULL;
    }
    const term *some = term_exists(p, rest);
    return term_order_holds((term_kind)t->kind, 0) ? term_not(p, some) : some;
}

static const term *visit_rest(rewrite *r, const term *t)
{
    const term *rest = of_rest(r->p, NULL, NULL, t);
    return rest ? rest : t->block ? t : NULL;
}

bool rule_rest(prover *p, block *b)
{
    rewrite r = {.p = p, .visit = visit_rest, .of = HAS_BLOCK, .b = b};
    return rewrite_terms(&r, b);
}

bool rule_group_rest(prover *p, block *b, ptrdiff_t at)
{
    term_list keys = {0};
    const term *t = b->having.ptr[at];
    bool may = (t->has & HAS_BLOCK) && group_keys(p, b, &keys);
    const term *rest = may ? of_rest(p, b, &keys, t) : NULL;
    if (rest) {
        term_list_remove(&b->having, at);
        term_conjoin(p, &b->where, rest);
    }
    return rest;
}
