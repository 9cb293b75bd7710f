/*
 * rule_quantify.c - what is asked of all rows of a group, or of some: by
 * HAVING, or by a row that is one of them.
 *
 * Method      MIN(x) >= c says that x < c is true of no row of the group, and
 *             that x is not NULL in some row; SUM(p) = 0 that p is true of none
 *             and false of some. So each such condition is a list of what
 *             holds of no row and of what holds of some. No row is NOT EXISTS
 *             of the same rows with the same keys, one row with this is a
 *             row of WHERE, of what another one has there is EXISTS.
 *             What holds of some row is asked of rows of which what holds of
 *             none does not: it says the same, in the words of both.
 *             A row that is among others has their number and extremes beside
 *             it: COUNT(*) = 1 says that there is no other one, x = MAX(x) that
 *             none has a greater x. That stays with the group where no more is
 *             asked of the row than the group shows, and waits until a derived
 *             table has moved to where it is used.
 */
#include "prove/rule_common.h"
#include "relation/relation_ranking.h"
#include "relation/relation_rows.h"
#include "relation/relation_type.h"

typedef struct asked {
    prover *p;
    const block *b;
    term_list keys;       // of its groups
    term_list none;       // true of no row
    term_list some;       // each true of some row
    const term *extreme;  // the MIN or MAX that a part of `some` is about
} asked;

// The test whose rows COUNT counts; NULL: it counts all.
static const term *counted_test(prover *p, const term *t)
{
    const term *x = aggregated(t, "count");
    const term *when = counted_when(t);
    return when ? when : x && !t->flag ? not_null_test(p, x) : NULL;
}

// What SUM adds up as 1, 0 or NULL.
static const term *summed_test(const prover *p, const term *t)
{
    const term *x = aggregated(t, "sum");
    return x && term_is_truth(x) && !prover_is_typed(p) ? x : NULL;
}

// A number of rows beside a literal: none, or some?
static bool read_count(asked *a, const term *t)
{
    bool some = false;
    const term *number = asked_for_rows(t, 1, &some);
    const term *counted = number ? counted_test(a->p, number) : NULL;
    const term *summed = number ? summed_test(a->p, number) : NULL;
    const term *test = counted ? counted : summed;
    if (!test || (test->has & HAS_BLOCK)) {
        return false;
    }
    if (some) {
        term_list_add(a->p, &a->some, test);
        return true;
    }
    term_list_add(a->p, &a->none, test);
    if (summed) {
        term_list_add(a->p, &a->some, not_null_test(a->p, test));
    }
    return true;
}

// MIN(x) or MAX(x) beside a literal. Both compare x by its bytes.
static bool read_extreme(asked *a, const term *t)
{
    bound b;
    const term *x = read_bound(t, &b) ? aggregated(b.x, "min max") : NULL;
    if (!x || (x->has & HAS_BLOCK) || !term_is_binary(x)
        || prover_is_typed(a->p)
        || (b.allows & ALLOWS_UNLIKE) == ALLOWS_UNLIKE) {
        return false;
    }
    bool is_min = str_equal(b.x->text, S("min"));
    unsigned beyond = is_min ? ALLOWS_LESS : ALLOWS_GREATER;
    unsigned unlike = b.allows & ALLOWS_UNLIKE;
    // The comparison is one of a term without a type.
    const term *value = term_untyped(a->p, x);
    const term *args[] = {b.x == t->args[0] ? value : b.literal,
                          b.x == t->args[0] ? b.literal : value};
    const term *test = term_compare(a->p, (term_kind)t->kind, args[0], args[1]);
    if (unlike == 0) {
        term_list_add(a->p, &a->some, test);
        term_list_add(a->p, &a->none,
                      term_compare(a->p, is_min ? TERM_LESS : TERM_GREATER,
                                   value, b.literal));
    } else if (unlike == beyond) {
        term_list_add(a->p, &a->some, test);
        a->extreme = b.x;
    } else {
        term_list_add(a->p, &a->none, term_not(a->p, test));
        term_list_add(a->p, &a->some, not_null_test(a->p, x));
    }
    return true;
}

// Whether there is a MIN, MAX or SUM: of what is not NULL.
static bool read_presence(asked *a, const term *t)
{
    const term *is = term_tested_not_null(t);
    const term *agg = is ? is : term_tested_null(t);
    const term *x = agg ? aggregated(agg, "min max sum") : NULL;
    if (!x || (x->has & HAS_BLOCK)) {
        return false;
    }
    term_list_add(a->p, is ? &a->some : &a->none, not_null_test(a->p, x));
    return true;
}

// COUNT(*) of as many rows as there are that pass a test.
static bool read_all(asked *a, const term *t)
{
    bool is_read = false;
    for (int k = 0; t->kind == TERM_EQUAL && !is_read && k < 2; k++) {
        const term *test = counted_test(a->p, t->args[k]);
        is_read =
            test && counts_rows(t->args[1 - k]) && !(test->has & HAS_BLOCK);
        if (is_read) {
            term_list_add(a->p, &a->none, not_true(a->p, a->b, test));
        }
    }
    return is_read;
}

// MAX(x) <= 5 OR MAX(x) IS NULL: the former of no row, whether there is some
// or not.
static bool read_or_null(asked *a, const term *t)
{
    bool is_read = false;
    for (int k = 0; t->kind == TERM_OR && t->n == 2 && !is_read && k < 2; k++) {
        const term *agg = term_tested_null(t->args[k]);
        const term *test = t->args[1 - k];
        int side = term_compares(test) && test->args[1] == agg;
        asked one = {.p = a->p, .b = a->b};
        is_read = agg && term_compares(test) && test->args[side] == agg
                  && read_extreme(&one, test) && one.none.len == 1
                  && one.some.ptr[0]
                         == not_null_test(a->p, aggregated(agg, "min max"));
        if (is_read) {
            term_list_add(a->p, &a->none, one.none.ptr[0]);
        }
    }
    return is_read;
}

static bool read_test(asked *a, const term *t)
{
    if (counted_test(a->p, t) || summed_test(a->p, t)) {
        const term *zero[] = {term_integer(a->p, 0), t};
        return read_count(a, term_compare(a->p, TERM_LESS, zero[0], zero[1]));
    }
    return read_presence(a, t) || read_or_null(a, t) || read_all(a, t)
           || read_count(a, t) || read_extreme(a, t);
}

// Whether the columns that are grouped by tell the groups apart, also without
// those that may be NULL.
static bool tell_groups(prover *p,
                        const block *b,
                        bool may_be_null,
                        term_list *keys)
{
    keys->len = 0;
    for (ptrdiff_t i = 0; i < b->group.len; i++) {
        const term *key = b->group.ptr[i];
        if (block_owns(b, key->source)
            && (may_be_null || know_not_null(p, b, key))) {
            term_list_push(p, keys, key);
        }
    }
    closure c = closure_of(p, b, keys);
    bool tells = keys->len > 0;
    for (ptrdiff_t i = 0; tells && i < b->group.len; i++) {
        tells = closure_has_key(&c, b->group.ptr[i]);
    }
    return tells;
}

bool group_keys(prover *p, const block *b, term_list *keys)
{
    return tell_groups(p, b, false, keys) || tell_groups(p, b, true, keys);
}

// EXISTS of a row of the block with the keys of its group, or of this row of
// its only table, for which the test is true; without a test of another row
// than this one. NULL: nothing tells them apart.
static const term *rows_with(prover *p,
                             const block *b,
                             const term_list *keys,
                             const term *test,
                             instance *row)
{
    instance *own = b->sources.ptr[0];
    term_list same = {0};
    term_list shown = {0};
    for (ptrdiff_t i = 0; i < keys->len; i++) {
        const term *key = keys->ptr[i];
        term_list_push(p, &same, row ? term_of_other(p, key, own, row) : key);
    }
    term_list_push(p, &shown, test ? test : term_null(p));
    block *copy = rows_with_keys(p, b, keys, &same, row && row != own, &shown);
    test = test ? copy->select.ptr[0]
                : know_other_row(p, copy->sources.ptr[0], row, &same);
    term_conjoin(p, &copy->where, test ? test : term_null(p));
    return test ? term_exists(p, copy) : NULL;
}

static void add_tests(asked *a, block *b)
{
    prover *p = a->p;
    const block was = *b;
    term_list tests = {0};
    if (a->none.len > 0) {
        const term *none =
            term_all(p, TERM_OR, a->none.ptr, (int32_t)a->none.len);
        term_list_push(p, &tests,
                       term_not(p, rows_with(p, &was, &a->keys, none, NULL)));
    }
    for (ptrdiff_t i = 0; i < a->some.len; i++) {
        const term *t = a->some.ptr[i];
        term_list_push(p, &tests,
                       i == 0 ? t : rows_with(p, &was, &a->keys, t, NULL));
    }
    term_conjoin_all(p, &b->where, &tests);
}

// Is what is left to compute the same of the rows that pass? All rows of a
// group pass that has none of some kind; and the greatest value does, if it
// must be greater than something.
static bool keeps_aggregates(const asked *a, const group_results *left)
{
    bool keeps = left->aggregates.len == 0 || a->some.len <= 1;
    for (ptrdiff_t i = 0; keeps && i < left->aggregates.len; i++) {
        keeps = a->some.len == 0 || left->aggregates.ptr[i] == a->extreme;
    }
    return keeps;
}

bool rule_group_tests(prover *p, block *b)
{
    asked a = {.p = p, .b = b};
    term_list rest = {0};
    // Without HAVING nothing is read: that saves looking for keys.
    if (b->having.len == 0 || block_has_limit(b)
        || !group_keys(p, b, &a.keys)) {
        return false;
    }
    for (ptrdiff_t i = 0; i < b->having.len; i++) {
        if (!read_test(&a, b->having.ptr[i])) {
            term_list_push(p, &rest, b->having.ptr[i]);
        }
    }
    block trial = *b;
    trial.having = rest;
    group_results left = know_results(p, &trial);
    if (rest.len == b->having.len || left.is_bare
        || !keeps_aggregates(&a, &left)) {
        return false;
    }
    trial.where = term_list_copy(p, &b->where);
    trial.extremes.len = 0;
    add_tests(&a, &trial);
    *b = trial;
    return true;
}

// A row of a table and the rows that it is grouped with.
typedef struct own_count {
    rewrite r;  // first, so that it can be found from there; of what groups
    row_group g;
} own_count;

// Whether the comparison asks if there are others, or if there are none.
static bool asks_others(const own_count *o, const term *t, bool *some)
{
    const term *x = asked_for_rows(t, 2, some);
    bool is_shown = x && o->g.groups && x->source == o->g.groups;
    return x && counts_rows(is_shown ? o->r.b->select.ptr[x->column] : x);
}

// A comparison of a column with the MIN or MAX of it in the rows that its own
// is among, as one with each of these; NULL: it is none.
static const term *ask_extreme(prover *p,
                               const block *of,
                               const term_list *keys,
                               const term *t,
                               int k,
                               const term *extreme)
{
    const term *c = term_bare(t->args[k]);
    const term *own = term_of_other(p, c, c->source, of->sources.ptr[0]);
    bool is_max = str_equal(extreme->text, S("max"));
    bool passes =
        term_order_holds((term_kind)t->kind, is_max == (k == 0) ? -1 : 1);
    if (!know_extreme(p, extreme, own)
        || passes == term_order_holds((term_kind)t->kind, 0)) {
        return NULL;
    }
    const term *test =
        term_compare(p, is_max ? TERM_GREATER : TERM_LESS, own, c);
    const term *some = rows_with(p, of, keys, test, c->source);
    const term *none[] = {term_not(p, some), not_null_test(p, c)};
    return passes ? some : term_all(p, TERM_AND, none, 2);
}

// A comparison of what the groups show, as a part that only matters when it is
// true.
static const term *visit_own_count(rewrite *r, const term *t)
{
    const own_count *o = (const own_count *)r;
    bool some = false;
    const term *others = NULL;
    if (asks_others(o, t, &some)) {
        others = rows_with(r->p, r->b, &r->b->group, NULL, o->g.row);
        others = others && !some ? term_not(r->p, others) : others;
    }
    for (int k = 0; term_compares(t) && !others && k < 2; k++) {
        const term *shown = term_bare(t->args[1 - k]);
        if (term_bare(t->args[k])->source == o->g.row
            && shown->source == o->g.groups) {
            others = ask_extreme(r->p, r->b, &r->b->group, t, k,
                                 term_bare(r->b->select.ptr[shown->column]));
        }
    }
    bool has_parts = t->kind == TERM_AND || t->kind == TERM_OR;
    return others ? others : has_parts ? NULL : t;
}

static walk_step search_but(void *context, const term *t)
{
    const term *c = *(const term **)context;
    bool is_other = t != c && t->source == c->source;
    return is_other || t->block ? WALK_END : WALK_ON;
}

// Whether the row is among those of the subquery, perhaps if conditions on the
// column hold of it: what equals the extreme of it satisfies them.
static bool is_among(prover *p,
                     const block *of,
                     const term *c,
                     const block *b,
                     bool is_equal,
                     term_list *rest)
{
    return know_rest_of_row(p, of, c->source, b, NULL, rest)
           && (rest->len == 0
               || (is_equal && !term_list_walk(rest, search_but, &c)));
}

// The same of (SELECT MAX(x) ...) of rows that its own is among.
static const term *own_scalar(prover *p, const block *b, const term *t)
{
    const term *test = NULL;
    for (int k = 0; term_compares(t) && !test && k < 2; k++) {
        const term *c = term_bare(t->args[k]);
        const term *scalar = term_bare(t->args[1 - k]);
        const block *of = scalar->kind == TERM_SCALAR ? scalar->block : NULL;
        term_list all = {0};
        if (of && block_owns(b, c->source) && !c->source->is_outer
            && block_is_one_row(of)
            && is_among(p, of, c, b, t->kind == TERM_EQUAL, &all)) {
            test = ask_extreme(p, of, &(term_list){0}, t, k,
                               term_bare(of->select.ptr[0]));
        }
        if (test) {
            term_list_push(p, &all, test);
            test = term_all_of(p, &all);
        }
    }
    return test;
}

bool rule_lone_row(prover *p, block *b, ptrdiff_t at)
{
    const own_count o = {.r = {.b = b}};
    term_list keys = {0};
    bool some = false;
    if (b->sources.len != 1 || !asks_others(&o, b->having.ptr[at], &some)
        || some || !group_keys(p, b, &keys)) {
        return false;
    }
    block rest = results_of_single(p, b);
    group_results results = know_results(p, &rest);
    bool fits = results.is_loose || b->is_result;
    const term *others =
        fits && results.aggregates.len == 0 && !block_has(&rest, HAS_WINDOW)
            ? rows_with(p, b, &keys, NULL, b->sources.ptr[0])
            : NULL;
    if (!others) {
        return false;
    }
    term_conjoin(p, &rest.where, term_not(p, others));
    term_conjoin_all(p, &rest.where, &rest.having);
    block_ungroup(&rest);
    // Which rows come once is asked of the rows that are left.
    rest.repeats = rest.repeats == REPEATS_NONE ? REPEATS_KEPT : rest.repeats;
    *b = rest;
    return true;
}

static walk_step search_more(void *context, const term *t)
{
    const row_group *g = context;
    return t->source == g->row && !term_list_has(&g->columns, t) ? WALK_END
                                                                 : WALK_ON;
}

// Finds the row of a group that the conditions link to it, if more is used of
// it than the group shows.
static bool find_own(prover *p,
                     const block *b,
                     const term_list *links,
                     instance *groups,
                     own_count *out)
{
    bool found = false;
    *out = (own_count){
        .r = {.p = p, .visit = visit_own_count, .b = groups->body},
    };
    for (ptrdiff_t i = 0; !found && i < b->sources.len; i++) {
        instance *row = b->sources.ptr[i];
        found = !row->is_outer && know_row_group(p, links, row, groups, &out->g)
                && row_group_is_own(p, &out->g)
                && know_takes_row(p, groups->body, row, b)
                && block_walk(b, search_more, &out->g);
    }
    return found;
}

// Moves what HAVING asks of the number of rows to the conditions of the row.
static void take_counts(prover *p, own_count *o, block *body, term_list *out)
{
    term_list kept = {0};
    for (ptrdiff_t i = 0; i < body->having.len; i++) {
        const term *t = body->having.ptr[i];
        const term *others = term_compares(t) ? visit_own_count(&o->r, t) : t;
        term_list_push(p, others == t ? &kept : out, others);
    }
    body->having = kept;
}

bool rule_own_count(prover *p, block *b, instance *s)
{
    own_count o;
    if (moves_up(b) || !find_own(p, b, &b->where, s, &o)) {
        return false;
    }
    term_list tests = {0};
    take_counts(p, &o, s->body, &tests);
    b->where = conditions_rewritten(&o.r, &b->where);
    term_conjoin_all(p, &b->where, &tests);
    return o.r.changes || tests.len > 0;
}

// What x IN (groups) asks of the row whose keys are x, if HAVING asks no more;
// NULL: it is something else.
static const term *own_in(prover *p, const block *b, const term *in)
{
    own_count o;
    term_list links = {0};
    term_list tests = {0};
    bool alike = in->block->having.len == 1;
    instance *s = instance_of(p, in->block);
    for (int32_t i = 0; alike && i < instance_columns(s); i++) {
        const term *x = term_part(in->args[0], i);
        const term *c = term_column(p, s, i);
        alike = term_in_is_equal(x, c);
        term_list_push(p, &links, term_of(p, TERM_EQUAL, x, c));
    }
    if (!alike || !find_own(p, b, &links, s, &o) || o.g.rest.len > 0
        || o.g.extreme) {
        return NULL;
    }
    const term *having = in->block->having.ptr[0];
    const term *others = visit_own_count(&o.r, having);
    if (!others || others == having) {
        return NULL;  // parts of it, or none, ask for others
    }
    for (ptrdiff_t i = 0; i < o.g.columns.len; i++) {
        term_conjoin(p, &tests, not_null_test(p, o.g.columns.ptr[i]));
    }
    term_list_push(p, &tests, others);
    return term_all_of(p, &tests);
}

// x <> (one row) of x NOT IN (one row)
static const term *of_one_row(prover *p, const term *t)
{
    const term *in = t->kind == TERM_NOT ? t->args[0] : t;
    if (in == t || in->kind != TERM_IN || in->args[0]->kind == TERM_ROW) {
        return t;
    }
    const term *value =
        term_make(p, (term){.kind = TERM_SCALAR, .block = in->block});
    return term_of(p, TERM_UNEQUAL, in->args[0], value);
}

const term *rule_own_rows(rewrite *r, const term *t)
{
    return moves_up(r->b)       ? NULL
           : t->kind == TERM_IN ? own_in(r->p, r->b, t)
                                : own_scalar(r->p, r->b, of_one_row(r->p, t));
}
