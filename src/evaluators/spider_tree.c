/*
 * spider_tree.c - the hardness of queries that Spider's own grammar does not
 * read, from their trees (definitions/spider.md#hardness).
 *
 * Method      The counts are those of spider_hardness.c, oddities included: an
 *             aggregate is counted for each condition with NOT and each
 *             connective of HAVING, and real aggregates of HAVING are not.
 */
#include "evaluators/set_match.h"
#include "evaluators/spider_set.h"
#include "schema/bind.h"
#include "sql/semantics.h"

#include <assert.h>

typedef struct counts {
    int clauses;  // component 1
    int nested;   // component 2
    int aggregates;
} counts;

static const ast *below_nested(const ast *q)
{
    while (q && q->kind == AST_NESTED) {
        q = q->kid[NESTED_BODY];
    }
    return q;
}

static bool note_aggregate(void *context, const ast *n)
{
    int *found = context;
    *found += dialect_aggregates(DIALECT_SQLITE, n);
    return !ast_is_query(n);
}

static int aggregates_in(const ast *n)
{
    int found = 0;
    ast_walk(n, note_aggregate, &found);
    return found;
}

static bool is_query(const void *about, const ast *n)
{
    (void)about;
    return n->kind == AST_SUBQUERY || n->kind == AST_EXISTS || ast_is_query(n);
}

// How many parts of a condition have a query in them.
static int queries_in(const ast *condition)
{
    int n = 0;
    int kids = ast_kid_count((ast_kind)condition->kind);
    for (int i = 0; i < kids; i++) {
        for (const ast *kid = condition->kid[i]; kid; kid = kid->next) {
            n += ast_find(kid, is_query, NULL) != NULL;
        }
    }
    return n;
}

// Counts what is in a condition; how many there are between AND and OR.
static int count_conditions(counts *c, const ast *n)
{
    if (!n) {
        return 0;
    }
    bool is_or = n->kind == AST_BINARY && n->form == OPERATOR_OR;
    if (is_or || (n->kind == AST_BINARY && n->form == OPERATOR_AND)) {
        c->clauses += is_or;
        int left = count_conditions(c, n->kid[BINARY_LEFT]);
        return left + count_conditions(c, n->kid[BINARY_RIGHT]);
    }
    c->clauses += n->kind == AST_BINARY && n->form == OPERATOR_LIKE;
    c->nested += queries_in(n);
    c->aggregates += (n->kind == AST_UNARY && n->form == OPERATOR_NOT)
                     || (n->flags & AST_FLAG_NOT);
    return 1;
}

// Counts what is in ON, where NOT is no aggregate; how many tables there are.
static int count_from(counts *c, const ast *n)
{
    int tables = 1;
    if (!n) {
        return 0;
    }
    switch ((int)n->kind) {
    case AST_ALIAS: return count_from(c, n->kid[ALIAS_EXPR]);
    case AST_SAMPLE: return count_from(c, n->kid[SAMPLE_SOURCE]);
    case AST_LATERAL: return count_from(c, n->kid[LATERAL_SOURCE]);
    case AST_RESTRICTED:
        tables = count_from(c, n->kid[RESTRICTED_SOURCE]);
        count_conditions(c, n->kid[RESTRICTED_ON]);
        break;
    case AST_JOIN:
        tables = count_from(c, n->kid[JOIN_LEFT]);
        tables += count_from(c, n->kid[JOIN_RIGHT]);
        count_conditions(c, n->kid[JOIN_ON]);
        break;
    default: break;
    }
    c->aggregates = 0;
    return tables;
}

static str level_of(counts c, const ast *q)
{
    assert(q->kind == AST_SELECT);
    int tables = count_from(&c, q->kid[SELECT_FROM]);
    int where = count_conditions(&c, q->kid[SELECT_WHERE]);
    int having = count_conditions(&c, q->kid[SELECT_HAVING]);
    c.clauses += (where > 0) + (q->kid[SELECT_GROUP] != NULL)
                 + (tables > 1 ? tables - 1 : 0)
                 + (q->kid[SELECT_ORDER] != NULL)
                 + (q->kid[SELECT_LIMIT] || q->kid[SELECT_TOP]);
    c.aggregates += having > 1 ? having - 1 : 0;
    for (const ast *i = q->kid[SELECT_ITEMS]; i; i = i->next) {
        c.aggregates += aggregates_in(i) > 0;
    }
    for (const ast *g = q->kid[SELECT_GROUP]; g; g = g->next) {
        c.aggregates += aggregates_in(g);
    }
    for (const ast *o = q->kid[SELECT_ORDER]; o; o = o->next) {
        c.aggregates += aggregates_in(o);
    }
    int others = (c.aggregates > 1) + (ast_list_len(q->kid[SELECT_ITEMS]) > 1)
                 + (where > 1) + (ast_list_len(q->kid[SELECT_GROUP]) > 1);
    return spider_level(c.clauses, c.nested, others);
}

str set_tree_hardness(const ast *query)
{
    counts c = {0};
    const ast *q = below_nested(query);
    while (q && q->kind == AST_SETOP) {
        c.nested++;
        c.clauses += q->kid[SETOP_LIMIT] != NULL;
        c.clauses += q->kid[SETOP_ORDER] != NULL;
        q = below_nested(q->kid[SETOP_LEFT]);
        if (c.nested > 1 && q && q->kind == AST_SETOP) {
            return S("extra");
        }
    }
    return q && q->kind == AST_SELECT ? level_of(c, q) : S("extra");
}
