/*
 * build_from.c - FROM: sources and how they are joined.
 *
 * Method      Inner joins and commas are one product, their conditions go to
 *             WHERE. A LEFT JOIN marks its right source and keeps its ON; what
 *             is joined after it is joined before it just as well, for its
 *             columns do not occur in that ON. A join on the padded side is a
 *             derived table that shows all columns. So is a FULL JOIN: its
 *             LEFT JOIN and, by UNION ALL, the rows of the right side that have
 *             no partner. [equivalence 6.2]
 */
#include "relation/build_internal.h"
#include "relation/relation_class.h"

#include <assert.h>

enum {
    FULL_MAX = 24,  // of a query; each builds both of its sides four times
};

static const bound_source *source_of(const builder *b, const ast *n)
{
    const bound_source *s = bind_source_at(b->p->bound, n);
    if (!s && n->kind == AST_ALIAS) {
        s = bind_source_at(b->p->bound, n->kid[ALIAS_EXPR]);
    }
    return s;
}

static void know_columns(builder *b, const bound_source *s, instance *made)
{
    const build_scope *scope = b->scope;
    assert(s->n_columns <= instance_columns(made));
    const term **columns = arena_new(b->p->a, const term *, s->n_columns + 1);
    for (ptrdiff_t i = 0; i < s->n_columns; i++) {
        columns[i] = term_column(b->p, made, (int32_t)i);
    }
    scope->columns[s->no] = columns;
    const schema_table *table = made->columns_of;
    if (table && table->has_rowid) {
        scope->rowids[s->no] = term_rowid(b->p, made);
    }
}

static bool pads_left(const void *about, const ast *n)
{
    (void)about;
    return n->kind == AST_JOIN
           && (n->form == JOIN_FORM_RIGHT || n->form == JOIN_FORM_FULL);
}

// SQLite makes one query of a SELECT and the UNION ALL that it reads, and then
// shows rows of a RIGHT JOIN in it that WHERE rejects.
static bool shows_rejected(const builder *b, const bound_source *s)
{
    return b->p->bound->dialect == DIALECT_SQLITE
           && ast_find(s->query->node, pads_left, NULL);
}

static instance *add_source(builder *b, const bound_source *s)
{
    prover *p = b->p;
    instance *made = instance_new(p);
    if (s->is_lateral || s->is_recursive) {
        return prover_stop(p,
                           s->is_lateral ? S("LATERAL") : S("a recursive CTE"));
    }
    if (s->kind == SOURCE_TABLE) {
        assert(s->table >= 0 && s->table < p->bound->schema->n_tables);
        made->table = s->table;
        made->columns_of = &p->bound->schema->tables[s->table];
        for (ptrdiff_t i = 0; i < made->columns_of->n_columns; i++) {
            schema_collation c = made->columns_of->columns[i].collation;
            p->has_collations |= c != COLLATION_BINARY && c != COLLATION_NOCASE;
        }
    } else if (s->kind == SOURCE_QUERY && s->query) {
        made->body = build_settle(b, build_any(b, s->query));
        if (!made->body) {
            return NULL;
        }
        if (block_is_union_all(made->body) && shows_rejected(b, s)) {
            return prover_stop(p, S("a RIGHT JOIN in a UNION ALL that a SELECT "
                                    "reads"));
        }
        if (block_outputs(made->body) != s->n_columns) {
            return prover_stop(p, S("a derived table of unknown columns"));
        }
    } else {
        return prover_stop(p, S("a table function"));
    }
    know_columns(b, s, made);
    block_add_source(p, b->scope->block, made);
    return made;
}

static const term *show(builder *b, instance *made, const term *t)
{
    term_list *items = &made->body->select;
    term_list_push(b->p, items, term_item(b->p, t));
    return term_column(b->p, made, (int32_t)items->len - 1);
}

// The columns of a source of the body are those of the derived table from now
// on.
static void show_columns(builder *b, const bound_source *s, instance *made)
{
    const build_scope *scope = b->scope;
    const term **columns = arena_new(b->p->a, const term *, s->n_columns + 1);
    for (ptrdiff_t i = 0; i < s->n_columns; i++) {
        columns[i] =
            show(b, made, build_generated(b, scope->columns[s->no][i]));
    }
    scope->columns[s->no] = columns;
    if (scope->rowids[s->no]) {
        scope->rowids[s->no] = show(b, made, scope->rowids[s->no]);
    }
}

// Which sources of the SELECT have columns so far.
static bool *sources_so_far(const builder *b)
{
    ptrdiff_t n = b->scope->bound->n_sources;
    bool *there = arena_new(b->p->a, bool, n + 1);
    for (ptrdiff_t i = 0; i < n; i++) {
        there[i] = b->scope->columns[i] != NULL;
    }
    return there;
}

// A block for a part of FROM; what is built from now on goes there.
static block *open_part(builder *b, build_scope *within, const ast *join)
{
    *within = *b->scope;
    within->block = block_new(b->p);
    within->block->pos = join->pos;
    within->block->len = join->len;
    b->scope = within;
    return within->block;
}

// A join as one source.
static instance *add_join(builder *b, const ast *join)
{
    prover *p = b->p;
    const build_scope *scope = b->scope;
    const bool *was_there = sources_so_far(b);
    build_scope within;
    block *rows = open_part(b, &within, join);
    build_from(b, join);
    b->scope = scope;
    if (prover_stopped(p)) {
        return NULL;
    }
    instance *made = instance_of(p, rows);
    for (ptrdiff_t i = 0; i < scope->bound->n_sources; i++) {
        if (scope->columns[i] && !was_there[i]) {
            show_columns(b, scope->bound->sources[i], made);
        }
    }
    block_add_source(p, scope->block, made);
    return made;
}

// The equalities of USING and NATURAL.
static void take_merges(builder *b, term_list *set, const ast *join)
{
    const bound_block *bound = b->scope->bound;
    for (ptrdiff_t i = 0; i < bound->n_merges; i++) {
        const bound_merge *m = &bound->merges[i];
        if (m->join != join) {
            continue;
        }
        const term *l = build_column(b, m->left, m->left_column);
        const term *r = build_column(b, m->right, m->right_column);
        if (l && r) {
            term_conjoin(b->p, set, term_compare(b->p, TERM_EQUAL, l, r));
        }
    }
}

static void inner_join(builder *b, const ast *n)
{
    block *out = b->scope->block;
    build_from(b, n->kid[JOIN_LEFT]);
    build_from(b, n->kid[JOIN_RIGHT]);
    if (!prover_stopped(b->p)) {
        build_conditions(b, &out->where, n->kid[JOIN_ON]);
        take_merges(b, &out->where, n);
    }
}

// x of x LIKE 'a%', which without letters is SUBSTR(x, 1, n) = '...'.
static walk_step search_like(void *p, const term *t)
{
    bool is_like = t->kind == TERM_CALL && str_among(t->text, "like substr");
    const term *x = is_like ? term_bare(t->args[0]) : NULL;
    return x && x->kind == TERM_COLUMN && x->source->columns_of
                   && x->source->columns_of->has_rowid
                   && x == term_rowid(p, x->source)
               ? WALK_END
               : WALK_ON;
}

// SQLite looks for rows with id LIKE 'a%' of an INTEGER PRIMARY KEY by a range
// of texts, where it finds none, and then forgets to pad: rows of the outer
// join are missing.
static bool loses_rows(prover *p, const instance *padded)
{
    return p->bound->dialect == DIALECT_SQLITE
           && (term_list_walk(&padded->on, search_like, p)
               || (padded->body && block_walk(padded->body, search_like, p)));
}

static walk_step search_own(void *context, const term *t)
{
    const block *b = *(const block **)context;
    return t->kind == TERM_COLUMN && block_owns(b, t->source) ? WALK_END
                                                              : WALK_ON;
}

static bool has_own(const block *b, const term *t)
{
    return term_walk(t, search_own, &b);
}

// SQLite tests a condition of none of its tables in ON of an inner join first;
// where it does not hold it forgets the rows that a RIGHT JOIN after it pads.
static bool loses_padded(const prover *p, const ast *join, const block *padded)
{
    bool found = false;
    bool may_lose =
        pads_left(NULL, join) && p->bound->dialect == DIALECT_SQLITE;
    for (ptrdiff_t i = 0; may_lose && padded && i < padded->where.len; i++) {
        found |= !has_own(padded, padded->where.ptr[i]);
    }
    return found;
}

static void outer_join(builder *b,
                       const ast *n,
                       const ast *kept,
                       const ast *padded)
{
    const bound_source *s = source_of(b, padded);
    build_from(b, kept);
    instance *made = prover_stopped(b->p) ? NULL
                     : s                  ? add_source(b, s)
                                          : add_join(b, padded);
    if (made && !s && loses_padded(b->p, n, made->body)) {
        prover_stop(b->p, S("a constant ON before a RIGHT JOIN"));
    } else if (made) {
        made->is_outer = true;
        build_conditions(b, &made->on, n->kid[JOIN_ON]);
        take_merges(b, &made->on, n);
        if (loses_rows(b->p, made)) {
            prover_stop(b->p, S("LIKE of a rowid on the padded side"));
        }
    }
}

// PostgreSQL, DuckDB and BigQuery run a FULL JOIN only where ON holds something
// of one side equal to something of the other, or says nothing.
static bool is_runnable(const prover *p, const block *partner)
{
    const term_list *on = &partner->where;
    bool runs = (!prover_is_typed(p) && !dialect_follows_postgres(p->elsewhere)
                 && p->elsewhere != DIALECT_BIGQUERY)
                || on->len == 0;
    for (ptrdiff_t i = 0; !runs && i < on->len; i++) {
        const term *t = on->ptr[i];
        runs = t->kind == TERM_EQUAL
               && (t->args[0]->has & t->args[1]->has & HAS_COLUMN)
               && has_own(partner, t->args[0]) != has_own(partner, t->args[1]);
    }
    return runs;
}

// The rows of one side of a FULL JOIN that have no partner in the other one.
static block *unmatched(builder *b,
                        const ast *n,
                        const ast *kept,
                        bool *is_kept)
{
    prover *p = b->p;
    const build_scope *scope = b->scope;
    const ast *other =
        n->kid[kept == n->kid[JOIN_LEFT] ? JOIN_RIGHT : JOIN_LEFT];
    build_scope around;
    block *rows = open_part(b, &around, n);
    build_from(b, kept);
    for (ptrdiff_t i = 0; i < scope->bound->n_sources; i++) {
        is_kept[i] = scope->columns[i] != NULL;
    }
    build_scope within;
    block *partner = open_part(b, &within, n);
    build_from(b, other);
    if (!prover_stopped(p) && loses_padded(p, n, partner)) {
        prover_stop(p, S("a constant ON before a FULL JOIN"));
    } else if (!prover_stopped(p)) {
        block on = {.sources = partner->sources};
        build_conditions(b, &on.where, n->kid[JOIN_ON]);
        take_merges(b, &on.where, n);
        if (!is_runnable(p, &on)) {
            prover_stop(p, S("a FULL JOIN without an equality"));
        }
        for (ptrdiff_t i = 0; i < on.where.len; i++) {
            term_conjoin(p, &partner->where, on.where.ptr[i]);
        }
        partner->is_test = true;
        term_list_push(p, &partner->select, term_integer(p, 1));
        term_conjoin(p, &rows->where,
                     term_not(p, term_make(p, (term){.kind = TERM_EXISTS,
                                                     .block = partner})));
    }
    b->scope = scope;
    return rows;
}

static void show_both(builder *b,
                      block *both,
                      const term *joined,
                      const term *alone)
{
    prover *p = b->p;
    const term *shown = term_item(p, build_generated(b, joined));
    term_list_push(p, &both->left->select, shown);
    term_list_push(p, &both->right->select,
                   alone ? term_item(p, build_generated(b, alone))
                         : term_as(p, term_null(p), term_type_of(shown)));
}

// The FULL JOIN from the side `kept`; NULL: something cannot be read.
static block *full_from(builder *b,
                        const ast *n,
                        const ast *kept,
                        const bool *was_there)
{
    prover *p = b->p;
    const build_scope *scope = b->scope;
    const ast *other =
        n->kid[kept == n->kid[JOIN_LEFT] ? JOIN_RIGHT : JOIN_LEFT];
    ptrdiff_t n_sources = scope->bound->n_sources;
    const term *const **joined =
        arena_new(p->a, const term *const *, n_sources + 1);
    const term **rowids = arena_new(p->a, const term *, n_sources + 1);
    bool *is_kept = arena_new(p->a, bool, n_sources + 1);
    block *both = block_new(p);
    build_scope within;
    both->set = SET_UNION;
    both->is_all = true;
    for (ptrdiff_t i = 0; i < n_sources; i++) {
        scope->columns[i] = was_there[i] ? scope->columns[i] : NULL;
    }
    both->left = open_part(b, &within, n);
    outer_join(b, n, kept, other);
    b->scope = scope;
    for (ptrdiff_t i = 0; i < n_sources && !prover_stopped(p); i++) {
        joined[i] = was_there[i] ? NULL : scope->columns[i];
        rowids[i] = scope->rowids[i];
        scope->columns[i] = was_there[i] ? scope->columns[i] : NULL;
    }
    both->right = prover_stopped(p) ? NULL : unmatched(b, n, other, is_kept);
    for (ptrdiff_t i = 0; i < n_sources && !prover_stopped(p); i++) {
        const bound_source *s = scope->bound->sources[i];
        for (ptrdiff_t k = 0; joined[i] && k < s->n_columns; k++) {
            show_both(b, both, joined[i][k],
                      is_kept[i] ? scope->columns[i][k] : NULL);
        }
        if (joined[i] && rowids[i]) {
            show_both(b, both, rowids[i], is_kept[i] ? scope->rowids[i] : NULL);
        }
    }
    return prover_stopped(p) ? NULL : both;
}

static void full_join(builder *b, const ast *n)
{
    prover *p = b->p;
    const build_scope *scope = b->scope;
    const bool *was_there = sources_so_far(b);
    // There FULL is another name of the table before it.
    if (p->elsewhere == DIALECT_MYSQL) {
        prover_stop(p, S("a FULL JOIN, which MySQL lacks"));
        return;
    }
    if (++b->n_full > FULL_MAX) {
        prover_stop(p, S("FULL JOINs of FULL JOINs"));
        return;
    }
    instance *made =
        instance_of(p, full_from(b, n, n->kid[JOIN_LEFT], was_there));
    block *turned =
        made->body ? full_from(b, n, n->kid[JOIN_RIGHT], was_there) : NULL;
    if (!turned) {
        return;
    }
    *vec_push(p->a, &b->turned) = (turned_join){made, turned};
    int32_t column = 0;
    for (ptrdiff_t i = 0; i < scope->bound->n_sources; i++) {
        ptrdiff_t n_columns = scope->bound->sources[i]->n_columns;
        if (was_there[i] || !scope->columns[i]) {
            continue;
        }
        const term **columns = arena_new(p->a, const term *, n_columns + 1);
        for (ptrdiff_t k = 0; k < n_columns; k++) {
            columns[k] = term_column(p, made, column++);
        }
        scope->columns[i] = columns;
        if (scope->rowids[i]) {
            scope->rowids[i] = term_column(p, made, column++);
        }
    }
    block_add_source(p, scope->block, made);
}

// Whether a condition rejects NULL in a column of the source, or of the rest.
static bool rejects_side(prover *p,
                         const block *out,
                         instance *full,
                         const instance *padded,
                         bool is_padded)
{
    const term_list *items = &full->body->left->select;
    for (ptrdiff_t k = 0; k < items->len; k++) {
        const term *c = term_column(p, full, (int32_t)k);
        for (ptrdiff_t i = 0; i < out->where.len; i++) {
            if (term_uses(items->ptr[k], padded) == is_padded
                && know_rejects(out->where.ptr[i], c, NULL)) {
                return true;
            }
        }
    }
    return false;
}

// The table that the source begins with; -1: none.
static int32_t first_table(const instance *s)
{
    while (s && s->body) {
        const block *b = s->body;
        while (b->set) {
            b = b->left;
        }
        s = b->sources.len > 0 ? b->sources.ptr[0] : NULL;
    }
    return s ? s->table : -1;
}

void build_turn(builder *b, const block *out)
{
    for (ptrdiff_t i = 0; i < b->turned.len; i++) {
        instance *full = b->turned.ptr[i].full;
        if (!block_owns(out, full)) {
            continue;
        }
        const block *left = full->body->left;
        const instance *padded = left->sources.ptr[left->sources.len - 1];
        bool keeps_padded = rejects_side(b->p, out, full, padded, true);
        bool keeps_left = rejects_side(b->p, out, full, padded, false);
        bool is_later = first_table(left->sources.ptr[0]) > first_table(padded);
        if (keeps_padded == keeps_left ? is_later : keeps_padded) {
            full->body = b->turned.ptr[i].body;
        }
    }
}

static void build_join(builder *b, const ast *n)
{
    switch (n->form) {
    case JOIN_FORM_INNER:
    case JOIN_FORM_COMMA:
    case JOIN_FORM_CROSS:
    case JOIN_FORM_STRAIGHT: inner_join(b, n); break;
    case JOIN_FORM_LEFT:
        outer_join(b, n, n->kid[JOIN_LEFT], n->kid[JOIN_RIGHT]);
        break;
    case JOIN_FORM_RIGHT:
        outer_join(b, n, n->kid[JOIN_RIGHT], n->kid[JOIN_LEFT]);
        break;
    case JOIN_FORM_FULL: full_join(b, n); break;
    default: prover_stop(b->p, S("a join of a rare kind")); break;
    }
}

void build_from(builder *b, const ast *n)
{
    if (prover_stopped(b->p)) {
        return;
    }
    const bound_source *s = source_of(b, n);
    if (s) {
        add_source(b, s);
    } else if (n->kind == AST_JOIN) {
        build_join(b, n);
    } else if (n->kind == AST_RESTRICTED) {
        build_from(b, n->kid[RESTRICTED_SOURCE]);
        if (!prover_stopped(b->p)) {
            build_conditions(b, &b->scope->block->where, n->kid[RESTRICTED_ON]);
        }
    } else {
        prover_stop(b->p, S("a FROM of unknown form"));
    }
}
