/*
 * value_pool.c - which values a column may hold, and which of them are worth a
 * try.
 *
 * Method      Every constant of a query is worth itself and its neighbors: two
 *             numbers on each side (with one, what lies beyond it always ties),
 *             the next day and the next month, another letter case, a text that
 *             a pattern takes and one that it just does not.
 *
 * Invariants  Every value in `near` fits its column and breaks no check by
 *             itself; no list has a value twice.
 *
 * Cost        Constants times columns of their class.
 * Source      definitions/equivalence.md#values, [003 4.1]
 */
#include "sample/expr_eval.h"
#include "sample/moment.h"
#include "sample/sample_internal.h"
#include "sample/value_form.h"
#include "sql/semantics.h"

#include <assert.h>
#include <math.h>

static const schema_column *column_of(const sampler *m, int32_t id)
{
    assert(id >= 0 && id < m->n_columns);
    const column_facts *f = &m->columns[id];
    return &m->s->tables[f->table].columns[f->column];
}

// Does it take values of the declared type only?
static bool is_typed(const sampler *m)
{
    return dialect_follows_postgres(type_system(m->s));
}

value_shape pool_read_shape(const sampler *m, int32_t id)
{
    assert(id >= 0 && id < m->n_columns);
    const column_facts *f = &m->columns[id];
    const schema_column *c = column_of(m, id);
    if (f->type.form != FORM_NONE) {
        return SHAPE_FORM;
    }
    switch (c->kind) {
    case KIND_INTEGER: return SHAPE_INTEGER;
    case KIND_REAL: return SHAPE_REAL;
    case KIND_DECIMAL:
        return (is_typed(m) && str_find(c->type, S("("), 0) < 0)
                       || (str_find(c->type, S(","), 0) >= 0
                           && str_find(c->type, S(",0"), 0) < 0)
                   ? SHAPE_REAL
                   : SHAPE_INTEGER;
    case KIND_DATE: return SHAPE_DATE;
    case KIND_TIME: return SHAPE_TIME;
    case KIND_TIMESTAMP: return SHAPE_TIMESTAMP;
    case KIND_BOOLEAN: return SHAPE_BOOLEAN;
    case KIND_BYTES: return SHAPE_BYTES;
    case KIND_TEXT: return f->is_date ? SHAPE_DATE : SHAPE_TEXT;
    case KIND_ANY: break;
    }
    return f->is_date                                       ? SHAPE_DATE
           : c->affinity == AFFINITY_TEXT                   ? SHAPE_TEXT
           : c->affinity == AFFINITY_BLOB && !f->is_numeral ? SHAPE_TEXT
                                                            : SHAPE_INTEGER;
}

static schema_affinity affinity_of(const sampler *m, int32_t id)
{
    return column_of(m, id)->affinity;
}

static schema_collation collation_of(const sampler *m, int32_t id)
{
    return column_of(m, id)->collation;
}

static bool is_whole(double d)
{
    return d > -9e15 && d < 9e15 && (double)(int64_t)d == d;
}

static bool fit_number(schema_affinity affinity, value *v)
{
    if (!expr_number_of(*v, v)) {
        return false;
    }
    if (affinity == AFFINITY_REAL) {
        *v = v->kind == VALUE_INT ? value_real((double)v->i) : *v;
    } else if (v->kind == VALUE_REAL && is_whole(v->real)) {
        *v = value_int((int64_t)v->real);
    }
    return affinity != AFFINITY_INTEGER || v->kind == VALUE_INT;
}

// Where rows refer to rows of their own table numbers are spelled in one way
// only: SQLite takes 0 and '0.0' for the same when it deletes a parent, but not
// when it looks for one.
static bool fit_text(const sampler *m, int32_t id, value *v, arena *a)
{
    value number;
    bool is_key = m->columns[id].is_target;
    if (v->kind == VALUE_REAL && is_key && is_whole(v->real)) {
        *v = value_int((int64_t)v->real);
    }
    if (v->kind != VALUE_TEXT) {
        *v = expr_text(*v, a);
        is_key = false;
    }
    if (!is_key && !schema_affinity_is_number(affinity_of(m, id))) {
        return true;
    }
    bool is_number = expr_number_of(*v, &number);
    bool is_whole_real =
        is_number && number.kind == VALUE_REAL && is_whole(number.real);
    if (is_key && is_number
        && (is_whole_real
            || !str_equal(value_bytes(expr_text(number, a)),
                          value_bytes(*v)))) {
        return false;
    }
    // SQLite would make a number of it.
    return !schema_affinity_is_number(affinity_of(m, id)) || !is_number;
}

static value day(int64_t days)
{
    return (value){.i = days, .kind = VALUE_DATE};
}

// The first day of a year.
static bool read_year(value v, value *out)
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

static const int64_t DAY_US = (int64_t)86400 * 1000000;

// A column of text that queries take for dates may hold any text.
static bool may_be_no_date(const sampler *m, int32_t id)
{
    return column_of(m, id)->kind == KIND_TEXT && !m->columns[id].is_target
           && !m->o.original;
}

// Whether the column is to hold what its type says.
static bool keeps_type(const sampler *m, int32_t id)
{
    return m->o.assume.types && !column_of(m, id)->is_off_type;
}

// A DATE has no time, as proofs take it.
static bool fit_date(const sampler *m, int32_t id, value *v, arena *a)
{
    value time = *v;
    value_shape shape = pool_shape(m, id);
    bool is_known =
        v->kind == VALUE_TEXT && value_read_time(value_bytes(*v), &time);
    if (column_of(m, id)->kind == KIND_DATE && keeps_type(m, id)
        && (is_known || v->kind == VALUE_TIMESTAMP)) {
        time = time.kind == VALUE_DATE ? time : day(time.i / DAY_US);
    } else if (is_known && (shape == SHAPE_DATE || time.kind != VALUE_DATE)) {
        return true;  // as somebody wrote it
    }
    if (v->kind == VALUE_TEXT && may_be_no_date(m, id)) {
        return true;
    }
    if (v->kind != VALUE_DATE && v->kind != VALUE_TIMESTAMP
        && time.kind != VALUE_DATE && !read_year(*v, &time)) {
        return false;
    }
    bool lacks_time = shape == SHAPE_TIMESTAMP && time.kind == VALUE_DATE;
    str text = value_shown(a, time, 0);
    *v = value_text(lacks_time ? arena_printf(a, "%.*s 00:00:00", STR_ARG(text))
                               : text);
    return form_has_plain_year(time);
}

static bool fit_form(const sampler *m, int32_t id, value *v, arena *a)
{
    str text = value_bytes(expr_text(*v, a));
    bool ok = form_fit(column_of(m, id)->type, m->columns[id].type.form,
                       type_system(m->s), &text, a);
    *v = value_text(text);
    return ok;
}

static bool fit(const sampler *m, int32_t id, value *v, arena *a)
{
    if (value_is_null(*v)) {
        return true;
    }
    switch (pool_shape(m, id)) {
    case SHAPE_INTEGER:
    case SHAPE_REAL: return fit_number(affinity_of(m, id), v);
    case SHAPE_TEXT: return fit_text(m, id, v, a);
    case SHAPE_DATE:
    case SHAPE_TIMESTAMP: return fit_date(m, id, v, a);
    case SHAPE_TIME:
        return v->kind == VALUE_TEXT && type_is_time(value_bytes(*v));
    case SHAPE_BOOLEAN:
        return v->kind == VALUE_TEXT
                   ? !keeps_type(m, id) && fit_text(m, id, v, a)
                   : v->kind == VALUE_INT && v->i >= 0 && v->i <= 1;
    case SHAPE_BYTES:
        if (v->kind == VALUE_TEXT) {
            *v = value_blob(value_bytes(*v));
        }
        return v->kind == VALUE_BLOB;
    case SHAPE_FORM: return fit_form(m, id, v, a);
    case SHAPE_COUNT: break;
    }
    return false;
}

// Has the text a blank at its end, which the system may overlook?
static bool ends_in_doubt(const sampler *m, value v)
{
    return v.kind == VALUE_TEXT && str_ends(value_bytes(v), S(" "))
           && dialect_semantics(m->s->stands_for).texts_are_folded;
}

bool pool_fit(const sampler *m, int32_t id, value *v, arena *a)
{
    dialect d = type_system(m->s);
    return fit(m, id, v, a) && !value_is_misspelled(m, id, *v)
           && (d == DIALECT_SQLITE || value_is_null(*v)
               || pool_shape(m, id) == SHAPE_FORM
               || (type_holds(&m->columns[id].type, *v)
                   && !ends_in_doubt(m, *v)));
}

value pool_as(const sampler *m, int32_t id, value v, arena *a)
{
    schema_affinity affinity = affinity_of(m, id);
    value number;
    if (affinity == AFFINITY_TEXT && value_is_number(v)) {
        return expr_text(v, a);
    }
    bool reads = schema_affinity_is_number(affinity) && v.kind == VALUE_TEXT
                 && expr_number_of(v, &number);
    return reads ? number : v;
}

static value plain_text(int64_t i, arena *a)
{
    char letter = (char)('a' + i % 26);
    return value_text(
        i < 26 ? arena_str(a, (str){&letter, 1})
               : arena_printf(a, "%c%lld", letter, (long long)(i / 26)));
}

enum {
    FIRST_DAY = 18262,  // 2020-01-01
    YEAR = 366,
};

// Of a type of which nothing is known there is NULL only; but what nobody reads
// may be anything.
static value plain_form(const sampler *m, int32_t id, int64_t i, arena *a)
{
    const column_facts *f = &m->columns[id];
    if (f->type.form == FORM_OTHER) {
        return f->is_read ? value_null() : plain_text(i, a);
    }
    return value_text(form_plain(column_of(m, id)->type, f->type.form,
                                 type_system(m->s), i, a));
}

value pool_plain(const sampler *m, int32_t id, int64_t i, arena *a)
{
    assert(i >= 0);
    value v = value_int(type_start(&m->columns[id].type) + i + 1);
    switch (pool_shape(m, id)) {
    case SHAPE_INTEGER:
    case SHAPE_REAL:
    case SHAPE_COUNT: break;
    case SHAPE_TEXT:
        v = m->columns[id].is_numeral ? expr_text(v, a) : plain_text(i, a);
        break;
    case SHAPE_DATE:
    case SHAPE_TIMESTAMP: v = day(FIRST_DAY + i); break;
    case SHAPE_TIME:
        v = value_text(arena_printf(a, "%02d:%02d:00", (int)(10 + i / 60) % 24,
                                    (int)(i % 60)));
        break;
    case SHAPE_BOOLEAN: v = value_int(i % 2); break;
    case SHAPE_BYTES: v = plain_text(i, a); break;
    case SHAPE_FORM: v = plain_form(m, id, i, a); break;
    }
    bool fits = pool_fit(m, id, &v, a);
    if (!fits && pool_shape(m, id) == SHAPE_REAL
        && column_of(m, id)->kind == KIND_DECIMAL) {
        v = form_smaller(column_of(m, id), i);
    } else if (!fits && column_of(m, id)->kind == KIND_TEXT) {
        v = plain_text(i, a);
    }
    return v;
}

static bool has_value(const value_list *list, value v)
{
    for (ptrdiff_t i = 0; i < list->len; i++) {
        if (value_same(list->ptr[i], v)) {
            return true;
        }
    }
    return false;
}

// Values under construction, of one shape.
typedef struct expansion {
    value_list *out;
    arena *a;
    value_shape shape;
    ptrdiff_t max;
} expansion;

static void add(expansion *e, value v)
{
    if (e->out->len < e->max && !has_value(e->out, v)) {
        *vec_push(e->a, e->out) = v;
    }
}

static void add_str(expansion *e, str s)
{
    add(e, value_text(arena_str(e->a, s)));
}

static void add_around(expansion *e, int64_t c)
{
    static const int64_t steps[] = {0, 1, -1, 2, -2};
    for (ptrdiff_t i = 0; i < countof(steps); i++) {
        add(e, value_int(c + steps[i]));
    }
}

static void expand_number(expansion *e, value v)
{
    if (v.kind == VALUE_REAL && !is_whole(v.real)) {
        double c = v.real;
        double low = floor(c);
        add(e, v);
        add(e, value_real(c + 0.001));
        add(e, value_real(c - 0.001));
        if (is_whole(low)) {
            add_around(e, (int64_t)low);
        }
        return;
    }
    int64_t c = v.kind == VALUE_INT ? v.i : (int64_t)v.real;
    if (c > INT64_MAX - 4 || c < INT64_MIN + 4) {
        add(e, v);
        return;
    }
    add_around(e, c);
    if (e->shape == SHAPE_REAL) {
        add(e, value_real((double)c + 0.5));
        add(e, value_real((double)c - 0.5));
    }
    if (c > 3) {
        add_around(e, c / 2);
        add_around(e, c / 3);
    }
}

static void expand_days(expansion *e, int64_t days)
{
    static const int64_t steps[] = {0, 1, -1, 31, -31};
    for (ptrdiff_t i = 0; i < countof(steps); i++) {
        add(e, day(days + steps[i]));
    }
}

// Days in the month of that number, or of that number in a month.
static void expand_part(expansion *e, const constant *c)
{
    value number;
    if (expr_number_of(c->v, &number) && number.kind == VALUE_INT
        && number.i >= 1 && number.i <= 31) {
        int64_t step = c->part == LEAVES_MONTH ? 31 : 1;
        int64_t days = FIRST_DAY + (number.i - 1) * step;
        add(e, day(days));
        add(e, day(days + step));
        add(e, day(days + 366));
    }
}

// Within the day; of a moment also the second after it.
static void expand_moment(expansion *e, value time)
{
    bool is_day = time.kind == VALUE_DATE;
    int64_t us = is_day ? time.i * DAY_US : time.i;
    add(e, (value){.i = us - us % DAY_US + 36000 * (int64_t)1000000,
                   .kind = VALUE_TIMESTAMP});
    if (!is_day) {
        add(e, (value){.i = us + 1000000, .kind = VALUE_TIMESTAMP});
    }
}

static void expand_date(expansion *e, const constant *c)
{
    value time;
    if (c->part == LEAVES_MONTH || c->part == LEAVES_DAY) {
        expand_part(e, c);
        return;
    }
    if (c->v.kind == VALUE_TEXT && value_read_time(value_bytes(c->v), &time)) {
        add(e, c->v);
        expand_days(e, time.kind == VALUE_DATE ? time.i : time.i / DAY_US);
        if (e->shape == SHAPE_TIMESTAMP) {
            expand_moment(e, time);
        }
        return;
    }
    if (read_year(c->v, &time)) {
        add(e, time);
        add(e, day(time.i + 180));
        add(e, day(time.i - 1));
        add(e, day(time.i + 370));
        return;
    }
    // '2014-05', '2014-05%'
    str text = c->v.kind == VALUE_TEXT ? value_bytes(c->v) : (str){0};
    ptrdiff_t from = 0;
    while (from < text.len
           && (text.ptr[from] == '%' || text.ptr[from] == '_')) {
        from++;
    }
    ptrdiff_t to = from;
    while (to < text.len && (is_digit(text.ptr[to]) || text.ptr[to] == '-')) {
        to++;
    }
    text = str_sub(text, from, to);
    if (text.len == 10 && value_read_time(text, &time)) {
        expand_days(e, time.i);
        add_str(e, arena_printf(e->a, "%.*s 10:00:00", STR_ARG(text)));
    } else if (text.len == 4 && read_year(value_text(text), &time)) {
        expand_days(e, time.i);
    } else if (text.len >= 7
               && value_read_time(
                   arena_printf(e->a, "%.7s-01", arena_cstr(e->a, text)),
                   &time)) {
        expand_days(e, time.i);
        add(e, day(time.i + 14));
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
    char *lower = arena_cstr(e->a, s);
    char *upper = arena_cstr(e->a, s);
    for (ptrdiff_t i = 0; i < s.len; i++) {
        lower[i] = to_lower(s.ptr[i]);
        upper[i] = to_upper(s.ptr[i]);
    }
    bool is_lower = str_equal((str){lower, s.len}, s);
    add(e, value_text((str){is_lower ? upper : lower, s.len}));
}

static void expand_pattern(expansion *e, str pattern)
{
    str bare = fill_pattern(e, pattern, S(""), 'x');
    add_str(e, bare);
    add_str(e, fill_pattern(e, pattern, S("zz"), 'y'));
    // Just not: a letter too many at each end, and one too few.
    add_str(e, arena_printf(e->a, "%.*sx", STR_ARG(bare)));
    add_str(e, arena_printf(e->a, "x%.*s", STR_ARG(bare)));
    if (bare.len > 1) {
        add_str(e, str_sub(bare, 0, bare.len - 1));
        add_str(e, str_skip(bare, 1));
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
                add(e, value_text(buf_str(&b)));
            }
        }
        return;
    }
    if (c->v.kind != VALUE_TEXT) {
        value_list numbers = {0};
        expansion inner = {&numbers, e->a, SHAPE_INTEGER, 5};
        expand_number(&inner, c->v);
        for (ptrdiff_t i = 0; i < numbers.len; i++) {
            add(e, expr_text(numbers.ptr[i], e->a));
        }
        return;
    }
    str text = value_bytes(c->v);
    if (c->is_pattern) {
        expand_pattern(e, text);
        return;
    }
    add(e, c->v);
    add_case(e, text);
    // The next text after it, and one before it.
    add_str(e, arena_printf(e->a, "%.*sx", STR_ARG(text)));
    if (text.len > 1) {
        add_str(e, str_sub(text, 0, text.len - 1));
    }
}

// A pattern for a number: '%19%'.
static void expand_digits(expansion *e, str pattern)
{
    static const str fillings[] = {S_INIT(""), S_INIT("1"), S_INIT("27")};
    for (ptrdiff_t i = 0; i < countof(fillings); i++) {
        value v = value_text(fill_pattern(e, pattern, fillings[i], '5'));
        if (expr_number_of(v, &v)) {
            add(e, v);
        }
    }
}

static void expand(expansion *e, const constant *c)
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
        add(e, c->v);
        add_str(e, arena_printf(e->a, "{z,%.*s}", STR_ARG(text)));
        break;
    case SHAPE_TIME:
    case SHAPE_BOOLEAN: add(e, c->v); break;
    case SHAPE_COUNT: break;
    }
}

// As the column would hold them, what it can hold and `out` does not.
static void add_fitting(const sampler *m,
                        int32_t id,
                        const value_list *raw,
                        value_list *out,
                        arena *a)
{
    for (ptrdiff_t i = 0; i < raw->len; i++) {
        value v = raw->ptr[i];
        if (pool_fit(m, id, &v, a) && !has_value(out, v)
            && !value_breaks_check(m, id, v, a)) {
            *vec_push(a, out) = v;
        }
    }
}

void pool_add_near(const sampler *m,
                   int32_t id,
                   const constant *c,
                   value_list *out,
                   arena *a)
{
    value_list raw = {0};
    expansion e = {&raw, a, form_near(m, column_of(m, id), pool_shape(m, id)),
                   NEAR_MAX};
    expand(&e, c);
    add_fitting(m, id, &raw, out, a);
}

static void add_always(expansion *e)
{
    // With the end of a month, and another year.
    static const int64_t days[] = {0, 1, 31, 30, 366};
    for (int64_t i = 0; i < 3; i++) {
        switch (e->shape) {
        case SHAPE_INTEGER:
        case SHAPE_REAL: add(e, value_int(i)); break;
        case SHAPE_BOOLEAN: add(e, value_int(i % 2)); break;
        case SHAPE_TEXT:
        case SHAPE_BYTES:
            add_str(e, i == 0 ? S("a") : i == 1 ? S("b") : S(""));
            break;
        case SHAPE_DATE:
        case SHAPE_TIMESTAMP: add(e, day(FIRST_DAY + days[i])); break;
        case SHAPE_TIME:
            add_str(e, i == 0 ? S("10:00:00") : S("12:30:00"));
            break;
        case SHAPE_FORM:
        case SHAPE_COUNT: break;
        }
    }
    if (e->shape == SHAPE_DATE || e->shape == SHAPE_TIMESTAMP) {
        add(e, day(FIRST_DAY + days[3]));
        add(e, day(FIRST_DAY + days[4]));
    }
    if (e->shape == SHAPE_TIMESTAMP) {
        add_str(e, S("2020-01-01 10:00:00"));
    }
}

// How many days a constant says: 7, '7 days', '-24 hours'; 0: none.
static int64_t days_of(value v)
{
    moment_span span = {0};
    bool is_span = v.kind == VALUE_TEXT
                   && moment_span_read(value_bytes(v), &span)
                   && span.months == 0 && span.us % DAY_US == 0;
    int64_t n = v.kind == VALUE_INT ? v.i : is_span ? span.us / DAY_US : 0;
    return n >= -YEAR && n <= YEAR ? n : 0;
}

// Pairs of days that are as many apart as the queries say, within a month and
// beyond its end: 20200131 + 1 is no day.
static void add_steps(const sampler *m, int32_t id, value_list *out, arena *a)
{
    static const int64_t from[] = {FIRST_DAY + 30, FIRST_DAY + 30, FIRST_DAY};
    for (ptrdiff_t i = -1; i < m->constants.len; i++) {
        int64_t n = i < 0 ? 1 : days_of(m->constants.ptr[i].v);
        for (ptrdiff_t k = 0; n != 0 && k < countof(from); k++) {
            value_list pair = {0};
            expansion e = {&pair, a, pool_shape(m, id), 2};
            add(&e, day(from[k]));
            add(&e, day(from[k] + (n < 0 ? -n : n)));
            value_list fits = {0};
            add_fitting(m, id, &pair, &fits, a);
            for (ptrdiff_t v = 0; fits.len == 2 && v < 2; v++) {
                *vec_push(a, out) = fits.ptr[v];
            }
        }
    }
}

static bool is_stepped(const sampler *m, int32_t class)
{
    bool found = false;
    for (int32_t id = 0; id < m->n_columns && !found; id++) {
        found = m->columns[id].is_stepped
                && partition_root(&m->classes, id) == class;
    }
    return found;
}

// Texts that the collation takes for the same.
static void add_spellings(expansion *e, schema_collation collation)
{
    add_str(e, S("a"));
    add_str(e, collation == COLLATION_NOCASE ? S("A") : S("a "));
}

// Values that the column, or one that it is compared with, takes for the same.
static void prepare_alike(sampler *m, int32_t id, value_shape shape)
{
    int32_t class = partition_root(&m->classes, id);
    schema_collation collation = m->class_collation[class];
    value_list raw = {0};
    expansion e = {&raw, m->a, shape, NEAR_MAX};
    if (shape == SHAPE_TEXT && m->columns[id].is_numeral) {
        add_str(&e, S("1"));
        add_str(&e, S("1.0"));
    } else if (shape == SHAPE_TEXT && collation != COLLATION_BINARY) {
        add_spellings(&e, collation);
    } else if (m->has_numeral[class]) {
        add(&e, value_int(1));
    }
    m->columns[id].alike = (value_list){0};
    add_fitting(m, id, &raw, &m->columns[id].alike, m->a);
}

// The values near the constants of the column's class, as it would hold them.
static void prepare_column(sampler *m, int32_t id)
{
    column_facts *f = &m->columns[id];
    int32_t class = partition_root(&m->classes, id);
    value_list raw = {0};
    expansion e = {&raw, m->a,
                   form_near(m, column_of(m, id), pool_shape(m, id)), NEAR_MAX};
    for (ptrdiff_t i = 0; i < m->constants.len; i++) {
        const constant *c = &m->constants.ptr[i];
        if (c->id >= 0 && partition_root(&m->classes, c->id) == class) {
            expand(&e, c);
        }
    }
    static const str numerals[] = {S_INIT("1"), S_INIT("2"), S_INIT("10"),
                                   S_INIT("1.0")};
    bool is_numeral = e.shape == SHAPE_TEXT && f->is_numeral;
    for (ptrdiff_t i = 0; is_numeral && i < countof(numerals); i++) {
        add(&e, value_text(numerals[i]));
    }
    if (e.shape == SHAPE_TEXT && collation_of(m, id) != COLLATION_BINARY) {
        add_spellings(&e, collation_of(m, id));
    }
    f->near = (value_list){0};
    add_fitting(m, id, &raw, &f->near, m->a);
    prepare_alike(m, id, e.shape);
    f->steps = (value_list){0};
    if ((e.shape == SHAPE_DATE || e.shape == SHAPE_TIMESTAMP)
        && is_stepped(m, class)) {
        add_steps(m, id, &f->steps, m->a);
    }
}

void pool_add_odd(const sampler *m, int32_t id, value_list *out, arena *a)
{
    value_list raw = {0};
    for (ptrdiff_t i = 0; i < m->constants.len && may_be_no_date(m, id); i++) {
        const constant *c = &m->constants.ptr[i];
        if (c->id >= 0
            && partition_root(&m->classes, c->id)
                   == partition_root(&m->classes, id)) {
            form_no_date(c, &raw, a);
        }
    }
    add_fitting(m, id, &raw, out, a);
}

// A common value as a column would hold it.
typedef struct common_fit {
    value v;
    bool is_known;
    bool fits;
} common_fit;

const value *pool_common(const sampler *m, int32_t id, ptrdiff_t i)
{
    const value_list *common = &m->common[pool_shape(m, id)];
    assert(i >= 0 && i < common->len);
    if (!m->fits[id]) {
        m->fits[id] = arena_new(m->a, common_fit, common->len);
    }
    common_fit *f = &m->fits[id][i];
    if (!f->is_known) {
        f->v = common->ptr[i];
        f->fits = pool_fit(m, id, &f->v, m->a)
                  && !value_breaks_check(m, id, f->v, m->a);
        f->is_known = true;
    }
    return f->fits ? &f->v : NULL;
}

void pool_prepare(sampler *m)
{
    m->fits = arena_new(m->a, common_fit *, m->n_columns);
    for (int s = 0; s < SHAPE_COUNT; s++) {
        m->common[s] = (value_list){0};
        expansion e = {&m->common[s], m->a, (value_shape)s, COMMON_MAX};
        add_always(&e);
        for (ptrdiff_t i = 0; i < m->constants.len; i++) {
            expand(&e, &m->constants.ptr[i]);
        }
    }
    for (int32_t id = 0; id < m->n_columns; id++) {
        if (m->is_wanted[m->columns[id].table]) {
            prepare_column(m, id);
        }
    }
    m->is_ready = true;
}
