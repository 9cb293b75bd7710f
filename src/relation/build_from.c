/*
 * build_from.c - FROM: sources and how they are joined.
 *
 * Method      Inner joins and commas are one product, their conditions go to
 *             WHERE. A LEFT JOIN marks its right source and keeps its ON; what
 *             is joined after it is joined before it just as well, for its
 *             columns do not occur in that ON. A join on the padded side is a
 *             derived table that shows all columns. [equivalence 6.2]
 */
#include "relation/build_internal.h"
#include "relation/relation_class.h"

#include <assert.h>

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

static bool is_right_join(const void *about, const ast *n)
{
    (void)about;
    return n->kind == AST_JOIN && n->form == JOIN_FORM_RIGHT;
}

// SQLite makes one query of a SELECT and the UNION ALL that it reads, and then
// shows rows of a RIGHT JOIN in it that WHERE rejects.
static bool shows_rejected(const builder *b, const bound_source *s)
{
    return b->p->bound->dialect == DIALECT_SQLITE
           && ast_find(s->query->node, is_right_join, NULL);
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
        if (made->body->set == SET_UNION && made->body->is_all
            && shows_rejected(b, s)) {
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

// A join as one source.
static instance *add_join(builder *b, const ast *join)
{
    prover *p = b->p;
    const build_scope *scope = b->scope;
    const bound_block *bound = scope->bound;
    bool *was_there = arena_new(p->a, bool, bound->n_sources);
    for (ptrdiff_t i = 0; i < bound->n_sources; i++) {
        was_there[i] = scope->columns[i] != NULL;
    }
    build_scope within = *scope;
    within.block = block_new(p);
    within.block->pos = join->pos;
    within.block->len = join->len;
    b->scope = &within;
    build_from(b, join);
    b->scope = scope;
    if (prover_stopped(p)) {
        return NULL;
    }
    instance *made = instance_new(p);
    made->body = within.block;
    for (ptrdiff_t i = 0; i < bound->n_sources; i++) {
        if (scope->columns[i] && !was_there[i]) {
            show_columns(b, bound->sources[i], made);
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

typedef struct like_search {
    prover *p;
    bool found;
} like_search;

// x of x LIKE 'a%', which without letters is SUBSTR(x, 1, n) = '...'.
static bool search_like(void *context, const term *t)
{
    like_search *s = context;
    bool is_like = t->kind == TERM_CALL && str_among(t->text, "like substr");
    const term *x = is_like ? term_bare(t->args[0]) : NULL;
    s->found |= x && x->kind == TERM_COLUMN && x->source->columns_of
                && x->source->columns_of->has_rowid
                && x == term_rowid(s->p, x->source);
    return !s->found;
}

// SQLite looks for rows with id LIKE 'a%' of an INTEGER PRIMARY KEY by a range
// of texts, where it finds none, and then forgets to pad: rows of the outer
// join are missing.
static bool loses_rows(prover *p, const instance *padded)
{
    like_search s = {.p = p};
    term_list_walk(&padded->on, search_like, &s);
    if (padded->body) {
        block_walk(padded->body, search_like, &s);
    }
    return s.found && p->bound->dialect == DIALECT_SQLITE;
}

typedef struct own_search {
    const block *b;
    bool found;
} own_search;

static bool search_own(void *context, const term *t)
{
    own_search *s = context;
    s->found |= t->kind == TERM_COLUMN && block_owns(s->b, t->source);
    return !s->found;
}

// SQLite tests a condition of none of its tables in ON of an inner join first;
// where it does not hold it forgets the rows that a RIGHT JOIN after it pads.
static bool loses_padded(const prover *p, const ast *join, const block *padded)
{
    bool found = false;
    bool may_lose =
        join->form == JOIN_FORM_RIGHT && p->bound->dialect == DIALECT_SQLITE;
    for (ptrdiff_t i = 0; may_lose && padded && i < padded->where.len; i++) {
        own_search s = {.b = padded};
        term_walk(padded->where.ptr[i], search_own, &s);
        found |= !s.found;
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
    case JOIN_FORM_FULL: prover_stop(b->p, S("FULL JOIN")); break;
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
