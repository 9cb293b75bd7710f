/*
 * audit_fact.c - see audit_fact.h.
 *
 * Method      Lists and loops until nothing is new: simple before it is fast,
 *             for a step is looked at once.
 */
#include "prove/audit_fact.h"

#include "relation/known.h"
#include "relation/normal.h"
#include "relation/relation_class.h"
#include "relation/relation_type.h"

#include <assert.h>

bool fact_same_tables(const block *a, const block *b)
{
    bool same = block_selects_tables(a) && block_selects_tables(b)
                && a->sources.len == b->sources.len;
    for (ptrdiff_t i = 0; same && i < a->sources.len; i++) {
        same = a->sources.ptr[i]->table == b->sources.ptr[i]->table;
    }
    return same;
}

static audit_fact_kind kind_of_affinity(schema_affinity a)
{
    switch (a) {
    case AFFINITY_INTEGER:
    case AFFINITY_NUMERIC: return FACT_WHOLE;
    case AFFINITY_REAL: return FACT_REAL;
    case AFFINITY_TEXT: return FACT_TEXT;
    case AFFINITY_BLOB: break;
    }
    return FACT_MIXED;
}

static audit_fact_kind kind_of(prover *p, const term *t, int depth);

static audit_fact_kind kind_of_output(prover *p,
                                      const block *b,
                                      int32_t i,
                                      int depth)
{
    if (!b->set) {
        assert(i >= 0 && i < b->select.len);
        return kind_of(p, b->select.ptr[i], depth + 1);
    }
    audit_fact_kind l = kind_of_output(p, b->left, i, depth + 1);
    audit_fact_kind r = kind_of_output(p, b->right, i, depth + 1);
    return l == r || r == FACT_NULL ? l : l == FACT_NULL ? r : FACT_MIXED;
}

static audit_fact_kind known(prover *p, const term *t)
{
    switch ((int)known_kind_of(p, t)) {
    case KNOWN_NULL: return FACT_NULL;
    case KNOWN_INTEGER: return FACT_WHOLE;
    case KNOWN_REAL: return FACT_REAL;
    case KNOWN_TEXT: return FACT_TEXT;
    default: return FACT_MIXED;
    }
}

// What is stored in a column, at the end of all derived tables.
static audit_fact_kind kind_of(prover *p, const term *t, int depth)
{
    audit_fact_kind kind = FACT_MIXED;
    bool picks =
        t->kind == TERM_AGGREGATE && t->n == 1 && str_among(t->text, "min max");
    if (depth > DEPTH_MAX) {
        return FACT_MIXED;
    }
    if (t->kind == TERM_COLUMN && t->source->body && t->column >= 0) {
        kind = kind_of_output(p, t->source->body, t->column, depth);
    } else if (t->kind == TERM_SCALAR) {
        kind = kind_of_output(p, t->block, 0, depth);
    } else if (t->kind == TERM_AS || picks) {
        kind = kind_of(p, t->args[0], depth + 1);
    } else if (t->kind != TERM_CAST || t->column != AFFINITY_NUMERIC) {
        kind = kind_of_affinity(term_affinity(t));
    }
    return kind != FACT_MIXED ? kind : known(p, t);
}

audit_fact_kind fact_exact(prover *p, const term *t)
{
    audit_fact_kind kind = term_is_binary(t) ? kind_of(p, t, 0) : FACT_MIXED;
    // 0.0 and -0.0
    bool has_zeros =
        kind == FACT_REAL && prover_is_typed(p) && t->kind != TERM_REAL;
    return has_zeros ? FACT_MIXED : kind;
}

bool fact_identical(prover *p, const term *a, const term *b)
{
    audit_fact_kind kind = fact_exact(p, a);
    return kind != FACT_MIXED && kind == fact_exact(p, b) && type_same(p, a, b);
}

static bool any_null(const term *t,
                     int32_t n,
                     const term *column,
                     const instance *source)
{
    for (int32_t i = 0; i < n; i++) {
        if (fact_null_with(t->args[i], column, source)) {
            return true;
        }
    }
    return false;
}

// A CASE that has no branch to take but such as are NULL.
static bool is_null_case(const term *t,
                         const term *column,
                         const instance *source)
{
    bool is_null = true;
    for (int32_t i = 0; i < t->n; i++) {
        bool is_else = i + 1 == t->n && i % 2 == 0;
        if (is_else || i % 2 == 1) {
            bool is_taken =
                is_else || !fact_rejects(t->args[i - 1], column, source);
            is_null &= !is_taken || fact_null_with(t->args[i], column, source);
        }
    }
    return is_null;
}

bool fact_null_with(const term *t, const term *column, const instance *source)
{
    switch (t->kind) {
    case TERM_CASE: return is_null_case(t, column, source);
    case TERM_NULL: return true;
    case TERM_COLUMN: return t == column || (source && t->source == source);
    case TERM_EQUAL:
    case TERM_UNEQUAL:
    case TERM_LESS:
    case TERM_LESS_EQUAL:
    case TERM_GREATER:
    case TERM_GREATER_EQUAL:
    case TERM_NOT:
    case TERM_ADD:
    case TERM_SUBTRACT:
    case TERM_MULTIPLY:
    case TERM_DIVIDE:
    case TERM_REMAINDER:
    case TERM_CONCAT:
    case TERM_NEGATE:
    case TERM_AS:
    case TERM_CAST: return any_null(t, t->n, column, source);
    case TERM_IN_LIST: return any_null(t, 1, column, source);
    case TERM_CALL:
        return know_is_strict(t) && any_null(t, t->n, column, source);
    case TERM_AGGREGATE:
        // Of NULL only: nothing is summed.
        return t == column
               || (t->n == 1 && str_among(t->text, "sum min max")
                   && fact_null_with(t->args[0], column, source));
    default: return t == column;
    }
}

bool fact_rejects(const term *t, const term *column, const instance *source)
{
    if (t->kind == TERM_AND || t->kind == TERM_OR) {
        ptrdiff_t rejected = 0;
        for (int32_t i = 0; i < t->n; i++) {
            rejected += fact_rejects(t->args[i], column, source);
        }
        return t->kind == TERM_AND ? rejected > 0
                                   : rejected == t->n && t->n > 0;
    }
    if (t->kind == TERM_IN) {
        const term *x = t->args[0];
        return x->kind == TERM_ROW ? any_null(x, x->n, column, source)
                                   : fact_null_with(x, column, source);
    }
    if (t->kind == TERM_IS) {
        return term_is_literal(t->args[1])
               && fact_null_with(t->args[0], column, source);
    }
    const term *x = t->kind == TERM_NOT ? t->args[0] : t;
    if (x != t && x->kind == TERM_IS && x->args[1]->kind == TERM_NULL) {
        return fact_null_with(x->args[0], column, source);
    }
    return fact_null_with(x, column, source);
}

enum {
    PARTS_MAX = 10  // of conditions, each true or not
};

// Parts of conditions, and which of them are true.
typedef struct truths {
    prover *p;
    term_list parts;
    unsigned are_true;
} truths;

static bool part_is_true(truths *w, const term *t)
{
    ptrdiff_t at = 0;
    while (at < w->parts.len && w->parts.ptr[at] != t) {
        at++;
    }
    if (at == w->parts.len) {
        term_list_push(w->p, &w->parts, t);
    }
    return at < PARTS_MAX && (w->are_true >> at & 1u) != 0;
}

// Looks at all parts, so that each is known once it was called.
static bool is_true(truths *w, const term *t)
{
    bool is_and = t->kind == TERM_AND;
    bool is_list = t->kind == TERM_IN_LIST;
    if (!is_and && !is_list && t->kind != TERM_OR) {
        return part_is_true(w, t);
    }
    bool holds = is_and;
    for (int32_t i = is_list; i < t->n; i++) {
        const term *part = t->args[i];
        bool is_part_true = is_true(
            w,
            is_list ? term_compare(w->p, TERM_EQUAL, t->args[0], part) : part);
        holds = is_and ? holds && is_part_true : holds || is_part_true;
    }
    return holds;
}

static bool shares_part(const truths *w, const term *t)
{
    truths own = {.p = w->p};
    is_true(&own, t);
    bool shares = false;
    for (ptrdiff_t i = 0; i < own.parts.len; i++) {
        shares |= term_list_has(&w->parts, own.parts.ptr[i]);
    }
    return shares;
}

bool fact_implies(prover *p, const term_list *all, const term *t)
{
    truths w = {.p = p};
    is_true(&w, t);
    term_list asked = {0};
    for (ptrdiff_t i = 0; i < all->len; i++) {
        if (shares_part(&w, all->ptr[i])) {
            term_list_push(p, &asked, all->ptr[i]);
        }
    }
    const term *together = term_all(p, TERM_AND, asked.ptr, (int32_t)asked.len);
    bool holds = asked.len > 0;
    is_true(&w, together);
    holds &= w.parts.len <= PARTS_MAX;
    for (unsigned i = 0; holds && i < 1u << w.parts.len; i++) {
        w.are_true = i;
        holds = !is_true(&w, together) || is_true(&w, t);
    }
    return holds;
}

static bool assumes(const prover *p, unsigned bit)
{
    return (p->assume & bit) != 0;
}

static bool output_not_null(prover *p, const block *b, int32_t column, int deep)
{
    assert(column >= 0);  // no rowid: a derived table has none
    if (deep > DEPTH_MAX) {
        return false;
    }
    if (b->set) {
        return output_not_null(p, b->left, column, deep + 1)
               && (b->set != SET_UNION
                   || output_not_null(p, b->right, column, deep + 1));
    }
    const term *t = b->select.ptr[column];
    bool has_rows = !b->is_grouped || b->has_group;
    stage s = stage_of(p, b);
    return (has_rows || t->kind != TERM_COLUMN)
           && fact_not_null(p, &s, t, NULL);
}

bool fact_not_null(prover *p, const stage *s, const term *t, const term *but)
{
    if (t->kind == TERM_AGGREGATE) {
        return str_equal(t->text, S("count"));
    }
    if (t->kind != TERM_COLUMN) {
        return term_is_literal(t);
    }
    for (ptrdiff_t i = 0; i < s->b.where.len; i++) {
        if (s->b.where.ptr[i] != but
            && fact_rejects(s->b.where.ptr[i], t, NULL)) {
            return true;
        }
    }
    const stage_source *own = stage_find(s, t->source);
    const instance *i = own ? &own->was : t->source;
    if (i->is_outer) {
        return false;
    }
    return i->body         ? output_not_null(p, i->body, t->column, 0)
           : t->column < 0 ? true
                           : schema_never_null(i->columns_of, t->column)
                                 && assumes(p, ASSUME_NOT_NULL);
}

// --- what determines what

bool fixed_value(const fixed *f, const term *t)
{
    if (t->kind == TERM_COLUMN) {
        return !stage_find(f->s, t->source) || term_list_has(&f->same, t);
    }
    if (t->has & (HAS_BLOCK | HAS_AGGREGATE | HAS_WINDOW)) {
        return false;
    }
    for (int32_t i = 0; i < t->n; i++) {
        if (!fixed_value(f, t->args[i])) {
            return false;
        }
    }
    return true;
}

bool fixed_key(const fixed *f, const term *t)
{
    return fixed_value(f, t) || term_list_has(&f->equal, t);
}

bool fixed_row(prover *p, const fixed *f, instance *i)
{
    return term_list_has(&f->same, term_column(p, i, -1));
}

bool fixed_rows(prover *p, const fixed *f)
{
    for (ptrdiff_t i = 0; i < f->s->n; i++) {
        if (!fixed_row(p, f, f->s->sources[i].is)) {
            return false;
        }
    }
    return true;
}

static void add(prover *p, fixed *f, const term *t, bool is_same)
{
    term_list_add(p, is_same ? &f->same : &f->equal, t);
}

// Columns of the block's own that the condition holds in one row each.
static bool is_inner_column(const fixed *f, const term *t)
{
    const stage_source *own =
        t->kind == TERM_COLUMN ? stage_find(f->s, t->source) : NULL;
    return t->kind == TERM_COLUMN
           && !(own ? own->was.is_outer : t->source->is_outer);
}

// Numbers are compared as numbers, texts as texts, by their bytes.
bool fact_fixes(prover *p, const term *x, const term *y)
{
    audit_fact_kind kind = fact_exact(p, x);
    audit_fact_kind own = kind_of_affinity(term_affinity(x));
    audit_fact_kind beside = kind_of_affinity(term_affinity(y));
    bool as_text =
        own == FACT_TEXT && (beside == FACT_TEXT || beside == FACT_MIXED);
    bool as_number = own == FACT_WHOLE || own == FACT_REAL;
    return kind != FACT_MIXED && (as_text || as_number) && term_is_binary(y)
           && !prover_is_typed(p);
}

// `also`: an outer source whose ON is at hand.
static void take(prover *p, fixed *f, const term *t, const instance *also)
{
    for (int k = 0; t->n == 2 && k < 2; k++) {
        const term *x = t->args[k];
        const term *y = t->args[1 - k];
        bool is_null = t->kind == TERM_IS && k == 0 && y->kind == TERM_NULL;
        if (x->kind != TERM_COLUMN) {
            continue;
        }
        bool fits = x->source == also || is_inner_column(f, x);
        bool is_set = t->kind == TERM_EQUAL && fits && term_is_literal(y)
                      && fact_exact(p, x);
        bool is_equal = t->kind == TERM_EQUAL && fits && y->kind == TERM_COLUMN
                        && (y->source == also || is_inner_column(f, y))
                        && fact_identical(p, x, y);
        bool is_fixed = t->kind == TERM_EQUAL && fits && fixed_value(f, y)
                        && fact_fixes(p, x, y);
        if (is_null || is_set || is_fixed || (is_equal && fixed_value(f, y))) {
            add(p, f, x, true);
        } else if (is_equal && fixed_key(f, y)) {
            add(p, f, x, false);
        }
    }
}

// A key of the table is among what is known.
static bool has_table_key(prover *p, const fixed *f, const stage_source *s)
{
    const schema_table *t = s->was.columns_of;
    for (ptrdiff_t u = 0; assumes(p, ASSUME_KEYS) && u < t->n_uniques; u++) {
        const schema_unique *key = &t->uniques[u];
        bool fits = key->n > 0;
        for (ptrdiff_t k = 0; fits && k < key->n; k++) {
            int32_t column = key->columns[k];
            const term *c = term_column(p, s->is, column);
            schema_collation own = t->columns[column].collation;
            bool agrees =
                fixed_value(f, c)
                || (term_list_has(&f->equal, c)
                    && (own == COLLATION_BINARY
                        || own == schema_unique_collation(t, key, k)));
            fits = agrees
                   && (s->was.is_outer ? schema_never_null(t, column)
                                             && assumes(p, ASSUME_NOT_NULL)
                                       : fact_not_null(p, f->s, c, NULL));
        }
        if (fits) {
            return true;
        }
    }
    return false;
}

// What is a literal is known where the row is there.
static bool knows_all(prover *p,
                      const fixed *f,
                      const stage_source *s,
                      bool is_there)
{
    const block *b = &s->body;
    ptrdiff_t n = block_outputs(b);
    for (ptrdiff_t k = 0; k < n; k++) {
        bool is_fixed =
            is_there && !b->set && term_is_literal(b->select.ptr[k]);
        if (!is_fixed && !fixed_key(f, term_column(p, s->is, (int32_t)k))) {
            return false;
        }
    }
    return n > 0;
}

// The columns of a derived table that are known, as items of it.
static bool has_body_key(prover *p,
                         const fixed *f,
                         const stage_source *s,
                         bool is_there)
{
    const block *b = &s->body;
    bool is_one = (b->is_grouped && !b->has_group && !b->set)
                  || (b->limit && term_is_number(b->limit, 1));
    bool is_set = b->set ? !b->is_all : b->distinct;
    if (is_one || (is_set && knows_all(p, f, s, is_there))) {
        return true;
    }
    if (b->set) {
        return false;
    }
    stage inner = stage_of(p, b);
    term_list same = {0};
    for (ptrdiff_t k = 0; k < b->select.len; k++) {
        if (fixed_key(f, term_column(p, s->is, (int32_t)k))) {
            term_list_add(p, &same, b->select.ptr[k]);
        }
    }
    fixed in = fact_fixed(p, &inner, &same, false);
    bool has_group = b->has_group;
    for (ptrdiff_t k = 0; k < b->group.len; k++) {
        has_group &= term_list_has(&same, b->group.ptr[k])
                     || fixed_key(&in, b->group.ptr[k]);
    }
    return b->is_grouped ? has_group : fixed_rows(p, &in);
}

// `is_there`: not as a padded row.
static bool has_key(prover *p,
                    const fixed *f,
                    const stage_source *s,
                    bool is_there)
{
    return s->was.body ? has_body_key(p, f, s, is_there)
                       : has_table_key(p, f, s);
}

// ON leaves an outer source one row at most, and what it says of other rows is
// known.
static bool is_fixed_outer(prover *p, const fixed *f, const stage_source *s)
{
    fixed with = {.s = f->s};
    for (ptrdiff_t i = 0; i < f->same.len; i++) {
        add(p, &with, f->same.ptr[i], true);
    }
    for (ptrdiff_t i = 0; i < f->equal.len; i++) {
        add(p, &with, f->equal.ptr[i], false);
    }
    for (ptrdiff_t i = 0; i < s->was.on.len; i++) {
        take(p, &with, s->was.on.ptr[i], s->is);
    }
    if (!s->was.is_outer || !has_key(p, &with, s, true)) {
        return false;
    }
    with.same.len = f->same.len;
    ptrdiff_t n =
        s->was.body ? block_outputs(&s->body) : s->was.columns_of->n_columns;
    for (ptrdiff_t k = -1; k < n; k++) {
        add(p, &with, term_column(p, s->is, (int32_t)k), true);
    }
    for (ptrdiff_t i = 0; i < s->was.on.len; i++) {
        if (!fixed_value(&with, s->was.on.ptr[i])) {
            return false;
        }
    }
    return true;
}

static void take_row(prover *p, fixed *f, const stage_source *s)
{
    ptrdiff_t n =
        s->was.body ? block_outputs(&s->body) : s->was.columns_of->n_columns;
    bool has_rowid = s->was.columns_of && s->was.columns_of->has_rowid
                     && fixed_value(f, term_rowid(p, s->is));
    if (has_rowid || has_key(p, f, s, !s->was.is_outer)
        || is_fixed_outer(p, f, s)) {
        for (ptrdiff_t k = -1; k < n; k++) {
            add(p, f, term_column(p, s->is, (int32_t)k), true);
        }
    }
}

fixed fact_fixed(prover *p, const stage *s, const term_list *from, bool is_same)
{
    fixed f = {.s = s};
    for (ptrdiff_t i = 0; i < from->len; i++) {
        const term *t = from->ptr[i];
        if (t->kind == TERM_COLUMN) {
            add(p, &f, t, is_same || fact_exact(p, t) != FACT_MIXED);
        }
    }
    ptrdiff_t known;
    do {
        known = f.same.len + f.equal.len;
        for (ptrdiff_t i = 0; i < s->b.where.len; i++) {
            take(p, &f, s->b.where.ptr[i], NULL);
        }
        for (ptrdiff_t i = 0; i < s->n; i++) {
            take_row(p, &f, &s->sources[i]);
        }
    } while (f.same.len + f.equal.len > known);
    return f;
}

bool fact_distinct_idle(prover *p, const block *b)
{
    if (!b->distinct || b->is_unique) {
        return true;
    }
    stage s = stage_of(p, b);
    fixed f = fact_fixed(p, &s, &b->select, false);
    return fixed_rows(p, &f);
}
