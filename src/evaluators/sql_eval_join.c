/*
 * sql_eval_join.c - the grouping passes that join an item with its neighbors by
 * a table. [definitions/sql_eval.md#groups, passes 4, 5, 8 to 12 and 14]
 *
 * Method      A pass looks at the items as they stood before it. After a join
 *             the absorbed right item is looked at once more, standing where
 *             the group stands: with its own kind it is the left neighbor of
 *             what follows. That is how a = b = c becomes one group although
 *             comparisons are no operands.
 *
 * Invariants  A level is compacted in place: writing never passes reading.
 */
#include "evaluators/sql_eval_item.h"

typedef enum join_extent {
    JOIN_BOTH,     // left, item, right
    JOIN_DOT,      // the same, or left and item when right does not fit
    JOIN_LEFT,     // left and item
    JOIN_FORWARD,  // item and right; something must stand at the left
} join_extent;

typedef struct join {
    item_set match;
    item_set left;
    item_set right;
    item_kind result;
    join_extent extent;
} join;

#define OPERANDS                                                             \
    (ITEM(PARENTHESIS) | ITEM(FUNCTION) | ITEM(IDENTIFIER) | ITEM(OPERATION) \
     | ITEM(TYPED) | ITEM(NUMBER) | ITEM(STRING) | ITEM(PLACEHOLDER))

#define TERMS (OPERANDS | ITEM(BRACKETS) | ITEM(NOW))

#define SIDES (OPERANDS | ITEM(NULL))

#define LISTABLE                                                       \
    (ITEM(FUNCTION) | ITEM(CASE) | ITEM(IDENTIFIER) | ITEM(COMPARISON) \
     | ITEM(LIST) | ITEM(OPERATION) | ITEM(NUMBER) | ITEM(STRING)      \
     | ITEM(PLACEHOLDER) | ITEM(WILDCARD) | ITEM_PLAIN_KEYWORDS)

static const join JOIN_DOTS = {
    ITEM(DOT), ITEM(BRACKETS) | ITEM(IDENTIFIER) | ITEM_NAMES,
    ITEM(BRACKETS) | ITEM(FUNCTION) | ITEM_NAMES | ITEM(WILDCARD),
    ITEM_IDENTIFIER, JOIN_DOT};

static const join JOIN_ARRAYS = {ITEM(BRACKETS),
                                 ITEM(BRACKETS) | ITEM(IDENTIFIER)
                                     | ITEM(FUNCTION) | ITEM_NAMES,
                                 0, ITEM_IDENTIFIER, JOIN_LEFT};

// In their order, after names have become identifiers.
static const join JOIN_TERMS[] = {
    {ITEM(CAST), ITEM_ANY, ITEM_ANY, ITEM_IDENTIFIER, JOIN_BOTH},
    {ITEM(TIMEZONE), ITEM_ANY, ITEM_ANY, ITEM_IDENTIFIER, JOIN_BOTH},
    {ITEM(TYPE) | ITEM(TIMESTAMP), ITEM_ANY, ITEM(STRING), ITEM_TYPED,
     JOIN_FORWARD},
    {ITEM(TYPED), ITEM_ANY, ITEM(UNIT), ITEM_TYPED, JOIN_FORWARD},
    {ITEM(OPERATOR) | ITEM(WILDCARD), TERMS, TERMS, ITEM_OPERATION, JOIN_BOTH},
    {ITEM(COMPARE), SIDES, SIDES, ITEM_COMPARISON, JOIN_BOTH},
    {ITEM(AS), ~ITEM_KEYWORDS | ITEM(NULL),
     ~(ITEM(DML) | ITEM(DDL) | ITEM(CTE)), ITEM_IDENTIFIER, JOIN_BOTH},
};

static const join JOIN_LISTS = {ITEM(COMMA), LISTABLE, LISTABLE, ITEM_LIST,
                                JOIN_BOTH};

// How far the join of item i would reach: the right item, i itself when left
// and item join alone, or -1 for no join.
static ptrdiff_t join_reach(const grouper *g,
                            const join *j,
                            ptrdiff_t i,
                            item_kind left)
{
    if (!item_is(left, j->left)) {
        return -1;
    }
    const ptrdiff_t right = item_skip_blanks(g, i + 1);
    const bool fits = right < g->n && item_is(g->items[right].kind, j->right);
    if (j->extent == JOIN_LEFT || (j->extent == JOIN_DOT && !fits)) {
        return i;
    }
    return fits ? right : -1;
}

// What becomes of the left end of a join: a comment there leaves no blank, a
// verb begins no line, a delimiter keeps the blanks after it.
static void mark_left(grouper *g, item at)
{
    if (item_is(at.kind, ITEM(DML) | ITEM(DDL) | ITEM(WHERE_WORD))) {
        g->t->ptr[at.first].marks &= (uint16_t)~SQL_EVAL_BREAK;
    } else if (at.kind == ITEM_COMMENT) {
        mark_token(g, at.first, SQL_EVAL_GLUE);
    } else if (at.kind == ITEM_PUNCTUATION) {
        mark_token(g, at.first, SQL_EVAL_LOOSE);
    }
}

// Where a joining pass stands.
typedef struct cursor {
    ptrdiff_t n;          // items written
    ptrdiff_t left;       // where the left neighbor stands, or -1
    item_kind left_kind;  // what it counts as
} cursor;

// Joins item i, which was written last, as long as what it becomes joins.
// The last item that was read.
static ptrdiff_t join_item(grouper *g, const join *j, ptrdiff_t i, cursor *c)
{
    ptrdiff_t place = c->n - 1;
    item at = g->items[place];
    while (c->left >= 0 && item_is(at.kind, j->match)) {
        const ptrdiff_t reach = join_reach(g, j, i, c->left_kind);
        if (reach < 0) {
            break;
        }
        const item right = reach == i ? at : g->items[reach];
        place = j->extent == JOIN_FORWARD ? place : c->left;
        mark_left(g, g->items[place]);
        if (right.kind == ITEM_PUNCTUATION) {
            mark_token(g, right.first, SQL_EVAL_LOOSE);
        }
        if (j == &JOIN_LISTS) {
            mark_link(g, at.first, SQL_EVAL_LIST_COMMA, g->items[place].first);
        }
        g->items[place].kind = j->result;
        g->items[place].last = right.last;
        *c = (cursor){place + 1, place, j->result};
        if (reach == i) {
            return i;
        }
        at = right;
        i = reach;
    }
    c->left = place;
    c->left_kind = at.kind;
    return i;
}

static void run_join(grouper *g, const join *j)
{
    cursor c = {0, -1, ITEM_BLANK};
    for (ptrdiff_t i = 0; i < g->n; i++) {
        g->items[c.n++] = g->items[i];
        if (g->items[i].kind != ITEM_BLANK) {
            i = join_item(g, j, i, &c);
        }
    }
    g->n = c.n;
}

void join_dots(grouper *g)
{
    run_join(g, &JOIN_DOTS);
}

void join_arrays(grouper *g)
{
    run_join(g, &JOIN_ARRAYS);
}

void join_terms(grouper *g)
{
    for (ptrdiff_t i = 0; i < countof(JOIN_TERMS); i++) {
        run_join(g, &JOIN_TERMS[i]);
    }
}

void join_lists(grouper *g)
{
    run_join(g, &JOIN_LISTS);
}
