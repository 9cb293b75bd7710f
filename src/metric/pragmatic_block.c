/*
 * pragmatic_block.c - what a SELECT is after as a whole: are its tables joined
 * at all, which rows do its sums count, which row stands for a group, and which
 * of several references to a table is meant.
 *
 * Why         A join without a condition pairs everything with everything, and
 *             an average over a join counts a thing as often as it has
 *             partners. Conditions and columns alone do not show either.
 */
#include "base/partition.h"
#include "metric/pragmatic_internal.h"
#include "relation/relation_values.h"

const str intent_unjoined = S_INIT("tables that nothing joins");
const str intent_any_rows = S_INIT("any ");

enum {
    SOURCES_MAX = 64,  // of a FROM; a longer one is not looked at
};

bool intent_any(const intent_facts *all, intent_test *is, const void *about)
{
    ptrdiff_t i = 0;
    while (i < all->len && !is(&all->ptr[i], about)) {
        i++;
    }
    return i < all->len;
}

static bool is_said(const intent_fact *f, const void *as)
{
    const intent_fact *other = as;
    return f->is_absent == other->is_absent && str_equal(f->text, other->text);
}

bool intent_has(const intent_facts *all, const intent_fact *f)
{
    return intent_any(all, is_said, f);
}

void intent_add_fact(intent_reader *r, intent_kind to, intent_fact f)
{
    if (!intent_has(&r->out->facts[to], &f)) {
        *vec_push(r->a, &r->out->facts[to]) = f;
    }
}

void intent_add(intent_reader *r, intent_kind to, str text)
{
    intent_add_fact(r, to, (intent_fact){.text = text, .table = -1});
}

/* Roles. */

str intent_role(intent_reader *r, const ast *e)
{
    bound_place own = bind_stored_at(r->b, e);
    bound_place root = own.table >= 0 ? intent_root(r->s, own) : own;
    if (own.table == root.table
        || schema_references(r->s, own.table, root.table) < 2) {
        return (str){0};
    }
    str name = intent_show_place(r, own);
    return arena_printf(r->a, "by %.*s", STR_ARG(name));
}

void intent_mark_role(intent_reader *r, const ast *e)
{
    str role = intent_role(r, e);
    if (role.len > 0) {
        intent_add(r, INTENT_MARKS, role);
    }
}

// The columns of the second side of a set operation stand for those of the
// first; what they are is seen from their roles only.
void intent_mark_items(intent_reader *r, const bound_query *q)
{
    while (q && !q->block) {
        if (q->right) {
            intent_mark_items(r, q->right);
        }
        q = q->body ? q->body : q->left;
    }
    for (ptrdiff_t i = 0; q && i < q->block->n_outputs; i++) {
        intent_mark_role(r, q->block->outputs[i].expr);
    }
}

/* Links between the tables of a FROM. */

void intent_link_sources(intent_reader *r, const condition *c)
{
    bool is_pair = c->kind == CONDITION_PAIR;
    const bound_source *first = NULL;
    const ast *const sides[] = {is_pair ? c->left : c->node, c->right};
    for (int side = 0; side < 1 + is_pair; side++) {
        source_list all = relation_sources_in(r->a, r->b, sides[side]);
        for (ptrdiff_t i = 0; i < all.len; i++) {
            if (first) {
                *vec_push(r->a, &r->links) = (intent_link){first, all.ptr[i]};
            }
            first = first ? first : all.ptr[i];
        }
    }
}

// Sources of other blocks are no part of this one.
static void join(const bound_block *b,
                 partition *parts,
                 const bound_source *one,
                 const bound_source *other)
{
    if (one->block == b && other->block == b) {
        partition_join(parts, (int32_t)one->no, (int32_t)other->no);
    }
}

static void mark_unjoined(intent_reader *r, const bound_block *b)
{
    partition parts = {0};
    for (ptrdiff_t i = 0; i < b->n_sources; i++) {
        partition_add(&parts, r->a);
    }
    for (ptrdiff_t i = 0; i < r->links.len; i++) {
        join(b, &parts, r->links.ptr[i].one, r->links.ptr[i].other);
    }
    for (ptrdiff_t i = 0; i < b->n_merges; i++) {
        join(b, &parts, b->merges[i].left, b->merges[i].right);
    }
    // Derived tables are often one row; only tables are looked at.
    int32_t first = -1;
    for (int32_t i = 0; i < b->n_sources; i++) {
        int32_t part = partition_root(&parts, i);
        bool is_table = b->sources[i]->kind == SOURCE_TABLE;
        if (is_table && first >= 0 && part != first) {
            intent_add(r, INTENT_MARKS, intent_unjoined);
        }
        first = is_table && first < 0 ? part : first;
    }
}

/* What sums and counts are over. */

static str name_of(intent_reader *r, int32_t table_no)
{
    return arena_lower(r->a, r->s->tables[table_no].name);
}

// Does another table of the FROM refer to this one? Then each of its rows has
// one partner here, and it multiplies nothing.
static bool is_looked_up(const intent_reader *r,
                         const bound_block *b,
                         const bound_source *source)
{
    bool found = false;
    for (ptrdiff_t n = 0; n < b->n_sources && !found; n++) {
        const bound_source *other = b->sources[n];
        found = other->kind == SOURCE_TABLE && other->table != source->table
                && schema_references(r->s, other->table, source->table) > 0;
    }
    return found;
}

static void add_grain(intent_reader *r, str name)
{
    intent_add(r, INTENT_GRAIN,
               arena_printf(r->a, "rows of %.*s", STR_ARG(name)));
}

static void add_grain_of(intent_reader *r, const bound_block *b)
{
    for (ptrdiff_t i = 0; i < b->n_sources; i++) {
        const bound_source *s = b->sources[i];
        if (s->kind == SOURCE_TABLE && !is_looked_up(r, b, s)) {
            add_grain(r, name_of(r, s->table));
        }
    }
}

// COUNT(DISTINCT singer_id) counts singers, whatever they are joined with.
void intent_count_distinct(intent_reader *r, const ast *what)
{
    bound_place c = intent_place(r, what);
    if (c.table >= 0) {
        add_grain(r, name_of(r, c.table));
    }
}

/* Groups. */

// Is the column the same in all rows of a group?
static bool is_fixed(intent_reader *r, const ast *e)
{
    bound_place own = bind_stored_at(r->b, e);
    for (const ast *g = r->in.parts.group; g && own.table >= 0; g = g->next) {
        const ast *by = intent_meant(r, g);
        bound_place place = bind_stored_at(r->b, by);
        bound_place root = intent_place(r, by);
        bool is_same = place.table == own.table && place.column == own.column;
        bool is_of_it = root.table >= 0
                        && (root.table == own.table
                            || root.table == intent_place(r, e).table)
                        && intent_is_identifying(r->s, root.table, root.column);
        if (is_same || is_of_it) {
            return true;
        }
    }
    return own.table < 0;
}

static void mark_loose_outputs(intent_reader *r, const bound_block *b)
{
    for (ptrdiff_t i = 0; r->in.parts.group && i < b->n_outputs; i++) {
        const ast *e = b->outputs[i].expr;
        if (e && !is_fixed(r, e)) {
            intent_add(r, INTENT_MARKS, S("one row for each group"));
        }
    }
}

void intent_end_block(intent_reader *r, bool is_top)
{
    const bound_block *b = r->in.block;
    if (!b || b->n_sources > SOURCES_MAX) {
        return;
    }
    mark_unjoined(r, b);
    if (r->in.counts_rows) {
        add_grain_of(r, b);
    }
    if (is_top && !intent_passes(r, LENIENCY_BIT(TIES))) {
        mark_loose_outputs(r, b);
    }
}

/* All of the query. */

// A table that a column of another table refers to adds nothing to what is
// kept: each row of the other has one partner there. Both must stand at the
// same side of a NOT.
static bool is_lookup(const intent_reader *r, const intent_fact *read)
{
    const intent_facts *reads = &r->out->facts[INTENT_READS];
    bool found = false;
    for (ptrdiff_t i = 0; i < reads->len && !found; i++) {
        const intent_fact *other = &reads->ptr[i];
        found = other->is_absent == read->is_absent
                && other->table != read->table
                && schema_references(r->s, other->table, read->table) > 0;
    }
    return found;
}

static bool picks_any_rows(const intent_reader *r, const intent_fact *rank)
{
    (void)r;
    return str_starts(rank->text, intent_any_rows);
}

static void drop(intent_reader *r,
                 intent_kind kind,
                 bool (*is_dropped)(const intent_reader *r,
                                    const intent_fact *f))
{
    const intent_facts all = r->out->facts[kind];
    intent_facts left = {0};
    for (ptrdiff_t i = 0; i < all.len; i++) {
        if (!is_dropped(r, &all.ptr[i])) {
            *vec_push(r->a, &left) = all.ptr[i];
        }
    }
    r->out->facts[kind] = left;
}

static const char choice_either[] = "either";
static const char choice_both[] = "both";

// Two conditions on one column: "either" when they are ways of an OR, "both"
// when two rows must meet one each (INTERSECT, a join with itself), nothing
// when one row must meet both.
static const char *choice(const intent_fact *a, const intent_fact *b)
{
    bool is_pair = a->table >= 0 && a->table == b->table
                   && a->column == b->column && a->is_absent == b->is_absent
                   && !str_equal(a->text, b->text);
    if (!is_pair) {
        return NULL;
    }
    if (a->is_any && b->is_any) {
        return choice_either;
    }
    bool are_rows = a->source != b->source && !a->is_absent;
    return are_rows && !a->is_any && !b->is_any ? choice_both : NULL;
}

static void mark_choices(intent_reader *r)
{
    for (ptrdiff_t i = 0; i < r->out->facts[INTENT_KEEPS].len; i++) {
        const intent_fact *k = &r->out->facts[INTENT_KEEPS].ptr[i];
        // One of a kind is enough: what is a way of an OR is no row of its own.
        const char *how = NULL;
        for (ptrdiff_t n = 0; n < i && !how; n++) {
            how = choice(k, &r->out->facts[INTENT_KEEPS].ptr[n]);
        }
        if (how) {
            str name = intent_show_place(r, (bound_place){k->table, k->column});
            intent_add(r, INTENT_MARKS,
                       arena_printf(r->a, "%s %.*s", how, STR_ARG(name)));
        }
    }
}

// WHERE age = (SELECT MAX(age) ...) LIMIT 1: the LIMIT cuts what is tied.
static void drop_free_limits(intent_reader *r)
{
    intent_facts ranks = r->out->facts[INTENT_RANKS];
    drop(r, INTENT_RANKS, picks_any_rows);
    if (r->out->facts[INTENT_RANKS].len == 0) {
        r->out->facts[INTENT_RANKS] = ranks;
    }
}

void intent_end(intent_reader *r)
{
    mark_choices(r);
    if (intent_passes(r, LENIENCY_BIT(TIES))) {
        drop_free_limits(r);
    }
    if (intent_passes(r, LENIENCY_BIT(REDUNDANT_JOIN))) {
        drop(r, INTENT_READS, is_lookup);
    }
}
