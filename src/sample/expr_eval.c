/*
 * expr_eval.c - SQLite's values of the expressions that conditions are made of.
 *
 * Method      The tree is read once into nodes that know their function, their
 *             literals and their cells; computing them is a recursive descent.
 *             Comparison follows SQLite's rules on affinity and collation. AND,
 *             OR, ranges and lists are decided by one part when others are
 *             unknown.
 *
 * Invariants  (1) A value without is_unknown is SQLite's value; whatever is
 *                 doubtful (large integers, patterns with ESCAPE, functions not
 *                 listed) is unknown.
 *             (2) It never fails and has no side effects but in its arena.
 *
 * Cost        Linear in the expression; LIKE tries at most 8 nested wildcards.
 *
 * Source      "Datatypes In SQLite", 4 (comparisons)
 */
#include "relation/relation_condition.h"
#include "sample/expr_internal.h"
#include "schema/schema_build.h"
#include "table/value_key.h"

#include <assert.h>
#include <math.h>

value expr_unknown(expr_eval *e)
{
    e->is_unknown = true;
    return value_null();
}

value expr_value(expr_eval *e, const expr_code *x)
{
    return x->compute(e, x);
}

value expr_nothing(expr_eval *e, const expr_code *x)
{
    (void)x;
    return expr_unknown(e);
}

/* Leaves. */

static value literal(expr_eval *e, const expr_code *x)
{
    (void)e;
    return x->v;
}

static value cell(expr_eval *e, const expr_code *x)
{
    return e->is_set && !e->is_set[x->cell] ? expr_unknown(e)
                                            : e->cells[x->cell];
}

static value count(expr_eval *e, const expr_code *x)
{
    (void)x;
    return value_int(e->count);
}

static value sum(expr_eval *e, const expr_code *x)
{
    value v = expr_value(e, x->kids[0]);
    if (v.kind == VALUE_INT && v.i < INT32_MAX && v.i > INT32_MIN) {
        v.i *= e->count;
    }
    return v;
}

static value itself(expr_eval *e, const expr_code *x)
{
    return expr_value(e, x->kids[0]);
}

int values_order(value a, value b, schema_collation how)
{
    bool are_texts = a.kind == VALUE_TEXT && b.kind == VALUE_TEXT;
    if (value_is_null(a) || value_is_null(b)) {
        return value_is_null(b) - value_is_null(a);
    }
    if (are_texts && how == COLLATION_RTRIM) {
        a = value_text(str_strip(value_bytes(a), "", " "));
        b = value_text(str_strip(value_bytes(b), "", " "));
    }
    return value_order(a, b, are_texts && how == COLLATION_NOCASE);
}

/* Values. */

bool expr_number(value v, double *out)
{
    if (v.kind == VALUE_INT || v.kind == VALUE_REAL) {
        *out = v.kind == VALUE_INT ? (double)v.i : v.real;
        return true;
    }
    return v.kind == VALUE_TEXT && str_to_double(str_trim(value_bytes(v)), out);
}

bool expr_number_of(value v, value *out)
{
    int64_t i = 0;
    double real = 0;
    if (v.kind == VALUE_INT || v.kind == VALUE_REAL) {
        *out = v;
        return true;
    }
    if (v.kind != VALUE_TEXT) {
        return false;
    }
    str text = str_trim(value_bytes(v));
    if (str_to_int(text, &i)) {
        *out = value_int(i);
        return true;
    }
    *out = value_real(0);
    bool ok = str_to_double(text, &real) && isfinite(real);
    out->real = real;
    return ok;
}

static value of_double(double d)
{
    return d > -9e15 && d < 9e15 && (double)(int64_t)d == d
               ? value_int((int64_t)d)
               : value_real(d);
}

// NULL, 0 or 1.
static value truth(value v)
{
    double d = 0;
    if (value_is_null(v)) {
        return v;
    }
    return value_int(expr_number(v, &d) && d != 0);
}

value expr_text(value v, arena *a)
{
    if (v.kind == VALUE_TEXT || value_is_null(v)) {
        return v;
    }
    if (v.kind != VALUE_REAL) {
        return value_text(value_shown(a, v, 0));
    }
    buf b = buf_new(a);
    buf_double(&b, v.real);
    return value_text(buf_str(&b));
}

// A side of a comparison.
typedef struct side {
    const expr_code *x;
    value v;
} side;

static side side_of(expr_eval *e, const expr_code *x)
{
    return (side){x, expr_value(e, x)};
}

static bool is_text(const schema_column *c)
{
    return c && c->affinity == AFFINITY_TEXT;
}

// The number that a text is, if it is one.
static value number_of(value v)
{
    value number;
    return v.kind == VALUE_TEXT && expr_number_of(v, &number) ? number : v;
}

// Makes both sides what SQLite would compare.
static void align(side *a, side *b, arena *into)
{
    const schema_column *x = a->x->column;
    const schema_column *y = b->x->column;
    if ((x && schema_affinity_is_number(x->affinity))
        || (y && schema_affinity_is_number(y->affinity))) {
        a->v = number_of(a->v);
        b->v = number_of(b->v);
    } else if ((is_text(x) && !y) || (is_text(y) && !x)) {
        a->v = value_is_number(a->v) ? expr_text(a->v, into) : a->v;
        b->v = value_is_number(b->v) ? expr_text(b->v, into) : b->v;
    }
}

static schema_collation collation_of(const expr_code *l, const expr_code *r)
{
    if (l->says_collation || r->says_collation) {
        return l->says_collation ? l->collation : r->collation;
    }
    const schema_column *c = l->column ? l->column : r->column;
    return c ? c->collation : COLLATION_BINARY;
}

static value compare(expr_eval *e, const expr_code *x)
{
    side a = side_of(e, x->kids[0]);
    side b = side_of(e, x->kids[1]);
    bool has_null = value_is_null(a.v) || value_is_null(b.v);
    if (x->how == OPERATOR_IS && has_null) {
        return value_int(value_is_null(a.v) && value_is_null(b.v));
    }
    if (has_null) {
        return value_null();
    }
    align(&a, &b, e->a);
    int o = values_order(a.v, b.v, collation_of(a.x, b.x));
    switch (x->how) {
    case OPERATOR_LESS: return value_int(o < 0);
    case OPERATOR_LESS_EQUAL: return value_int(o <= 0);
    case OPERATOR_GREATER: return value_int(o > 0);
    case OPERATOR_GREATER_EQUAL: return value_int(o >= 0);
    case OPERATOR_LESS_GREATER:
    case OPERATOR_BANG_EQUAL: return value_int(o != 0);
    default: return value_int(o == 0);
    }
}

// All or any of its parts hold. One that decides is enough, whatever others
// are.
static value logic(expr_eval *e, const expr_code *x)
{
    bool is_all = x->how == OPERATOR_AND;
    bool was_unknown = e->is_unknown;
    bool has_unknown = false;
    value out = value_int(is_all);
    for (int32_t i = 0; i < x->n; i++) {
        value v = truth(expr_value(e, x->kids[i]));
        bool is_open = e->is_unknown && !was_unknown;
        has_unknown |= is_open;
        e->is_unknown = was_unknown;
        out = value_is_null(v) ? v : out;
        if (!is_open && v.kind == VALUE_INT && (v.i != 0) != is_all) {
            return value_int(!is_all);
        }
    }
    return has_unknown ? expr_unknown(e) : out;
}

static value negation(expr_eval *e, const expr_code *x)
{
    value v = expr_value(e, x->kids[0]);
    return value_is_null(v) ? v : value_int(truth(v).i == 0);
}

static value arithmetic(expr_eval *e, const expr_code *x)
{
    value a = expr_value(e, x->kids[0]);
    value b = expr_value(e, x->kids[1]);
    double l = 0;
    double r = 0;
    if (value_is_null(a) || value_is_null(b)) {
        return value_null();
    }
    expr_number(a, &l);
    expr_number(b, &r);
    bool whole = a.kind == VALUE_INT && b.kind == VALUE_INT;
    double d = 0;
    switch (x->how) {
    case OPERATOR_ADD: d = l + r; break;
    case OPERATOR_SUBTRACT: d = l - r; break;
    case OPERATOR_MULTIPLY: d = l * r; break;
    case OPERATOR_DIVIDE:
        if (r == 0) {
            return value_null();
        }
        d = whole ? trunc(l / r) : l / r;
        break;
    default:
        if (trunc(r) == 0) {
            return value_null();
        }
        d = fmod(trunc(l), trunc(r));
        break;
    }
    if (fabs(d) > 9e15) {
        return expr_unknown(e);
    }
    return whole ? value_int((int64_t)d) : value_real(d);
}

static bool like(str pattern, str s, bool glob, int budget);

// Whether the pattern matches the end of `s` from some offset on.
static bool like_somewhere(str pattern, str s, bool glob, int budget)
{
    for (ptrdiff_t i = 0; i <= s.len && budget > 0; i++) {
        if (like(pattern, str_skip(s, i), glob, budget - 1)) {
            return true;
        }
    }
    return false;
}

static bool like(str pattern, str s, bool glob, int budget)
{
    assert(budget >= 0);
    char many = glob ? '*' : '%';
    char one = glob ? '?' : '_';
    while (pattern.len > 0) {
        char c = pattern.ptr[0];
        if (c == many) {
            return like_somewhere(str_skip(pattern, 1), s, glob, budget);
        }
        bool same =
            s.len > 0
            && (c == one
                || (glob ? c == s.ptr[0] : to_lower(c) == to_lower(s.ptr[0])));
        if (!same) {
            return false;
        }
        pattern = str_skip(pattern, 1);
        s = str_skip(s, 1);
    }
    return s.len == 0;
}

// LIKE or GLOB, without ESCAPE.
static value match(expr_eval *e, const expr_code *x)
{
    value a = expr_value(e, x->kids[0]);
    value b = expr_value(e, x->kids[1]);
    bool glob = x->how == OPERATOR_GLOB;
    if (value_is_null(a) || value_is_null(b)) {
        return value_null();
    }
    str pattern = value_bytes(expr_text(b, e->a));
    if (glob && str_find(pattern, S("["), 0) >= 0) {
        return expr_unknown(e);
    }
    return value_int(like(pattern, value_bytes(expr_text(a, e->a)), glob, 8));
}

static value escaped(expr_eval *e, const expr_code *x)
{
    bool has_null = value_is_null(expr_value(e, x->kids[0]))
                    || value_is_null(expr_value(e, x->kids[1]));
    return has_null ? value_null() : expr_unknown(e);
}

static value joined(expr_eval *e, const expr_code *x)
{
    value a = expr_text(expr_value(e, x->kids[0]), e->a);
    value b = expr_text(expr_value(e, x->kids[1]), e->a);
    return value_is_null(a) || value_is_null(b)
               ? value_null()
               : value_text(arena_printf(e->a, "%.*s%.*s",
                                         STR_ARG(value_bytes(a)),
                                         STR_ARG(value_bytes(b))));
}

static value negative(expr_eval *e, const expr_code *x)
{
    value v = expr_value(e, x->kids[0]);
    double d = 0;
    if (value_is_null(v)) {
        return v;
    }
    expr_number(v, &d);
    // The least integer has no negative: it becomes a REAL, as in SQLite.
    return v.kind == VALUE_INT && v.i != INT64_MIN ? value_int(-v.i)
                                                   : value_real(-d);
}

// A sign that is none of - and +.
static value other_sign(expr_eval *e, const expr_code *x)
{
    value v = expr_value(e, x->kids[0]);
    return value_is_null(v) ? v : expr_unknown(e);
}

// Pairs of a condition and a value, and what is left where none holds.
static value chosen(expr_eval *e, const expr_code *x)
{
    for (int32_t i = 0; i + 1 < x->n; i += 2) {
        value v = truth(expr_value(e, x->kids[i]));
        if (v.kind == VALUE_INT && v.i != 0) {
            return expr_value(e, x->kids[i + 1]);
        }
    }
    return x->n % 2 ? expr_value(e, x->kids[x->n - 1]) : value_null();
}

static value cast(expr_eval *e, const expr_code *x)
{
    value v = expr_value(e, x->kids[0]);
    double d = 0;
    if (value_is_null(v)) {
        return v;
    }
    switch ((schema_affinity)x->how) {
    case AFFINITY_TEXT: return expr_text(v, e->a);
    case AFFINITY_INTEGER:
        return expr_number(v, &d) && fabs(d) < 9e15 ? value_int((int64_t)d)
                                                    : expr_unknown(e);
    case AFFINITY_REAL:
        return expr_number(v, &d) ? value_real(d) : expr_unknown(e);
    case AFFINITY_NUMERIC:
        return expr_number(v, &d) ? of_double(d) : expr_unknown(e);
    case AFFINITY_BLOB: break;
    }
    return expr_unknown(e);
}

bool expr_is_false(value v)
{
    v = truth(v);
    return v.kind == VALUE_INT && v.i == 0;
}

bool expr_is_true(value v)
{
    v = truth(v);
    return v.kind == VALUE_INT && v.i != 0;
}

/* Reading. */

expr_code *expr_new(arena *a, expr_function *compute, int32_t room)
{
    expr_code *x = arena_new(a, expr_code, 1);
    x->compute = compute;
    x->kids = (const expr_code **)arena_alloc(a, sizeof *x->kids,
                                              _Alignof(max_align_t), room);
    return x;
}

void expr_add(expr_code *x, const expr_code *kid)
{
    x->kids[x->n++] = kid;
}

static const expr_code *of_pair(arena *a,
                                expr_function *compute,
                                const expr_code *left,
                                int how,
                                const expr_code *right)
{
    expr_code *x = expr_new(a, compute, 2);
    x->how = how;
    expr_add(x, left);
    expr_add(x, right);
    return x;
}

static expr_code *of_kid(arena *a, expr_function *compute, const expr_code *kid)
{
    expr_code *x = expr_new(a, compute, 1);
    expr_add(x, kid);
    return x;
}

const expr_code *expr_of_cell(arena *a, int32_t no, const schema_column *column)
{
    expr_code *x = expr_new(a, cell, 0);
    x->cell = no;
    x->column = column;
    return x;
}

const expr_code *expr_of_value(arena *a, value v)
{
    expr_code *x = expr_new(a, literal, 0);
    x->v = v;
    return x;
}

const expr_code *expr_of_count(arena *a)
{
    return expr_new(a, count, 0);
}

const expr_code *expr_of_group(arena *a, const expr_code *arg, bool is_sum)
{
    return of_kid(a, is_sum ? sum : itself, arg);
}

const expr_code *expr_plain(arena *a, const expr_code *x)
{
    expr_code *copy = arena_copy(a, x, 1, 0);
    copy->column = NULL;
    copy->says_collation = false;
    return copy;
}

static const expr_code *read_pair(const expr_reader *r, condition c)
{
    const expr_code *left = expr_read(r, c.left);
    const expr_code *right = expr_read(r, c.right);
    int how = (int)c.how;
    bool compares = operator_compares(how) || how == OPERATOR_IS;
    bool escapes = c.node->kind == AST_BINARY && c.node->kid[BINARY_ESCAPE];
    switch (how) {
    case OPERATOR_LIKE:
    case OPERATOR_GLOB:
        return of_pair(r->a, escapes ? escaped : match, left, how, right);
    case OPERATOR_ADD:
    case OPERATOR_SUBTRACT:
    case OPERATOR_MULTIPLY:
    case OPERATOR_DIVIDE:
    case OPERATOR_REMAINDER: return of_pair(r->a, arithmetic, left, how, right);
    case OPERATOR_CONCAT: return of_pair(r->a, joined, left, how, right);
    default:
        return of_pair(r->a, compares ? compare : expr_nothing, left, how,
                       right);
    }
}

static const expr_code *read_condition(const expr_reader *r, condition c);

// Those of a range or a list are comparisons of one value.
static const expr_code *read_parts(const expr_reader *r, condition c)
{
    int32_t n = c.node->kind == AST_IN
                    ? (int32_t)ast_list_len(c.node->kid[IN_LIST])
                    : 2;
    expr_code *x = expr_new(r->a, logic, n);
    x->how = c.kind == CONDITION_ALL ? OPERATOR_AND : OPERATOR_OR;
    const expr_code *one = NULL;
    for (condition part = {0}; condition_next(&c, &part);) {
        if (c.node->kind == AST_BINARY) {
            expr_add(x, read_condition(r, part));
        } else {
            one = one ? one : expr_read(r, part.left);
            expr_add(x, of_pair(r->a, compare, one, (int)part.how,
                                expr_read(r, part.right)));
        }
    }
    return x;
}

// A range with its bounds in any order, a list that is a query: not known.
static const expr_code *read_condition(const expr_reader *r, condition c)
{
    bool is_logic = c.kind == CONDITION_ALL || c.kind == CONDITION_ANY;
    bool is_open = c.node->kind == AST_BETWEEN || c.node->kind == AST_IN;
    const expr_code *x = is_logic                   ? read_parts(r, c)
                         : c.kind == CONDITION_PAIR ? read_pair(r, c)
                         : is_open ? expr_new(r->a, expr_nothing, 0)
                                   : expr_read(r, c.node);
    return is_logic || !c.is_denied ? x : of_kid(r->a, negation, x);
}

static const expr_code *read_sign(const expr_reader *r, const ast *n)
{
    return of_kid(r->a,
                  n->form == OPERATOR_POSITIVE ? itself
                  : n->form == OPERATOR_NEGATE ? negative
                                               : other_sign,
                  expr_read(r, n->kid[UNARY_EXPR]));
}

static const expr_code *read_case(const expr_reader *r, const ast *n)
{
    const ast *whens = n->kid[CASE_WHENS];
    expr_code *x = expr_new(r->a, chosen, 2 * (int32_t)ast_list_len(whens) + 1);
    const expr_code *subject = NULL;
    if (n->kid[CASE_EXPR]) {
        subject = expr_read(r, n->kid[CASE_EXPR]);
    }
    for (const ast *w = whens; w; w = w->next) {
        const expr_code *when = expr_read(r, w->kid[WHEN_IF]);
        expr_add(x, subject
                        ? of_pair(r->a, compare, subject, OPERATOR_EQUAL, when)
                        : when);
        expr_add(x, expr_read(r, w->kid[WHEN_THEN]));
    }
    if (n->kid[CASE_ELSE]) {
        expr_add(x, expr_read(r, n->kid[CASE_ELSE]));
    }
    return x;
}

static const expr_code *read_collated(const expr_reader *r, const ast *n)
{
    expr_code *x = arena_copy(r->a, expr_read(r, n->kid[COLLATE_EXPR]), 1, 0);
    x->says_collation = true;
    x->collation = schema_collation_of(n->text);
    return x;
}

static const expr_code *read_cast(const expr_reader *r, const ast *n)
{
    expr_code *x = of_kid(r->a, cast, expr_read(r, n->kid[CAST_EXPR]));
    x->how = (int)schema_affinity_of(n->kid[CAST_TYPE]->text);
    return x;
}

bool expr_literal(const ast *n, value *out, arena *a)
{
    switch ((int)n->kind) {
    case AST_NUMBER: return expr_number_of(value_text(n->text), out);
    case AST_STRING: *out = value_text(ast_string(a, n)); return true;
    case AST_TRUE: *out = value_int(1); return true;
    case AST_FALSE: *out = value_int(0); return true;
    default: return false;
    }
}

static bool is_named(const ast *n)
{
    return n->kind == AST_COLUMN || n->kind == AST_DOUBT || n->kind == AST_CALL
           || n->kind == AST_SUBQUERY;
}

const expr_code *expr_read(const expr_reader *r, const ast *n)
{
    value v;
    if (n && expr_literal(n, &v, r->a)) {
        return expr_of_value(r->a, v);
    }
    const expr_code *named = n && is_named(n) ? r->look(r, n) : NULL;
    if (named || !n) {
        return named ? named : expr_new(r->a, expr_nothing, 0);
    }
    switch ((int)n->kind) {
    case AST_NULL: return expr_of_value(r->a, value_null());
    case AST_BINARY:
    case AST_BETWEEN:
    case AST_IN: return read_condition(r, condition_of(n, false));
    case AST_UNARY:
        return n->form == OPERATOR_NOT
                   ? read_condition(r, condition_of(n, false))
                   : read_sign(r, n);
    case AST_CASE: return read_case(r, n);
    case AST_CAST: return read_cast(r, n);
    case AST_CALL: return expr_read_call(r, n->text, n->kid[CALL_ARGS]);
    case AST_COLLATE: return read_collated(r, n);
    default: return expr_new(r->a, expr_nothing, 0);
    }
}
