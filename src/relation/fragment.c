/*
 * fragment.c - the queries of DuckDB that mean what they are read as.
 *
 * Why         The rules are those of SQLite and PostgreSQL. Where types are as
 *             they should be, DuckDB agrees with PostgreSQL; elsewhere it
 *             casts what PostgreSQL refuses (a VARCHAR that is compared with a
 *             number is read as one, a number is a condition), has functions of
 *             its own that are aggregates, and rows whose NULLs are equal.
 *
 * Method      One walk over the tree with a list of what may be in it. Operands
 *             must be of one class; where equality might be taken for identity,
 *             of one type. Two spellings of one value (a date without its
 *             zeros, a number of many digits, a FLOAT) are outside: the rules
 *             tell literals apart by their text. Division is let through, but
 *             means nothing to a relation (build_term.c): `/` is of DOUBLE and
 *             1 / 0 infinite, `%` by 0 is NULL.
 *
 * Invariant   What is not listed is outside.
 *
 * Cost        Linear in the tree, times the depth of expressions.
 */
#include "relation/fragment.h"

#include "base/clock.h"
#include "sql/parse.h"

typedef enum value_class {
    CLASS_UNKNOWN,
    CLASS_NULL,  // the literal
    CLASS_NUMBER,
    CLASS_TEXT,
    CLASS_TRUTH,
    CLASS_DAY,
    CLASS_MOMENT,
} value_class;

typedef struct fragment {
    const binding *b;
    bool has_strange;  // a table with columns of other types
    int n_stars;       // that stand for columns
    str obstacle;
} fragment;

enum {
    MOST_DIGITS = 15,  // of a literal: all that a DOUBLE keeps
};

static bool stop(fragment *f, str what)
{
    f->obstacle = f->obstacle.len > 0 ? f->obstacle : what;
    return false;
}

static bool check(fragment *f, bool holds, const char *what)
{
    return holds || stop(f, str_from(what));
}

/* Types. */

static const char plain_types[] =
    "tinyint smallint integer bigint hugeint utinyint usmallint uinteger "
    "ubigint int int1 int2 int4 int8 varchar text char bool boolean date "
    "double float8 decimal numeric timestamp datetime enum";

// Of these equality is identity, and a value has one spelling.
static bool is_plain_type(str type)
{
    ptrdiff_t n = 0;
    while (n < type.len && (is_alpha(type.ptr[n]) || is_digit(type.ptr[n]))) {
        n++;
    }
    str tail = str_skip(type, n);
    bool ends = tail.len == 0 || tail.ptr[0] == '('
                || str_equal_fold(tail, S(" precision"))
                || str_equal_fold(tail, S(" varying"));
    return ends && !str_ends(type, S("]"))
           && str_among_fold(str_sub(type, 0, n), plain_types);
}

static value_class class_of_kind(schema_kind k)
{
    switch (k) {
    case KIND_INTEGER:
    case KIND_REAL:
    case KIND_DECIMAL: return CLASS_NUMBER;
    case KIND_TEXT: return CLASS_TEXT;
    case KIND_BOOLEAN: return CLASS_TRUTH;
    case KIND_DATE: return CLASS_DAY;
    case KIND_TIMESTAMP: return CLASS_MOMENT;
    case KIND_ANY:
    case KIND_TIME:
    case KIND_BYTES: break;
    }
    return CLASS_UNKNOWN;
}

static value_class class_of(const fragment *f, const ast *n)
{
    return !n                    ? CLASS_UNKNOWN
           : n->kind == AST_NULL ? CLASS_NULL
                                 : class_of_kind(bind_type(f->b, n).kind);
}

static bool is_literal(const ast *n)
{
    return n->kind == AST_NUMBER || n->kind == AST_STRING || n->kind == AST_NULL
           || n->kind == AST_TRUE || n->kind == AST_FALSE
           || n->kind == AST_TYPED;
}

// A date or a moment as it is always written.
static bool is_time_text(const ast *n, value_class c)
{
    ptrdiff_t len = c == CLASS_DAY ? 10 : 19;
    str text = n->text;
    int64_t ms = 0;
    char memory[64];
    arena a = {.next = memory, .end = memory + sizeof memory};
    if (n->kind != AST_STRING || text.len != len + 2) {
        return false;
    }
    str inside = str_sub(text, 1, len + 1);
    return clock_parse(inside, &ms)
           && str_equal(str_sub(clock_format(&a, ms), 0, len), inside);
}

static bool is_time(value_class c)
{
    return c == CLASS_DAY || c == CLASS_MOMENT;
}

// Is equality of the two identity? Of DECIMALs only one type prints alike.
static bool is_one_type(bound_column l, bound_column r)
{
    return l.kind == r.kind
           && (l.kind != KIND_DECIMAL
               || (l.declared.len > 0
                   && str_equal_fold(l.declared, r.declared)));
}

// May the two be compared?
static bool agree(const fragment *f,
                  const ast *l,
                  const ast *r,
                  bool is_equality)
{
    value_class left = class_of(f, l);
    value_class right = class_of(f, r);
    if (left == CLASS_NULL || right == CLASS_NULL) {
        return true;
    }
    if (is_time(left) && right == CLASS_TEXT) {
        return is_time_text(r, left);
    }
    if (is_time(right) && left == CLASS_TEXT) {
        return is_time_text(l, right);
    }
    bool may_be_one = is_equality && !is_literal(l) && !is_literal(r);
    return left == right && left != CLASS_UNKNOWN
           && (!may_be_one
               || is_one_type(bind_type(f->b, l), bind_type(f->b, r)));
}

static bool is_truth(const fragment *f, const ast *n)
{
    return !n || class_of(f, n) == CLASS_TRUTH || n->kind == AST_NULL;
}

static bool is_number(const fragment *f, const ast *n)
{
    return class_of(f, n) == CLASS_NUMBER;
}

static bool is_text(const fragment *f, const ast *n)
{
    return class_of(f, n) == CLASS_TEXT;
}

// Are all of a list of one class, or NULL?
static bool are_alike(const fragment *f, const ast *list)
{
    value_class first = CLASS_NULL;
    for (const ast *n = list; n; n = n->next) {
        value_class c = class_of(f, n);
        first = first == CLASS_NULL ? c : first;
        if (c == CLASS_UNKNOWN || (c != CLASS_NULL && c != first)) {
            return false;
        }
    }
    return true;
}

static bool are_known(const fragment *f, const ast *list)
{
    for (const ast *n = list; n; n = n->next) {
        const ast *expr = n->kind == AST_ALIAS  ? n->kid[ALIAS_EXPR]
                          : n->kind == AST_SORT ? n->kid[SORT_EXPR]
                                                : n;
        if (expr->kind != AST_STAR && class_of(f, expr) == CLASS_UNKNOWN) {
            return false;
        }
    }
    return true;
}

/* Expressions. */

static bool look_at_number(fragment *f, const ast *n)
{
    bool ok = n->text.len <= MOST_DIGITS + 1;
    for (ptrdiff_t i = 0; i < n->text.len; i++) {
        ok = ok && (is_digit(n->text.ptr[i]) || n->text.ptr[i] == '.');
    }
    return check(f, ok, "a number of a rare form");
}

static bool look_at_column(fragment *f, const ast *n)
{
    str type = bind_type(f->b, n).declared;
    return check(f, type.len == 0 || is_plain_type(type),
                 "a column of a rare type");
}

// Numbers with a point are DECIMAL: folded, they would be another number.
static bool may_add(const fragment *f, const ast *l, const ast *r)
{
    bool both = l->kind == AST_NUMBER && r->kind == AST_NUMBER;
    bool have_points = both
                       && (bind_type(f->b, l).kind != KIND_INTEGER
                           || bind_type(f->b, r).kind != KIND_INTEGER);
    return is_number(f, l) && is_number(f, r) && !have_points;
}

static bool look_at_binary(fragment *f, const ast *n)
{
    const ast *l = n->kid[BINARY_LEFT];
    const ast *r = n->kid[BINARY_RIGHT];
    bool ok = false;
    switch ((int)n->form) {
    case OPERATOR_AND:
    case OPERATOR_OR: ok = is_truth(f, l) && is_truth(f, r); break;
    case OPERATOR_IS:
    case OPERATOR_IS_DISTINCT:
    case OPERATOR_EQUAL:
    case OPERATOR_LESS_GREATER:
    case OPERATOR_BANG_EQUAL: ok = agree(f, l, r, true); break;
    case OPERATOR_LESS:
    case OPERATOR_LESS_EQUAL:
    case OPERATOR_GREATER:
    case OPERATOR_GREATER_EQUAL: ok = agree(f, l, r, false); break;
    case OPERATOR_ADD:
    case OPERATOR_SUBTRACT:
    case OPERATOR_MULTIPLY:
    case OPERATOR_DIVIDE:
    case OPERATOR_REMAINDER: ok = may_add(f, l, r); break;
    case OPERATOR_CONCAT:
    case OPERATOR_LIKE:
    case OPERATOR_ILIKE: ok = is_text(f, l) && is_text(f, r); break;
    default: break;
    }
    return check(f, ok, "operands that DuckDB casts, or a rare operator");
}

static bool look_at_unary(fragment *f, const ast *n)
{
    const ast *x = n->kid[UNARY_EXPR];
    bool ok = n->form == OPERATOR_NOT
                  ? is_truth(f, x)
                  : (n->form == OPERATOR_NEGATE || n->form == OPERATOR_POSITIVE)
                        && is_number(f, x);
    return check(f, ok, "operands that DuckDB casts, or a rare operator");
}

static bool look_at_in(fragment *f, const ast *n)
{
    const ast *x = n->kid[IN_EXPR];
    const ast *source = n->kid[IN_SOURCE];
    bool ok = true;
    for (const ast *i = n->kid[IN_LIST]; ok && i; i = i->next) {
        ok = agree(f, x, i, true);
    }
    if (source) {
        const bound_query *q =
            ast_is_query(source) ? bind_query_at(f->b, source) : NULL;
        ok = q && q->n_outputs == 1
             && class_of(f, x) == class_of_kind(q->outputs[0].kind)
             && class_of(f, x) != CLASS_UNKNOWN
             && is_one_type(bind_type(f->b, x), q->outputs[0]);
    }
    return check(f, ok, "IN of values that DuckDB casts");
}

static bool look_at_case(fragment *f, const ast *n)
{
    const ast *x = n->kid[CASE_EXPR];
    const ast *other = n->kid[CASE_ELSE];
    value_class all = other ? class_of(f, other) : CLASS_NULL;
    bool ok = true;
    for (const ast *w = n->kid[CASE_WHENS]; ok && w; w = w->next) {
        value_class c = class_of(f, w->kid[WHEN_THEN]);
        ok = c != CLASS_UNKNOWN
             && (all == CLASS_NULL || c == CLASS_NULL || c == all)
             && (x ? agree(f, x, w->kid[WHEN_IF], true)
                   : is_truth(f, w->kid[WHEN_IF]));
        all = all == CLASS_NULL ? c : all;
    }
    return check(f, ok && all != CLASS_UNKNOWN, "a CASE whose values are cast");
}

static bool takes(const fragment *f, const ast *n)
{
    const ast *args = n->kid[CALL_ARGS];
    int count = ast_list_len(args);
    str name = n->text;
    bool has_star = args && args->kind == AST_STAR;
    if (str_equal_fold(name, S("count"))) {
        return count == 1 && (has_star || are_known(f, args));
    }
    if (has_star || !are_known(f, args)) {
        return false;
    }
    if (str_among_fold(name, "sum avg abs")) {
        return count == 1 && is_number(f, args);
    }
    if (str_among_fold(name, "min max")) {
        return count == 1;
    }
    if (str_among_fold(name, "lower upper length trim")) {
        return count == 1 && is_text(f, args);
    }
    if (str_equal_fold(name, S("round"))) {
        return args && is_number(f, args)
               && (count == 1
                   || (count == 2 && args->next->kind == AST_NUMBER));
    }
    if (str_among_fold(name, "coalesce nullif")) {
        return count >= 2 && are_alike(f, args);
    }
    return n->kid[CALL_OVER] && count == 0
           && str_among_fold(name, "row_number rank dense_rank");
}

static bool look_at_call(fragment *f, const ast *n)
{
    const unsigned nulls = AST_FLAG_NULLS_FIRST | AST_FLAG_NULLS_LAST;
    bool is_bare = !n->kid[CALL_PATH] && !n->kid[CALL_ORDER]
                   && !n->kid[CALL_LIMIT] && !n->kid[CALL_WITHIN]
                   && !(n->flags & nulls);
    bool ok = is_bare && n->text.len > 0 && takes(f, n)
              && is_truth(f, n->kid[CALL_FILTER]);
    f->n_stars -=
        ok && n->kid[CALL_ARGS] && n->kid[CALL_ARGS]->kind == AST_STAR;
    return check(f, ok, "a function of DuckDB that is not known");
}

/* Queries. */

static bool look_at_select(fragment *f, const ast *n)
{
    bool is_plain = !n->kid[SELECT_ON] && !n->kid[SELECT_TOP]
                    && !n->kid[SELECT_WINDOWS] && !n->kid[SELECT_QUALIFY]
                    && !n->kid[SELECT_LOCK] && !(n->flags & AST_FLAG_ROLLUP);
    return check(f, is_plain, "a rare clause of SELECT")
           && check(f,
                    is_truth(f, n->kid[SELECT_WHERE])
                        && is_truth(f, n->kid[SELECT_HAVING]),
                    "a condition that is no BOOLEAN")
           && check(f, are_known(f, n->kid[SELECT_ITEMS]),
                    "a value of unknown type");
}

static bool look_at_set(fragment *f, const ast *n)
{
    const bound_query *l = bind_query_at(f->b, n->kid[SETOP_LEFT]);
    const bound_query *r = bind_query_at(f->b, n->kid[SETOP_RIGHT]);
    bool ok = l && r && l->n_outputs == r->n_outputs;
    for (ptrdiff_t i = 0; ok && i < l->n_outputs; i++) {
        ok = l->outputs[i].kind == r->outputs[i].kind
             && class_of_kind(l->outputs[i].kind) != CLASS_UNKNOWN;
    }
    return check(f, ok, "a set operation that casts");
}

static bool look_at_join(fragment *f, const ast *n)
{
    bool ok = n->form == JOIN_FORM_INNER || n->form == JOIN_FORM_COMMA
              || n->form == JOIN_FORM_LEFT || n->form == JOIN_FORM_RIGHT
              || n->form == JOIN_FORM_FULL || n->form == JOIN_FORM_CROSS;
    return check(f,
                 ok && !n->kid[JOIN_USING] && !(n->flags & AST_FLAG_NATURAL)
                     && is_truth(f, n->kid[JOIN_ON]),
                 "a join of a rare form");
}

static bool look_at_table(fragment *f, const ast *n)
{
    const bound_source *s = bind_source_at(f->b, n);
    bool ok = s && s->kind != SOURCE_UNKNOWN && !n->kid[TABLE_HINT];
    for (ptrdiff_t c = 0; ok && s->kind == SOURCE_TABLE && c < s->n_columns;
         c++) {
        const schema_table *t = &f->b->schema->tables[s->table];
        f->has_strange |= !is_plain_type(t->columns[c].type);
    }
    return check(f, ok, "a table of unknown columns");
}

static bool look_at(void *context, const ast *n)
{
    fragment *f = context;
    if (f->obstacle.len > 0) {
        return false;
    }
    switch ((int)n->kind) {
    case AST_SELECT: return look_at_select(f, n);
    case AST_SETOP: return look_at_set(f, n);
    case AST_JOIN: return look_at_join(f, n);
    case AST_TABLE: return look_at_table(f, n);
    case AST_BINARY: return look_at_binary(f, n);
    case AST_UNARY: return look_at_unary(f, n);
    case AST_IN: return look_at_in(f, n);
    case AST_CASE: return look_at_case(f, n);
    case AST_CALL: return look_at_call(f, n);
    case AST_NUMBER: return look_at_number(f, n);
    case AST_COLUMN: return look_at_column(f, n);
    case AST_STAR: f->n_stars++; return true;
    case AST_BETWEEN:
        return check(
            f,
            agree(f, n->kid[BETWEEN_EXPR], n->kid[BETWEEN_LOW], false)
                && agree(f, n->kid[BETWEEN_EXPR], n->kid[BETWEEN_HIGH], false),
            "operands that DuckDB casts");
    case AST_CAST:
        return check(f,
                     class_of(f, n->kid[CAST_EXPR]) != CLASS_UNKNOWN
                         && n->kid[CAST_TYPE]
                         && is_plain_type(n->kid[CAST_TYPE]->text),
                     "a CAST of a rare kind");
    case AST_TYPED:
        return check(f,
                     str_among_fold(n->text, "date timestamp")
                         && is_time_text(n->kid[TYPED_VALUE], class_of(f, n)),
                     "a literal of a rare type");
    case AST_WITH:
        return check(f, !(n->flags & AST_FLAG_RECURSIVE), "WITH RECURSIVE");
    case AST_NESTED:
    case AST_CTE:
    case AST_NAME:
    case AST_LIMIT:
    case AST_SORT:
    case AST_ALIAS:
    case AST_STRING:
    case AST_NULL:
    case AST_TRUE:
    case AST_FALSE:
    case AST_EXISTS:
    case AST_SUBQUERY:
    case AST_WHEN:
    case AST_TYPE:
    case AST_WINDOW: return true;
    default: return stop(f, S("an expression of a rare kind"));
    }
}

str fragment_obstacle(const binding *b)
{
    fragment f = {.b = b};
    if (b->dialect == DIALECT_DUCKDB) {
        ast_walk(b->query->node, look_at, &f);
        check(&f, !f.has_strange || f.n_stars == 0, "a column of a rare type");
    }
    return f.obstacle;
}
