/*
 * expr_eval.c - SQLite's values of the expressions that conditions are made of.
 *
 * Method      A recursive interpreter over the tree. Comparison follows
 *             SQLite's rules on affinity and collation. AND, OR, ranges and
 *             lists are decided by one part when others are unknown.
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
#include "sample/expr_eval.h"

#include "base/words.h"
#include "relation/relation_condition.h"
#include "sample/sample_internal.h"
#include "table/value_key.h"

#include <assert.h>
#include <math.h>

static value eval(expr_eval *e, const ast *n);
static value eval_named(expr_eval *e,
                        const ast *n,
                        const schema_column **column);

static value unknown(expr_eval *e)
{
    e->is_unknown = true;
    return value_null();
}

static bool to_number(value v, double *out)
{
    if (v.kind == VALUE_INT || v.kind == VALUE_REAL) {
        *out = v.kind == VALUE_INT ? (double)v.i : v.real;
        return true;
    }
    return v.kind == VALUE_TEXT && str_to_double(str_trim(value_bytes(v)), out);
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
    return value_int(to_number(v, &d) && d != 0);
}

value expr_text(value v, arena *a)
{
    buf b = buf_new(a);
    if (v.kind == VALUE_TEXT || value_is_null(v)) {
        return v;
    }
    if (v.kind == VALUE_REAL) {
        buf_double(&b, v.real);
    } else {
        value_show(&b, v, 0);
    }
    return value_text(buf_str(&b));
}

static bool is_named(const ast *n)
{
    return n->kind == AST_COLUMN || n->kind == AST_DOUBT || n->kind == AST_CALL
           || n->kind == AST_SUBQUERY;
}

// A side of a comparison.
typedef struct side {
    const ast *n;
    value v;
    const schema_column *column;  // NULL: it is none
} side;

static side side_of(expr_eval *e, const ast *n)
{
    assert(n);
    side s = {.n = n};
    s.v = eval_named(e, n, &s.column);
    return s;
}

static bool is_text(const schema_column *c)
{
    return c && c->affinity == AFFINITY_TEXT;
}

// The number that a text is, if it is one.
static value number_of(value v)
{
    double d = 0;
    int64_t i = 0;
    return v.kind != VALUE_TEXT                       ? v
           : str_to_int(str_trim(value_bytes(v)), &i) ? value_int(i)
           : to_number(v, &d)                         ? of_double(d)
                                                      : v;
}

// Makes both sides what SQLite would compare.
static void align(side *a, side *b, arena *into)
{
    const schema_column *x = a->column;
    const schema_column *y = b->column;
    if ((x && schema_affinity_is_number(x->affinity))
        || (y && schema_affinity_is_number(y->affinity))) {
        a->v = number_of(a->v);
        b->v = number_of(b->v);
    } else if ((is_text(x) && !y) || (is_text(y) && !x)) {
        a->v = value_is_number(a->v) ? expr_text(a->v, into) : a->v;
        b->v = value_is_number(b->v) ? expr_text(b->v, into) : b->v;
    }
}

static schema_collation collation_of(const side *l, const side *r)
{
    if (l->n->kind == AST_COLLATE || r->n->kind == AST_COLLATE) {
        const side *said = l->n->kind == AST_COLLATE ? l : r;
        return schema_collation_of(said->n->text);
    }
    const schema_column *c = l->column ? l->column : r->column;
    return c ? c->collation : COLLATION_BINARY;
}

static value compare_sides(expr_eval *e, side a, side b, int form)
{
    bool has_null = value_is_null(a.v) || value_is_null(b.v);
    if (form == OPERATOR_IS && has_null) {
        return value_int(value_is_null(a.v) && value_is_null(b.v));
    }
    if (has_null) {
        return value_null();
    }
    align(&a, &b, e->a);
    int o = values_order(a.v, b.v, collation_of(&a, &b));
    switch (form) {
    case OPERATOR_LESS: return value_int(o < 0);
    case OPERATOR_LESS_EQUAL: return value_int(o <= 0);
    case OPERATOR_GREATER: return value_int(o > 0);
    case OPERATOR_GREATER_EQUAL: return value_int(o >= 0);
    case OPERATOR_LESS_GREATER:
    case OPERATOR_BANG_EQUAL: return value_int(o != 0);
    default: return value_int(o == 0);
    }
}

static value compare(expr_eval *e, const ast *left, const ast *right, int form)
{
    side a = side_of(e, left);
    return compare_sides(e, a, side_of(e, right), form);
}

static value eval_condition(expr_eval *e, condition c);

// All or any of its parts hold. One that decides is enough, whatever others
// are.
static value eval_parts(expr_eval *e, condition c)
{
    bool was_unknown = e->is_unknown;
    bool is_all = c.kind == CONDITION_ALL;
    bool has_unknown = false;
    value out = value_int(is_all);
    side x = {0};  // of a range or a list: it is computed once
    for (condition part = {0}; condition_next(&c, &part);) {
        value v;
        if (c.node->kind == AST_BINARY) {
            v = truth(eval_condition(e, part));
        } else {
            x = x.n ? x : side_of(e, part.left);
            v = compare_sides(e, x, side_of(e, part.right), (int)part.how);
        }
        bool is_open = e->is_unknown && !was_unknown;
        has_unknown |= is_open;
        e->is_unknown = was_unknown;
        if (!is_open && v.kind == VALUE_INT && (v.i != 0) != is_all) {
            return value_int(!is_all);
        }
        out = value_is_null(v) ? v : out;
    }
    return has_unknown ? unknown(e) : out;
}

static value arithmetic(expr_eval *e, condition c)
{
    value a = eval(e, c.left);
    value b = eval(e, c.right);
    double x = 0;
    double y = 0;
    if (value_is_null(a) || value_is_null(b)) {
        return value_null();
    }
    to_number(a, &x);
    to_number(b, &y);
    bool whole = a.kind == VALUE_INT && b.kind == VALUE_INT;
    double d = 0;
    switch ((int)c.how) {
    case OPERATOR_ADD: d = x + y; break;
    case OPERATOR_SUBTRACT: d = x - y; break;
    case OPERATOR_MULTIPLY: d = x * y; break;
    case OPERATOR_DIVIDE:
        if (y == 0) {
            return value_null();
        }
        d = whole ? trunc(x / y) : x / y;
        break;
    default:
        if (trunc(y) == 0) {
            return value_null();
        }
        d = fmod(trunc(x), trunc(y));
        break;
    }
    if (fabs(d) > 9e15) {
        return unknown(e);
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

static value match(expr_eval *e, condition c)
{
    value a = eval(e, c.left);
    value b = eval(e, c.right);
    bool glob = c.how == OPERATOR_GLOB;
    if (value_is_null(a) || value_is_null(b)) {
        return value_null();
    }
    str pattern = value_bytes(expr_text(b, e->a));
    if (c.node->kid[BINARY_ESCAPE]
        || (glob && str_find(pattern, S("["), 0) >= 0)) {
        return unknown(e);
    }
    return value_int(like(pattern, value_bytes(expr_text(a, e->a)), glob, 8));
}

static value eval_pair(expr_eval *e, condition c)
{
    value a;
    value b;
    switch ((int)c.how) {
    case OPERATOR_LIKE:
    case OPERATOR_GLOB: return match(e, c);
    case OPERATOR_ADD:
    case OPERATOR_SUBTRACT:
    case OPERATOR_MULTIPLY:
    case OPERATOR_DIVIDE:
    case OPERATOR_REMAINDER: return arithmetic(e, c);
    case OPERATOR_CONCAT:
        a = expr_text(eval(e, c.left), e->a);
        b = expr_text(eval(e, c.right), e->a);
        return value_is_null(a) || value_is_null(b)
                   ? value_null()
                   : value_text(arena_printf(e->a, "%.*s%.*s",
                                             STR_ARG(value_bytes(a)),
                                             STR_ARG(value_bytes(b))));
    default:
        return operator_compares((int)c.how) || c.how == OPERATOR_IS
                   ? compare(e, c.left, c.right, (int)c.how)
                   : unknown(e);
    }
}

// A range with its bounds in any order, a list that is a query: not known.
static value eval_condition(expr_eval *e, condition c)
{
    bool is_logic = c.kind == CONDITION_ALL || c.kind == CONDITION_ANY;
    value v = is_logic                      ? eval_parts(e, c)
              : c.kind == CONDITION_PAIR    ? eval_pair(e, c)
              : c.node->kind == AST_BETWEEN ? unknown(e)
              : c.node->kind == AST_IN      ? unknown(e)
                                            : eval(e, c.node);
    return is_logic || !c.is_denied || value_is_null(v)
               ? v
               : value_int(truth(v).i == 0);
}

static value eval_unary(expr_eval *e, const ast *n)
{
    value v = eval(e, n->kid[UNARY_EXPR]);
    double d = 0;
    if (value_is_null(v) || n->form == OPERATOR_POSITIVE) {
        return v;
    }
    if (n->form != OPERATOR_NEGATE) {
        return unknown(e);
    }
    to_number(v, &d);
    // The least integer has no negative: it becomes a REAL, as in SQLite.
    return v.kind == VALUE_INT && v.i != INT64_MIN ? value_int(-v.i)
                                                   : value_real(-d);
}

static value eval_case(expr_eval *e, const ast *n)
{
    const ast *subject = n->kid[CASE_EXPR];
    for (const ast *w = n->kid[CASE_WHENS]; w; w = w->next) {
        value v = subject ? compare(e, subject, w->kid[WHEN_IF], OPERATOR_EQUAL)
                          : truth(eval(e, w->kid[WHEN_IF]));
        if (v.kind == VALUE_INT && v.i != 0) {
            return eval(e, w->kid[WHEN_THEN]);
        }
    }
    return n->kid[CASE_ELSE] ? eval(e, n->kid[CASE_ELSE]) : value_null();
}

static value eval_cast(expr_eval *e, const ast *n)
{
    value v = eval(e, n->kid[CAST_EXPR]);
    double d = 0;
    if (value_is_null(v)) {
        return v;
    }
    switch (schema_affinity_of(n->kid[CAST_TYPE]->text)) {
    case AFFINITY_TEXT: return expr_text(v, e->a);
    case AFFINITY_INTEGER:
        return to_number(v, &d) && fabs(d) < 9e15 ? value_int((int64_t)d)
                                                  : unknown(e);
    case AFFINITY_REAL: return to_number(v, &d) ? value_real(d) : unknown(e);
    case AFFINITY_NUMERIC: return to_number(v, &d) ? of_double(d) : unknown(e);
    case AFFINITY_BLOB: break;
    }
    return unknown(e);
}

static ptrdiff_t count_chars(str s)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t i = 0; i < s.len; i++) {
        n += ((unsigned char)s.ptr[i] & 0xc0) != 0x80;
    }
    return n;
}

static value fold(expr_eval *e, value v, char (*to)(char))
{
    buf b = buf_new(e->a);
    str s = value_bytes(expr_text(v, e->a));
    for (ptrdiff_t i = 0; i < s.len; i++) {
        buf_char(&b, to(s.ptr[i]));
    }
    return value_text(buf_str(&b));
}

static value eval_first(expr_eval *e, const ast *args)
{
    for (const ast *arg = args; arg; arg = arg->next) {
        value v = eval(e, arg);
        if (!value_is_null(v) || !arg->next) {
            return v;
        }
    }
    return unknown(e);
}

// SUBSTR(x, from, n) with counts from 1 on.
static value eval_substr(expr_eval *e, const ast *args)
{
    value v = eval(e, args);
    value from = args->next ? eval(e, args->next) : value_null();
    const ast *third = args->next ? args->next->next : NULL;
    value n = third ? eval(e, third) : value_int(1 << 20);
    if (value_is_null(v) || value_is_null(from) || value_is_null(n)) {
        return value_null();
    }
    if (from.kind != VALUE_INT || n.kind != VALUE_INT || from.i < 1 || n.i < 0
        || from.i > 1 << 20 || n.i > 1 << 20) {
        return unknown(e);
    }
    str s = value_bytes(expr_text(v, e->a));
    ptrdiff_t at = (ptrdiff_t)from.i - 1;
    return value_text(str_sub(s, at, at + (ptrdiff_t)n.i));
}

// The parts of a date that queries ask for, from its ISO text.
static value eval_strftime(expr_eval *e, const ast *args)
{
    value v = args->next ? eval(e, args->next) : value_null();
    value time;
    if (value_is_null(v) || !args->next || args->next->next
        || args->kind != AST_STRING) {
        return args->next && value_is_null(v) ? v : unknown(e);
    }
    str date = value_bytes(v);
    if (v.kind != VALUE_TEXT || !value_read_time(date, &time)) {
        return value_null();
    }
    static const struct {
        str format;
        ptrdiff_t from;
        ptrdiff_t to;
    } parts[] = {
        {S_INIT("'%Y'"), 0, 4},        {S_INIT("'%m'"), 5, 7},
        {S_INIT("'%d'"), 8, 10},       {S_INIT("'%Y-%m'"), 0, 7},
        {S_INIT("'%Y-%m-%d'"), 0, 10},
    };
    ptrdiff_t i = words_at(parts, format, args->text);
    return i >= 0 ? value_text(str_sub(date, parts[i].from, parts[i].to))
                  : unknown(e);
}

static value eval_date_part(expr_eval *e, const ast *args, str name)
{
    value v = eval(e, args);
    value time;
    int64_t n = 0;
    str date = value_bytes(v);
    if (value_is_null(v) || !value_read_time(date, &time)) {
        return value_null();
    }
    str part = str_equal_fold(name, S("year"))    ? str_sub(date, 0, 4)
               : str_equal_fold(name, S("month")) ? str_sub(date, 5, 7)
                                                  : str_sub(date, 8, 10);
    return str_to_int(part, &n) ? value_int(n) : unknown(e);
}

static value eval_of_one(expr_eval *e, str name, value v)
{
    double d = 0;
    if (str_equal_fold(name, S("length")) && v.kind != VALUE_BLOB) {
        return value_int(count_chars(value_bytes(expr_text(v, e->a))));
    }
    if (str_equal_fold(name, S("abs")) && to_number(v, &d)) {
        return v.kind == VALUE_INT ? value_int((int64_t)fabs(d))
                                   : value_real(fabs(d));
    }
    if (str_equal_fold(name, S("lower"))) {
        return fold(e, v, to_lower);
    }
    if (str_equal_fold(name, S("upper"))) {
        return fold(e, v, to_upper);
    }
    if (str_equal_fold(name, S("trim"))) {
        return value_text(str_trim(value_bytes(expr_text(v, e->a))));
    }
    if (str_equal_fold(name, S("date")) && v.kind == VALUE_TEXT) {
        return value_text(str_sub(value_bytes(v), 0, 10));
    }
    if (str_equal_fold(name, S("typeof"))) {
        return value_text(v.kind == VALUE_INT    ? S("integer")
                          : v.kind == VALUE_REAL ? S("real")
                          : v.kind == VALUE_TEXT ? S("text")
                                                 : S("blob"));
    }
    return unknown(e);
}

static value eval_call(expr_eval *e, const ast *n)
{
    const ast *args = n->kid[CALL_ARGS];
    str name = n->text;
    if (!args) {
        return unknown(e);
    }
    if (str_among_fold(name, "coalesce ifnull")) {
        return eval_first(e, args);
    }
    if (str_among_fold(name, "substr substring")) {
        return eval_substr(e, args);
    }
    if (str_equal_fold(name, S("strftime"))) {
        return eval_strftime(e, args);
    }
    if (args->next) {
        return unknown(e);
    }
    if (str_among_fold(name, "year month day")) {
        return eval_date_part(e, args, name);
    }
    value v = eval(e, args);
    bool takes_null = str_among_fold(name, "typeof quote");
    return !value_is_null(v) ? eval_of_one(e, name, v)
           : takes_null      ? unknown(e)
                             : v;  // most functions of a NULL are NULL
}

// The column that the value is of goes into *column; NULL: of none.
static value eval_named(expr_eval *e,
                        const ast *n,
                        const schema_column **column)
{
    value v;
    *column = NULL;
    if (!n) {
        return unknown(e);
    }
    if (facts_literal(n, &v, e->a)) {
        return v;
    }
    if (is_named(n) && e->look(e->context, n, &v, column)) {
        return v;
    }
    *column = NULL;
    switch ((int)n->kind) {
    case AST_NULL: return value_null();
    case AST_BINARY:
    case AST_BETWEEN:
    case AST_IN: return eval_condition(e, condition_of(n, false));
    case AST_UNARY:
        return n->form == OPERATOR_NOT
                   ? eval_condition(e, condition_of(n, false))
                   : eval_unary(e, n);
    case AST_CASE: return eval_case(e, n);
    case AST_CAST: return eval_cast(e, n);
    case AST_CALL: return eval_call(e, n);
    case AST_COLLATE: return eval_named(e, n->kid[COLLATE_EXPR], column);
    default: return unknown(e);
    }
}

static value eval(expr_eval *e, const ast *n)
{
    const schema_column *column;
    return eval_named(e, n, &column);
}

value expr_value(expr_eval *e, const ast *n)
{
    assert(e->look && e->a);
    return eval(e, n);
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
