/*
 * reading.c - the references of a bound query, collected.
 *
 * Method      What the binder found out about each node of the query, of its
 *             subqueries and of the views that it reads: sources mark tables,
 *             references mark columns. Only an engine knows what a generated
 *             column holds: who reads it reads what it is computed from.
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
    for (ptrdiff_t i = 0; i < b->n_merges; i++) {
        add_column(r, b->merges[i].left, b->merges[i].left_column);
        add_column(r, b->merges[i].right, b->merges[i].right_column);
    }
    for (ptrdiff_t i = 0; i < b->n_outputs; i++) {
        add_column(r, b->outputs[i].source, b->outputs[i].column);
    }
}

// A table, or a view by its name; a CTE of the same name counts, too: that does
// no harm.
static void add_source(reading *r, const bound_source *s)
{
    bool is_named = s->kind == SOURCE_QUERY && s->node->kind == AST_TABLE;
    int32_t t =
        is_named ? schema_find_table(r->schema, s->node->text) : s->table;
    if (t >= 0 && (!is_named || r->schema->tables[t].view)) {
        r->tables[t] = true;
    }
}

typedef struct input_look {
    reading *r;
    ptrdiff_t table;
} input_look;

static bool mark_input(void *context, const ast *n)
{
    const input_look *l = context;
    int32_t c = schema_column_named(&l->r->schema->tables[l->table], n);
    if (c >= 0) {
        l->r->columns[l->table][c] = true;
    }
    return true;
}

// One may be computed from another one before or after it.
static void replace_generated(reading *r, ptrdiff_t table)
{
    const schema_table *t = &r->schema->tables[table];
    for (ptrdiff_t i = 0; i < 2 * t->n_columns; i++) {
        ptrdiff_t c = i % t->n_columns;
        if (r->columns[table][c] && t->columns[c].generated) {
            r->columns[table][c] = false;
            ast_walk(t->columns[c].generated, mark_input,
                     &(input_look){r, table});
        }
    }
}

void reading_add(reading *r, const binding *b)
{
    for (int32_t i = 1; i < b->n_nodes; i++) {
        const bound_ref *ref = b->refs[i];
        if (ref && ref->kind == REF_COLUMN) {
            add_column(r, ref->source, ref->column);
        }
        if (b->queries[i] && b->queries[i]->block) {
            add_block(r, b->queries[i]->block);
        }
        if (b->sources[i]) {
            add_source(r, b->sources[i]);
        }
    }
    for (ptrdiff_t t = 0; t < r->schema->n_tables; t++) {
        replace_generated(r, t);
    }
}

void reading_add_named(reading *r, ptrdiff_t table, const ast *expr)
{
    ast_walk(expr, mark_input, &(input_look){r, table});
    replace_generated(r, table);
}
