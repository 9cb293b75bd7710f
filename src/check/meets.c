/*
 * meets.c - see meets.h.
 *
 * Cost        Linear in the node and its lists.
 */
#include "check/meets.h"

static const meet_place told_apart =
    DIVIDED | MOVED | SPAN | CONVERTED | TESTED | SORTED | CALLED;

bool meet_computes(int op)
{
    return op == OPERATOR_ADD || op == OPERATOR_SUBTRACT
           || op == OPERATOR_MULTIPLY || op == OPERATOR_DIVIDE
           || op == OPERATOR_REMAINDER || op == OPERATOR_DIV
           || op == OPERATOR_BAR || op == OPERATOR_AMPERSAND
           || op == OPERATOR_CARET || op == OPERATOR_SHIFT_LEFT
           || op == OPERATOR_SHIFT_RIGHT || op == OPERATOR_NEGATE
           || op == OPERATOR_INVERT;
}

bool meet_orders(const ast *n)
{
    return n->kind == AST_BETWEEN
           || (n->kind == AST_BINARY && operator_orders(n->form))
           || (n->kind == AST_CALL
               && str_among_fold(n->text, "greatest least"));
}

bool meet_has_hours(const ast *span)
{
    static const str units[] = {S_INIT("hour"), S_INIT("min"), S_INIT("sec")};
    const ast *of = span->kid[INTERVAL_VALUE];
    bool found = false;
    for (int i = 0; i < countof(units); i++) {
        found |= str_starts_fold(span->text, units[i])
                 || (of && str_find_fold(of->text, units[i], 0) >= 0);
    }
    return found;
}

// A text that is computed with is a number where values convert.
static bool is_converted(const meeting *m, const ast *n)
{
    const ast *left = n->kid[BINARY_LEFT];
    const ast *right = n->kid[BINARY_RIGHT];
    return m->means.values == VALUES_CONVERTS && meet_computes(n->form) && left
           && right && left->kind != AST_INTERVAL && right->kind != AST_INTERVAL
           && (bind_type(m->b, left).kind == KIND_TEXT
               || bind_type(m->b, right).kind == KIND_TEXT);
}

operand meet_operand(const meeting *m, const ast *n)
{
    if (!n) {
        return (operand){.kind = IS_NONE};
    }
    if (n->kind == AST_TYPE) {
        return (operand){.node = n, .kind = 1u << schema_kind_of(n->text)};
    }
    operand o = {.node = n, .type = bind_type(m->b, n)};
    bool is_number =
        o.type.kind == KIND_ANY && n->kind == AST_BINARY && is_converted(m, n);
    o.kind = is_number ? IS_REAL : 1u << o.type.kind;
    return o;
}

static operand operand_of_column(const bound_column *c)
{
    return (operand){.type = *c, .kind = 1u << c->kind};
}

static void meet(const meeting *m,
                 meet_place place,
                 const ast *n,
                 operand one,
                 operand other)
{
    m->visit(m->context, place, n, &one, &other);
    if (!(place & told_apart) && other.kind != IS_NONE) {
        m->visit(m->context, place, n, &other, &one);
    }
}

static void meet_nodes(const meeting *m,
                       meet_place place,
                       const ast *n,
                       const ast *one,
                       const ast *other)
{
    if (one) {
        meet(m, place, n, meet_operand(m, one), meet_operand(m, other));
    }
}

// NULL compares with whatever a value is.
static void compare(const meeting *m,
                    const ast *n,
                    const ast *left,
                    const ast *right)
{
    if (left->kind == AST_ROW && right->kind == AST_ROW) {
        const ast *other = right->kid[ROW_ITEMS];
        for (const ast *one = left->kid[ROW_ITEMS]; one && other;
             one = one->next) {
            compare(m, n, one, other);
            other = other->next;
        }
    } else if (left->kind != AST_NULL && right->kind != AST_NULL) {
        bool equates = n->kind == AST_BINARY && n->form == OPERATOR_EQUAL;
        meet_nodes(m,
                   meet_orders(n) ? ORDERED
                   : equates      ? EQUATED
                                  : LIKENED,
                   n, left, right);
    }
}

static void seek(const meeting *m,
                 const ast *n,
                 const ast *sought,
                 const ast *query)
{
    const bound_query *of = query ? bind_query_at(m->b, query) : NULL;
    bool is_row = sought->kind == AST_ROW;
    sought = is_row ? sought->kid[ROW_ITEMS] : sought;
    for (ptrdiff_t i = 0; of && sought && i < of->n_outputs; i++) {
        meet(m, SOUGHT, n, meet_operand(m, sought),
             operand_of_column(&of->outputs[i]));
        sought = is_row ? sought->next : NULL;
    }
}

static meet_place place_of(int op)
{
    meet_place computed = meet_computes(op) ? COMPUTED : 0;
    switch (op) {
    case OPERATOR_ADD: return computed | ADDED;
    case OPERATOR_DIVIDE: return computed | DIVIDED;
    case OPERATOR_REMAINDER: return computed | REMAINDER;
    case OPERATOR_AMPERSAND:
    case OPERATOR_BAR:
    case OPERATOR_INVERT: return computed | BITS;
    case OPERATOR_SHIFT_LEFT:
    case OPERATOR_SHIFT_RIGHT: return computed | SHIFTED;
    case OPERATOR_CONCAT: return JOINED;
    case OPERATOR_LIKE:
    case OPERATOR_ILIKE: return MATCHED;
    default: return computed;
    }
}

static void meet_binary(const meeting *m, const ast *n)
{
    const ast *left = n->kid[BINARY_LEFT];
    const ast *right = n->kid[BINARY_RIGHT];
    if (!left || !right) {
        return;
    }
    if (right->kind == AST_QUANTIFIED) {
        seek(m, n, left, right->kid[QUANTIFIED_EXPR]);
    }
    if (n->form == OPERATOR_AND || n->form == OPERATOR_OR) {
        meet_nodes(m, TESTED, left, left, NULL);
        meet_nodes(m, TESTED, right, right, NULL);
    } else if (left->kind == AST_INTERVAL || right->kind == AST_INTERVAL) {
        bool is_first = left->kind == AST_INTERVAL;
        meet_nodes(m, MOVED, n, is_first ? right : left,
                   is_first ? left : right);
    } else if (operator_weighs(n->form)) {
        compare(m, n, left, right);
    } else {
        // Sides of a division are no pair, but what is computed is one.
        meet_place place = place_of(n->form);
        meet_nodes(m, place & told_apart, n, left, right);
        meet_nodes(m, place & ~told_apart, n, left, right);
    }
}

static void unite(const meeting *m,
                  const ast *n,
                  const ast *one,
                  const ast *other)
{
    if (one && other && one != other && one->kind != AST_NULL
        && other->kind != AST_NULL) {
        meet_nodes(m, UNITED, n, one, other);
    }
}

static void meet_case(const meeting *m, const ast *n)
{
    const ast *first = n->kid[CASE_WHENS];
    const ast *then = first ? first->kid[WHEN_THEN] : NULL;
    for (const ast *w = first; w; w = w->next) {
        if (n->kid[CASE_EXPR]) {
            compare(m, n, n->kid[CASE_EXPR], w->kid[WHEN_IF]);
        } else {
            meet_nodes(m, TESTED, w->kid[WHEN_IF], w->kid[WHEN_IF], NULL);
        }
        unite(m, n, then, w->kid[WHEN_THEN]);
    }
    unite(m, n, then, n->kid[CASE_ELSE]);
}

static void meet_call(const meeting *m, const ast *n)
{
    const ast *first = n->kid[CALL_ARGS];
    bool asks = first && first->next && first->next->next;
    bool unites = str_among_fold(n->text, "coalesce ifnull isnull if iif");
    bool compares = str_among_fold(n->text, "greatest least nullif");
    bool joins = str_among_fold(n->text, "concat concat_ws");
    const ast *one =
        asks && to_lower(n->text.ptr[0]) == 'i' ? first->next : first;
    meet_nodes(m, CALLED, n, n, first);
    if (first && str_among_fold(n->text, "min max")) {
        meet_nodes(m, SORTED, n, first, NULL);
    }
    for (const ast *arg = first; arg; arg = arg->next) {
        if (compares && arg != first) {
            compare(m, n, first, arg);
        }
        if (joins) {
            meet_nodes(m, JOINED, n, arg, NULL);
        }
    }
    for (const ast *arg = one; unites && arg; arg = arg->next) {
        unite(m, n, one, arg);
    }
}

static void meet_columns(const meeting *m, const ast *n)
{
    const bound_query *left = bind_query_at(m->b, n->kid[SETOP_LEFT]);
    const bound_query *right = bind_query_at(m->b, n->kid[SETOP_RIGHT]);
    for (ptrdiff_t i = 0;
         left && right && i < left->n_outputs && i < right->n_outputs; i++) {
        meet(m, COLUMNS, n, operand_of_column(&left->outputs[i]),
             operand_of_column(&right->outputs[i]));
    }
}

static void meet_select(const meeting *m, const ast *n)
{
    const bound_block *b = bind_block_at(m->b, n);
    for (ptrdiff_t i = 0; b && i < b->n_merges; i++) {
        const bound_merge *g = &b->merges[i];
        if (g->left_column >= 0 && g->right_column >= 0 && g->left->columns
            && g->right->columns) {
            meet(m, MERGED, n,
                 operand_of_column(&g->left->columns[g->left_column]),
                 operand_of_column(&g->right->columns[g->right_column]));
        }
    }
    static const int conditions[] = {SELECT_WHERE, SELECT_HAVING};
    for (int i = 0; i < countof(conditions); i++) {
        const ast *condition = n->kid[conditions[i]];
        meet_nodes(m, TESTED, condition, condition, NULL);
    }
}

void meet_at(const meeting *m, const ast *n)
{
    switch ((int)n->kind) {
    case AST_SELECT: meet_select(m, n); break;
    case AST_CALL: meet_call(m, n); break;
    case AST_BINARY: meet_binary(m, n); break;
    case AST_UNARY:
        meet_nodes(m, place_of(n->form), n, n->kid[UNARY_EXPR], NULL);
        break;
    case AST_CAST:
        meet_nodes(m, CONVERTED, n, n->kid[CAST_EXPR], n->kid[CAST_TYPE]);
        break;
    case AST_SORT: meet_nodes(m, SORTED, n, n->kid[SORT_EXPR], NULL); break;
    case AST_JOIN:
        meet_nodes(m, TESTED, n->kid[JOIN_ON], n->kid[JOIN_ON], NULL);
        break;
    case AST_CASE: meet_case(m, n); break;
    case AST_IN:
        for (const ast *i = n->kid[IN_LIST]; i; i = i->next) {
            compare(m, n, n->kid[IN_EXPR], i);
        }
        seek(m, n, n->kid[IN_EXPR], n->kid[IN_SOURCE]);
        break;
    case AST_SETOP: meet_columns(m, n); break;
    case AST_INTERVAL: meet_nodes(m, SPAN, n, n, NULL); break;
    case AST_BETWEEN:
        compare(m, n, n->kid[BETWEEN_EXPR], n->kid[BETWEEN_LOW]);
        compare(m, n, n->kid[BETWEEN_EXPR], n->kid[BETWEEN_HIGH]);
        break;
    default: break;
    }
}
