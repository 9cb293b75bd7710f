/*
 * match_select.c - two select blocks over the same sources; see match.h.
 *
 * Method      Part by part, in the order of SQL: the ON of each padded source,
 *             WHERE, then, of rows for which WHERE is true, groups and what is
 *             aggregated, HAVING, and of what is left the items and the order.
 *             What reads the same is the same; of the rest the solver is asked.
 */
#include "prove/form.h"
#include "prove/match_internal.h"
#include "prove/rule_common.h"
#include "relation/relation_told.h"
#include "relation/relation_type.h"

#include <assert.h>

static bool same_text(pairing *f, const term *t, const term *u)
{
    return str_equal(encode_name(&f->e[0], t), encode_name(&f->e[1], u));
}

static bool has_text(pairing *f, const term_list *l, const term *t, int side)
{
    for (ptrdiff_t i = 0; i < l->len; i++) {
        if (side ? same_text(f, l->ptr[i], t) : same_text(f, t, l->ptr[i])) {
            return true;
        }
    }
    return false;
}

static bool same_texts(pairing *f, const term_list *l, const term_list *r)
{
    bool same = true;
    for (ptrdiff_t i = 0; same && i < l->len; i++) {
        same = has_text(f, r, l->ptr[i], 0);
    }
    for (ptrdiff_t i = 0; same && i < r->len; i++) {
        same = has_text(f, l, r->ptr[i], 1);
    }
    return same;
}

// Whether the solver finds that this cannot be.
static bool never(pairing *f, formula *what, match_part part)
{
    bool is_so = solver_refutes(f->m->s, what);
    f->m->parts |= is_so ? 1u << part : 0;
    return is_so;
}

static bool same_conditions(pairing *f, const term_list *l, const term_list *r)
{
    if (same_texts(f, l, r)) {
        return true;
    }
    solver *s = f->m->s;
    formula *left = encode_all(&f->e[0], l);
    formula *right = encode_all(&f->e[1], r);
    return never(f, formula_not(s, formula_equal(s, left, right)),
                 MATCH_CONDITIONS);
}

// Whether both terms have one value in all rows at hand; with `is_strict` the
// same to every function, too.
static bool same_values(pairing *f,
                        const term *t,
                        const term *u,
                        bool is_strict,
                        match_part part)
{
    if (same_text(f, t, u)) {
        return true;
    }
    encoded left = encode_value(&f->e[0], t);
    encoded right = encode_value(&f->e[1], u);
    if (is_strict && !known_identity(left.kind, right.kind)) {
        return false;
    }
    formula *same = encode_same(&f->e[0], left, right);
    return never(f, formula_not(f->m->s, same), part);
}

// Text under another collation is grouped and sorted in another way.
static bool same_sorting(const term *t, const term *u)
{
    schema_collation l = COLLATION_BINARY;
    schema_collation r = COLLATION_BINARY;
    term_collation(t, &l);
    term_collation(u, &r);
    return l == r;
}

// Texts

typedef struct text_search {
    arena *a;
    str_list found;
} text_search;

static walk_step find_text(void *context, const term *t)
{
    text_search *search = context;
    if (t->kind == TERM_TEXT) {
        *vec_push(search->a, &search->found) = t->text;
    }
    return t->block ? WALK_PAST : WALK_ON;
}

static void assert_order(pairing *f, const term *one, const term *other)
{
    solver *s = f->m->s;
    formula *a = encode_value(&f->e[0], one).value;
    formula *b = encode_value(&f->e[0], other).value;
    literal_order order = type_order(f->m->p[0], NULL, one, other);
    if (order == LITERAL_LESS) {
        solver_assert(s, formula_less(s, a, b));
    } else if (order == LITERAL_OTHER) {
        solver_assert(s, formula_not(s, formula_equal(s, a, b)));
    }
}

// The texts that occur stand in their order, where it is known.
static void assert_texts(pairing *f)
{
    enum {
        REACH_MAX = 40
    };
    prover *p = f->m->p[0];
    text_search search = {.a = p->a};
    block_walk_own(f->b[0], find_text, &search);
    block_walk_own(f->b[1], find_text, &search);
    for (int32_t i = 0; i < f->n; i++) {
        term_list_walk(&f->checks[i], find_text, &search);
    }
    int n = form_sort(search.found.ptr, (int)search.found.len);
    // SQLite's order needs neighbors only.
    int reach = p->elsewhere == DIALECT_SQLITE ? 1 : REACH_MAX;
    for (int i = 0; i < n; i++) {
        for (int k = i > reach ? i - reach : 0; k < i; k++) {
            assert_order(f, term_text(p, search.found.ptr[k]),
                         term_text(p, search.found.ptr[i]));
        }
    }
}

// Rows

static bool uses_padded(const pairing *f, const term *t)
{
    for (int32_t i = 0; i < f->n; i++) {
        if (f->order[0][i]->is_outer && term_uses(t, f->order[0][i])) {
            return true;
        }
    }
    return false;
}

// No CHECK of its table is false for the row of a source.
static formula *meets_checks(pairing *f, int32_t place)
{
    solver *s = f->m->s;
    formula *all = formula_truth(s, true);
    for (ptrdiff_t i = 0; i < f->checks[place].len; i++) {
        encoded_truth t = encode_truth(&f->e[0], f->checks[place].ptr[i]);
        all = formula_and(s, all, formula_not(s, t.no));
    }
    return all;
}

static void assert_checks(pairing *f)
{
    for (int32_t i = 0; i < f->n; i++) {
        if (!f->order[0][i]->is_outer) {
            solver_assert(f->m->s, meets_checks(f, i));
        }
    }
}

// What is asked of unpadded rows by both sides, in the same words: rows for
// which it is not true are left out by both, whatever their partners.
static formula *common_conditions(pairing *f)
{
    solver *s = f->m->s;
    formula *all = formula_truth(s, true);
    for (ptrdiff_t i = 0; i < f->b[0]->where.len; i++) {
        const term *t = f->b[0]->where.ptr[i];
        if (!uses_padded(f, t) && has_text(f, &f->b[1]->where, t, 0)) {
            all = formula_and(s, all, encode_truth(&f->e[0], t).yes);
        }
    }
    return all;
}

// A row of a padded source is one that meets ON, or all NULL.
static void assert_padded(pairing *f, int32_t place)
{
    solver *s = f->m->s;
    encoder *e = &f->e[0];
    instance *source = f->order[0][place];
    assert(source->is_outer);
    str name = arena_printf(e->p->a, "padded %d", (int)source->number);
    formula *is_padded = formula_variable(s, SORT_OF_TRUTH, name);
    formula *meets =
        formula_and(s, encode_all(e, &source->on), meets_checks(f, place));
    for (int32_t k = 0; k < instance_columns(source); k++) {
        const term *column = term_column(e->p, source, k);
        encoded x = encode_value(e, column);
        if (never_null_inside(e->p, source, column)) {
            meets = formula_and(s, meets, formula_not(s, x.null));
        }
        solver_assert(s, formula_or(s, formula_not(s, is_padded), x.null));
    }
    solver_assert(s, formula_or(s, is_padded, meets));
}

static bool same_rows(pairing *f)
{
    for (int32_t i = 0; i < f->n; i++) {
        if (f->order[0][i]->is_outer
            && !same_texts(f, &f->order[0][i]->on, &f->order[1][i]->on)) {
            solver_push(f->m->s);
            solver_assert(f->m->s, common_conditions(f));
            bool same =
                same_conditions(f, &f->order[0][i]->on, &f->order[1][i]->on);
            solver_pop(f->m->s);
            if (!same) {
                return false;
            }
        }
    }
    for (int32_t i = 0; i < f->n; i++) {
        if (f->order[0][i]->is_outer) {
            assert_padded(f, i);
        }
    }
    return same_conditions(f, &f->b[0]->where, &f->b[1]->where);
}

// Groups

// Whether the groups of one side leave the term one value.
static bool is_determined(pairing *f, int side, const closure *c, const term *t)
{
    const block *b = f->b[side];
    for (ptrdiff_t i = 0; i < b->group.len; i++) {
        const term *g = b->group.ptr[i];
        if (same_sorting(t, g)
            && (side ? same_values(f, t, g, false, MATCH_GROUPS)
                     : same_values(f, g, t, false, MATCH_GROUPS))) {
            return true;
        }
    }
    // A column of the other side, as one of this side's.
    for (int32_t i = 0; t->kind == TERM_COLUMN && i < f->n; i++) {
        instance *own = f->order[side][i];
        if (f->order[1 - side][i] == t->source && !own->body) {
            return closure_has(c, term_column(f->m->p[side], own, t->column));
        }
    }
    return false;
}

static bool same_groups(pairing *f)
{
    for (int side = 0; side < 2; side++) {
        const block *b = f->b[side];
        const block *other = f->b[1 - side];
        closure c = closure_of(f->m->p[side], b, &b->group);
        for (ptrdiff_t i = 0; i < other->group.len; i++) {
            if (!is_determined(f, side, &c, other->group.ptr[i])) {
                return false;
            }
        }
    }
    return true;
}

// Whether t and u aggregate the same over any rows at hand.
static bool same_aggregates(pairing *f, const term *t, const term *u)
{
    solver *s = f->m->s;
    if (!str_equal(t->text, u->text) || t->flag != u->flag || t->n > 1
        || u->n > 1) {
        return false;
    }
    bool counts = str_equal(t->text, S("count")) && !t->flag;
    if (counts) {
        formula *none = formula_truth(s, false);
        formula *left =
            t->n > 0 ? encode_value(&f->e[0], t->args[0]).null : none;
        formula *right =
            u->n > 0 ? encode_value(&f->e[1], u->args[0]).null : none;
        return never(f, formula_not(s, formula_equal(s, left, right)),
                     MATCH_RESULTS);
    }
    return t->n == 1 && u->n == 1 && same_sorting(t->args[0], u->args[0])
           && same_values(f, t->args[0], u->args[0], true, MATCH_RESULTS);
}

// Whether all that is asked of `one` holds for the row of `other`, too, so that
// each group has a row in which the former is the latter: both are of one table
// and held equal in some columns, and nothing else tells of `one`.
static bool may_be(pairing *f, instance *one, instance *other)
{
    const block *b = f->b[0];
    prover *p = f->m->p[0];
    bool may = one != other && !one->body && one->table == other->table
               && !other->body && !one->is_outer && !other->is_outer;
    for (ptrdiff_t i = 0; may && i < b->where.len; i++) {
        const term *t = b->where.ptr[i];
        may = !term_uses(t, one)
              || (know_identifies(p, b, t)
                  && t->args[0]->column == t->args[1]->column
                  && (t->args[0]->source == other
                      || t->args[1]->source == other));
    }
    for (ptrdiff_t i = 0; may && i < b->group.len; i++) {
        const term *g = b->group.ptr[i];
        may =
            !term_uses(g, one)
            || (g->kind == TERM_COLUMN
                && know_same_class(p, b, g, term_column(p, other, g->column)));
    }
    for (ptrdiff_t i = 0; may && i < b->sources.len; i++) {
        may = !term_list_uses(&b->sources.ptr[i]->on, one);
    }
    return may;
}

// MAX(x) of a group is not less than the x of a row that may be in it.
static void assert_extreme(pairing *f, const term *t)
{
    solver *s = f->m->s;
    bool is_max = str_equal(t->text, S("max"));
    bool is_min = str_equal(t->text, S("min"));
    const term *x = t->n == 1 ? t->args[0] : NULL;
    schema_collation c = COLLATION_BINARY;
    if (!f->b[0]->has_group || !x || !(is_max || is_min)
        || x->kind != TERM_COLUMN
        || (term_collation(x, &c) && c != COLLATION_BINARY)) {
        return;
    }
    for (int32_t i = 0; i < f->n; i++) {
        if (!may_be(f, x->source, f->order[0][i])) {
            continue;
        }
        const term *own = term_column(f->m->p[0], f->order[0][i], x->column);
        encoded one = encode_value(&f->e[0], own);
        encoded most = encode_value(&f->e[0], t);
        formula *order = is_max ? formula_less_equal(s, one.value, most.value)
                                : formula_less_equal(s, most.value, one.value);
        formula *is_so = formula_and(s, formula_not(s, most.null), order);
        solver_assert(s, formula_or(s, one.null, is_so));
    }
}

// Aggregates of the right that are the same as one of the left are called as
// that one. False: a result depends on which row of a group is looked at.
static bool name_aggregates(pairing *f)
{
    group_results found[2] = {0};
    for (int side = 0; side < 2; side++) {
        found[side] = know_results(f->m->p[side], f->b[side]);
        if (found[side].is_loose) {
            return false;
        }
    }
    for (ptrdiff_t i = 0; i < found[0].aggregates.len; i++) {
        assert_extreme(f, found[0].aggregates.ptr[i]);
    }
    for (ptrdiff_t k = 0; k < found[1].aggregates.len; k++) {
        const term *u = found[1].aggregates.ptr[k];
        if (has_text(f, &found[0].aggregates, u, 1)) {
            continue;
        }
        for (ptrdiff_t i = 0; i < found[0].aggregates.len; i++) {
            const term *t = found[0].aggregates.ptr[i];
            if (same_aggregates(f, t, u)) {
                *vec_push(f->m->p[1]->a, &f->e[1].aliases) =
                    (alias){u, encode_name(&f->e[0], t)};
                break;
            }
        }
    }
    return true;
}

// Results

static bool same_items(pairing *f)
{
    const term_list *l = &f->b[0]->select;
    const term_list *r = &f->b[1]->select;
    bool *taken = arena_new(f->m->p[0]->a, bool, r->len + 1);
    for (ptrdiff_t i = 0; f->items != MATCH_ROWS_ONLY && i < l->len; i++) {
        ptrdiff_t ways = f->items == MATCH_ANY_ORDER ? r->len : 1;
        bool found = false;
        for (ptrdiff_t k = 0; !found && k < ways; k++) {
            ptrdiff_t at = (i + k) % r->len;
            const term *t = l->ptr[i];
            const term *u = r->ptr[at];
            found = !taken[at] && (!f->is_nested || match_type(t, u))
                    && (f->b[0]->repeats == REPEATS_KEPT || same_sorting(t, u))
                    && same_values(f, t, u, f->is_nested, MATCH_RESULTS);
            if (found) {
                taken[at] = true;
                f->columns[i] = (int32_t)at;
            }
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

static bool same_order(pairing *f)
{
    for (ptrdiff_t i = 0; i < f->b[0]->order.len; i++) {
        const sort_term *l = &f->b[0]->order.ptr[i];
        const sort_term *r = &f->b[1]->order.ptr[i];
        if (l->is_descending != r->is_descending
            || l->nulls_last != r->nulls_last || !same_sorting(l->term, r->term)
            || !same_values(f, l->term, r->term, false, MATCH_GROUPS)) {
            return false;
        }
    }
    return true;
}

static bool same_results(pairing *f)
{
    if (!same_conditions(f, &f->b[0]->having, &f->b[1]->having)) {
        return false;
    }
    solver_assert(f->m->s, encode_all(&f->e[0], &f->b[0]->having));
    return same_items(f) && same_order(f);
}

bool match_selects(pairing *f)
{
    solver *s = f->m->s;
    assert_texts(f);
    assert_checks(f);
    if (!same_rows(f)) {
        return false;
    }
    solver_push(s);
    solver_assert(s, encode_all(&f->e[0], &f->b[0]->where));
    bool same = !f->b[0]->is_grouped || (same_groups(f) && name_aggregates(f));
    // Without GROUP BY there is a result though there may be no row.
    bool has_rows = !block_is_one_group(f->b[0]);
    same = same && (!has_rows || same_results(f));
    solver_pop(s);
    return same && (has_rows || same_results(f));
}
