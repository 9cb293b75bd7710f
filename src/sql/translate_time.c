/*
 * translate_time.c - times of other systems in SQLite's words: units, formats,
 * spans that are added.
 *
 * Method      A function of a time and a unit, or of a time and a format, has a
 *             row in time.def that says which of its arguments is which.
 *             What it gives is one of few things, the same for all systems: a
 *             part as a number, the moment at which the unit began, how many
 *             units two times are apart, a text.
 */
#include "sql/translate.h"
#include "sql/translate_internal.h"

#include <assert.h>

enum {
    GIVES_PART,     // a number, whole
    GIVES_BEGIN,    // the moment at which the unit began
    GIVES_APART,    // how many ends of units lie between the time and the other
    GIVES_ELAPSED,  // how many whole units
    GIVES_MYSQL,    // a text, in a format of this style, and so on
    GIVES_GOOGLE,
    GIVES_ORACLE,
    GIVES_NET,
};

static const struct {
    str name;
    str where;
    str letters;  // T-SQL's
    str part;
    str interval;
    int seconds;
    str begin;
} units[] = {
#define UNIT(name, where, letters, part, interval, seconds, begin)   \
    {S_INIT(name),     S_INIT(where), S_INIT(letters), S_INIT(part), \
     S_INIT(interval), seconds,       S_INIT(begin)},
#include "sql/time.def"
};

static const struct {
    str name;
    str where;
    int unit;  // or the format: the how manieth argument, from 1
    int time;
    int other;  // the later time; 0: none
    int gives;
} timed[] = {
#define TIMED(name, where, unit, time, other, gives) \
    {S_INIT(name), S_INIT(where), unit, time, other, GIVES_##gives},
#include "sql/time.def"
};

static const struct {
    int style;
    str word;
    str format;
} signs[] = {
#define SIGN(style, word, format) {GIVES_##style, S_INIT(word), S_INIT(format)},
#include "sql/time.def"
};

static ptrdiff_t unit_named(dialect from, str word)
{
    for (ptrdiff_t i = 0; i < countof(units); i++) {
        bool has_letters =
            from == DIALECT_TSQL && str_among_fold(word, units[i].letters.ptr);
        if (dialect_is_among(from, units[i].where, true)
            && (has_letters || str_equal_fold(word, units[i].name))) {
            return i;
        }
    }
    return -1;
}

str translate_unit(dialect from, str word)
{
    ptrdiff_t unit = unit_named(from, word);
    return unit < 0 ? (str){0} : units[unit].name;
}

// date + so many units. Without a time of day in the unit it stays a date,
// unless it is known to be none; in PostgreSQL it is a moment, which is seen
// where it is not compared.
ast *translate_shift(translator *t, ast *n, ast *date, ast *by, bool minus)
{
    str number = {0};
    str word = {0};
    ast *value = by->kid[INTERVAL_VALUE];
    bool is_number = translate_interval(by, &number, &word);
    ptrdiff_t unit = unit_named(t->words.from, word);
    bool is_known = unit >= 0 && units[unit].interval.len > 0;
    if (!is_known || !value || (!is_number && value->kind == AST_STRING)) {
        return translate_refuse(t, n, S("this interval"));
    }
    // The text of a day is a moment to DATEADD.
    bool becomes_moment = dialect_follows_postgres(t->words.from)
                          || (date->kind == AST_STRING
                              && (t->words.from == DIALECT_TSQL
                                  || t->words.from == DIALECT_SNOWFLAKE));
    if (becomes_moment && !t->is_compared) {
        return translate_refuse(t, n, S("a day that becomes a moment"));
    }
    bool is_moment =
        date->kind == AST_CALL && str_equal_fold(date->text, S("datetime"));
    bool keeps_date =
        !is_moment
        && (units[unit].seconds == 0 || units[unit].seconds >= 86400);
    const char *function = keeps_date ? "date" : "datetime";
    ast *args[] = {date, value};
    str text =
        is_number
            ? arena_printf(t->words.a, "%s(?1, '%s%.*s %.*s')", function,
                           minus ? "-" : "+", STR_ARG(number),
                           STR_ARG(units[unit].interval))
            : arena_printf(t->words.a, "%s(?1, (%s?2) || ' %.*s')", function,
                           minus ? "-" : "0 + ", STR_ARG(units[unit].interval));
    return translate_expression(t, text, args);
}

/* Units. */

ast *translate_argument(const ast *call, int no)
{
    ast *arg = call->kid[CALL_ARGS];
    for (; arg && no > 1; no--) {
        arg = arg->next;
    }
    return arg && arg->kind == AST_TAGGED ? arg->kid[TAGGED_EXPR] : arg;
}

// The ends of years, months or days between both.
static str apart(translator *t, ptrdiff_t unit)
{
    str of = units[unit].interval;
    str years = S("CAST(strftime('%Y', ?2) AS INTEGER)"
                  " - CAST(strftime('%Y', ?1) AS INTEGER)");
    return units[unit].seconds == 86400
               ? S("CAST(julianday(date(?2)) - julianday(date(?1)) AS INTEGER)")
           : str_equal(of, S("years")) ? years
           : str_equal(of, S("months"))
               ? arena_printf(t->words.a,
                              "12 * (%.*s) + CAST(strftime('%%m', ?2) AS "
                              "INTEGER) - CAST(strftime('%%m', ?1) AS INTEGER)",
                              STR_ARG(years))
               : (str){0};
}

// Whole units that have gone by.
static str elapsed(translator *t, ptrdiff_t unit)
{
    return units[unit].seconds > 0
               ? arena_printf(t->words.a,
                              "(CAST(strftime('%%s', ?2) AS INTEGER) - "
                              "CAST(strftime('%%s', ?1) AS INTEGER)) / %d",
                              units[unit].seconds)
               : (str){0};
}

static str begin(translator *t, ptrdiff_t unit)
{
    return units[unit].begin.len > 0 ? arena_printf(
               t->words.a, "strftime('%.*s', ?1)", STR_ARG(units[unit].begin))
                                     : (str){0};
}

static ptrdiff_t timed_row(dialect from, const ast *call, int n_args)
{
    for (ptrdiff_t i = 0; i < countof(timed); i++) {
        if (n_args == (timed[i].other ? 3 : 2)
            && dialect_is_among(from, timed[i].where, true)
            && str_equal_fold(call->text, timed[i].name)) {
            return i;
        }
    }
    return -1;
}

/* Formats. */

// MMMM, dddd and SSSS are other signs than MM, dd and SS.
static bool goes_on(str rest, str sign)
{
    return rest.len > sign.len && rest.ptr[sign.len] == sign.ptr[sign.len - 1];
}

// A letter that stands for something, or a mark before what stands for itself.
static bool is_special(str rest)
{
    return is_alpha(rest.ptr[0]) || rest.ptr[0] == '%' || rest.ptr[0] == '\\'
           || rest.ptr[0] == '"' || str_starts(rest, S("''"));
}

// In strftime's signs; empty: it has others.
static str format_of(translator *t, const ast *literal, int style)
{
    bool is_known = literal && literal->kind == AST_STRING;
    str rest = is_known ? literal->text : (str){0};
    buf out = buf_new(t->words.a);
    while (is_known && rest.len > 0) {
        ptrdiff_t i = 0;
        while (
            i < countof(signs)
            && (signs[i].style != style || !str_starts(rest, signs[i].word))) {
            i++;
        }
        bool is_sign = i < countof(signs);
        is_known = is_sign ? !goes_on(rest, signs[i].word) : !is_special(rest);
        buf_add(&out, is_sign ? signs[i].format : str_sub(rest, 0, 1));
        rest = str_skip(rest, is_sign ? signs[i].word.len : 1);
    }
    return is_known ? buf_str(&out) : (str){0};
}

static str formatted(translator *t, const ast *literal, int style)
{
    str format = format_of(t, literal, style);
    return format.len > 0
               ? arena_printf(t->words.a, "strftime(%.*s, ?1)", STR_ARG(format))
               : (str){0};
}

// As SQLite says it, of ?1 and ?2; empty: it does not.
static str given(translator *t, const ast *word, int gives)
{
    if (gives >= GIVES_MYSQL) {
        return formatted(t, word, gives);
    }
    bool is_text = word->kind == AST_STRING && word->text.len >= 2;
    str name =
        is_text ? str_sub(word->text, 1, word->text.len - 1) : word->text;
    ptrdiff_t unit = unit_named(t->words.from, name);
    return unit < 0                 ? (str){0}
           : gives == GIVES_PART    ? units[unit].part
           : gives == GIVES_BEGIN   ? begin(t, unit)
           : gives == GIVES_ELAPSED ? elapsed(t, unit)
                                    : apart(t, unit);
}

ast *translate_timed(translator *t, ast *n, int n_args)
{
    ptrdiff_t row = timed_row(t->words.from, n, n_args);
    if (row < 0) {
        return NULL;
    }
    int gives = timed[row].gives;
    str as = given(t, translate_argument(n, timed[row].unit), gives);
    ast *args[] = {translate_argument(n, timed[row].time),
                   translate_argument(n, timed[row].other)};
    return as.len > 0 ? translate_expression(t, as, args)
                      : translate_refuse(t, n,
                                         gives >= GIVES_MYSQL
                                             ? S("this format of a time")
                                             : S("a function of this unit"));
}

const ast *translate_time_of(dialect from, const ast *call, const ast **other)
{
    ptrdiff_t row = timed_row(from, call, ast_list_len(call->kid[CALL_ARGS]));
    *other = row >= 0 && timed[row].other
                 ? translate_argument(call, timed[row].other)
                 : NULL;
    return row >= 0 ? translate_argument(call, timed[row].time) : NULL;
}
