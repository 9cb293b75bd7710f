/*
 * relation_condition.c - see relation_condition.h.
 *
 * Method      Nothing is built: a condition is a view of a node under so many
 *             NOTs, and its parts are found by stepping through the node.
 *
 * Cost        constant for each part.
 */
#include "relation/relation_condition.h"

#include <assert.h>

static const struct {
    uint8_t o;
    uint8_t turned;
    uint8_t denied;
} operators[] = {
    {OPERATOR_EQUAL, OPERATOR_EQUAL, OPERATOR_LESS_GREATER},
    {OPERATOR_LESS_GREATER, OPERATOR_LESS_GREATER, OPERATOR_EQUAL},
    {OPERATOR_LESS, OPERATOR_GREATER, OPERATOR_GREATER_EQUAL},
    {OPERATOR_GREATER, OPERATOR_LESS, OPERATOR_LESS_EQUAL},
    {OPERATOR_LESS_EQUAL, OPERATOR_GREATER_EQUAL, OPERATOR_GREATER},
    {OPERATOR_GREATER_EQUAL, OPERATOR_LESS_EQUAL, OPERATOR_LESS},
};

sql_operator operator_turned(sql_operator o)
{
    for (ptrdiff_t i = 0; i < countof(operators); i++) {
        if (operators[i].o == o) {
            return (sql_operator)operators[i].turned;
        }
    }
    return o;
}

const ast *operand_within(const ast *n, str *word)
{
    switch ((int)n->kind) {
    case AST_CALL: *word = n->text; return n->kid[CALL_ARGS];
    case AST_CAST: *word = S("cast"); return n->kid[CAST_EXPR];
    case AST_COLLATE: *word = S("collate"); return n->kid[COLLATE_EXPR];
    default: return NULL;
    }
}

const ast *operand_bare(const ast *n)
{
    str word;
    while (n && (n->kind == AST_CAST || n->kind == AST_COLLATE)) {
        n = operand_within(n, &word);
    }
    return n;
}

const ast *operand_query(const ast *n)
{
    n = n && n->kind == AST_SUBQUERY ? n->kid[SUBQUERY_QUERY] : n;
    return n && ast_is_query(n) ? n : NULL;
}

const ast *row_item(const ast *e, ptrdiff_t i)
{
    bool is_row = e->kind == AST_ROW;
    const ast *item = is_row ? e->kid[ROW_ITEMS] : e;
    for (; item && i > 0; i--) {
        item = is_row ? item->next : NULL;
    }
    return item;
}

static condition pair(const ast *n,
                      const ast *left,
                      sql_operator how,
                      const ast *right,
                      bool is_denied)
{
    how = how == OPERATOR_EQUAL_EQUAL  ? OPERATOR_EQUAL
          : how == OPERATOR_BANG_EQUAL ? OPERATOR_LESS_GREATER
                                       : how;
    for (ptrdiff_t i = 0; is_denied && i < countof(operators); i++) {
        if (operators[i].o == how) {
            how = (sql_operator)operators[i].denied;
            is_denied = false;
        }
    }
    return (condition){.kind = CONDITION_PAIR,
                       .is_denied = is_denied,
                       .how = how,
                       .left = left,
                       .right = right,
                       .node = n};
}

condition condition_of(const ast *n, bool is_denied)
{
    assert(n);
    while (n->kind == AST_UNARY && n->form == OPERATOR_NOT) {
        n = n->kid[UNARY_EXPR];
        is_denied = !is_denied;
    }
    bool has_not = is_denied;
    is_denied = is_denied != !!(n->flags & AST_FLAG_NOT);
    condition c = {.node = n, .is_denied = is_denied};
    bool is_and = n->kind == AST_BETWEEN && !(n->flags & AST_FLAG_SYMMETRIC);
    bool is_or = n->kind == AST_IN && !n->kid[IN_SOURCE];
    if (n->kind == AST_BINARY) {
        is_and = n->form == OPERATOR_AND;
        is_or = n->form == OPERATOR_OR;
        c = pair(n, n->kid[BINARY_LEFT], (sql_operator)n->form,
                 n->kid[BINARY_RIGHT], is_denied);
    } else if (is_or && n->kid[IN_LIST] && !n->kid[IN_LIST]->next) {
        is_or = false;
        c = pair(n, n->kid[IN_EXPR], OPERATOR_EQUAL, n->kid[IN_LIST],
                 is_denied);
    } else if (n->kind == AST_IN) {
        c.left = n->kid[IN_EXPR];
        c.right = n->kid[IN_SOURCE];
    } else if (n->kind == AST_EXISTS) {
        c.right = n->kid[EXISTS_QUERY];
    }
    if (is_and || is_or) {
        c.kind = is_and != is_denied ? CONDITION_ALL : CONDITION_ANY;
    }
    c.has_not = has_not;
    return c;
}

// x = y of CASE x WHEN y.
static const ast *next_when(const ast *n, int no)
{
    const ast *when = n->kid[CASE_EXPR] ? n->kid[CASE_WHENS] : NULL;
    for (; when && no > 0; no--) {
        when = when->next;
    }
    return when ? when->kid[WHEN_IF] : NULL;
}

bool condition_next(const condition *of, condition *part)
{
    const ast *n = of->node;
    int no = part->no;
    if (n->kind == AST_CASE) {
        const ast *when = next_when(n, no);
        *part = pair(n, n->kid[CASE_EXPR], OPERATOR_EQUAL, when, false);
        part->no = no + 1;
        return when;
    }
    if (n->kind == AST_IN) {
        const ast *item = no == 0 ? n->kid[IN_LIST] : part->right->next;
        *part = pair(n, n->kid[IN_EXPR], OPERATOR_EQUAL, item, of->is_denied);
        part->no = no + 1;
        return item;
    }
    bool is_range = n->kind == AST_BETWEEN;
    bool is_logic = n->kind == AST_BINARY && of->kind != CONDITION_PAIR;
    if (no == 2 || !(is_range || is_logic)) {
        return false;
    }
    if (is_range) {
        *part =
            pair(n, n->kid[BETWEEN_EXPR],
                 no == 0 ? OPERATOR_GREATER_EQUAL : OPERATOR_LESS_EQUAL,
                 n->kid[no == 0 ? BETWEEN_LOW : BETWEEN_HIGH], of->is_denied);
    } else {
        *part = condition_of(n->kid[no == 0 ? BINARY_LEFT : BINARY_RIGHT],
                             of->is_denied);
    }
    part->no = no + 1;
    return true;
}
