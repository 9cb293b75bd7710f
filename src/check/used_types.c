// used_types.c - what meets at each node of each query; see used_types.h.
#include "check/used_types.h"

#include "check/meets.h"
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

// What meets a day is one.
static void met(void *context,
                meet_place place,
                const ast *n,
                const operand *one,
                const operand *other)
{
    usage *u = context;
    bool is_day = place & COMPARED    ? other->kind & (IS_DAY | IS_MOMENT)
                  : place & CONVERTED ? other->kind & IS_DAY
                                      : false;
    bound_place at = {.table = -1};
    if (is_day && n->kind != AST_CALL && one->node) {
        at = bind_stored_at(u->b, one->node);
    }
    if (at.table < 0 || at.column < 0
        || !is_other_type(u->b->dialect,
                          &u->from->tables[at.table].columns[at.column])) {
        return;
    }
    u->to = u->to ? u->to : schema_draft_of(u->a, u->from, 0);
    schema_column *c = &u->to->columns[at.table][at.column];
    c->type = S("date");
    c->kind = KIND_DATE;
    c->affinity = schema_affinity_of(S("date"));
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
        meeting m = {.b = u.b, .visit = met, .context = &u};
        if (u.b) {
            all = relation_nodes_of(a, u.b->query->node, NODES_ALL);
        }
        for (ptrdiff_t k = 0; k < all.len; k++) {
            meet_at(&m, all.ptr[k]);
        }
    }
    return u.to ? &u.to->s : NULL;
}
