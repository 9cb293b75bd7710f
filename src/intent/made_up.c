/*
 * made_up.c - see made_up.h.
 *
 * Method      A query reads a table when one of its tables is none of its WITH
 *             names. Then the items of each SELECT that a set operation is made
 *             of are looked at; what they are computed from lies below them.
 *
 * Cost        Linear in the nodes, times the WITH names, of which the first 64
 *             are known.
 */
#include "intent/made_up.h"

#include "schema/bind.h"
#include "sql/parse.h"

enum {
    MAX_NAMES = 64
};

typedef struct search {
    dialect dialect;
    const schema *schema;
    str names[MAX_NAMES];  // of WITH
    ptrdiff_t n_names;
    bool is_found;
} search;

static bool collect_name(void *context, const ast *n)
{
    search *s = context;
    if (n->kind == AST_CTE && s->n_names < MAX_NAMES) {
        s->names[s->n_names++] = n->text;
    }
    return true;
}

static bool names_table(const search *s, const ast *n)
{
    return s->schema && schema_find_table(s->schema, n->text) >= 0;
}

static bool find_table(void *context, const ast *n)
{
    search *s = context;
    s->is_found |= n->kind == AST_CALL && names_table(s, n);
    if (n->kind == AST_TABLE) {
        bool is_name = false;
        for (ptrdiff_t i = 0; i < s->n_names && !is_name; i++) {
            is_name = str_equal_fold(n->text, s->names[i]);
        }
        s->is_found |= !is_name;
    }
    return !s->is_found;
}

// count(1) and sum(1) tell how many rows there are, max(12) tells nothing.
static bool reads_rows(const ast *call, dialect d)
{
    return call->kid[CALL_OVER]
           || (bind_is_aggregate(call, d)
               && !str_among_fold(call->text, "min max avg"));
}

static bool find_reading(void *context, const ast *n)
{
    search *s = context;
    s->is_found |= n->kind == AST_COLUMN || n->kind == AST_STAR
                   || n->kind == AST_TABLE
                   || (n->kind == AST_DOUBT && names_table(s, n))
                   || (n->kind == AST_CALL && reads_rows(n, s->dialect));
    return !s->is_found;
}

// Is one of the items a constant?
static bool has_constant(const ast *select, const schema *known, dialect d)
{
    for (const ast *item = select->kid[SELECT_ITEMS]; item; item = item->next) {
        search s = {.dialect = d, .schema = known};
        ast_walk(ast_unaliased(item), find_reading, &s);
        if (!s.is_found) {
            return true;
        }
    }
    return false;
}

static bool returns_constant(const ast *query, const schema *s, dialect d)
{
    switch ((int)query->kind) {
    case AST_SELECT: return has_constant(query, s, d);
    case AST_VALUES: return true;
    case AST_NESTED: return returns_constant(query->kid[NESTED_BODY], s, d);
    case AST_SETOP:
        return returns_constant(query->kid[SETOP_LEFT], s, d)
               || returns_constant(query->kid[SETOP_RIGHT], s, d);
    default: return false;
    }
}

bool makes_up_column(const ast *query, const schema *known, dialect d)
{
    search s = {.schema = known};
    ast_walk(query, collect_name, &s);
    ast_walk(query, find_table, &s);
    return !s.is_found || returns_constant(query, known, d);
}

bool text_makes_up_column(str sql,
                          const schema *s,
                          dialect d,
                          arena a,
                          arena scratch)
{
    parse_result r = parse_sql(&a, sql, d, scratch);
    return r.errors.len == 0 && r.statements && ast_is_query(r.statements)
           && makes_up_column(r.statements, s, d);
}
