/*
 * relation_told.c - what determines what; see relation_told.h.
 *
 * Method      A degree of closure_degree for each column of each source, raised
 *             until nothing changes: columns held equal to one that is set, to
 *             a literal or to what is computed from those, and all columns of
 *             a source that has a key among those that are set. A key is met by
 *             columns that are equal as the key compares them; then it is one
 *             row, with all its values.
 *             An outer source has one row at most for each row before it when
 *             its ON equates a key of it; what else its ON asks must be
 *             determined too, for it decides between that row and none.
 *             Beside NOT EXISTS (a row with the same k and a greater x) k tells
 *             x, beside NOT EXISTS (another row with it) which row it is.
 *
 * Invariant   A degree only rises, and is IDENTICAL for all columns of a row
 *             that is known.
 * Cost        Conditions and keys of the sources, for each round; a round sets
 *             a slot at least.
 */
#include "relation/relation_told.h"

#include "relation/known.h"
#include "relation/normal_internal.h"
#include "relation/relation_rows.h"

#include <assert.h>

enum {
    ROUNDS_MAX = 100
};

static ptrdiff_t row_slot(const instance *i)
{
    return i->slot + instance_columns(i);
}

static ptrdiff_t slot_of(const term *t)
{
    assert(t->kind == TERM_COLUMN && t->column < instance_columns(t->source));
    return t->column >= 0 ? t->source->slot + t->column : row_slot(t->source);
}

static closure_degree degree_of(const closure *c, const term *t)
{
    return block_owns(c->b, t->source) ? (closure_degree)c->in[slot_of(t)]
                                       : AGREE_IDENTICAL;
}

static walk_step search_unfixed(void *context, const term *t)
{
    const closure *c = *(const closure **)context;
    bool is_fixed = t->kind == TERM_COLUMN ? degree_of(c, t) == AGREE_IDENTICAL
                    : t->block
                        ? t->kind == TERM_SCALAR && block_is_one_row(t->block)
                        : true;
    return is_fixed ? WALK_ON : WALK_END;
}

bool closure_has(const closure *c, const term *t)
{
    return (t->has & (HAS_AGGREGATE | HAS_WINDOW)) == 0
           && !term_walk(t, search_unfixed, &c);
}

bool closure_has_key(const closure *c, const term *t)
{
    return closure_has(c, t)
           || (t->kind == TERM_COLUMN && degree_of(c, t) != AGREE_NOT);
}

static bool has_columns(const closure *c,
                        const instance *i,
                        closure_degree least)
{
    ptrdiff_t n = instance_columns(i);
    assert(i->slot + n < c->n);  // a slot for each column, and one for the row
    for (ptrdiff_t k = 0; k < n; k++) {
        if (c->in[i->slot + k] < least) {
            return false;
        }
    }
    return n > 0;
}

bool closure_has_source(const closure *c, const instance *i)
{
    return has_columns(c, i, AGREE_IDENTICAL);
}

bool closure_has_row(const closure *c, const instance *i)
{
    assert(row_slot(i) < c->n);  // a source of the closure's block
    return c->in[row_slot(i)] != AGREE_NOT;
}

// Which side of the conjunct is a column that it makes a constant; -1: none.
static int fixed_side(prover *p, const term *t)
{
    const term *x = term_tested_null(t);
    if (x) {
        return x->kind == TERM_COLUMN ? 0 : -1;
    }
    if (t->kind != TERM_EQUAL) {
        return -1;
    }
    for (int i = 0; i < 2; i++) {
        const term *column = t->args[i];
        if (term_is_literal(t->args[1 - i]) && column->kind == TERM_COLUMN
            && !column->source->is_outer && know_exact(p, column)) {
            return i;
        }
    }
    return -1;
}

static bool set_column(closure *c, const term *t, closure_degree how)
{
    if (!block_owns(c->b, t->source) || c->in[slot_of(t)] >= how) {
        return false;
    }
    assert(slot_of(t) < c->n);
    c->in[slot_of(t)] = (uint8_t)how;
    return true;
}

static bool set_row(closure *c, const instance *i)
{
    ptrdiff_t n = instance_columns(i) + 1;
    assert(block_owns(c->b, i) && i->slot + n <= c->n);
    bool changed = false;
    for (ptrdiff_t k = 0; k < n; k++) {
        changed |= c->in[i->slot + k] != AGREE_IDENTICAL;
        c->in[i->slot + k] = AGREE_IDENTICAL;
    }
    return changed;
}

bool know_meets_one(prover *p, const term *column, const term *other)
{
    schema_collation collation;
    schema_affinity affinity = term_affinity(column);
    schema_affinity beside = term_affinity(other);
    bool keeps = schema_affinity_is_number(affinity)
                 || (affinity == AFFINITY_TEXT
                     && (beside == AFFINITY_TEXT || beside == AFFINITY_BLOB));
    bool is_binary =
        !term_collation(other, &collation) || collation == COLLATION_BINARY;
    return keeps && is_binary && know_exact(p, column) && !prover_is_typed(p);
}

// The column of whole numbers of which the term is the sum with a literal, so
// that it tells which; the column of days that it counts from; NULL: neither.
static const term *counted_from(prover *p, const term *t)
{
    bool is_sum = t->kind == TERM_ADD && !t->flag;
    const term *x = is_sum ? t->args[t->args[0]->kind == TERM_INTEGER] : NULL;
    const term *by = is_sum ? t->args[x == t->args[0]] : NULL;
    bool tells = is_sum && by->kind == TERM_INTEGER
                 && known_is(p, x, KNOWN_INTEGER, ASSUME_DEFAULT)
                 && prover_assumes(p, ASSUME_NO_OVERFLOW);
    return tells ? x : term_day_within(p, t);
}

// A column that is held equal to what is known is known.
static bool take_known(prover *p, closure *c, const term *t)
{
    bool changed = false;
    for (int k = 0; t->kind == TERM_EQUAL && k < 2; k++) {
        if (closure_has(c, t->args[k]) || !closure_has(c, t->args[1 - k])) {
            continue;
        }
        const term *from = counted_from(p, t->args[k]);
        const term *column = from ? from : t->args[k];
        if (column->kind == TERM_COLUMN && !column->source->is_outer
            && (from || know_meets_one(p, column, t->args[1 - k]))) {
            changed |= set_column(c, column, AGREE_IDENTICAL);
        }
    }
    return changed;
}

static bool uses_sources(const block *b, const term *t)
{
    bool uses = false;
    for (ptrdiff_t i = 0; !uses && i < b->sources.len; i++) {
        uses = term_uses(t, b->sources.ptr[i]);
    }
    return uses;
}

// NOT EXISTS (a row with the same k and a greater x): rows that agree in k
// agree in x, for neither is greater than that of the other row. What else is
// asked of that row holds of all of them; it says nothing of this row.
static bool take_none(prover *p, closure *c, const block *none)
{
    instance *other = none->sources.ptr[0];
    instance *row = NULL;
    const term *x = NULL;
    term_list rest = {0};
    bool fits = true;
    for (ptrdiff_t i = 0; fits && i < none->where.len; i++) {
        const term *own = term_against(none->where.ptr[i], other);
        if (!own || !block_owns(c->b, own->source)) {
            term_list_push(p, &rest, none->where.ptr[i]);
            continue;
        }
        bool is_key = none->where.ptr[i]->kind == TERM_EQUAL;
        fits = (!row || row == own->source) && !own->source->is_outer
               && know_not_null(p, c->b, own)
               && (is_key ? closure_has_key(c, own)
                          : !x && know_exact(p, own) != EXACT_NOT);
        row = own->source;
        x = is_key ? x : own;
    }
    for (ptrdiff_t i = 0; fits && row && i < rest.len; i++) {
        fits = !uses_sources(c->b, rest.ptr[i])
               && term_list_has(&c->b->where,
                                term_of_other(p, rest.ptr[i], other, row));
    }
    return fits && x && set_column(c, x, AGREE_IDENTICAL);
}

// Of two columns that are held equal the one that is told less is told as the
// other is.
static bool take_equals(prover *p, closure *c, const term *t)
{
    bool are_columns = t->kind == TERM_EQUAL && t->args[0]->kind == TERM_COLUMN
                       && t->args[1]->kind == TERM_COLUMN;
    if (!are_columns) {
        return false;
    }
    closure_degree left = degree_of(c, t->args[0]);
    closure_degree right = degree_of(c, t->args[1]);
    return left != right && know_equates(p, t)
           && (left < right ? set_column(c, t->args[0], right)
                            : set_column(c, t->args[1], left));
}

static bool take_condition(prover *p, closure *c, const term *t)
{
    const term *test = t->kind == TERM_NOT ? t->args[0] : t;
    if (test != t && test->kind == TERM_EXISTS && test->block->sources.len == 1
        && block_selects_tables(test->block)) {
        return take_none(p, c, test->block);
    }
    int fixed = fixed_side(p, t);
    if (fixed >= 0) {
        return set_column(c, t->args[fixed], AGREE_IDENTICAL);
    }
    return take_known(p, c, t) || take_equals(p, c, t);
}

// Rows that agree in the column so far have equal values of it in the key.
static bool key_agrees(const closure *c,
                       const instance *i,
                       const schema_unique *key,
                       ptrdiff_t at)
{
    int32_t column = key->columns[at];
    assert(at >= 0 && at < key->n && column < i->columns_of->n_columns);
    schema_collation own = i->columns_of->columns[column].collation;
    closure_degree how = (closure_degree)c->in[i->slot + column];
    return how == AGREE_IDENTICAL
           || (how == AGREE_EQUAL
               && (own == COLLATION_BINARY
                   || own == schema_unique_collation(i->columns_of, key, at)));
}

// Its ON is met by no NULL of the column, or there is none: a padded row is
// told from the others, too.
static bool outer_not_null(prover *p, instance *i, int32_t column)
{
    const term *c = term_column(p, i, column);
    bool is_met = know_never_null(p, i->columns_of, column);
    for (ptrdiff_t k = 0; !is_met && k < i->on.len; k++) {
        is_met = know_rejects(i->on.ptr[k], c, NULL);
    }
    return is_met;
}

static bool table_key(prover *p, const closure *c, instance *i)
{
    const schema_table *table = i->columns_of;
    if (c->in[row_slot(i)] && table->has_rowid) {
        return true;
    }
    for (ptrdiff_t u = 0; u < table->n_uniques; u++) {
        const schema_unique *unique = &table->uniques[u];
        bool is_key = unique->n > 0;
        for (ptrdiff_t k = 0; is_key && k < unique->n; k++) {
            int32_t column = unique->columns[k];
            is_key =
                key_agrees(c, i, unique, k)
                && (i->is_outer
                        ? outer_not_null(p, i, column)
                        : know_not_null(p, c->b, term_column(p, i, column)));
        }
        if (is_key && prover_assumes(p, ASSUME_KEYS)) {
            return true;
        }
    }
    return false;
}

static bool is_one_row(const block *b)
{
    return block_is_one_group(b) || (b->limit && term_is_number(b->limit, 1));
}

static closure closure_open(prover *p, const block *b)
{
    closure c = {.b = b};
    for (ptrdiff_t i = 0; i < b->sources.len; i++) {
        b->sources.ptr[i]->slot = (int32_t)c.n;
        c.n += instance_columns(b->sources.ptr[i]) + 1;
    }
    c.in = arena_new(p->a, uint8_t, c.n + 1);
    return c;
}

// Equal keys have one value where equality is identity.
static void take_equal(prover *p, closure *c, const term *t)
{
    t = term_key(p, t);
    if (t->kind == TERM_COLUMN) {
        set_column(c, t, know_exact(p, t) ? AGREE_IDENTICAL : AGREE_EQUAL);
    }
}

static void closure_run(prover *p, closure *c);

// Whether all items of a derived table are known: what is a literal is, but
// where it is padded.
static bool has_items(const closure *c, const instance *i, bool is_there)
{
    const term_list *items = &i->body->select;
    for (ptrdiff_t k = 0; k < items->len; k++) {
        bool is_fixed = is_there && term_is_literal(items->ptr[k]);
        if (!is_fixed && c->in[i->slot + k] == AGREE_NOT) {
            return false;
        }
    }
    return items->len > 0;
}

// What is known inside of a derived table by its columns that are in the
// closure around it; those items.
static closure closure_inside(prover *p,
                              const closure *around,
                              const instance *i,
                              term_list *known)
{
    const block *b = i->body;
    assert(!b->set);
    closure inner = closure_open(p, b);
    for (ptrdiff_t k = 0; k < b->select.len; k++) {
        const term *t = b->select.ptr[k];
        closure_degree how = (closure_degree)around->in[i->slot + k];
        if (how == AGREE_IDENTICAL && t->kind == TERM_COLUMN) {
            set_column(&inner, t, how);
        } else if (how != AGREE_NOT) {
            take_equal(p, &inner, t);
        }
        if (how != AGREE_NOT) {
            term_list_push(p, known, t);
        }
    }
    closure_run(p, &inner);
    return inner;
}

static bool select_key(prover *p,
                       const block *b,
                       const closure *around,
                       const instance *i,
                       bool is_there)
{
    assert(i->body == b && !b->set);
    if (b->repeats != REPEATS_KEPT && has_items(around, i, is_there)) {
        return true;
    }
    if (know_picks(p, b)) {
        return false;
    }
    term_list known = {0};
    closure inner = closure_inside(p, around, i, &known);
    if (!b->is_grouped) {
        return closure_covers(p, &inner);
    }
    for (ptrdiff_t k = 0; k < b->group.len; k++) {
        const term *t = b->group.ptr[k];
        if (!term_list_has(&known, t) && !closure_has_key(&inner, t)) {
            return false;
        }
    }
    return true;
}

// Whether the rows of the block are told apart by those of its columns that
// are in the closure.
static bool body_key(prover *p,
                     const closure *c,
                     const instance *i,
                     bool is_there)
{
    const block *b = i->body;
    return is_one_row(b) ? true
           : b->set      ? !b->is_all && has_columns(c, i, AGREE_EQUAL)
                         : select_key(p, b, c, i, is_there);
}

// `is_there`: not as a padded row.
static bool has_key(prover *p, const closure *c, instance *i, bool is_there)
{
    return i->body ? body_key(p, c, i, is_there) : table_key(p, c, i);
}

static closure closure_copy(prover *p, const closure *c)
{
    closure copy = *c;
    copy.in = arena_copy(p->a, c->in, c->n, 0);
    return copy;
}

// Its ON and what is in the closure leave an outer source one row at most.
static bool is_fixed_outer(prover *p, const closure *c, instance *i)
{
    assert(i->is_outer);  // so it is again at the end
    closure with = closure_copy(p, c);
    i->is_outer = false;
    for (ptrdiff_t k = 0; k < i->on.len; k++) {
        take_condition(p, &with, i->on.ptr[k]);
    }
    i->is_outer = true;
    if (!has_key(p, &with, i, true)) {
        return false;
    }
    // What ON says of the rows before it decides whether there is a partner.
    closure before = closure_copy(p, c);
    set_row(&before, i);
    for (ptrdiff_t k = 0; k < i->on.len; k++) {
        if (!closure_has(&before, i->on.ptr[k])) {
            return false;
        }
    }
    return true;
}

// Columns of a derived table that others of its columns tell, as those of the
// rows that it selects.
static bool take_outputs(prover *p, closure *c, const instance *i)
{
    bool selects = i->body && !i->body->set && !i->body->is_grouped
                   && !i->is_outer && !know_picks(p, i->body);
    bool changed = false;
    term_list known = {0};
    closure inner = {0};
    if (selects) {
        inner = closure_inside(p, c, i, &known);
    }
    for (ptrdiff_t k = 0; selects && k < i->body->select.len; k++) {
        if (c->in[i->slot + k] != AGREE_IDENTICAL
            && closure_has(&inner, i->body->select.ptr[k])) {
            c->in[i->slot + k] = AGREE_IDENTICAL;
            changed = true;
        }
    }
    return changed;
}

static bool step(prover *p, closure *c)
{
    bool changed = false;
    for (ptrdiff_t i = 0; i < c->b->where.len; i++) {
        changed |= take_condition(p, c, c->b->where.ptr[i]);
    }
    for (ptrdiff_t i = 0; i < c->b->sources.len; i++) {
        instance *source = c->b->sources.ptr[i];
        if (has_key(p, c, source, !source->is_outer)
            || (source->is_outer && is_fixed_outer(p, c, source))) {
            changed |= set_row(c, source);
        } else {
            changed |= take_outputs(p, c, source);
        }
    }
    return changed;
}

static void closure_run(prover *p, closure *c)
{
    for (int round = 0; round < ROUNDS_MAX && step(p, c); round++) {
        p->work += 10;
    }
}

static closure closure_from(prover *p,
                            const block *b,
                            const term_list *from,
                            bool are_same)
{
    closure c = closure_open(p, b);
    for (ptrdiff_t i = 0; i < from->len; i++) {
        const term *t = from->ptr[i];
        if (!are_same) {
            take_equal(p, &c, t);
        } else if (t->kind == TERM_COLUMN) {
            set_column(&c, t, AGREE_IDENTICAL);
        }
    }
    closure_run(p, &c);
    return c;
}

closure closure_of(prover *p, const block *b, const term_list *from)
{
    return closure_from(p, b, from, false);
}

closure closure_of_same(prover *p, const block *b, const term_list *from)
{
    return closure_from(p, b, from, true);
}

bool closure_covers(prover *p, const closure *c)
{
    for (ptrdiff_t i = 0; i < c->b->sources.len; i++) {
        instance *source = c->b->sources.ptr[i];
        if (!closure_has_source(c, source)
            || !has_key(p, c, source, !source->is_outer)) {
            return false;
        }
    }
    return true;
}

bool know_tells_rows(prover *p, const block *b, const term_list *from)
{
    closure c = closure_of(p, b, from);
    return closure_covers(p, &c);
}

bool know_repeats(prover *p, const block *b, const instance *i)
{
    closure c = closure_open(p, b);
    bool all = set_row(&c, i);
    closure_run(p, &c);
    for (ptrdiff_t k = 0; all && k < b->sources.len; k++) {
        all = closure_has_row(&c, b->sources.ptr[k]);
    }
    return !all;
}

typedef struct results_search {
    prover *p;
    const closure *c;
    group_results found;
} results_search;

static walk_step search_results(void *context, const term *t);

// A window over groups: what its function takes is of a group, too.
static void search_window(results_search *s, const term *window)
{
    const term *call = window->args[0];
    results_search in = {.p = s->p, .c = s->c};
    for (int32_t i = 0; i < call->n; i++) {
        term_walk(call->args[i], search_results, &in);
    }
    s->found.is_loose |= in.found.is_loose;
    s->found.is_bare = true;
}

static walk_step search_results(void *context, const term *t)
{
    results_search *s = context;
    if (t->kind == TERM_AGGREGATE) {
        term_list_add(s->p, &s->found.aggregates, t);
        return WALK_PAST;
    }
    if (t->kind == TERM_COLUMN && block_owns(s->c->b, t->source)) {
        s->found.is_loose |= !closure_has(s->c, t);
        s->found.is_bare |= s->found.is_loose;
    } else if (t->kind == TERM_WINDOW) {
        search_window(s, t);
    }
    return term_list_has(&s->c->b->group, t) && know_exact(s->p, t) ? WALK_PAST
                                                                    : WALK_ON;
}

bool closure_has_grouped(prover *p, const closure *c, const term *t)
{
    return closure_has(c, t)
           || (term_list_has(&c->b->group, t) && know_exact(p, t));
}

bool know_group_has(prover *p, const block *b, const term *t)
{
    closure c = closure_of(p, b, &b->group);
    return closure_has_grouped(p, &c, t);
}

static const term *visit_none(rewrite *r, const term *t)
{
    // Dividing by 0 may be an error where dividing by NULL is none.
    bool divides = t->kind == TERM_DIVIDE && !prover_is_typed(r->p)
                   && !prover_may_not(r->p, S("divisor"));
    const term *by = divides ? know_of_none(r->p, t->args[1]) : NULL;
    bool is_null = (by && term_is_number(by, 0))
                   || (t->kind == TERM_AGGREGATE && t->n == 1
                       && str_among(t->text, "sum min max avg"));
    return is_null                                 ? term_null(r->p)
           : term_counts(t)                        ? term_integer(r->p, 0)
           : t->block || t->kind == TERM_AGGREGATE ? t
                                                   : NULL;
}

const term *know_of_none(prover *p, const term *t)
{
    uint64_t locals = p->locals;
    rewrite r = {.p = p, .visit = visit_none};
    const term *none = term_rewrite(&r, t);
    p->locals = locals;  // nothing stands in the place of the term
    return know_null_when(none, term_null(p), NULL) ? term_null(p)
           : none->has                              ? NULL
                                                    : none;
}

bool know_null_of_none(prover *p, const term *t)
{
    const term *none = know_of_none(p, t);
    return none && none->kind == TERM_NULL;
}

group_results know_results(prover *p, const block *b)
{
    closure c = closure_of(p, b, &b->group);
    results_search s = {.p = p, .c = &c};
    block_walk_results(b, search_results, &s);
    return s.found;
}

// Is it a COUNT of rows?
static bool counts_all(prover *p, const block *b, const term *t)
{
    return term_counts(t) && !t->flag
           && (t->n == 0 || know_not_null(p, b, t->args[0]));
}

bool know_lone_groups(prover *p, const block *b)
{
    bool are_lone = false;
    for (ptrdiff_t i = 0; b->has_group && i < b->having.len; i++) {
        const term *t = b->having.ptr[i];
        for (int k = 0; t->kind == TERM_EQUAL && k < 2; k++) {
            are_lone |= term_is_number(t->args[k], 1)
                        && counts_all(p, b, t->args[1 - k]);
        }
    }
    return are_lone;
}

bool know_picks(prover *p, const block *b)
{
    return p->elsewhere != DIALECT_SQLITE && !b->set && b->is_grouped
           && know_results(p, b).is_loose && !know_lone_groups(p, b);
}
