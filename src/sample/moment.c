/*
 * moment.c - constant expressions over dates, computed.
 *
 * Method      From the leaves up: the clock or a date, then spans added to it
 *             and truncations. Months are added as PostgreSQL does it: the same
 *             day of the month, or its last day.
 *
 * Invariants  Years stay within 1000 to 9998, so that dates always have the
 *             text form that all engines read; what would leave them is no
 *             moment.
 *
 * Cost        Linear in the expression, MOMENT_DEPTH_MAX levels deep.
 */
#include "sample/moment.h"

#include "base/clock.h"
#include "relation/relation_condition.h"

#include <assert.h>

static const int64_t DAY_US = (int64_t)86400 * 1000000;

enum {
    MOMENT_DEPTH_MAX = 20,
};

static const struct {
    str word;  // that the unit begins with
    int64_t months;
    int64_t us;
} units[] = {
    {S_INIT("year"), 12, 0},
    {S_INIT("quarter"), 3, 0},
    {S_INIT("mon"), 1, 0},
    {S_INIT("week"), 0, (int64_t)7 * 86400 * 1000000},
    {S_INIT("day"), 0, (int64_t)86400 * 1000000},
    {S_INIT("hour"), 0, (int64_t)3600 * 1000000},
    {S_INIT("minute"), 0, (int64_t)60 * 1000000},
    {S_INIT("second"), 0, 1000000},
};

static bool add_unit(moment_span *s, int64_t n, str unit)
{
    for (ptrdiff_t i = 0; i < countof(units); i++) {
        if (str_starts_fold(unit, units[i].word) && n > -100000 && n < 100000) {
            s->months += n * units[i].months;
            s->us += n * units[i].us;
            return true;
        }
    }
    return false;
}

bool moment_span_read(str text, moment_span *out)
{
    *out = (moment_span){0};
    text = str_trim(text);
    bool ok = text.len > 0;
    while (ok && text.len > 0) {
        int64_t n = 0;
        str word = str_cut(&text, ' ');
        ok = str_to_int(str_skip(word, str_starts(word, S("+"))), &n);
        text = str_trim(text);
        str unit = str_cut(&text, ' ');
        ok = ok && add_unit(out, n, unit);
        text = str_trim(text);
    }
    return ok;
}

// The content of a plain literal: 'text'.
static str content(const ast *n)
{
    str s = n && n->kind == AST_STRING ? n->text : (str){0};
    bool is_plain = s.len >= 2 && s.ptr[0] == '\'';
    return is_plain ? str_sub(s, 1, s.len - 1) : (str){0};
}

bool moment_interval(const ast *n, moment_span *out)
{
    if (n->kind == AST_CAST) {
        const ast *type = n->kid[CAST_TYPE];
        return type && type->kind == AST_TYPE
               && str_equal_fold(type->text, S("interval"))
               && moment_span_read(content(n->kid[CAST_EXPR]), out);
    }
    if (n->kind != AST_INTERVAL) {
        return false;
    }
    const ast *number = n->kid[INTERVAL_VALUE];
    bool falls = number->kind == AST_UNARY && number->form == OPERATOR_NEGATE;
    number = falls ? number->kid[UNARY_EXPR] : number;
    str text = number->kind == AST_NUMBER ? number->text : content(number);
    int64_t count = 0;
    *out = (moment_span){0};
    return n->text.len > 0
               ? str_to_int(str_trim(text), &count)
                     && add_unit(out, falls ? -count : count, n->text)
               : moment_span_read(text, out);
}

static int64_t us_of(value v)
{
    assert(v.kind == VALUE_DATE || v.kind == VALUE_TIMESTAMP);
    return v.kind == VALUE_DATE ? v.i * DAY_US : v.i;
}

// Midnight of a day, or a time.
static value moment_at(int64_t us)
{
    bool is_day = us % DAY_US == 0;
    return (value){.i = is_day ? us / DAY_US : us,
                   .kind = is_day ? VALUE_DATE : VALUE_TIMESTAMP};
}

// The moment's date.
static clock_date date_of(value v)
{
    int64_t us = us_of(v);
    return clock_date_of(us / DAY_US - (us % DAY_US < 0));
}

// A month on, the same day, or the last one of that month.
static bool shift(value *v, moment_span s, int sign)
{
    assert(sign == 1 || sign == -1);
    int64_t us = us_of(*v);
    if (s.months != 0) {
        int64_t rest = (us % DAY_US + DAY_US) % DAY_US;
        clock_date d = date_of(*v);
        int64_t month = d.year * 12 + d.month - 1 + sign * s.months;
        if (month < 12000 || month > (int64_t)9998 * 12) {
            return false;
        }
        int64_t last = clock_days_in(month / 12, month % 12 + 1);
        us = clock_days(month / 12, month % 12 + 1, d.day < last ? d.day : last)
                 * DAY_US
             + rest;
    }
    *v = moment_at(us + sign * s.us);
    return true;
}

// The beginning of the year, the month, the day that the moment is in.
static bool truncate(value *v, str unit)
{
    clock_date d = date_of(*v);
    bool is_day = str_starts_fold(unit, S("day"));
    int months = str_starts_fold(unit, S("year"))      ? 12
                 : str_starts_fold(unit, S("quarter")) ? 3
                 : str_starts_fold(unit, S("mon"))     ? 1
                                                       : 0;
    if (months > 0) {
        d.month -= (d.month - 1) % months;
        d.day = 1;
    }
    *v = (value){.i = clock_days(d.year, d.month, d.day), .kind = VALUE_DATE};
    return is_day || months > 0;
}

static bool look(int64_t clock_ms, const ast *n, int depth, value *out);

static bool is_now(str word)
{
    return str_among_fold(
        word, "current_timestamp localtimestamp now clock_timestamp "
              "transaction_timestamp statement_timestamp");
}

static bool tell_time(int64_t clock_ms, str word, value *out)
{
    *out = moment_at(clock_ms * 1000);
    bool is_date = str_equal_fold(word, S("current_date"));
    return clock_ms != 0
           && (is_now(word) || (is_date && truncate(out, S("day"))));
}

// SQLite's date('now', '-6 months', 'start of month').
static bool look_date(int64_t clock_ms, const ast *n, int depth, value *out)
{
    const ast *first = n->kid[CALL_ARGS];
    bool says_now = first && str_equal_fold(content(first), S("now"));
    bool ok = says_now ? tell_time(clock_ms, S("now"), out)
                       : look(clock_ms, first, depth + 1, out);
    for (const ast *m = ok && first ? first->next : NULL; ok && m;
         m = m->next) {
        moment_span s;
        str text = content(m);
        ok = str_starts_fold(text, S("start of "))
                 ? truncate(out, str_skip(text, 9))
                 : moment_span_read(text, &s) && shift(out, s, 1);
    }
    return ok
           && (!str_equal_fold(n->text, S("date")) || truncate(out, S("day")));
}

static bool look_call(int64_t clock_ms, const ast *n, int depth, value *out)
{
    const ast *first = n->kid[CALL_ARGS];
    if (!first || is_now(n->text)) {
        return tell_time(clock_ms, n->text, out);
    }
    if (str_equal_fold(n->text, S("date_trunc"))) {
        return look(clock_ms, first->next, depth + 1, out)
               && truncate(out, content(first));
    }
    return str_among_fold(n->text, "date datetime")
           && look_date(clock_ms, n, depth, out);
}

static bool look_binary(int64_t clock_ms, const ast *n, int depth, value *out)
{
    condition c = condition_of(n, false);
    int sign = c.how == OPERATOR_ADD ? 1 : c.how == OPERATOR_SUBTRACT ? -1 : 0;
    const ast *right = c.right;
    moment_span s = {0};
    int64_t days = 0;
    if (sign == 0 || !look(clock_ms, c.left, depth + 1, out)) {
        return false;
    }
    if (right->kind == AST_NUMBER && str_to_int(right->text, &days)
        && days < 100000) {
        s.us = days * DAY_US;
        return shift(out, s, sign);
    }
    return moment_interval(right, &s) && shift(out, s, sign);
}

static bool look_cast(int64_t clock_ms, const ast *n, int depth, value *out)
{
    const ast *type = n->kid[CAST_TYPE];
    return type && type->kind == AST_TYPE
           && look(clock_ms, n->kid[CAST_EXPR], depth + 1, out)
           && (!str_equal_fold(type->text, S("date"))
               || truncate(out, S("day")));
}

static bool look(int64_t clock_ms, const ast *n, int depth, value *out)
{
    if (!n || depth > MOMENT_DEPTH_MAX) {
        return false;
    }
    switch ((int)n->kind) {
    case AST_WORD:
    case AST_COLUMN:
    case AST_DOUBT: return tell_time(clock_ms, n->text, out);
    case AST_STRING:
        return depth > 0 && value_read_time(content(n), out)
               && out->kind != VALUE_INSTANT;
    case AST_TYPED: return look(clock_ms, n->kid[TYPED_VALUE], depth + 1, out);
    case AST_CAST: return look_cast(clock_ms, n, depth, out);
    case AST_CALL: return look_call(clock_ms, n, depth, out);
    case AST_BINARY: return look_binary(clock_ms, n, depth, out);
    default: return false;
    }
}

bool moment_of(const ast *n, int64_t clock_ms, value *out, arena *a)
{
    assert(n && a);
    value v;
    bool is_plain = n->kind == AST_TYPED || n->kind == AST_CAST;
    if (is_plain || !look(clock_ms, n, 0, &v)) {
        return false;
    }
    *out = value_text(value_shown(a, v, 0));
    return true;
}
