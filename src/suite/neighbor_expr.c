/*
 * neighbor_expr.c - neighbors of expressions: operators, functions, NOT, IN,
 * BETWEEN, CASE.
 *
 * Method      Comparisons and arithmetic take each other operator of their
 *             table. A connective becomes the other one, loses a side, is
 *             grouped the other way, and its constants change places. NOT is
 *             put and dropped, where that is not the same as another change
 *             (below a NOT it would be). x = 'ab' is loosened to LIKE and to a
 *             comparison without case; an aggregate becomes each other one, and
 *             COUNT(*) counts or sums columns near at hand: those that the
 *             query groups by and shows, then some of each table, spread over
 *             it, so that wide tables do not flood the list.
 */
#include "base/words.h"
#include "suite/neighbor_change.h"

#include <assert.h>

static const uint8_t comparisons[] = {
    OPERATOR_EQUAL,   OPERATOR_BANG_EQUAL,    OPERATOR_LESS,
    OPERATOR_GREATER, OPERATOR_GREATER_EQUAL, OPERATOR_LESS_EQUAL,
};

static const uint8_t arithmetics[] = {
    OPERATOR_ADD,
    OPERATOR_SUBTRACT,
    OPERATOR_MULTIPLY,
    OPERATOR_DIVIDE,
};

// Every other spelling of the same operator is taken for the first.
static int plain_form(int form)
{
    switch (form) {
    case OPERATOR_EQUAL_EQUAL: return OPERATOR_EQUAL;
    case OPERATOR_LESS_GREATER: return OPERATOR_BANG_EQUAL;
    default: return form;
    }
}

static void put_forms(changer *c,
                      neighbor_kind kind,
                      ast *n,
                      const uint8_t *list,
                      ptrdiff_t n_list)
{
    int old = plain_form(n->form);
    for (ptrdiff_t i = 0; i < n_list; i++) {
        if (list[i] != old) {
            changer_form(c, kind, n, list[i]);
        }
    }
}

static void put_sides(changer *c, neighbor_kind kind, const site *s, ast *n)
{
    assert(n->kind == AST_BINARY);
    changer_put(c, kind, s->slot, n->kid[BINARY_LEFT]);
    changer_put(c, kind, s->slot, n->kid[BINARY_RIGHT]);
}

static bool is_connective(const ast *n)
{
    return n && n->kind == AST_BINARY
           && (n->form == OPERATOR_AND || n->form == OPERATOR_OR);
}

// (a AND b) OR c becomes a AND (b OR c), likewise on the other side.
static void regroup(changer *c, const site *s, ast *n)
{
    for (int side = BINARY_LEFT; side <= BINARY_RIGHT; side++) {
        ast *inner = n->kid[side];
        if (!is_connective(inner) || inner->form == n->form) {
            continue;
        }
        bool is_left = side == BINARY_LEFT;
        ast *turned =
            is_left
                ? changer_binary(c, inner->form, inner->kid[BINARY_LEFT],
                                 changer_binary(c, n->form,
                                                inner->kid[BINARY_RIGHT],
                                                n->kid[BINARY_RIGHT]))
                : changer_binary(c, inner->form,
                                 changer_binary(c, n->form, n->kid[BINARY_LEFT],
                                                inner->kid[BINARY_LEFT]),
                                 inner->kid[BINARY_RIGHT]);
        changer_put(c, NEIGHBOR_GROUPING, s->slot, turned);
    }
}

static bool is_constant(const ast *n)
{
    return n->kind == AST_STRING || n->kind == AST_NUMBER
           || n->kind == AST_DOUBT;
}

// a = 1 AND b = 2 becomes a = 2 AND b = 1.
static void swap_constants(changer *c, ast *n)
{
    ast *left = n->kid[BINARY_LEFT];
    ast *right = n->kid[BINARY_RIGHT];
    if (left->kind == AST_BINARY && right->kind == AST_BINARY
        && is_constant(left->kid[BINARY_RIGHT])
        && is_constant(right->kid[BINARY_RIGHT])) {
        changer_swap(c, NEIGHBOR_CONDITION, &left->kid[BINARY_RIGHT],
                     &right->kid[BINARY_RIGHT]);
    }
}

// The whole negated.
static void negate(changer *c, const site *s, ast *n)
{
    changer_put(c, NEIGHBOR_NEGATION, s->slot,
                changer_not(c, ast_copy(&c->trees, n)));
}

static void change_connective(changer *c, const site *s, ast *n)
{
    assert(is_connective(n));
    bool is_and = n->form == OPERATOR_AND;
    changer_form(c, NEIGHBOR_CONNECTIVE, n,
                 is_and ? OPERATOR_OR : OPERATOR_AND);
    put_sides(c, s->in_on ? NEIGHBOR_JOIN_CONDITION : NEIGHBOR_CONDITION, s, n);
    regroup(c, s, n);
    swap_constants(c, n);
    if (s->parent && s->parent->kind == AST_SELECT && !s->in_on) {
        negate(c, s, n);
    }
}

// x = 'Ab' becomes LOWER(x) = 'ab'.
static void ignore_case(changer *c, const site *s, const ast *n, str text)
{
    str lower = arena_lower(&c->trees, text);
    if (!str_equal(lower, arena_upper(&c->trees, text))) {
        ast *call =
            changer_call(c, S("LOWER"), changer_copy(c, n->kid[BINARY_LEFT]));
        changer_put(
            c, NEIGHBOR_STRING_CASE, s->slot,
            changer_binary(c, OPERATOR_EQUAL, call, changer_string(c, lower)));
    }
}

// The column of a table that the node names, in *column; NULL: it is something
// else, as the whole row is (column -1).
static const schema_table *table_of_column(const changer *c,
                                           const ast *n,
                                           int32_t *column)
{
    const bound_ref *ref =
        n->kind == AST_COLUMN ? bind_ref(c->binding, n) : NULL;
    if (!ref || ref->kind != REF_COLUMN || ref->source->kind != SOURCE_TABLE
        || ref->column < 0) {
        return NULL;
    }
    *column = ref->column;
    return &c->binding->schema->tables[ref->source->table];
}

// Does the column hold texts alone, each of which has one spelling?
static bool has_one_spelling(const changer *c, const ast *n)
{
    int32_t i = 0;
    const schema_table *t = table_of_column(c, n, &i);
    return t && t->columns[i].has_one_spelling
           && t->columns[i].affinity == AFFINITY_TEXT;
}

static bool has_wildcard(str text)
{
    return str_find(text, S("%"), 0) >= 0 || str_find(text, S("_"), 0) >= 0
           || str_find(text, S("\\"), 0) >= 0;
}

// x = 'ab' becomes x LIKE '%ab%', 'ab%', '%ab', 'ab'.
static void loosen(changer *c, const site *s, ast *n)
{
    str text;
    if (n->form == OPERATOR_EQUAL
        && changer_content(c, n->kid[BINARY_RIGHT], &text)) {
        str spelled =
            has_one_spelling(c, n->kid[BINARY_LEFT]) && !has_wildcard(text)
                ? arena_str(c->a, text)
                : (str){0};
        for (int ends = 3; ends >= 0; ends--) {
            c->spelled = ends == 0 ? spelled : (str){0};
            str pattern =
                arena_printf(&c->trees, "%s%.*s%s", ends & 1 ? "%" : "",
                             STR_ARG(text), ends & 2 ? "%" : "");
            changer_put(c, NEIGHBOR_WILDCARD, s->slot,
                        changer_binary(c, OPERATOR_LIKE, n->kid[BINARY_LEFT],
                                       changer_string(c, pattern)));
        }
        ignore_case(c, s, n, text);
        c->spelled = (str){0};
    }
}

// x != 1 becomes x != 1 OR x IS NULL.
static void let_null_pass(changer *c, const site *s, ast *n)
{
    ast *left = n->kid[BINARY_LEFT];
    int32_t column = 0;
    const schema_table *t = table_of_column(c, left, &column);
    if (s->in_on || !t || schema_never_null(t, column)) {
        return;
    }
    changer_put(c, NEIGHBOR_CONDITION, s->slot,
                changer_binary(c, OPERATOR_OR, ast_copy(&c->trees, n),
                               changer_is_null(c, left)));
}

static void change_arithmetic(changer *c, const site *s, ast *n)
{
    put_forms(c, NEIGHBOR_ARITHMETIC, n, arithmetics, countof(arithmetics));
    put_sides(c, NEIGHBOR_ARITHMETIC, s, n);
    if (n->form == OPERATOR_SUBTRACT || n->form == OPERATOR_DIVIDE
        || n->form == OPERATOR_REMAINDER) {
        changer_swap(c, NEIGHBOR_ARITHMETIC, &n->kid[BINARY_LEFT],
                     &n->kid[BINARY_RIGHT]);
    }
}

static bool is_negated(const site *s)
{
    return s->parent && s->parent->kind == AST_UNARY
           && s->parent->form == OPERATOR_NOT;
}

// Below a NOT it would be the same as dropping that.
void toggle_not(changer *c, const site *s, ast *n)
{
    if (!is_negated(s)) {
        changer_flags(c, NEIGHBOR_NEGATION, n, n->flags ^ AST_FLAG_NOT);
    }
}

void change_operator(changer *c, const site *s, ast *n)
{
    switch (plain_form(n->form)) {
    case OPERATOR_AND:
    case OPERATOR_OR: change_connective(c, s, n); break;
    case OPERATOR_LIKE:
    case OPERATOR_ILIKE:
    case OPERATOR_GLOB:
    case OPERATOR_REGEXP:
    case OPERATOR_IS: toggle_not(c, s, n); break;
    case OPERATOR_ADD:
    case OPERATOR_SUBTRACT:
    case OPERATOR_MULTIPLY:
    case OPERATOR_DIVIDE:
    case OPERATOR_REMAINDER: change_arithmetic(c, s, n); break;
    case OPERATOR_CONCAT: put_sides(c, NEIGHBOR_ARITHMETIC, s, n); break;
    default:
        if (operator_compares(n->form)) {
            put_forms(c, NEIGHBOR_COMPARISON, n, comparisons,
                      countof(comparisons));
            loosen(c, s, n);
            let_null_pass(c, s, n);
        }
    }
}

void change_unary(changer *c, const site *s, ast *n)
{
    if (n->form == OPERATOR_NOT) {
        changer_put(c, NEIGHBOR_NEGATION, s->slot, n->kid[UNARY_EXPR]);
    } else if (n->form == OPERATOR_NEGATE) {
        changer_put(c, NEIGHBOR_ARITHMETIC, s->slot, n->kid[UNARY_EXPR]);
    } else if (n->form == OPERATOR_ISNULL || n->form == OPERATOR_NOTNULL) {
        changer_form(c, NEIGHBOR_NEGATION, n,
                     n->form == OPERATOR_ISNULL ? OPERATOR_NOTNULL
                                                : OPERATOR_ISNULL);
    }
}

void change_exists(changer *c, const site *s, ast *n)
{
    if (!is_negated(s)) {
        negate(c, s, n);
    }
}

void change_in_query(changer *c, const site *s, ast *n)
{
    ast *source = n->kid[IN_SOURCE];
    if (source && ast_is_query(source)) {
        sql_operator o =
            n->flags & AST_FLAG_NOT ? OPERATOR_BANG_EQUAL : OPERATOR_EQUAL;
        changer_put(
            c, NEIGHBOR_COMPARISON, s->slot,
            changer_binary(c, o, n->kid[IN_EXPR], changer_subquery(c, source)));
    }
}

// Only one end, and each end excluded.
void change_between(changer *c, const site *s, ast *n)
{
    ast *e = n->kid[BETWEEN_EXPR];
    if (n->flags & AST_FLAG_NOT) {
        return;
    }
    static const struct {
        uint8_t low;
        uint8_t high;
    } ends[] = {
        {OPERATOR_GREATER, OPERATOR_LESS_EQUAL},
        {OPERATOR_GREATER_EQUAL, OPERATOR_LESS},
        {OPERATOR_GREATER_EQUAL, 0},
        {0, OPERATOR_LESS_EQUAL},
    };
    for (ptrdiff_t i = 0; i < countof(ends); i++) {
        ast *low = changer_binary(c, ends[i].low, e, n->kid[BETWEEN_LOW]);
        ast *high = changer_binary(c, ends[i].high, ast_copy(&c->trees, e),
                                   n->kid[BETWEEN_HIGH]);
        ast *both = !ends[i].low ? high
                    : !ends[i].high
                        ? low
                        : changer_binary(c, OPERATOR_AND, low, high);
        changer_put(c, NEIGHBOR_BETWEEN_END, s->slot, both);
    }
}

static const str aggregates[] = {
    S_INIT("MIN"), S_INIT("MAX"), S_INIT("AVG"), S_INIT("SUM"), S_INIT("COUNT"),
};

static ptrdiff_t aggregate_of(const ast *call)
{
    return words_find_fold(aggregates, countof(aggregates), sizeof(str),
                           call->text);
}

static void put_names(changer *c, ast *n, ptrdiff_t old)
{
    assert(old >= 0 && old < countof(aggregates));
    for (ptrdiff_t i = 0; i < countof(aggregates); i++) {
        if (i != old) {
            changer_edit(c, n)->text = aggregates[i];
            changer_emit(c, NEIGHBOR_AGGREGATE);
        }
    }
}

// AVG(x) becomes SUM(x) / COUNT(*): whole numbers, and NULL counts.
static void spell_out_average(changer *c, const site *s, const ast *n)
{
    ast *sum = ast_copy(&c->trees, n);
    sum->text = S("SUM");
    changer_put(c, NEIGHBOR_AGGREGATE, s->slot,
                changer_binary(c, OPERATOR_DIVIDE, sum, changer_count(c)));
}

enum {
    COUNTED_COLUMNS = 8,
    SUMMED_COLUMNS = 2,  // of a table
};

// COUNT(*) of rows that hold a number each becomes their SUM.
static void sum_columns(changer *c, const site *s, ast *n)
{
    ptrdiff_t n_sources = s->block ? s->block->n_sources : 0;
    for (ptrdiff_t i = 0; i < n_sources; i++) {
        const bound_source *source = s->block->sources[i];
        int n_summed = 0;
        for (int32_t k = 0; k < source->n_columns; k++) {
            schema_kind kind = source->columns[k].kind;
            bool is_number = kind == KIND_INTEGER || kind == KIND_REAL;
            if (!is_number || n_summed >= SUMMED_COLUMNS) {
                continue;
            }
            ast *column = changer_column(c, source, k, s->block);
            if (column) {
                n_summed++;
                changer_edit(c, n)->text = S("SUM");
                n->kid[CALL_ARGS] = column;
                changer_emit(c, NEIGHBOR_AGGREGATE);
            }
        }
    }
}

static void count_column(changer *c, ast *n, ast *column)
{
    for (int is_distinct = 0; column && is_distinct < 2; is_distinct++) {
        changer_set(c, &n->kid[CALL_ARGS], column);
        changer_flags(c, NEIGHBOR_COUNT, n,
                      n->flags | (is_distinct ? AST_FLAG_DISTINCT : 0));
    }
}

// The columns that the list names.
static void count_listed(changer *c, ast *n, const ast *list)
{
    for (; list; list = list->next) {
        count_column(c, n,
                     list->kind == AST_COLUMN ? changer_copy(c, list) : NULL);
    }
}

// COUNT(*) of the columns that are nearest at hand: what the query groups by
// and shows, then some of each table.
static void count_columns(changer *c, const site *s, ast *n)
{
    ptrdiff_t n_sources = s->block ? s->block->n_sources : 0;
    if (s->select && s->select->kind == AST_SELECT) {
        count_listed(c, n, s->select->kid[SELECT_GROUP]);
        count_listed(c, n, s->select->kid[SELECT_ITEMS]);
    }
    for (ptrdiff_t i = 0; i < n_sources; i++) {
        const bound_source *source = s->block->sources[i];
        ptrdiff_t most = source->n_columns < COUNTED_COLUMNS ? source->n_columns
                                                             : COUNTED_COLUMNS;
        for (ptrdiff_t k = 0; k < most; k++) {
            // Spread over the table.
            ptrdiff_t at = k * source->n_columns / most;
            count_column(c, n,
                         changer_column(c, source, (int32_t)at, s->block));
        }
    }
}

static void change_count(changer *c, const site *s, ast *n)
{
    ast *arg = n->kid[CALL_ARGS];
    assert(arg && !arg->next);  // COUNT of one thing
    if (arg->kind == AST_STAR) {
        count_columns(c, s, n);
        sum_columns(c, s, n);
        return;
    }
    changer_edit(c, n)->flags &= (uint16_t)~AST_FLAG_DISTINCT;
    changer_put(c, NEIGHBOR_COUNT, &n->kid[CALL_ARGS],
                changer_new(c, (node_draft){.kind = AST_STAR}));
    changer_flags(c, NEIGHBOR_COUNT, n, n->flags ^ AST_FLAG_DISTINCT);
}

void change_call(changer *c, const site *s, ast *n)
{
    ast *arg = n->kid[CALL_ARGS];
    ptrdiff_t aggregate = aggregate_of(n);
    bool has_one = arg && !arg->next && !n->kid[CALL_OVER];
    if (!has_one) {
        return;
    }
    if (aggregate == countof(aggregates) - 1) {
        change_count(c, s, n);
    } else if (aggregate >= 2) {
        changer_flags(c, NEIGHBOR_DISTINCT, n, n->flags ^ AST_FLAG_DISTINCT);
    }
    if (aggregate >= 0 && str_equal(aggregates[aggregate], S("AVG"))) {
        spell_out_average(c, s, n);
    }
    if (arg->kind != AST_STAR) {
        if (aggregate >= 0) {
            put_names(c, n, aggregate);
        }
        if (!ast_is_query(arg)) {
            changer_put(c, NEIGHBOR_UNWRAPPED, s->slot, arg);
        }
    }
}
