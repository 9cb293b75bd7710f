/*
 * fragment.c - the queries of DuckDB that mean what they are read as.
 *
 * Why         The rules are those of SQLite and PostgreSQL. Where types are as
 *             they should be, DuckDB agrees with PostgreSQL; elsewhere it
 *             casts what PostgreSQL refuses (a VARCHAR that is compared with a
 *             number is read as one, a number is a condition), has functions of
 *             its own that are aggregates, and rows whose NULLs are equal.
 *
 * Method      A table of what may be in the tree, and what must hold there.
 *             Operands must be of one class; where equality might be taken for
 *             identity, of one type. Two spellings of one value (a date without
 *             its zeros, a number of many digits, a FLOAT) are outside: the
 *             rules tell literals apart by their text. Division is let through,
 *             but means nothing to a relation (build_term.c): `/` is of DOUBLE
 *             and 1 / 0 infinite, `%` by 0 is NULL.
 *
 * Invariant   What is not listed is outside.
 *
 * Cost        Linear in the tree, times the depth of expressions.
 */
#include "relation/fragment.h"

#include "base/clock.h"
#include "relation/relation_select.h"

enum {
    MOST_DIGITS = 15,  // of a literal: all that a DOUBLE keeps
    MOST_ARGS = 1 << 20,
};

/* Types. */

static const char plain_types[] =
    "tinyint smallint integer bigint hugeint utinyint usmallint uinteger "
    "ubigint int int1 int2 int4 int8 varchar text char bool boolean date "
    "double float8 decimal numeric timestamp datetime enum";

// Of these equality is identity, and a value has one spelling.
static bool is_plain_type(str type)
{
    str word = schema_type_word(type);
    str tail = str_skip(type, word.len);
    bool ends = tail.len == 0 || tail.ptr[0] == '('
                || str_equal_fold(tail, S(" precision"))
                || str_equal_fold(tail, S(" varying"));
    return ends && !str_ends(type, S("]")) && str_among_fold(word, plain_types);
}

// The classes of values: all numbers are KIND_INTEGER, ANY is unknown.
static schema_kind class_of_kind(schema_kind k)
{
    return schema_kind_is_number(k)            ? KIND_INTEGER
           : k == KIND_TIME || k == KIND_BYTES ? KIND_ANY
                                               : k;
}

static schema_kind class_of(const binding *b, const ast *n)
{
    return class_of_kind(bind_type(b, n).kind);
}

static bool is_null(const ast *n)
{
    return n->kind == AST_NULL;
}

static bool is_known(const binding *b, const ast *n)
{
    return is_null(n) || class_of(b, n) != KIND_ANY;
}

static bool is_literal(const ast *n)
{
    return n->kind == AST_NUMBER || n->kind == AST_STRING || n->kind == AST_TRUE
           || n->kind == AST_FALSE || n->kind == AST_TYPED;
}

// A date or a moment as it is always written.
static bool is_time_text(const ast *n, schema_kind c)
{
    ptrdiff_t len = c == KIND_DATE ? 10 : 19;
    int64_t ms = 0;
    char memory[64];
    arena a = {.next = memory, .end = memory + sizeof memory};
    str inside = str_sub(n->text, 1, len + 1);
    return n->kind == AST_STRING && n->text.len == len + 2
           && clock_parse(inside, &ms)
           && str_equal(str_sub(clock_format(&a, ms), 0, len), inside);
}

// Is equality of the two identity? Of DECIMALs only one type prints alike.
static bool is_one_type(bound_column l, bound_column r)
{
    return l.kind == r.kind
           && (l.kind != KIND_DECIMAL
               || (l.declared.len > 0
                   && str_equal_fold(l.declared, r.declared)));
}

static bool is_text_of_time(schema_kind text, schema_kind time, const ast *n)
{
    return text == KIND_TEXT && (time == KIND_DATE || time == KIND_TIMESTAMP)
           && is_time_text(n, time);
}

// May the two be compared?
static bool agree(const binding *b,
                  const ast *l,
                  const ast *r,
                  bool is_equality)
{
    schema_kind left = class_of(b, l);
    schema_kind right = class_of(b, r);
    bool may_be_one = is_equality && !is_literal(l) && !is_literal(r);
    return is_null(l) || is_null(r) || is_text_of_time(right, left, r)
           || is_text_of_time(left, right, l)
           || (left == right && left != KIND_ANY
               && (!may_be_one
                   || is_one_type(bind_type(b, l), bind_type(b, r))));
}

static bool is_truth(const binding *b, const ast *n)
{
    return !n || class_of(b, n) == KIND_BOOLEAN || is_null(n);
}

// Are all of a list of this class; if it is ANY, of one class or NULL?
static bool are_of(const binding *b, const ast *list, schema_kind class)
{
    bool may_be_null = class == KIND_ANY;
    bool ok = true;
    for (const ast *n = list; ok && n; n = n->next) {
        bool is_any = may_be_null && is_null(n);
        class = class == KIND_ANY && !is_any ? class_of(b, n) : class;
        ok = is_any || (class != KIND_ANY && class_of(b, n) == class);
    }
    return ok;
}

/* Expressions. */

static bool passes_number(const binding *b, const ast *n)
{
    (void)b;
    bool ok = n->text.len <= MOST_DIGITS + 1;
    for (ptrdiff_t i = 0; i < n->text.len; i++) {
        ok = ok && (is_digit(n->text.ptr[i]) || n->text.ptr[i] == '.');
    }
    return ok;
}

static bool passes_column(const binding *b, const ast *n)
{
    str type = bind_type(b, n).declared;
    return type.len == 0 || is_plain_type(type);
}

// Numbers with a point are DECIMAL: folded, they would be another number.
static bool may_add(const binding *b, const ast *l, const ast *r)
{
    bool both = l->kind == AST_NUMBER && r->kind == AST_NUMBER;
    bool have_points = both
                       && (bind_type(b, l).kind != KIND_INTEGER
                           || bind_type(b, r).kind != KIND_INTEGER);
    return class_of(b, l) == KIND_INTEGER && class_of(b, r) == KIND_INTEGER
           && !have_points;
}

static bool passes_pair(const binding *b, const ast *n)
{
    const ast *l = n->kid[BINARY_LEFT];
    const ast *r = n->kid[BINARY_RIGHT];
    bool are_texts = class_of(b, l) == KIND_TEXT && class_of(b, r) == KIND_TEXT;
    switch ((int)n->form) {
    case OPERATOR_AND:
    case OPERATOR_OR: return is_truth(b, l) && is_truth(b, r);
    case OPERATOR_ADD:
    case OPERATOR_SUBTRACT:
    case OPERATOR_MULTIPLY:
    case OPERATOR_DIVIDE:
    case OPERATOR_REMAINDER: return may_add(b, l, r);
    case OPERATOR_CONCAT:
    case OPERATOR_LIKE:
    case OPERATOR_ILIKE: return are_texts;
    default:
        return (n->form == OPERATOR_IS || n->form == OPERATOR_IS_DISTINCT
                || operator_compares(n->form))
               && agree(b, l, r, !operator_orders(n->form));
    }
}

static bool passes_sign(const binding *b, const ast *n)
{
    const ast *x = n->kid[UNARY_EXPR];
    return n->form == OPERATOR_NOT
               ? is_truth(b, x)
               : (n->form == OPERATOR_NEGATE || n->form == OPERATOR_POSITIVE)
                     && class_of(b, x) == KIND_INTEGER;
}

static bool passes_range(const binding *b, const ast *n)
{
    return agree(b, n->kid[BETWEEN_EXPR], n->kid[BETWEEN_LOW], false)
           && agree(b, n->kid[BETWEEN_EXPR], n->kid[BETWEEN_HIGH], false);
}

static bool passes_member(const binding *b, const ast *n)
{
    const ast *x = n->kid[IN_EXPR];
    const ast *source = n->kid[IN_SOURCE];
    bool ok = true;
    for (const ast *i = n->kid[IN_LIST]; ok && i; i = i->next) {
        ok = agree(b, x, i, true);
    }
    const bound_query *q =
        source && ast_is_query(source) ? bind_query_at(b, source) : NULL;
    return source ? q && q->n_outputs == 1 && class_of(b, x) != KIND_ANY
                        && is_one_type(bind_type(b, x), q->outputs[0])
                  : ok;
}

static bool passes_case(const binding *b, const ast *n)
{
    const ast *x = n->kid[CASE_EXPR];
    const ast *other = n->kid[CASE_ELSE];
    schema_kind all = other ? class_of(b, other) : KIND_ANY;
    bool ok = !other || is_known(b, other);
    for (const ast *w = n->kid[CASE_WHENS]; ok && w; w = w->next) {
        const ast *then = w->kid[WHEN_THEN];
        schema_kind c = class_of(b, then);
        ok = (is_null(then) || (c != KIND_ANY && (all == KIND_ANY || c == all)))
             && (x ? agree(b, x, w->kid[WHEN_IF], true)
                   : is_truth(b, w->kid[WHEN_IF]));
        all = all == KIND_ANY ? c : all;
    }
    return ok;
}

static bool passes_cast(const binding *b, const ast *n)
{
    return is_known(b, n->kid[CAST_EXPR]) && n->kid[CAST_TYPE]
           && n->form != CAST_FORM_TRY  // NULL where a CAST fails
           && is_plain_type(n->kid[CAST_TYPE]->text);
}

static bool passes_typed(const binding *b, const ast *n)
{
    return str_among_fold(n->text, "date timestamp")
           && is_time_text(n->kid[TYPED_VALUE], class_of(b, n));
}

static bool takes(const binding *b, const ast *n)
{
    static const struct {
        const char *names;
        int least;  // arguments
        int most;
        bool is_uniform;    // all are of one class
        schema_kind class;  // of the first; ANY: of a known one
    } rows[] = {
        {"sum avg abs", 1, 1, true, KIND_INTEGER},
        {"count min max", 1, 1, false, KIND_ANY},
        {"lower upper length trim", 1, 1, true, KIND_TEXT},
        {"round", 1, 2, true, KIND_INTEGER},
        {"coalesce nullif", 2, MOST_ARGS, true, KIND_ANY},
        {"row_number rank dense_rank", 0, 0, false, KIND_ANY},
    };
    const ast *args = n->kid[CALL_ARGS];
    int count = ast_list_len(args);
    bool ok = false;
    if (args && args->kind == AST_STAR) {
        return count == 1 && str_equal_fold(n->text, S("count"));
    }
    for (ptrdiff_t i = 0; i < countof(rows); i++) {
        ok |= str_among_fold(n->text, rows[i].names) && count >= rows[i].least
              && count <= rows[i].most
              && (rows[i].is_uniform ? are_of(b, args, rows[i].class)
                                     : !args || is_known(b, args));
    }
    bool is_ranked = count > 0 || n->kid[CALL_OVER];
    bool is_place = count < 2 || !str_equal_fold(n->text, S("round"))
                    || args->next->kind == AST_NUMBER;
    return ok && is_ranked && is_place;
}

static bool passes_call(const binding *b, const ast *n)
{
    const unsigned nulls = AST_FLAG_NULLS_FIRST | AST_FLAG_NULLS_LAST;
    return !n->kid[CALL_PATH] && !n->kid[CALL_ORDER] && !n->kid[CALL_LIMIT]
           && !n->kid[CALL_WITHIN] && !(n->flags & nulls) && n->text.len > 0
           && takes(b, n) && is_truth(b, n->kid[CALL_FILTER]);
}

/* Queries. */

static bool passes_clauses(const binding *b, const ast *n)
{
    (void)b;
    return !n->kid[SELECT_ON] && !n->kid[SELECT_TOP] && !n->kid[SELECT_WINDOWS]
           && !n->kid[SELECT_QUALIFY] && !n->kid[SELECT_LOCK]
           && !(n->flags & AST_FLAG_ROLLUP);
}

static bool passes_conditions(const binding *b, const ast *n)
{
    select_parts parts = select_parts_of(n);
    return is_truth(b, parts.where) && is_truth(b, parts.having);
}

static bool passes_items(const binding *b, const ast *n)
{
    bool ok = true;
    for (const ast *i = n->kid[SELECT_ITEMS]; ok && i; i = i->next) {
        const ast *expr = ast_unaliased(i);
        ok = expr->kind == AST_STAR || is_known(b, expr);
    }
    return ok;
}

static bool passes_sides(const binding *b, const ast *n)
{
    const bound_query *l = bind_query_at(b, n->kid[SETOP_LEFT]);
    const bound_query *r = bind_query_at(b, n->kid[SETOP_RIGHT]);
    bool ok = l && r && l->n_outputs == r->n_outputs;
    for (ptrdiff_t i = 0; ok && i < l->n_outputs; i++) {
        ok = l->outputs[i].kind == r->outputs[i].kind
             && class_of_kind(l->outputs[i].kind) != KIND_ANY;
    }
    return ok;
}

static bool passes_join(const binding *b, const ast *n)
{
    return (n->form == JOIN_FORM_INNER || n->form == JOIN_FORM_COMMA
            || n->form == JOIN_FORM_CROSS || join_is_outer(n))
           && !n->kid[JOIN_USING] && !(n->flags & AST_FLAG_NATURAL)
           && is_truth(b, join_condition(n));
}

static bool passes_table(const binding *b, const ast *n)
{
    const bound_source *s = bind_source_at(b, n);
    return s && s->kind != SOURCE_UNKNOWN && !n->kid[TABLE_HINT];
}

static bool passes_with(const binding *b, const ast *n)
{
    (void)b;
    return !(n->flags & AST_FLAG_RECURSIVE);
}

static const struct {
    ast_kind kind;
    bool (*passes)(const binding *b, const ast *n);  // NULL: it may stand there
    const char *otherwise;
} rows[] = {
    {AST_SELECT, passes_clauses, "a rare clause of SELECT"},
    {AST_SELECT, passes_conditions, "a condition that is no BOOLEAN"},
    {AST_SELECT, passes_items, "a value of unknown type"},
    {AST_SETOP, passes_sides, "a set operation that casts"},
    {AST_JOIN, passes_join, "a join of a rare form"},
    {AST_TABLE, passes_table, "a table of unknown columns"},
    {AST_BINARY, passes_pair, "operands that DuckDB casts, or a rare operator"},
    {AST_UNARY, passes_sign, "operands that DuckDB casts, or a rare operator"},
    {AST_BETWEEN, passes_range, "operands that DuckDB casts"},
    {AST_IN, passes_member, "IN of values that DuckDB casts"},
    {AST_CASE, passes_case, "a CASE whose values are cast"},
    {AST_CALL, passes_call, "a function of DuckDB that is not known"},
    {AST_NUMBER, passes_number, "a number of a rare form"},
    {AST_COLUMN, passes_column, "a column of a rare type"},
    {AST_CAST, passes_cast, "a CAST of a rare kind"},
    {AST_TYPED, passes_typed, "a literal of a rare type"},
    {AST_WITH, passes_with, "WITH RECURSIVE"},
    {AST_STAR, NULL, NULL},
    {AST_NESTED, NULL, NULL},
    {AST_CTE, NULL, NULL},
    {AST_NAME, NULL, NULL},
    {AST_LIMIT, NULL, NULL},
    {AST_SORT, NULL, NULL},
    {AST_ALIAS, NULL, NULL},
    {AST_STRING, NULL, NULL},
    {AST_NULL, NULL, NULL},
    {AST_TRUE, NULL, NULL},
    {AST_FALSE, NULL, NULL},
    {AST_EXISTS, NULL, NULL},
    {AST_SUBQUERY, NULL, NULL},
    {AST_WHEN, NULL, NULL},
    {AST_TYPE, NULL, NULL},
    {AST_WINDOW, NULL, NULL},
};

typedef struct fragment {
    const binding *b;
    bool has_strange;      // a table with columns of other types
    int n_stars;           // that stand for columns
    const char *obstacle;  // NULL: none
} fragment;

static void note_strange(fragment *f, const bound_source *s)
{
    for (ptrdiff_t c = 0; s && s->kind == SOURCE_TABLE && c < s->n_columns;
         c++) {
        const schema_table *t = &f->b->schema->tables[s->table];
        f->has_strange |= !is_plain_type(t->columns[c].type);
    }
}

static bool look_at(void *context, const ast *n)
{
    fragment *f = context;
    const ast *args = n->kind == AST_CALL ? n->kid[CALL_ARGS] : NULL;
    bool is_listed = false;
    for (ptrdiff_t i = 0; !f->obstacle && i < countof(rows); i++) {
        bool is_it = rows[i].kind == n->kind;
        bool passes = !is_it || !rows[i].passes || rows[i].passes(f->b, n);
        is_listed |= is_it;
        f->obstacle = passes ? NULL : rows[i].otherwise;
    }
    if (!f->obstacle && !is_listed) {
        f->obstacle = "an expression of a rare kind";
    }
    f->n_stars += (n->kind == AST_STAR) - (args && args->kind == AST_STAR);
    note_strange(f, n->kind == AST_TABLE ? bind_source_at(f->b, n) : NULL);
    return !f->obstacle;
}

str fragment_obstacle(const binding *b)
{
    fragment f = {.b = b};
    if (b->dialect == DIALECT_DUCKDB) {
        ast_walk(b->query->node, look_at, &f);
    }
    return f.obstacle                       ? str_from(f.obstacle)
           : f.has_strange && f.n_stars > 0 ? S("a column of a rare type")
                                            : (str){0};
}
