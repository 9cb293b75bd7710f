/*
 * audit_change.c - what must hold of what a step changed; see need.def.
 *
 * Method      What is gone is what was there and is not any more: a source by
 *             its place in memory, a term by itself, for equal terms are one.
 */
#include "prove/audit_fact.h"
#include "prove/audit_need.h"

#include <assert.h>

bool need_gone_inner(const need_step *s, const stage_source *gone)
{
    (void)s;
    return !gone->was.is_outer;
}

bool need_gone_outer(const need_step *s, const stage_source *gone)
{
    return !need_gone_inner(s, gone);
}

bool need_gone_unused(const need_step *s, const stage_source *gone)
{
    return !block_uses(s->is, gone->is);
}

static bool is_null_item(const block *body, const term *item)
{
    return fact_null_with(item, NULL, body->sources.ptr[0]);
}

bool need_gone_plain(const need_step *s, const stage_source *gone)
{
    const block *body = &gone->body;
    if (!gone->was.body || !block_is_plain(body)) {
        return false;
    }
    for (ptrdiff_t i = 0; i < body->sources.len; i++) {
        if (!block_owns(s->is, body->sources.ptr[i])) {
            return false;
        }
    }
    bool holds = true;
    for (ptrdiff_t i = 0; gone->was.is_outer && i < body->select.len; i++) {
        holds &= is_null_item(body, body->select.ptr[i]);
    }
    // Merged where it is padded its one table is an outer one by now.
    block as_inner = *body;
    instance *one = body->sources.len == 1 ? body->sources.ptr[0] : NULL;
    bool was_outer = one && gone->was.is_outer && one->is_outer;
    if (was_outer) {
        one->is_outer = false;
    }
    holds = holds && (!gone->was.is_outer || one)
            && fact_distinct_idle(s->p, &as_inner);
    if (was_outer) {
        one->is_outer = true;
    }
    return holds;
}

bool need_gone_no_limit(const need_step *s, const stage_source *gone)
{
    (void)s;
    const block *body = &gone->body;
    return gone->was.body && !body->set && body->is_grouped
           && !block_has_limit(body) && !block_has(body, HAS_WINDOW);
}

bool need_gone_is_union(const need_step *s, const stage_source *gone)
{
    const block *body = &gone->body;
    bool holds =
        gone->was.body && body->set == SET_UNION && !block_has_limit(body);
    for (int32_t k = 0; holds && k < block_outputs(body); k++) {
        const term *c = term_column(s->p, gone->is, k);
        holds = (body->is_all || fact_exact(s->p, c) != FACT_MIXED)
                && !term_type_of_output(body, k).is_unlike;
    }
    return holds;
}

// The sides of a UNION ALL: each of the tables of the first, no DISTINCT.
static bool has_sides(const block *b, const block **first)
{
    if (b->set) {
        return b->set == SET_UNION && b->is_all && !block_has_limit(b)
               && has_sides(b->left, first) && has_sides(b->right, first);
    }
    *first = *first ? *first : b;
    return fact_same_tables(*first, b) && (!b->distinct || b->is_unique);
}

static bool look_for_others(void *context, const term *t)
{
    bool *fails = context;
    *fails |= t->kind == TERM_AGGREGATE
              && (t->flag || !str_equal(t->text, S("count")));
    return t->kind != TERM_AGGREGATE && !t->block;
}

bool need_gone_is_counted(const need_step *s, const stage_source *gone)
{
    const block *first = NULL;
    const block *was = &s->was->b;
    bool holds = gone->was.body && has_sides(&gone->body, &first);
    for (ptrdiff_t i = 0; holds && i < first->sources.len; i++) {
        holds = block_owns(s->is, first->sources.ptr[i]);
    }
    bool fails = false;
    term_list_walk(&was->select, look_for_others, &fails);
    term_list_walk(&was->having, look_for_others, &fails);
    return holds && !fails && was->order.len == 0;
}

bool need_gone_one_row(const need_step *s, const stage_source *gone)
{
    stage body = {.b = gone->body};
    need_step of_body = {s->p, &body, s->is};
    return gone->was.body && need_one_group(&of_body)
           && gone->body.having.len == 0 && !block_has_limit(&gone->body);
}

// Adds the column that the condition holds equal to `c`, as identity.
static void add_equal(prover *p, term_list *all, const term *t, const term *c)
{
    for (int e = 0; t->kind == TERM_EQUAL && e < 2; e++) {
        const term *other = t->args[1 - e];
        if (t->args[e] == c && other->kind == TERM_COLUMN
            && fact_identical(p, c, other)) {
            term_list_add(p, all, other);
        }
    }
}

// Do the conditions hold two columns equal, directly or by others?
static bool are_equal(prover *p,
                      const term_list *where,
                      const term *a,
                      const term *b)
{
    term_list all = {0};
    term_list_add(p, &all, a);
    for (ptrdiff_t k = 0; k < all.len; k++) {
        for (ptrdiff_t i = 0; i < where->len; i++) {
            add_equal(p, &all, where->ptr[i], all.ptr[k]);
        }
    }
    return term_list_has(&all, b);
}

static bool shares_key(const need_step *s, instance *one, instance *other)
{
    const schema_table *table = one->columns_of;
    assert(table && other->columns_of == table);
    bool keys = (s->p->assume & ASSUME_KEYS) != 0;
    for (ptrdiff_t u = 0; keys && u < table->n_uniques; u++) {
        const schema_unique *key = &table->uniques[u];
        bool fits = key->n > 0;
        for (ptrdiff_t k = 0; fits && k < key->n; k++) {
            fits = are_equal(s->p, &s->was->b.where,
                             term_column(s->p, one, key->columns[k]),
                             term_column(s->p, other, key->columns[k]));
        }
        if (fits) {
            return true;
        }
    }
    return are_equal(s->p, &s->was->b.where, term_rowid(s->p, one),
                     term_rowid(s->p, other));
}

// The same table among the sources, or outside where a condition equates them.
bool need_gone_is_twin(const need_step *s, const stage_source *gone)
{
    for (ptrdiff_t i = 0; i < s->was->b.where.len; i++) {
        const term *t = s->was->b.where.ptr[i];
        for (int k = 0; t->kind == TERM_EQUAL && k < 2; k++) {
            instance *other =
                t->args[k]->kind == TERM_COLUMN ? t->args[k]->source : NULL;
            const stage_source *own = other ? stage_find(s->was, other) : NULL;
            if (other && other != gone->is && other->table >= 0
                && other->table == gone->was.table
                && !(own ? own->was.is_outer : other->is_outer)
                && (!own || block_owns(s->is, other))
                && shares_key(s, gone->is, other)) {
                return true;
            }
        }
    }
    return false;
}

static bool assumes_parents(const need_step *s)
{
    unsigned both = ASSUME_FOREIGN_KEYS | ASSUME_KEYS;
    return (s->p->assume & both) == both;
}

// Whether the conditions hold the source equal to a sound foreign key of an
// inner child, of which nothing is NULL in `whole`; `only`: and say no more.
static bool has_child(const need_step *s,
                      const stage_source *parent,
                      const term_list *where,
                      bool only,
                      const stage *whole)
{
    const schema *all = s->p->bound->schema;
    bool found = false;
    for (ptrdiff_t i = 0; i < all->n_keys * s->was->n; i++) {
        const schema_key *key = &all->keys[i / s->was->n];
        const stage_source *child = &s->was->sources[i % s->was->n];
        bool fits = assumes_parents(s) && key->is_sound && key->n > 0
                    && parent->was.table >= 0
                    && key->parent == parent->was.table && child != parent
                    && !child->was.is_outer && child->was.table == key->child
                    && (!only || where->len == key->n);
        for (ptrdiff_t k = 0; fits && k < key->n; k++) {
            const term *c = term_column(s->p, child->is, key->columns[k]);
            fits = are_equal(s->p, where, c,
                             term_column(s->p, parent->is, key->targets[k]))
                   && fact_not_null(s->p, whole, c, NULL);
        }
        found |= fits;
    }
    return found;
}

bool need_gone_is_parent(const need_step *s, const stage_source *gone)
{
    stage after = stage_of(s->p, s->is);
    return has_child(s, gone, &s->was->b.where, false, &after);
}

static term_list columns_but(const need_step *s, const instance *one)
{
    term_list all = {0};
    for (ptrdiff_t i = 0; i < s->was->n; i++) {
        instance *is = s->was->sources[i].is;
        for (int32_t k = -1; is != one && k < instance_columns(is); k++) {
            term_list_push(s->p, &all, term_column(s->p, is, k));
        }
    }
    return all;
}

bool need_gone_one_partner(const need_step *s, const stage_source *gone)
{
    term_list others = columns_but(s, gone->is);
    fixed f = fact_fixed(s->p, s->was, &others, true);
    return need_no_repeats(s) || fixed_row(s->p, &f, gone->is);
}

// Is there a derived table that groups the table, one of whose columns was held
// equal to one of the table's and is not NULL now?
static bool is_grouped_inside(const need_step *s,
                              const stage_source *gone,
                              const stage_source *groups)
{
    const block *body = &groups->body;
    if (!groups->was.body || groups->was.is_outer || body->set
        || !body->has_group || block_has_limit(body) || body->sources.len != 1
        || body->sources.ptr[0]->table != gone->was.table) {
        return false;
    }
    stage after = stage_of(s->p, s->is);
    for (ptrdiff_t i = 0; i < s->was->b.where.len; i++) {
        const term *t = s->was->b.where.ptr[i];
        for (int k = 0; t->kind == TERM_EQUAL && k < 2; k++) {
            const term *c = term_bare(t->args[k]);
            const term *shown = term_bare(t->args[1 - k]);
            if (c->source == gone->is && shown->source == groups->is
                && fact_not_null(s->p, &after, shown, NULL)) {
                return true;
            }
        }
    }
    return false;
}

bool need_gone_is_member(const need_step *s, const stage_source *gone)
{
    bool found = false;
    for (ptrdiff_t i = 0; gone->was.table >= 0 && i < s->was->n; i++) {
        const stage_source *groups = &s->was->sources[i];
        found |=
            block_owns(s->is, groups->is) && is_grouped_inside(s, gone, groups);
    }
    return found && need_gone_one_partner(s, gone);
}

// By the rowid, or by all columns of what shows no row twice.
bool need_rest_in_group(const need_step *s)
{
    for (ptrdiff_t i = 0; i < s->was->n; i++) {
        const stage_source *rest = &s->was->sources[i];
        if (!block_owns(s->is, rest->is)) {
            continue;
        }
        bool is_set =
            rest->was.body
            && (rest->body.set ? !rest->body.is_all
                               : rest->body.distinct || rest->body.has_group);
        bool holds = is_set;
        for (int32_t k = 0; holds && k < instance_columns(rest->is); k++) {
            holds =
                term_list_has(&s->is->group, term_column(s->p, rest->is, k));
        }
        bool has_rowid =
            rest->was.columns_of && rest->was.columns_of->has_rowid;
        if (!holds
            && !(has_rowid
                 && term_list_has(&s->is->group, term_rowid(s->p, rest->is)))) {
            return false;
        }
    }
    return s->is->is_grouped;
}

bool need_inner_rejects(const need_step *s, const stage_source *source)
{
    for (ptrdiff_t i = 0; i < s->was->b.where.len; i++) {
        if (fact_rejects(s->was->b.where.ptr[i], NULL, source->is)) {
            return true;
        }
    }
    return false;
}

bool need_inner_is_parent(const need_step *s, const stage_source *source)
{
    return has_child(s, source, &source->was.on, true, s->was);
}

// Of a padded source: not NULL where it has a partner.
static bool is_whole_where_joined(const need_step *s,
                                  const stage_source *source,
                                  const term *c)
{
    stage_source inner = *source;
    inner.was.is_outer = false;
    stage partner = {.sources = &inner, .n = 1};
    partner.b.where = source->was.on;
    return fact_not_null(s->p, &partner, c, NULL);
}

static bool counts_rows(const term *t)
{
    return t->kind == TERM_AGGREGATE && t->n == 0
           && str_equal(t->text, S("count"));
}

// Is the condition false of a group whose COUNT(*) is 1?
static bool is_false_of_one(const term *t)
{
    if (t->kind == TERM_AND || t->kind == TERM_OR) {
        int32_t n = 0;
        for (int32_t i = 0; i < t->n; i++) {
            n += is_false_of_one(t->args[i]);
        }
        return t->kind == TERM_AND ? n > 0 : n == t->n;
    }
    int number = t->n == 2 && t->args[1]->kind == TERM_INTEGER;
    if (t->n != 2 || t->args[number]->kind != TERM_INTEGER
        || !counts_rows(t->args[1 - number])) {
        return false;
    }
    int64_t k = t->args[number]->number;
    switch ((int)t->kind) {
    case TERM_EQUAL: return k != 1;
    case TERM_UNEQUAL: return k == 1;
    case TERM_LESS: return number == 0 ? k >= 1 : k <= 1;
    case TERM_LESS_EQUAL: return number == 0 ? k > 1 : k < 1;
    default: return false;
    }
}

// The rows of the others tell the group; so a padded row is one of its own.
static bool is_told_by_others(const need_step *s, const stage_source *source)
{
    fixed f = fact_fixed(s->p, s->was, &s->was->b.group, false);
    bool is_told = true;
    for (ptrdiff_t i = 0; is_told && i < s->was->n; i++) {
        const stage_source *other = &s->was->sources[i];
        is_told = other->is == source->is
                  || (!other->was.is_outer && fixed_row(s->p, &f, other->is));
    }
    return is_told;
}

static bool having_rejects_one(const need_step *s, const stage_source *source)
{
    const term_list *having = &s->was->b.having;
    for (ptrdiff_t i = 0; i < having->len; i++) {
        if (is_false_of_one(having->ptr[i])) {
            return is_told_by_others(s, source);
        }
    }
    return false;
}

bool need_having_rejects(const need_step *s, const stage_source *source)
{
    const block *b = &s->was->b;
    bool rejects = false;
    for (ptrdiff_t i = 0; i < b->having.len; i++) {
        rejects |= fact_rejects(b->having.ptr[i], NULL, source->is);
    }
    bool is_pure = false;
    for (ptrdiff_t i = 0; i < b->group.len; i++) {
        const term *t = b->group.ptr[i];
        is_pure |= t->kind == TERM_COLUMN && t->source == source->is
                   && is_whole_where_joined(s, source, t);
    }
    fixed f = fact_fixed(s->p, s->was, &b->group, false);
    // Whether a row is padded is decided by what stands in the others.
    bool has_others = true;
    for (ptrdiff_t i = 0; i < s->was->n; i++) {
        instance *other = s->was->sources[i].is;
        for (int32_t k = 0; other != source->is && k < instance_columns(other);
             k++) {
            has_others &= fixed_value(&f, term_column(s->p, other, k));
        }
    }
    return (rejects && (is_pure || has_others))
           || having_rejects_one(s, source);
}

typedef struct skip_search {
    const instance *padded;
    bool skips;
} skip_search;

static bool search_counted(void *context, const term *t)
{
    skip_search *search = context;
    if (t->kind == TERM_AGGREGATE) {
        search->skips &= t->n == 1
                         && str_among(t->text, "count sum total avg min max")
                         && fact_null_with(t->args[0], NULL, search->padded);
    }
    return search->skips && t->kind != TERM_AGGREGATE;
}

bool need_aggregates_skip(const need_step *s, const stage_source *source)
{
    skip_search search = {source->is, true};
    const block *b = &s->was->b;
    const term_list *lists[] = {&b->select, &b->having};
    for (int l = 0; l < countof(lists); l++) {
        term_list_walk(lists[l], search_counted, &search);
    }
    // Beside them it would be NULL where no row is left.
    return search.skips && !block_is_bare(b, &b->having);
}

static bool is_day_of(const need_step *s, const term *was, const term *is)
{
    const schema_column *c = term_declared(is);
    return c && c->kind == KIND_DATE && c->collation == COLLATION_BINARY
           && !c->is_off_type && (s->p->assume & ASSUME_TYPES)
           && was->kind == TERM_CALL && str_equal(was->text, S("julianday"))
           && was->n == 1 && was->args[0] == is;
}

bool need_order_is_of_date(const need_step *s)
{
    ptrdiff_t n = 0;
    bool holds = s->was->b.order.len == s->is->order.len;
    for (ptrdiff_t i = 0; holds && i < s->is->order.len; i++) {
        const sort_term *was = &s->was->b.order.ptr[i];
        const sort_term *is = &s->is->order.ptr[i];
        bool is_new = was->term != is->term;
        n += is_new;
        holds = was->is_descending == is->is_descending
                && was->nulls_last == is->nulls_last
                && (!is_new || is_day_of(s, was->term, is->term));
    }
    return holds && n == 1;
}
