/*
 * group_told.c - see group_told.h.
 *
 * Method      Columns that GROUP BY names are told. A condition x = y of an
 *             inner join or of WHERE tells y by x; a table is told by any of
 *             its keys whose columns are. Again, until nothing is added.
 *
 * Invariants  (1) What is equal in a group is equal to the key: a column of
 *                 another collation than its key's is taken only where it is
 *                 BINARY, which takes the fewest texts for one.
 *             (2) A key may hold NULL many times. Its columns are never NULL,
 *                 or a condition demands them to be equal to something.
 *             (3) x tells y only where y is a number, or both are texts: of
 *                 the texts '1' and '01' both equal the number 1.
 */
#include "intent/group_told.h"

#include "intent/clauses_internal.h"

enum {
    EQUALITIES_MAX = 64,  // of a block with more only what GROUP BY names
};

typedef struct told_column {
    const bound_source *source;
    int32_t column;
} told_column;

typedef struct equality {
    told_column sides[2];
} equality;

typedef struct told_search {
    const binding *b;
    const bound_block *block;
    arena *a;
    vec_of(equality) equalities;
    vec_of(told_column) columns;
    bool *sources;
} told_search;

static const bound_column *type_of(told_column c)
{
    return &c.source->columns[c.column];
}

static bool is_same(told_column a, told_column b)
{
    return a.source == b.source && a.column == b.column;
}

static bool is_listed(const told_column *list, ptrdiff_t n, told_column c)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        if (is_same(list[i], c)) {
            return true;
        }
    }
    return false;
}

static bool is_told(const told_search *s, told_column c)
{
    return s->sources[c.source->no]
           || is_listed(s->columns.ptr, s->columns.len, c);
}

static bool is_equated(const told_search *s, told_column c)
{
    for (ptrdiff_t i = 0; i < s->equalities.len; i++) {
        const told_column *sides = s->equalities.ptr[i].sides;
        if (is_same(sides[0], c) || is_same(sides[1], c)) {
            return true;
        }
    }
    return false;
}

// A plain column of the block's own FROM.
static bool is_own(const bound_block *block, const bound_ref *ref)
{
    return ref && ref->kind == REF_COLUMN && ref->depth == 0 && ref->column >= 0
           && ref->source->block == block && !ref->is_merged;
}

static bool is_number(const bound_column *c)
{
    return c->affinity == AFFINITY_NUMERIC || c->affinity == AFFINITY_INTEGER
           || c->affinity == AFFINITY_REAL;
}

// Does one value of `from` leave one value of `to` that is equal to it?
static bool leads_to(told_column from, told_column to)
{
    const bound_column *x = type_of(from);
    const bound_column *y = type_of(to);
    bool are_binary =
        x->collation == COLLATION_BINARY && y->collation == COLLATION_BINARY;
    bool are_texts =
        x->affinity == AFFINITY_TEXT && y->affinity == AFFINITY_TEXT;
    return are_binary && (is_number(y) || are_texts);
}

// False when there are too many.
static bool find_equalities(told_search *s)
{
    keyer k = {.a = s->a, .b = s->b};
    key_frame f = {.block = s->block};
    key_joins joins = key_joins_of(&k, s->block);
    for (ptrdiff_t i = 0; i < joins.inner.len; i++) {
        const key_condition *c = &joins.inner.ptr[i];
        const bound_ref *left;
        const bound_ref *right;
        const bound_merge *m = c->merge;
        if (m && !joins.is_missing[m->left->no]
            && !joins.is_missing[m->right->no]) {
            *vec_push(s->a, &s->equalities) = (equality){
                {{m->left, m->left_column}, {m->right, m->right_column}}};
        } else if (!m && key_is_equality(&k, &f, &joins, c, &left, &right)) {
            *vec_push(s->a, &s->equalities) = (equality){
                {{left->source, left->column}, {right->source, right->column}}};
        }
    }
    return s->equalities.len <= EQUALITIES_MAX;
}

static void find_named(told_search *s)
{
    const ast *by = s->block->node->kid[SELECT_GROUP];
    for (const ast *g = by; g; g = g->next) {
        const bound_ref *ref = bind_ref(s->b, g);
        if (is_own(s->block, ref)) {
            *vec_push(s->a, &s->columns) =
                (told_column){ref->source, ref->column};
        }
    }
}

// Invariants 1 and 2.
static bool tells_key_column(const told_search *s,
                             const schema_table *t,
                             const schema_unique *key,
                             told_column c)
{
    const schema_column *column = &t->columns[c.column];
    ptrdiff_t at = 0;
    while (key->columns[at] != c.column) {
        at++;
    }
    schema_collation of_key = schema_unique_collation(t, key, at);
    bool fits = column->collation == COLLATION_BINARY
                || (column->collation == of_key && of_key != COLLATION_OTHER);
    bool is_there = column->is_not_null || column->is_rowid || is_equated(s, c);
    return fits && is_there && is_told(s, c);
}

static bool tells_source(const told_search *s, const bound_source *source)
{
    const schema_table *t = &s->b->schema->tables[source->table];
    for (ptrdiff_t u = 0; u < t->n_uniques; u++) {
        const schema_unique *key = &t->uniques[u];
        bool is_all = key->n > 0;
        for (ptrdiff_t i = 0; is_all && i < key->n; i++) {
            is_all = tells_key_column(s, t, key,
                                      (told_column){source, key->columns[i]});
        }
        if (is_all) {
            return true;
        }
    }
    return false;
}

static bool add_sources(told_search *s)
{
    bool is_more = false;
    for (ptrdiff_t i = 0; i < s->block->n_sources; i++) {
        const bound_source *source = s->block->sources[i];
        if (source->kind == SOURCE_TABLE && !s->sources[source->no]
            && tells_source(s, source)) {
            s->sources[source->no] = true;
            is_more = true;
        }
    }
    return is_more;
}

static bool add_equals(told_search *s)
{
    bool is_more = false;
    for (ptrdiff_t i = 0; i < s->equalities.len * 2; i++) {
        const told_column *sides = s->equalities.ptr[i / 2].sides;
        told_column from = sides[i % 2];
        told_column to = sides[1 - i % 2];
        if (is_told(s, from) && !is_told(s, to) && leads_to(from, to)) {
            *vec_push(s->a, &s->columns) = to;
            is_more = true;
        }
    }
    return is_more;
}

// Told are the columns that GROUP BY names, and what they lead to.
group_told group_told_of(const binding *b, const bound_block *block, arena *a)
{
    told_search s = {.b = b, .block = block, .a = a};
    s.sources = arena_new(a, bool, block->n_sources + 1);
    find_named(&s);
    bool is_more = b->dialect == DIALECT_SQLITE
                   && b->schema->dialect == DIALECT_SQLITE
                   && find_equalities(&s);
    while (is_more) {
        bool has_source = add_sources(&s);
        bool has_equal = add_equals(&s);
        is_more = has_source || has_equal;
    }
    return (group_told){.b = b,
                        .block = block,
                        .columns = s.columns.ptr,
                        .n_columns = s.columns.len,
                        .sources = s.sources};
}

// Does GROUP BY name it, whatever it is?
static bool is_named(const group_told *g, const bound_ref *ref)
{
    const ast *by = g->block->node->kid[SELECT_GROUP];
    for (const ast *n = by; n; n = n->next) {
        const bound_ref *key = bind_ref(g->b, n);
        if (key && key->kind == ref->kind && key->source == ref->source
            && key->column == ref->column) {
            return true;
        }
    }
    return false;
}

bool group_tells(const group_told *g, const bound_ref *ref)
{
    return is_named(g, ref)
           || (is_own(g->block, ref)
               && (g->sources[ref->source->no]
                   || is_listed(g->columns, g->n_columns,
                                (told_column){ref->source, ref->column})));
}
