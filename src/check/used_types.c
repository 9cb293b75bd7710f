// used_types.c - see used_types.h.
#include "check/used_types.h"

typedef struct usage {
    arena *a;
    const schema *from;
    const binding *b;
    schema *to;            // NULL: nothing is changed yet
    schema_table *tables;  // of `to`
} usage;

// DuckDB calls its text so, too.
static bool is_other_type(dialect d, const schema_column *c)
{
    return c->kind == KIND_TEXT && d != DIALECT_DUCKDB && d != DIALECT_BIGQUERY
           && d != DIALECT_SNOWFLAKE && str_equal_fold(c->type, S("string"));
}

static bool is_day(const usage *u, const ast *n)
{
    schema_kind k = n ? bind_type(u->b, n).kind : KIND_ANY;
    return k == KIND_DATE || k == KIND_TIMESTAMP;
}

// Where the name is a column of a type that is not the dialect's; else -1, -1.
static bound_place place_of(const usage *u, const ast *n)
{
    bound_place at = bind_stored_at(u->b, n);
    bool is_other =
        at.table >= 0 && at.column >= 0
        && is_other_type(u->b->dialect,
                         &u->from->tables[at.table].columns[at.column]);
    return is_other ? at : (bound_place){.table = -1, .column = -1};
}

static void take_as_day(usage *u, const ast *n)
{
    bound_place at = place_of(u, n);
    if (at.table < 0) {
        return;
    }
    ptrdiff_t n_tables = u->from->n_tables;
    if (!u->to) {
        u->tables = arena_new(u->a, schema_table, n_tables);
        for (ptrdiff_t t = 0; t < n_tables; t++) {
            u->tables[t] = u->from->tables[t];
        }
        u->to = arena_new(u->a, schema, 1);
        *u->to = *u->from;
        u->to->tables = u->tables;
    }
    schema_table *table = &u->tables[at.table];
    schema_column *columns = arena_new(u->a, schema_column, table->n_columns);
    for (ptrdiff_t i = 0; i < table->n_columns; i++) {
        columns[i] = table->columns[i];
    }
    columns[at.column].type = S("date");
    columns[at.column].kind = KIND_DATE;
    columns[at.column].affinity = schema_affinity_of(S("date"));
    table->columns = columns;
}

static void look_at_sides(usage *u, const ast *one, const ast *other)
{
    if (is_day(u, other)) {
        take_as_day(u, one);
    } else if (is_day(u, one)) {
        take_as_day(u, other);
    }
}

static bool look_at(void *context, const ast *n)
{
    usage *u = context;
    const ast *type = n->kind == AST_CAST ? n->kid[CAST_TYPE] : NULL;
    switch ((int)n->kind) {
    case AST_BINARY:
        if (operator_compares(n->form)) {
            look_at_sides(u, n->kid[BINARY_LEFT], n->kid[BINARY_RIGHT]);
        }
        break;
    case AST_BETWEEN:
        look_at_sides(u, n->kid[BETWEEN_EXPR], n->kid[BETWEEN_LOW]);
        look_at_sides(u, n->kid[BETWEEN_EXPR], n->kid[BETWEEN_HIGH]);
        break;
    case AST_CAST:
        if (type && schema_kind_of(type->text) == KIND_DATE) {
            take_as_day(u, n->kid[CAST_EXPR]);
        }
        break;
    default: break;
    }
    return true;
}

const schema *used_types(arena *a,
                         const schema *s,
                         const binding *const *queries,
                         int n)
{
    usage u = {.a = a, .from = s};
    for (int i = 0; i < n; i++) {
        u.b = queries[i];
        if (u.b) {
            ast_walk(u.b->query->node, look_at, &u);
        }
    }
    return u.to;
}
