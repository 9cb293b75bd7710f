// type_value.c - the tables of type_value.def, and a look at rows.
#include "sample/type_value.h"

#include "base/words.h"
#include "sql/lex.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

enum {
    POSTGRES = 1 << DIALECT_POSTGRES,
    MYSQL = 1 << DIALECT_MYSQL,
    BIGQUERY = 1 << DIALECT_BIGQUERY,
    TSQL = 1 << DIALECT_TSQL,
    SNOWFLAKE = 1 << DIALECT_SNOWFLAKE,
    DUCKDB = 1 << DIALECT_DUCKDB,
    PG_LIKE = POSTGRES | DUCKDB,
    IN_32_BITS = POSTGRES | MYSQL | TSQL | DUCKDB,
    WITH_LETTER = POSTGRES | MYSQL | TSQL | SNOWFLAKE,
    ALL = POSTGRES | MYSQL | BIGQUERY | TSQL | SNOWFLAKE | DUCKDB,
};

// What a row is about.
typedef enum type_fact {
    OF_FORM,
    OF_WHOLE,
    OF_DIGITS,
    OF_LETTERS,
    OF_YEARS,
    OF_SECONDS,
} type_fact;

// A form, or two numbers, of the types of these words.
typedef struct type_row {
    type_fact what;
    int systems;
    const char *words;
    int one;
    int two;
} type_row;

static const type_row rows[] = {
#define FORM(systems, form, words) {OF_FORM, systems, words, FORM_##form, 0},
#define WHOLE(systems, words, bits, is_unsigned) \
    {OF_WHOLE, systems, words, bits, is_unsigned},
#define DIGITS(systems, words, whole, decimals) \
    {OF_DIGITS, systems, words, whole, decimals},
#define LETTERS(systems, words) {OF_LETTERS, systems, words, 1, 0},
#define YEARS(systems, words, first, last) \
    {OF_YEARS, systems, words, first, last},
#define SECONDS(systems, words, digits) {OF_SECONDS, systems, words, digits, 0},
#include "sample/type_value.def"
};

// The first that fits; NULL: none does.
static const type_row *row_of(type_fact what, str type, dialect d)
{
    str word = schema_type_word(type);
    for (ptrdiff_t i = 0; i < countof(rows); i++) {
        if (rows[i].what == what && (rows[i].systems >> d & 1)
            && str_among_fold(word, rows[i].words)) {
            return &rows[i];
        }
    }
    return NULL;
}

dialect type_system(const schema *s)
{
    return s->stands_for != DIALECT_SQLITE ? s->stands_for : s->dialect;
}

type_form type_form_named(str type, dialect d)
{
    if (d == DIALECT_SQLITE) {
        return FORM_NONE;
    }
    if (schema_type_is_array(type)) {
        return FORM_ARRAY;
    }
    const type_row *row = row_of(OF_FORM, type, d);
    if (row) {
        // INTERVAL YEAR TO MONTH has no days.
        bool is_part =
            row->one == FORM_INTERVAL && str_find(type, S(" "), 0) >= 0;
        return is_part ? FORM_OTHER : (type_form)row->one;
    }
    bool is_known = type.len == 0 || schema_type_is_known(type);
    return is_known ? FORM_NONE : FORM_OTHER;
}

str type_word(str type, int64_t i, arena *a)
{
    str word = {0};
    int64_t n = 0;
    // Once to count them, then to the one.
    for (int pass = 0; pass < 2 && (pass == 0 || n > 0); pass++) {
        int64_t at = pass == 0 ? INT64_MAX : i % n;
        lexer l = lex_begin(type, DIALECT_MYSQL);
        token t = lex_next_solid(&l);
        for (; t.kind != TOKEN_END && at >= 0; t = lex_next_solid(&l)) {
            word = t.kind == TOKEN_STRING ? token_text(type, t) : word;
            n += t.kind == TOKEN_STRING && pass == 0;
            at -= t.kind == TOKEN_STRING;
        }
    }
    return arena_str(a, ast_string(a, &(ast){.text = word}));
}

void type_sizes(str type, int64_t *first, int64_t *second)
{
    *first = 0;
    *second = 0;
    ptrdiff_t open = str_find(type, S("("), 0);
    ptrdiff_t close = str_find(type, S(")"), 0);
    if (open >= 0 && close > open) {
        str inside = str_sub(type, open + 1, close);
        str word = str_trim(str_cut(&inside, ','));
        bool ok = str_to_int(word, first);
        ok = ok && (inside.len == 0 || str_to_int(str_trim(inside), second));
        *first = ok ? *first : 0;
    }
}

// Texts: VARCHAR(MAX) has a size, CHARACTER VARYING is no CHARACTER.
static void read_letters(column_type *t, str type, dialect d)
{
    int64_t ignored = 0;
    type_sizes(type, &t->letters, &ignored);
    bool is_bare = str_find(type, S("("), 0) < 0
                   && str_find_fold(type, S(" varying"), 0) < 0;
    if (is_bare && row_of(OF_LETTERS, type, d)) {
        t->letters = 1;
    }
    t->is_filled = ((MYSQL | TSQL) >> d & 1)
                   && str_equal_fold(schema_type_word(type), S("binary"));
}

static void read_whole(column_type *t, str type, const type_row *row)
{
    int64_t size = 0;
    int64_t ignored = 0;
    type_sizes(type, &size, &ignored);
    bool has_none_below =
        row->two || str_find_fold(type, S("unsigned"), 0) >= 0;
    double bits = row->one > 0 ? row->one : size > 0 ? (double)size : 1;
    t->most = pow(2, has_none_below ? bits : bits - 1) - 1;
    t->least = has_none_below ? 0 : -t->most - 1;
}

// Less one of the last place, up to which a longer number is rounded; the
// digits of FLOAT(24) are binary ones.
static void read_decimal(column_type *t, str type, dialect d)
{
    int64_t size = 0;
    int64_t decimals = 0;
    type_sizes(type, &size, &decimals);
    const type_row *row = size > 0 ? NULL : row_of(OF_DIGITS, type, d);
    size = row ? row->one : size;
    decimals = row ? row->two : decimals;
    bool is_binary = t->kind == KIND_REAL && decimals == 0;
    if (size != 0 && !is_binary) {
        t->scale = pow(10, (double)decimals);
        t->below = pow(10, (double)(size - decimals)) - 1 / t->scale;
    }
}

// A time: the digits of a second that are kept; fewer than none: no seconds.
static void read_seconds(column_type *t, str type, dialect d)
{
    const type_row *row = row_of(OF_SECONDS, type, d);
    int64_t ignored = 0;
    t->seconds = row ? row->one : 6;
    if (str_find(type, S("("), 0) >= 0) {
        type_sizes(type, &t->seconds, &ignored);
    }
}

static void read_number(column_type *t, str type, dialect d)
{
    const type_row *whole = row_of(OF_WHOLE, type, d);
    if (whole) {
        read_whole(t, type, whole);
    } else if (t->has_years) {
        t->least = t->first_year;
        t->most = t->last_year;
    } else {
        read_decimal(t, type, d);
    }
}

static void read_years(column_type *t, str type, dialect d)
{
    const type_row *row = row_of(OF_YEARS, type, d);
    t->has_years = row != NULL;
    t->first_year = row ? row->one : 0;
    t->last_year = row ? row->two : 0;
}

// DuckDB, which keeps rows of its own, refuses what is none of a type that is
// not known here; PostgreSQL may know it by a name only, and have a text there.
column_type type_read(const schema_column *c, const schema *s)
{
    dialect d = type_system(s);
    column_type t = {.kind = c->kind, .least = -INFINITY, .most = INFINITY};
    if (d == DIALECT_SQLITE) {
        return t;
    }
    t.form = type_form_named(c->type, d);
    bool is_guess = t.form == FORM_OTHER && d == DIALECT_DUCKDB
                    && s->stands_for == DIALECT_SQLITE;
    t.form = is_guess ? FORM_NONE : t.form;
    read_years(&t, c->type, d);
    if (c->kind == KIND_TEXT || c->kind == KIND_BYTES) {
        read_letters(&t, c->type, d);
    } else if (c->kind == KIND_TIMESTAMP || c->kind == KIND_TIME) {
        read_seconds(&t, c->type, d);
    } else {
        read_number(&t, c->type, d);
    }
    return t;
}

const column_type *types_read(arena *a, const schema *s)
{
    ptrdiff_t n = 0;
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        n += s->tables[t].n_columns;
    }
    column_type *types = arena_new(a, column_type, n);
    column_type *next = types;
    for (ptrdiff_t t = 0; t < s->n_tables; t++) {
        for (ptrdiff_t c = 0; c < s->tables[t].n_columns; c++) {
            *next++ = type_read(&s->tables[t].columns[c], s);
        }
    }
    return types;
}

static bool holds_text(const column_type *t, str text)
{
    return t->letters == 0
           || (t->is_filled ? text.len == t->letters : text.len <= t->letters);
}

static bool holds_number(const column_type *t, value v)
{
    double n = v.kind == VALUE_INT ? (double)v.i : v.real;
    return n >= t->least && n <= t->most
           && (t->scale == 0
               || (fabs(n) < t->below
                   && fabs(n * t->scale - round(n * t->scale)) < 1e-6));
}

int64_t type_start(const column_type *t)
{
    return t->kind == KIND_INTEGER ? t->first_year : 0;
}

// Has the time no more digits of a second than its type keeps?
static bool holds_seconds(const column_type *t, str text)
{
    ptrdiff_t dot = str_find(text, S("."), 0);
    return t->seconds < 0 ? str_ends(text, S(":00"))
                          : dot < 0 || text.len - dot - 1 <= t->seconds;
}

static bool holds_moment(const column_type *t, str text)
{
    value v;
    int64_t year = 0;
    bool is_known = text.len >= 10 && value_read_time(text, &v)
                    && str_to_int(str_sub(text, 0, 4), &year);
    return is_known
           && (t->kind == KIND_DATE ? v.kind == VALUE_DATE
                                    : holds_seconds(t, text))
           && (!t->has_years
               || (year >= t->first_year && year <= t->last_year));
}

bool type_is_time(str s)
{
    char text[40];
    value v;
    int n = snprintf(text, sizeof text, "2020-01-01 %.*s", STR_ARG(s));
    return n < (int)sizeof text && value_read_time(str_from(text), &v)
           && v.kind == VALUE_TIMESTAMP;
}

bool type_holds(const column_type *t, value v)
{
    str text = v.kind == VALUE_TEXT || v.kind == VALUE_BLOB ? value_bytes(v)
                                                            : (str){0};
    switch (t->kind) {
    case KIND_INTEGER: return v.kind == VALUE_INT && holds_number(t, v);
    case KIND_REAL:
    case KIND_DECIMAL: return value_is_number(v) && holds_number(t, v);
    case KIND_TEXT: return v.kind == VALUE_TEXT && holds_text(t, text);
    case KIND_BYTES: return v.kind == VALUE_BLOB && holds_text(t, text);
    case KIND_BOOLEAN: return v.kind == VALUE_INT && (v.i == 0 || v.i == 1);
    case KIND_DATE:
    case KIND_TIMESTAMP: return v.kind == VALUE_TEXT && holds_moment(t, text);
    case KIND_TIME:
        return v.kind == VALUE_TEXT && type_is_time(text)
               && holds_seconds(t, text);
    case KIND_ANY: break;
    }
    return true;
}
