/*
 * clauses_hardness.c - Spider's levels of hardness for queries that Spider's
 * own grammar does not read (definitions/spider.md#hardness).
 *
 * The counts are those of the evaluator, its oddities included: an aggregate
 * is counted for each condition with NOT and each connective of HAVING, and
 * real aggregates of HAVING are not.
 */
#include "intent/clauses.h"

#include <assert.h>

typedef struct counts {
    int comp1;
    int comp2;
    int aggregates;
    int items;
    int group;
    int where;  // conditions of WHERE and their connectives
} counts;

static const ast *below_nested(const ast *q)
{
    while (q && q->kind == AST_NESTED) {
        q = q->kid[NESTED_BODY];
    }
    return q;
}

static bool is_aggregate(const ast *n)
{
    return bind_is_aggregate(n, DIALECT_SQLITE);
}

static bool note_aggregate(void *context, const ast *n)
{
    int *found = context;
    *found += is_aggregate(n);
    return !ast_is_query(n);
}

static int aggregates_in(const ast *n)
{
    int found = 0;
    ast_walk(n, note_aggregate, &found);
    return found;
}

typedef struct condition_counts {
    int n;  // conditions
    int n_or;
    int n_like;
    int n_not;
    int n_queries;
} condition_counts;

static bool note_query(void *context, const ast *n)
{
    int *found = context;
    *found +=
        n->kind == AST_SUBQUERY || n->kind == AST_EXISTS || ast_is_query(n);
    return *found == 0;
}

static int queries_in(const ast *condition)
{
    int n = 0;
    int kids = ast_kid_count((ast_kind)condition->kind);
    for (int i = 0; i < kids; i++) {
        for (const ast *kid = condition->kid[i]; kid; kid = kid->next) {
            int found = 0;
            ast_walk(kid, note_query, &found);
            n += found > 0;
        }
    }
    return n;
}

static void count_conditions(condition_counts *c, const ast *n)
{
    if (!n) {
        return;
    }
    bool joins = n->kind == AST_BINARY
                 && (n->form == OPERATOR_AND || n->form == OPERATOR_OR);
    if (joins) {
        c->n_or += n->form == OPERATOR_OR;
        count_conditions(c, n->kid[BINARY_LEFT]);
        count_conditions(c, n->kid[BINARY_RIGHT]);
        return;
    }
    bool is_not = n->kind == AST_UNARY && n->form == OPERATOR_NOT;
    c->n++;
    c->n_not += is_not || (n->flags & AST_FLAG_NOT);
    c->n_like += n->kind == AST_BINARY && n->form == OPERATOR_LIKE;
    c->n_queries += queries_in(n);
}

typedef struct from_counts {
    int tables;
    condition_counts on;
} from_counts;

static void count_from(from_counts *c, const ast *n)
{
    if (!n) {
        return;
    }
    switch ((int)n->kind) {
    case AST_ALIAS: count_from(c, n->kid[ALIAS_EXPR]); break;
    case AST_SAMPLE: count_from(c, n->kid[SAMPLE_SOURCE]); break;
    case AST_LATERAL: count_from(c, n->kid[LATERAL_SOURCE]); break;
    case AST_RESTRICTED:
        count_from(c, n->kid[RESTRICTED_SOURCE]);
        count_conditions(&c->on, n->kid[RESTRICTED_ON]);
        break;
    case AST_JOIN:
        count_from(c, n->kid[JOIN_LEFT]);
        count_from(c, n->kid[JOIN_RIGHT]);
        count_conditions(&c->on, n->kid[JOIN_ON]);
        break;
    default: c->tables++; break;
    }
}

static void count_select(counts *c, const ast *q)
{
    assert(q->kind == AST_SELECT);
    from_counts from = {0};
    condition_counts where = {0};
    condition_counts having = {0};
    count_from(&from, q->kid[SELECT_FROM]);
    count_conditions(&where, q->kid[SELECT_WHERE]);
    count_conditions(&having, q->kid[SELECT_HAVING]);
    c->comp1 += where.n > 0;
    c->comp1 += q->kid[SELECT_GROUP] != NULL;
    c->comp1 += from.tables > 1 ? from.tables - 1 : 0;
    c->comp1 += from.on.n_or + where.n_or + having.n_or;
    c->comp1 += from.on.n_like + where.n_like + having.n_like;
    c->comp2 += from.on.n_queries + where.n_queries + having.n_queries;
    for (const ast *i = q->kid[SELECT_ITEMS]; i; i = i->next) {
        c->items++;
        c->aggregates += aggregates_in(i) > 0;
    }
    for (const ast *g = q->kid[SELECT_GROUP]; g; g = g->next) {
        c->group++;
        c->aggregates += aggregates_in(g);
    }
    c->where = where.n;
    c->aggregates += where.n_not + having.n_not;
    c->aggregates += having.n > 1 ? having.n - 1 : 0;
}

str clauses_hardness(const ast *query)
{
    counts c = {0};
    const ast *q = below_nested(query);
    while (q && q->kind == AST_SETOP) {
        c.comp2++;
        const ast *left = below_nested(q->kid[SETOP_LEFT]);
        c.comp1 += q->kid[SETOP_LIMIT] != NULL;
        c.comp1 += q->kid[SETOP_ORDER] != NULL;
        q = left;
        if (c.comp2 > 1 && q && q->kind == AST_SETOP) {
            return S("extra");
        }
    }
    if (!q || q->kind != AST_SELECT) {
        return S("extra");
    }
    count_select(&c, q);
    for (const ast *o = q->kid[SELECT_ORDER]; o; o = o->next) {
        c.aggregates += aggregates_in(o);
    }
    c.comp1 += q->kid[SELECT_ORDER] != NULL;
    c.comp1 += q->kid[SELECT_LIMIT] || q->kid[SELECT_TOP];
    int others =
        (c.aggregates > 1) + (c.items > 1) + (c.where > 1) + (c.group > 1);
    if (c.comp1 <= 1 && others == 0 && c.comp2 == 0) {
        return S("easy");
    }
    if ((others <= 2 && c.comp1 <= 1 && c.comp2 == 0)
        || (c.comp1 <= 2 && others < 2 && c.comp2 == 0)) {
        return S("medium");
    }
    bool is_hard = (others > 2 && c.comp1 <= 2 && c.comp2 == 0)
                   || (c.comp1 == 3 && others <= 2 && c.comp2 == 0)
                   || (c.comp1 <= 1 && others == 0 && c.comp2 <= 1);
    return is_hard ? S("hard") : S("extra");
}
