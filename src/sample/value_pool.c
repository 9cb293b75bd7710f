/*
 * value_pool.c - which values a column may hold, and which of them it is given.
 *
 * Invariants  Every value in `near` fits its column and breaks no check by
 *             itself; no list has a value twice.
 *
 * Cost        Constants times columns of their class.
 */
#include "sample/expr_eval.h"
#include "sample/moment.h"
#include "sample/sample_internal.h"
#include "sample/value_form.h"
#include "sample/value_near.h"
#include "sql/semantics.h"

#include <assert.h>

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

static bool fit_number(schema_affinity affinity, value *v)
{
    if (!expr_number_of(*v, v)) {
        return false;
    }
    if (affinity == AFFINITY_REAL) {
        *v = v->kind == VALUE_INT ? value_real((double)v->i) : *v;
    } else if (v->kind == VALUE_REAL && near_is_whole(v->real)) {
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
    if (v->kind == VALUE_REAL && is_key && near_is_whole(v->real)) {
        *v = value_int((int64_t)v->real);
    }
    if (v->kind != VALUE_TEXT) {
        *v = expr_text(*v, a);
        is_key = false;
    }
    if (!is_key && !schema_affinity_is_number(column_of(m, id)->affinity)) {
        return true;
    }
    bool is_number = expr_number_of(*v, &number);
    bool is_whole_real =
        is_number && number.kind == VALUE_REAL && near_is_whole(number.real);
    if (is_key && is_number
        && (is_whole_real
            || !str_equal(value_bytes(expr_text(number, a)),
                          value_bytes(*v)))) {
        return false;
    }
    // SQLite would make a number of it.
    return !schema_affinity_is_number(column_of(m, id)->affinity) || !is_number;
}

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
        time = time.kind == VALUE_DATE ? time : near_day(time.i / DAY_US);
    } else if (is_known && (shape == SHAPE_DATE || time.kind != VALUE_DATE)) {
        return true;  // as somebody wrote it
    }
    if (v->kind == VALUE_TEXT && may_be_no_date(m, id)) {
        return true;
    }
    if (v->kind != VALUE_DATE && v->kind != VALUE_TIMESTAMP
        && time.kind != VALUE_DATE && !near_year(*v, &time)) {
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
    case SHAPE_REAL: return fit_number(column_of(m, id)->affinity, v);
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
    schema_affinity affinity = column_of(m, id)->affinity;
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
    case SHAPE_TIMESTAMP: v = near_day(FIRST_DAY + i); break;
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

// As the column would hold them, what it can hold and `out` does not.
static void add_fitting(const sampler *m,
                        int32_t id,
                        const value_list *raw,
                        value_list *out,
                        arena *a)
{
    for (ptrdiff_t i = 0; i < raw->len; i++) {
        value v = raw->ptr[i];
        if (pool_fit(m, id, &v, a) && !near_has(out, v)
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
    near_expand(&e, c);
    add_fitting(m, id, &raw, out, a);
}

enum {
    YEAR = 366,
};

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
            near_add(&e, near_day(from[k]));
            near_add(&e, near_day(from[k] + (n < 0 ? -n : n)));
            value_list fits = {0};
            add_fitting(m, id, &pair, &fits, a);
            for (ptrdiff_t v = 0; fits.len == 2 && v < 2; v++) {
                *vec_push(a, out) = fits.ptr[v];
            }
        }
    }
}

// Values that the column, or one that it is compared with, takes for the same.
static void prepare_alike(sampler *m, int32_t id, value_shape shape)
{
    const class_facts *class = sampler_class(m, id);
    value_list raw = {0};
    expansion e = {&raw, m->a, shape, NEAR_MAX};
    if (shape == SHAPE_TEXT && m->columns[id].is_numeral) {
        near_add_text(&e, S("1"));
        near_add_text(&e, S("1.0"));
    } else if (shape == SHAPE_TEXT && class->collation != COLLATION_BINARY) {
        near_add_spellings(&e, class->collation);
    } else if (class->has_numeral) {
        near_add(&e, value_int(1));
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
            near_expand(&e, c);
        }
    }
    static const str numerals[] = {S_INIT("1"), S_INIT("2"), S_INIT("10"),
                                   S_INIT("1.0")};
    bool is_numeral = e.shape == SHAPE_TEXT && f->is_numeral;
    for (ptrdiff_t i = 0; is_numeral && i < countof(numerals); i++) {
        near_add(&e, value_text(numerals[i]));
    }
    if (e.shape == SHAPE_TEXT
        && column_of(m, id)->collation != COLLATION_BINARY) {
        near_add_spellings(&e, column_of(m, id)->collation);
    }
    f->near = (value_list){0};
    add_fitting(m, id, &raw, &f->near, m->a);
    prepare_alike(m, id, e.shape);
    f->steps = (value_list){0};
    if ((e.shape == SHAPE_DATE || e.shape == SHAPE_TIMESTAMP)
        && sampler_class(m, id)->is_stepped) {
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
        near_add_always(&e);
        for (ptrdiff_t i = 0; i < m->constants.len; i++) {
            near_expand(&e, &m->constants.ptr[i]);
        }
    }
    for (int32_t id = 0; id < m->n_columns; id++) {
        if (m->is_wanted[m->columns[id].table]) {
            prepare_column(m, id);
        }
    }
    m->is_ready = true;
}
