/*
 * expr_call.c - calls of SQLite's functions, as expr_eval.h computes them.
 */
#include "base/utf8.h"
#include "base/words.h"
#include "sample/expr_internal.h"

#include <math.h>

static value first_known(expr_eval *e, const expr_code *x)
{
    value v = value_null();
    for (int32_t i = 0; i < x->n && value_is_null(v); i++) {
        v = expr_value(e, x->kids[i]);
    }
    return v;
}

// SUBSTR(x, from, n) with counts from 1 on.
static value part_of(expr_eval *e, const expr_code *x)
{
    value v = expr_value(e, x->kids[0]);
    value from = x->n > 1 ? expr_value(e, x->kids[1]) : value_null();
    value n = x->n > 2 ? expr_value(e, x->kids[2]) : value_int(1 << 20);
    if (value_is_null(v) || value_is_null(from) || value_is_null(n)) {
        return value_null();
    }
    if (from.kind != VALUE_INT || n.kind != VALUE_INT || from.i < 1 || n.i < 0
        || from.i > 1 << 20 || n.i > 1 << 20) {
        return expr_unknown(e);
    }
    str s = value_bytes(expr_text(v, e->a));
    ptrdiff_t at = (ptrdiff_t)from.i - 1;
    return value_text(str_sub(s, at, at + (ptrdiff_t)n.i));
}

enum {
    NO_FORMAT = -2,  // that is written there
    YEAR_PART = 0,
    MONTH_PART,
    DAY_PART,
    TAKES_NULL = 1,  // and makes something of it
};

// The parts of a date that queries ask for, in its ISO text.
static const struct {
    str format;
    ptrdiff_t from;
    ptrdiff_t to;
} date_parts[] = {
    {S_INIT("'%Y'"), 0, 4},        {S_INIT("'%m'"), 5, 7},
    {S_INIT("'%d'"), 8, 10},       {S_INIT("'%Y-%m'"), 0, 7},
    {S_INIT("'%Y-%m-%d'"), 0, 10},
};

// Such a part of a date: of STRFTIME a text, of YEAR a number.
static value date_part(expr_eval *e, const expr_code *x)
{
    bool is_formatted = x->n > 1;
    value v = expr_value(e, x->kids[is_formatted]);
    value time;
    int64_t n = 0;
    if (value_is_null(v) || x->how == NO_FORMAT) {
        return value_is_null(v) ? v : expr_unknown(e);
    }
    if (v.kind != VALUE_TEXT || !value_read_time(value_bytes(v), &time)) {
        return value_null();
    }
    str part = x->how < 0 ? (str){0}
                          : str_sub(value_bytes(v), date_parts[x->how].from,
                                    date_parts[x->how].to);
    return x->how >= 0 && is_formatted           ? value_text(part)
           : x->how >= 0 && str_to_int(part, &n) ? value_int(n)
                                                 : expr_unknown(e);
}

static value length_of(expr_eval *e, value v)
{
    return v.kind == VALUE_BLOB
               ? expr_unknown(e)
               : value_int(utf8_count(value_bytes(expr_text(v, e->a))));
}

// Of the least integer there is none.
static value magnitude(expr_eval *e, value v)
{
    double d = 0;
    if (v.kind == VALUE_INT) {
        return v.i == INT64_MIN ? expr_unknown(e)
                                : value_int(v.i < 0 ? -v.i : v.i);
    }
    return expr_number(v, &d) ? value_real(fabs(d)) : expr_unknown(e);
}

static value lower(expr_eval *e, value v)
{
    return value_text(arena_lower(e->a, value_bytes(expr_text(v, e->a))));
}

static value upper(expr_eval *e, value v)
{
    return value_text(arena_upper(e->a, value_bytes(expr_text(v, e->a))));
}

static value trimmed(expr_eval *e, value v)
{
    return value_text(str_trim(value_bytes(expr_text(v, e->a))));
}

static value day(expr_eval *e, value v)
{
    return v.kind == VALUE_TEXT ? value_text(str_sub(value_bytes(v), 0, 10))
                                : expr_unknown(e);
}

static value kind_word(expr_eval *e, value v)
{
    (void)e;
    return value_text(v.kind == VALUE_INT    ? S("integer")
                      : v.kind == VALUE_REAL ? S("real")
                      : v.kind == VALUE_TEXT ? S("text")
                                             : S("blob"));
}

// Most functions of a NULL are NULL.
static value of_one(expr_eval *e, const expr_code *x)
{
    value v = expr_value(e, x->kids[0]);
    bool takes_null = x->how == TAKES_NULL;
    return value_is_null(v) ? (takes_null ? expr_unknown(e) : v)
           : x->of_one      ? x->of_one(e, v)
                            : expr_unknown(e);
}

static const struct {
    str name;
    expr_function *compute;
    value (*of_one)(expr_eval *, value);
    int how;
    bool takes_more;  // arguments than one
} functions[] = {
    {S_INIT("coalesce"), first_known, NULL, 0, true},
    {S_INIT("ifnull"), first_known, NULL, 0, true},
    {S_INIT("substr"), part_of, NULL, 0, true},
    {S_INIT("substring"), part_of, NULL, 0, true},
    {S_INIT("strftime"), date_part, NULL, NO_FORMAT, true},
    {S_INIT("year"), date_part, NULL, YEAR_PART, false},
    {S_INIT("month"), date_part, NULL, MONTH_PART, false},
    {S_INIT("day"), date_part, NULL, DAY_PART, false},
    {S_INIT("length"), of_one, length_of, 0, false},
    {S_INIT("abs"), of_one, magnitude, 0, false},
    {S_INIT("lower"), of_one, lower, 0, false},
    {S_INIT("upper"), of_one, upper, 0, false},
    {S_INIT("trim"), of_one, trimmed, 0, false},
    {S_INIT("date"), of_one, day, 0, false},
    {S_INIT("typeof"), of_one, kind_word, TAKES_NULL, false},
    {S_INIT("quote"), of_one, NULL, TAKES_NULL, false},
};

const expr_code *expr_read_call(const expr_reader *r, str name, const ast *args)
{
    expr_code *x = expr_new(r->a, expr_nothing, (int32_t)ast_list_len(args));
    for (const ast *arg = args; arg; arg = arg->next) {
        expr_add(x, expr_read(r, arg));
    }
    ptrdiff_t i = words_at_fold(functions, name, name);
    if (i >= 0 && x->n > 0 && (x->n == 1 || functions[i].takes_more)) {
        x->compute = functions[i].compute;
        x->of_one = functions[i].of_one;
        x->how = functions[i].how;
    } else if (x->n == 1) {
        x->compute = of_one;
    }
    if (x->compute == date_part && x->n == 2 && args->kind == AST_STRING) {
        x->how = (int)words_at(date_parts, format, args->text);
    }
    return x;
}
