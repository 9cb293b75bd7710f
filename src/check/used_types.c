// used_types.c - one walk over each query; see used_types.h.
#include "check/used_types.h"

#include "relation/relation_condition.h"
#include "relation/relation_values.h"
#include "schema/schema_draft.h"

typedef struct usage {
    arena *a;
    const schema *from;
    const binding *b;
    schema_draft *to;  // NULL: nothing is changed yet
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
    u->to = u->to ? u->to : schema_draft_of(u->a, u->from, 0);
    schema_column *c = &u->to->columns[at.table][at.column];
    c->type = S("date");
    c->kind = KIND_DATE;
    c->affinity = schema_affinity_of(S("date"));
}

static void look_at_sides(usage *u, condition c)
{
    if (c.kind != CONDITION_PAIR || !c.left || !c.right
        || !operator_compares((int)c.how)) {
        return;
    }
    if (is_day(u, c.right)) {
        take_as_day(u, c.left);
    } else if (is_day(u, c.left)) {
        take_as_day(u, c.right);
    }
}

static void look_at(usage *u, const ast *n)
{
    const ast *type = n->kind == AST_CAST ? n->kid[CAST_TYPE] : NULL;
    if (n->kind == AST_BINARY) {
        look_at_sides(u, condition_of(n, false));
    } else if (n->kind == AST_BETWEEN) {
        condition c = condition_of(n, false);
        for (condition part = {0}; condition_next(&c, &part);) {
            look_at_sides(u, part);
        }
    } else if (type && schema_kind_of(type->text) == KIND_DATE) {
        take_as_day(u, n->kid[CAST_EXPR]);
    }
}

const schema *used_types(arena *a,
                         const schema *s,
                         const binding *const *queries,
                         int n)
{
    usage u = {.a = a, .from = s};
    for (int i = 0; i < n; i++) {
        u.b = queries[i];
        node_list all = {0};
        if (u.b) {
            all = relation_nodes_of(a, u.b->query->node, NODES_ALL);
        }
        for (ptrdiff_t k = 0; k < all.len; k++) {
            look_at(&u, all.ptr[k]);
        }
    }
    return u.to ? &u.to->s : NULL;
}
