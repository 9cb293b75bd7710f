/*
 * value_form.c - texts that a typed system takes for UUID, JSON, interval,
 * address, array and bit columns, and the limits in type names.
 *
 * Method      The type's name decides by its beginning. form_plain makes texts
 *             of the form from a number; form_fit tests, by simple signs,
 *             whether a given text is one. A wrong yes costs an INSERT that the
 *             server refuses, and so the instance; a wrong no costs one
 *             candidate.
 *
 * Cost        Linear in the text; JSON is parsed.
 */
#include "sample/value_form.h"

#include "base/json.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

typedef enum form {
    FORM_NONE,
    FORM_UUID,
    FORM_JSON,
    FORM_INTERVAL,
    FORM_ADDRESS,
    FORM_ARRAY,
    FORM_BITS,
} form;

static const struct {
    str word;  // that the type begins with
    form form;
} forms[] = {
    {S_INIT("uuid"), FORM_UUID},         {S_INIT("json"), FORM_JSON},
    {S_INIT("interval"), FORM_INTERVAL}, {S_INIT("inet"), FORM_ADDRESS},
    {S_INIT("cidr"), FORM_ADDRESS},      {S_INIT("bit"), FORM_BITS},
};

static form form_of(str type)
{
    if (str_ends(type, S("]"))) {
        return FORM_ARRAY;
    }
    for (ptrdiff_t i = 0; i < countof(forms); i++) {
        if (str_starts_fold(type, forms[i].word)) {
            return forms[i].form;
        }
    }
    return FORM_NONE;
}

bool form_is_known(str type)
{
    return form_of(type) != FORM_NONE;
}

// The numbers in the parentheses of a type; 0: there is none.
static void sizes_of(str type, int64_t *first, int64_t *second)
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

static bool holds_text(str type, str text)
{
    int64_t most = 0;
    int64_t ignored = 0;
    sizes_of(type, &most, &ignored);
    return most == 0 || text.len <= most;
}

// The greatest number of a type of integers; those without a sign begin at 0.
static const struct {
    const char *words;
    double most;
    bool is_unsigned;
} integers[] = {
    {"tinyint int1", 127, false},
    {"smallint int2 smallserial", 32767, false},
    {"integer int int4 serial", 2147483647, false},
    {"utinyint", 255, true},
    {"usmallint", 65535, true},
    {"uinteger", 4294967295, true},
    {"ubigint uhugeint", INFINITY, true},
};

static bool holds_number(const schema_column *c, double number)
{
    str type = c->type;
    int64_t digits = 0;
    int64_t decimals = 0;
    for (ptrdiff_t i = 0; i < countof(integers); i++) {
        if (str_among_fold(type, integers[i].words)) {
            return number <= integers[i].most
                   && number
                          >= (integers[i].is_unsigned ? 0 : -integers[i].most);
        }
    }
    // Less one of the last place, up to which a longer number is rounded; the
    // digits of FLOAT(24) are binary ones.
    sizes_of(type, &digits, &decimals);
    double scale = pow(10, (double)decimals);
    bool is_binary = c->kind == KIND_REAL && decimals == 0;
    return digits == 0 || is_binary
           || (fabs(number) < pow(10, (double)(digits - decimals)) - 1 / scale
               && fabs(number * scale - round(number * scale)) < 1e-6);
}

value form_smaller(const schema_column *c, int64_t i)
{
    int64_t digits = 0;
    int64_t decimals = 0;
    sizes_of(c->type, &digits, &decimals);
    return value_real((double)(i + 1) * pow(10, -(double)decimals));
}

bool form_holds(const schema_column *c, value_shape shape, value v)
{
    switch (shape) {
    case SHAPE_INTEGER:
    case SHAPE_REAL:
        return holds_number(c, v.kind == VALUE_INT ? (double)v.i : v.real);
    case SHAPE_TEXT: return holds_text(c->type, value_bytes(v));
    case SHAPE_BOOLEAN: return v.kind == VALUE_INT;
    case SHAPE_DATE:
    case SHAPE_TIMESTAMP:
        return c->kind != KIND_TEXT || holds_text(c->type, value_bytes(v));
    case SHAPE_TIME:
    case SHAPE_BYTES:
    case SHAPE_FORM:
    case SHAPE_COUNT: break;
    }
    return true;
}

// The elements of an array are numbers, or texts.
static bool has_number_items(str type)
{
    static const str words[] = {
        S_INIT("int"),      S_INIT("bigint"),    S_INIT("smallint"),
        S_INIT("tinyint"),  S_INIT("hugeint"),   S_INIT("uinteger"),
        S_INIT("ubigint"),  S_INIT("usmallint"), S_INIT("utinyint"),
        S_INIT("uhugeint"), S_INIT("numeric"),   S_INIT("decimal"),
        S_INIT("real"),     S_INIT("float"),     S_INIT("double")};
    bool has = false;
    for (ptrdiff_t i = 0; !has && i < countof(words); i++) {
        // Of interval[] one would begin with int.
        has = str_starts_fold(type, words[i])
              && !str_starts_fold(type, S("interval"));
    }
    return has;
}

// The type of the elements of a list of lists; empty: they are no lists.
static str item_type(str type)
{
    str item = str_sub(type, 0, type.len - 2);
    return str_ends(type, S("[]")) && str_ends(item, S("]")) ? item : (str){0};
}

static bool has_text_items(str type)
{
    return str_starts_fold(type, S("text")) || str_starts_fold(type, S("char"))
           || str_starts_fold(type, S("varchar"));
}

static str plain_array(str type, int64_t i, arena *a)
{
    long long n = (long long)i;
    str item = item_type(type);
    if (item.len > 0) {
        return arena_printf(a, "{%.*s}", STR_ARG(plain_array(item, i, a)));
    }
    if (has_number_items(type)) {
        return i % 3 == 1 ? arena_printf(a, "{%lld,%lld}", n, n + 1)
                          : arena_printf(a, "{%lld}", n + 1);
    }
    char letter = (char)('a' + i % 26);
    if (has_text_items(type)) {
        return i % 3 == 1 ? arena_printf(a, "{%c,%c%lld}", letter, letter, n)
               : i < 26   ? arena_printf(a, "{%c}", letter)
                          : arena_printf(a, "{%c%lld}", letter, n);
    }
    return S("{}");  // of what its elements are nothing is known
}

str form_plain(str type, int64_t i, arena *a)
{
    assert(i >= 0);
    unsigned long long n = (unsigned long long)i;
    switch (form_of(type)) {
    case FORM_UUID:
        return arena_printf(a, "00000000-0000-4000-8000-%012llx", n + 1);
    case FORM_JSON: return arena_printf(a, "{\"a\": %llu}", n + 1);
    case FORM_INTERVAL: return arena_printf(a, "%llu days", n + 1);
    case FORM_ADDRESS:
        return arena_printf(a, "10.%llu.%llu.%llu", n / 65536 % 256,
                            n / 256 % 256, n % 256);
    case FORM_ARRAY: return plain_array(type, i, a);
    case FORM_BITS: return i % 2 == 0 ? S("1") : S("0");
    case FORM_NONE: break;
    }
    return (str){0};
}

static bool is_made_of(str text, const char *others)
{
    bool ok = text.len > 0;
    for (ptrdiff_t i = 0; ok && i < text.len; i++) {
        char c = text.ptr[i];
        bool is_other = false;
        for (const char *o = others; *o; o++) {
            is_other |= *o == c;
        }
        ok = is_other || is_digit(c);
    }
    return ok;
}

static bool is_interval(str text)
{
    static const str units[] = {
        S_INIT("year"), S_INIT("mon"),    S_INIT("week"),  S_INIT("day"),
        S_INIT("hour"), S_INIT("minute"), S_INIT("second")};
    str number = str_cut(&text, ' ');
    int64_t ignored = 0;
    bool ok = false;
    for (ptrdiff_t i = 0; i < countof(units); i++) {
        ok = ok || str_starts_fold(text, units[i]);
    }
    return ok && text.len < 9 && str_to_int(number, &ignored);
}

static bool is_array(str type, str *text, arena *a)
{
    bool is_plain = true;
    for (ptrdiff_t i = 0; i < text->len; i++) {
        char c = text->ptr[i];
        is_plain = is_plain && (is_alpha(c) || is_digit(c) || c == ' ');
    }
    bool fits = has_text_items(type)
                || (has_number_items(type) && is_made_of(*text, ""));
    if (is_plain && fits && str_trim(*text).len > 0) {
        *text = arena_printf(a, "{%.*s}", STR_ARG(*text));
        return true;
    }
    return (str_equal(*text, S("{}")))
           || (fits && str_starts(*text, S("{")) && str_ends(*text, S("}"))
               && has_text_items(type) && str_find(*text, S("\""), 0) < 0
               && str_find(*text, S(",}"), 0) < 0);
}

static bool stands_in(str text, str open, str close)
{
    return text.len > 1 && str_starts(text, open) && str_ends(text, close);
}

// The same for DuckDB, which writes [a, b]; of lists of lists [[a, b]].
static bool is_list(str type, str *text, arena *a)
{
    str item = item_type(type);
    if (item.len > 0) {
        bool is_pair = stands_in(*text, S("["), S("]"))
                       || stands_in(*text, S("{"), S("}"));
        str inside = is_pair ? str_sub(*text, 1, text->len - 1) : (str){0};
        bool ok = is_pair && (inside.len == 0 || is_list(item, &inside, a));
        *text = arena_printf(a, "[%.*s]", STR_ARG(inside));
        return ok;
    }
    if (stands_in(*text, S("["), S("]"))) {
        str inside = str_sub(*text, 1, text->len - 1);
        *text = arena_printf(a, "{%.*s}", STR_ARG(inside));
    }
    bool ok = is_array(type, text, a);
    if (stands_in(*text, S("{"), S("}"))) {
        str inside = str_sub(*text, 1, text->len - 1);
        *text = arena_printf(a, "[%.*s]", STR_ARG(inside));
    }
    return ok;
}

bool form_fit(str type, dialect d, str *text, arena *a)
{
    assert(text && a);
    arena scratch = *a;
    switch (form_of(type)) {
    case FORM_UUID:
        return text->len == 36 && is_made_of(*text, "-abcdefABCDEF");
    case FORM_JSON: return json_parse(&scratch, *text, NULL) != NULL;
    case FORM_INTERVAL: return is_interval(*text);
    case FORM_ADDRESS:
        return is_made_of(*text, ".") && text->len > 6 && text->len < 16;
    case FORM_ARRAY:
        return d == DIALECT_DUCKDB ? is_list(type, text, a)
                                   : is_array(type, text, a);
    case FORM_BITS: return text->len == 1 && is_made_of(*text, "");
    case FORM_NONE: break;
    }
    return false;
}

bool form_is_time(str s)
{
    char text[40];
    value v;
    int n = snprintf(text, sizeof text, "2020-01-01 %.*s", STR_ARG(s));
    return n < (int)sizeof text && value_read_time(str_from(text), &v)
           && v.kind == VALUE_TIMESTAMP;
}

value_shape form_near(const sampler *m,
                      const schema_column *c,
                      value_shape shape)
{
    bool is_text = shape == SHAPE_DATE && c->kind != KIND_DATE;
    return is_text && !m->o.original ? SHAPE_TIMESTAMP : shape;
}

void form_no_date(const constant *c, value_list *out, arena *a)
{
    str text = c->v.kind == VALUE_TEXT ? value_bytes(c->v) : (str){0};
    bool is_part = text.len > 0 && is_digit(text.ptr[0])
                   && (c->role == ROLE_PREFIX || c->role == ROLE_MONTH);
    if (!is_part) {
        return;
    }
    if (text.len == 2) {
        *vec_push(a, out) = value_text(arena_printf(a, "2020-%.2s", text.ptr));
        return;
    }
    char *other = arena_cstr(a, text);
    for (char *at = other; *at; at++) {
        *at = *at == '-' ? '/' : *at;
    }
    *vec_push(a, out) = c->v;
    *vec_push(a, out) = value_text(arena_printf(a, "%s/05", other));
}

bool form_has_plain_year(value time)
{
    enum {
        FIRST_DAY = -719528,  // 0000-01-01
        LAST_DAY = 2932896,   // 9999-12-31
    };
    const int64_t day_us = (int64_t)86400 * 1000000;
    int64_t days = time.kind == VALUE_DATE ? time.i : time.i / day_us;
    return days >= FIRST_DAY && days <= LAST_DAY;
}
