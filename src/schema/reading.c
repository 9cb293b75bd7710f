/*
 * reading.c - the references of a bound query, collected.
 *
 * Method      One walk over the blocks of the query, its subqueries and the
 *             trees of the views that it reads: sources mark tables, references
 *             mark columns. Only an engine knows what a generated column
 *             holds: who reads it reads what it is computed from.
 *
 * Cost        Linear in the trees.
 */
#include "schema/reading.h"

#include <assert.h>

reading reading_new(arena *a, const schema *s)
{
    reading r = {.schema = s};
    r.tables = arena_new(a, bool, s->n_tables);
    r.columns = arena_new(a, bool *, s->n_tables);
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        r.columns[t] = arena_new(a, bool, s->tables[t].n_columns);
    }
    return r;
}

static void add_column(reading *r, const bound_source *source, int32_t column)
{
    if (source && source->kind == SOURCE_TABLE && source->table >= 0
        && column >= 0 && column < r->schema->tables[source->table].n_columns) {
        r->columns[source->table][column] = true;
    }
}

static void add_block(reading *r, const bound_block *b)
{
    for (ptrdiff_t i = 0; i < b->n_sources; i++) {
        if (b->sources[i]->kind == SOURCE_TABLE) {
            assert(b->sources[i]->table < r->schema->n_tables);
            r->tables[b->sources[i]->table] = true;
        }
    }
    for (ptrdiff_t i = 0; i < b->n_merges; i++) {
        add_column(r, b->merges[i].left, b->merges[i].left_column);
        add_column(r, b->merges[i].right, b->merges[i].right_column);
    }
    for (ptrdiff_t i = 0; i < b->n_outputs; i++) {
        add_column(r, b->outputs[i].source, b->outputs[i].column);
    }
}

static void add_query(reading *r, const bound_query *q);

// A CTE of the same name counts, too: that does no harm.
static void add_view(reading *r, const bound_source *s)
{
    int32_t t = s->node && s->node->kind == AST_TABLE
                    ? schema_find_table(r->schema, s->node->text)
                    : -1;
    if (t >= 0 && r->schema->tables[t].view) {
        r->tables[t] = true;
    }
}

// Views have trees of their own, with sources of their own.
static void add_sources(reading *r, const bound_block *b)
{
    for (ptrdiff_t i = 0; i < b->n_sources; i++) {
        const bound_source *s = b->sources[i];
        if (s->kind == SOURCE_QUERY && s->query && !s->is_recursive) {
            add_view(r, s);
            add_query(r, s->query);
        }
    }
}

static void add_query(reading *r, const bound_query *q)
{
    if (q->block) {
        add_block(r, q->block);
        add_sources(r, q->block);
    }
    if (q->left) {
        add_query(r, q->left);
    }
    if (q->right) {
        add_query(r, q->right);
    }
    if (q->body) {
        add_query(r, q->body);
    }
}

typedef struct input_look {
    reading *r;
    ptrdiff_t table;
} input_look;

static bool mark_input(void *context, const ast *n)
{
    const input_look *l = context;
    bool is_name = n->kind == AST_COLUMN || n->kind == AST_DOUBT;
    int32_t c =
        is_name ? schema_find_column(&l->r->schema->tables[l->table], n->text)
                : -1;
    if (c >= 0) {
        l->r->columns[l->table][c] = true;
    }
    return true;
}

// One may be computed from another one before or after it.
static void replace_generated(reading *r, ptrdiff_t table)
{
    const schema_table *t = &r->schema->tables[table];
    input_look look = {r, table};
    for (ptrdiff_t i = 0; i < 2 * t->n_columns; i++) {
        ptrdiff_t c = i % t->n_columns;
        if (r->columns[table][c] && t->columns[c].generated) {
            r->columns[table][c] = false;
            ast_walk(t->columns[c].generated, mark_input, &look);
        }
    }
}

void reading_add(reading *r, const binding *b)
{
    add_query(r, b->query);
    for (int32_t i = 0; i < b->n_nodes; i++) {
        const bound_ref *ref = b->refs[i];
        if (ref && ref->kind == REF_COLUMN) {
            add_column(r, ref->source, ref->column);
        }
        const bound_query *q = b->queries[i];
        if (q && q->block) {
            add_block(r, q->block);
        }
    }
    for (ptrdiff_t t = 0; t < r->schema->n_tables; t++) {
        replace_generated(r, t);
    }
}
