/*
 * value_form.c - texts that a typed system takes for UUID, JSON, interval,
 * address, array and bit columns.
 *
 * Method      form_plain makes texts of the form from a number; form_fit tests,
 *             by simple signs, whether a given text is one. A wrong yes costs
 *             an INSERT that the server refuses, and so the instance; a wrong
 *             no costs one candidate.
 *
 * Cost        Linear in the text; JSON is parsed.
 */
#include "sample/value_form.h"

#include "base/json.h"

#include <assert.h>
#include <math.h>
#include <string.h>

value form_smaller(const schema_column *c, int64_t i)
{
    int64_t digits = 0;
    int64_t decimals = 0;
    type_sizes(c->type, &digits, &decimals);
    return value_real((double)(i + 1) * pow(10, -(double)decimals));
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

// BIT(3) is three bits, BIT alone one. 0: any number of them, up to the size of
// BIT VARYING(3).
static int64_t bits_of(str type, dialect d)
{
    int64_t size = 0;
    int64_t ignored = 0;
    type_sizes(type, &size, &ignored);
    bool varies = d == DIALECT_DUCKDB || str_starts_fold(type, S("varbit"))
                  || str_find_fold(type, S("varying"), 0) >= 0;
    return varies ? 0 : size > 0 ? size : 1;
}

static bool is_bit(char c)
{
    return c == '0' || c == '1';
}

static bool is_bits(str type, dialect d, str text)
{
    int64_t size = 0;
    int64_t ignored = 0;
    int64_t n = bits_of(type, d);
    type_sizes(type, &size, &ignored);
    return text.len > 0 && str_run(text, 0, is_bit) == text.len
           && (n > 0 ? text.len == n : size == 0 || text.len <= size);
}

// Of n bits those of a number, from the last; of any number of them one.
static str plain_bits(str type, dialect d, int64_t i, arena *a)
{
    int64_t n = bits_of(type, d);
    n = n > 0 ? n : 1;
    char *text = arena_new(a, char, n);
    for (int64_t k = 0; k < n; k++) {
        text[n - 1 - k] = k < 60 && ((i + 1) >> k & 1) ? '1' : '0';
    }
    return (str){text, n};
}

str form_plain(str type, type_form form, dialect d, int64_t i, arena *a)
{
    assert(i >= 0);
    unsigned long long n = (unsigned long long)i;
    switch (form) {
    case FORM_UUID:
        return arena_printf(a, "00000000-0000-4000-8000-%012llx", n + 1);
    case FORM_JSON: return arena_printf(a, "{\"a\": %llu}", n + 1);
    case FORM_INTERVAL: return arena_printf(a, "%llu days", n + 1);
    case FORM_ADDRESS:
        return arena_printf(a, "10.%llu.%llu.%llu", n / 65536 % 256,
                            n / 256 % 256, n % 256);
    case FORM_ARRAY: return plain_array(type, i, a);
    case FORM_BITS: return plain_bits(type, d, i, a);
    case FORM_WORDS: return type_word(type, i, a);
    case FORM_OTHER:
    case FORM_NONE: break;
    }
    return (str){0};
}

static bool is_made_of(str text, const char *others)
{
    bool ok = text.len > 0;
    for (ptrdiff_t i = 0; ok && i < text.len; i++) {
        char c = text.ptr[i];
        ok = is_digit(c) || (c != '\0' && strchr(others, c));
    }
    return ok;
}

static bool is_interval(str text)
{
    static const str units[] = {
        S_INIT("year"), S_INIT("mon"),    S_INIT("week"),  S_INIT("day"),
        S_INIT("hour"), S_INIT("minute"), S_INIT("second")};
    str number = str_cut(&text, ' ');
    bool ok = false;
    for (ptrdiff_t i = 0; i < countof(units); i++) {
        ok = ok || str_starts_fold(text, units[i]);
    }
    return ok && text.len < 9 && str_to_int(number, NULL);
}

// {1,20}
static bool is_number_list(str text)
{
    bool ok = text.len > 2 && str_starts(text, S("{")) && str_ends(text, S("}"))
              && is_made_of(str_sub(text, 1, text.len - 1), ",");
    for (ptrdiff_t i = 1; ok && i < text.len; i++) {
        ok = is_digit(text.ptr[i]) || is_digit(text.ptr[i - 1]);
    }
    return ok;
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
           || (has_number_items(type) && is_number_list(*text))
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

static bool is_word(str type, str text, arena scratch)
{
    str first = type_word(type, 0, &scratch);
    bool is = str_equal(first, text);
    for (int64_t i = 1; !is; i++) {
        str word = type_word(type, i, &scratch);
        if (str_equal(word, first)) {
            return false;
        }
        is = str_equal(word, text);
    }
    return true;
}

bool form_fit(str type, type_form form, dialect d, str *text, arena *a)
{
    assert(text && a);
    arena scratch = *a;
    switch (form) {
    case FORM_UUID:
        return text->len == 36 && is_made_of(*text, "-abcdefABCDEF");
    case FORM_JSON: return json_parse(&scratch, *text, NULL) != NULL;
    case FORM_INTERVAL: return is_interval(*text);
    case FORM_ADDRESS:
        return is_made_of(*text, ".") && text->len > 6 && text->len < 16;
    case FORM_ARRAY:
        return d == DIALECT_DUCKDB ? is_list(type, text, a)
                                   : is_array(type, text, a);
    case FORM_BITS: return is_bits(type, d, *text);
    case FORM_WORDS: return is_word(type, *text, scratch);
    case FORM_OTHER:
    case FORM_NONE: break;
    }
    return false;
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
                   && (c->part == LEAVES_BEGINNING || c->part == LEAVES_MONTH);
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

static bool takes(const column_type *t,
                  const schema_column *c,
                  dialect d,
                  value v,
                  arena a)
{
    if (value_is_null(v) || c->generated) {
        return true;
    }
    if (t->form == FORM_NONE || t->form == FORM_OTHER) {
        // What is unknown and must not be NULL has rows where nobody reads it.
        return t->form == FORM_NONE ? type_holds(t, v) : c->is_not_null;
    }
    str text = v.kind == VALUE_TEXT ? value_bytes(v) : (str){0};
    str same = text;
    return v.kind == VALUE_TEXT && form_fit(c->type, t->form, d, &same, &a)
           && str_equal(same, text);
}

bool form_takes_rows(const instance *i, const column_type *types, arena scratch)
{
    const schema *s = i->schema;
    dialect d = type_system(s);
    bool ok = true;
    for (ptrdiff_t t = 0; ok && t < s->n_tables; t++) {
        ptrdiff_t width = s->tables[t].n_columns;
        for (ptrdiff_t k = 0; ok && k < i->tables[t].n_rows * width; k++) {
            ok = takes(&types[k % width], &s->tables[t].columns[k % width], d,
                       i->tables[t].cells[k], scratch);
        }
        types += width;
    }
    return ok;
}
