/*
 * value_near.c - which values near a constant of a query are worth a try.
 *
 * Method      Every constant is worth itself and its neighbors: two numbers on
 *             each side (with one, what lies beyond it always ties), the next
 *             day and the next month, another letter case, a text that a
 *             pattern takes and one that it just does not.
 *
 * Invariant   No list has a value twice.
 *
 * Source      definitions/equivalence.md#values, [003 4.1]
 */
#include "sample/value_near.h"

#include "sample/expr_eval.h"

#include <assert.h>
#include <math.h>

bool near_is_whole(double d)
{
    return d > -9e15 && d < 9e15 && (double)(int64_t)d == d;
}

value near_day(int64_t days)
{
    return (value){.i = days, .kind = VALUE_DATE};
}

bool near_year(value v, value *out)
{
    value number;
    if (!expr_number_of(v, &number) || number.kind != VALUE_INT
        || number.i < 1000 || number.i > 9998) {
        return false;
    }
    char text[16] = "0000-01-01";
    for (int i = 3; i >= 0; i--) {
        text[i] = (char)('0' + number.i % 10);
        number.i /= 10;
    }
    return value_read_time(str_from(text), out);
}

bool near_has(const value_list *list, value v)
{
    for (ptrdiff_t i = 0; i < list->len; i++) {
        if (value_same(list->ptr[i], v)) {
            return true;
        }
    }
    return false;
}

void near_add(expansion *e, value v)
{
    if (e->out->len < e->max && !near_has(e->out, v)) {
        *vec_push(e->a, e->out) = v;
    }
}

void near_add_text(expansion *e, str s)
{
    near_add(e, value_text(arena_str(e->a, s)));
}

static void add_around(expansion *e, int64_t c)
{
    static const int64_t steps[] = {0, 1, -1, 2, -2};
    for (ptrdiff_t i = 0; i < countof(steps); i++) {
        near_add(e, value_int(c + steps[i]));
    }
}

static void expand_number(expansion *e, value v)
{
    if (v.kind == VALUE_REAL && !near_is_whole(v.real)) {
        double c = v.real;
        double low = floor(c);
        near_add(e, v);
        near_add(e, value_real(c + 0.001));
        near_add(e, value_real(c - 0.001));
        if (near_is_whole(low)) {
            add_around(e, (int64_t)low);
        }
        return;
    }
    int64_t c = v.kind == VALUE_INT ? v.i : (int64_t)v.real;
    if (c > INT64_MAX - 4 || c < INT64_MIN + 4) {
        near_add(e, v);
        return;
    }
    add_around(e, c);
    if (e->shape == SHAPE_REAL) {
        near_add(e, value_real((double)c + 0.5));
        near_add(e, value_real((double)c - 0.5));
    }
    if (c > 3) {
        add_around(e, c / 2);
        add_around(e, c / 3);
    }
}

static void add_days(expansion *e,
                     int64_t from,
                     const int64_t *steps,
                     ptrdiff_t n)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        near_add(e, near_day(from + steps[i]));
    }
}

static void expand_days(expansion *e, int64_t days)
{
    static const int64_t steps[] = {0, 1, -1, 31, -31};
    add_days(e, days, steps, countof(steps));
}

// Days in the month of that number, or of that number in a month.
static void expand_part(expansion *e, const constant *c)
{
    value number;
    if (expr_number_of(c->v, &number) && number.kind == VALUE_INT
        && number.i >= 1 && number.i <= 31) {
        int64_t step = c->part == LEAVES_MONTH ? 31 : 1;
        int64_t days = FIRST_DAY + (number.i - 1) * step;
        add_days(e, days, (int64_t[]){0, step, 366}, 3);
    }
}

// Within the day; of a moment also the second after it.
static void expand_moment(expansion *e, value time)
{
    bool is_day = time.kind == VALUE_DATE;
    int64_t us = is_day ? time.i * DAY_US : time.i;
    near_add(e, (value){.i = us - us % DAY_US + 36000 * (int64_t)1000000,
                        .kind = VALUE_TIMESTAMP});
    if (!is_day) {
        near_add(e, (value){.i = us + 1000000, .kind = VALUE_TIMESTAMP});
    }
}

static bool is_of_date(char c)
{
    return is_digit(c) || c == '-';
}

static void expand_date(expansion *e, const constant *c)
{
    value time;
    if (c->part == LEAVES_MONTH || c->part == LEAVES_DAY) {
        expand_part(e, c);
        return;
    }
    if (c->v.kind == VALUE_TEXT && value_read_time(value_bytes(c->v), &time)) {
        near_add(e, c->v);
        expand_days(e, time.kind == VALUE_DATE ? time.i : time.i / DAY_US);
        if (e->shape == SHAPE_TIMESTAMP) {
            expand_moment(e, time);
        }
        return;
    }
    if (near_year(c->v, &time)) {
        add_days(e, time.i, (int64_t[]){0, 180, -1, 370}, 4);
        return;
    }
    // '2014-05', '2014-05%'
    str text = c->v.kind == VALUE_TEXT ? value_bytes(c->v) : (str){0};
    text = str_strip(text, "%_", "");
    text = str_sub(text, 0, str_run(text, 0, is_of_date));
    if (text.len == 10 && value_read_time(text, &time)) {
        expand_days(e, time.i);
        near_add_text(e, arena_printf(e->a, "%.*s 10:00:00", STR_ARG(text)));
    } else if (text.len == 4 && near_year(value_text(text), &time)) {
        expand_days(e, time.i);
    } else if (text.len >= 7
               && value_read_time(
                   arena_printf(e->a, "%.7s-01", arena_cstr(e->a, text)),
                   &time)) {
        expand_days(e, time.i);
        near_add(e, near_day(time.i + 14));
    }
}

// A pattern with its wildcards filled in.
static str fill_pattern(expansion *e, str pattern, str many, char one)
{
    buf b = buf_new(e->a);
    for (ptrdiff_t i = 0; i < pattern.len; i++) {
        char c = pattern.ptr[i];
        if (c == '%' || c == '*') {
            buf_add(&b, many);
        } else {
            buf_char(&b, c == '_' || c == '?' ? one : c);
        }
    }
    return buf_str(&b);
}

static void add_case(expansion *e, str s)
{
    str lower = arena_lower(e->a, s);
    bool is_lower = str_equal(lower, s);
    near_add(e, value_text(is_lower ? arena_upper(e->a, s) : lower));
}

static void expand_pattern(expansion *e, str pattern)
{
    str bare = fill_pattern(e, pattern, S(""), 'x');
    near_add_text(e, bare);
    near_add_text(e, fill_pattern(e, pattern, S("zz"), 'y'));
    // Just not: a letter too many at each end, and one too few.
    near_add_text(e, arena_printf(e->a, "%.*sx", STR_ARG(bare)));
    near_add_text(e, arena_printf(e->a, "x%.*s", STR_ARG(bare)));
    if (bare.len > 1) {
        near_add_text(e, str_sub(bare, 0, bare.len - 1));
        near_add_text(e, str_skip(bare, 1));
    }
    add_case(e, bare);
}

static void expand_text(expansion *e, const constant *c)
{
    value number;
    if (c->part == LEAVES_LENGTH) {
        if (expr_number_of(c->v, &number) && number.kind == VALUE_INT
            && number.i >= 0 && number.i < 200) {
            for (int64_t n = number.i + 1; n >= 0 && n >= number.i - 1; n--) {
                buf b = buf_new(e->a);
                buf_repeat(&b, 'a', (ptrdiff_t)n);
                near_add(e, value_text(buf_str(&b)));
            }
        }
        return;
    }
    if (c->v.kind != VALUE_TEXT) {
        value_list numbers = {0};
        expansion inner = {&numbers, e->a, SHAPE_INTEGER, 5};
        expand_number(&inner, c->v);
        for (ptrdiff_t i = 0; i < numbers.len; i++) {
            near_add(e, expr_text(numbers.ptr[i], e->a));
        }
        return;
    }
    str text = value_bytes(c->v);
    if (c->is_pattern) {
        expand_pattern(e, text);
        return;
    }
    near_add(e, c->v);
    add_case(e, text);
    // The next text after it, and one before it.
    near_add_text(e, arena_printf(e->a, "%.*sx", STR_ARG(text)));
    if (text.len > 1) {
        near_add_text(e, str_sub(text, 0, text.len - 1));
    }
}

// A pattern for a number: '%19%'.
static void expand_digits(expansion *e, str pattern)
{
    static const str fillings[] = {S_INIT(""), S_INIT("1"), S_INIT("27")};
    for (ptrdiff_t i = 0; i < countof(fillings); i++) {
        value v = value_text(fill_pattern(e, pattern, fillings[i], '5'));
        if (expr_number_of(v, &v)) {
            near_add(e, v);
        }
    }
}

void near_expand(expansion *e, const constant *c)
{
    value number;
    str text = value_bytes(c->v);
    switch (e->shape) {
    case SHAPE_INTEGER:
    case SHAPE_REAL:
        if (!c->is_pattern && !c->part && expr_number_of(c->v, &number)) {
            expand_number(e, number);
        } else if (c->is_pattern && c->v.kind == VALUE_TEXT) {
            expand_digits(e, value_bytes(c->v));
        }
        break;
    case SHAPE_TEXT:
    case SHAPE_BYTES: expand_text(e, c); break;
    case SHAPE_DATE:
    case SHAPE_TIMESTAMP: expand_date(e, c); break;
    case SHAPE_FORM:
        near_add(e, c->v);
        near_add_text(e, arena_printf(e->a, "{z,%.*s}", STR_ARG(text)));
        break;
    case SHAPE_TIME:
    case SHAPE_BOOLEAN: near_add(e, c->v); break;
    case SHAPE_COUNT: break;
    }
}

void near_add_always(expansion *e)
{
    static const str texts[] = {S_INIT("a"), S_INIT("b"), S_INIT("")};
    static const str times[] = {S_INIT("10:00:00"), S_INIT("12:30:00")};
    // With the end of a month, and another year.
    static const int64_t days[] = {0, 1, 31, 30, 366};
    bool is_day = e->shape == SHAPE_DATE || e->shape == SHAPE_TIMESTAMP;
    bool is_text = e->shape == SHAPE_TEXT || e->shape == SHAPE_BYTES;
    bool is_number = e->shape == SHAPE_INTEGER || e->shape == SHAPE_REAL;
    int n_numbers = is_number ? 3 : e->shape == SHAPE_BOOLEAN ? 2 : 0;
    for (int i = 0; i < n_numbers; i++) {
        near_add(e, value_int(i));
    }
    for (ptrdiff_t i = 0; is_text && i < countof(texts); i++) {
        near_add_text(e, texts[i]);
    }
    add_days(e, FIRST_DAY, days, is_day ? countof(days) : 0);
    for (ptrdiff_t i = 0; e->shape == SHAPE_TIME && i < countof(times); i++) {
        near_add_text(e, times[i]);
    }
    if (e->shape == SHAPE_TIMESTAMP) {
        near_add_text(e, S("2020-01-01 10:00:00"));
    }
}

void near_add_spellings(expansion *e, schema_collation collation)
{
    near_add_text(e, S("a"));
    near_add_text(e, collation == COLLATION_NOCASE ? S("A") : S("a "));
}
