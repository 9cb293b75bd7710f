/*
 * neighbor_time.c - other dates, other spans, other units of time.
 *
 * Where PostgreSQL reads a string as a date or a span, '2023-1-01' and
 * '1 years' are the gold in other words, and 'x' is an error: what a model gets
 * wrong is the day, the number, the unit.
 */
#include "sample/moment.h"
#include "suite/neighbor_change.h"

#include <inttypes.h>

static const int64_t DAY_US = (int64_t)86400 * 1000000;

static void put_days(changer *c, const site *s, value time)
{
    static const struct {
        neighbor_kind kind;
        int64_t days;
    } steps[] = {
        {NEIGHBOR_NUMBER_NEAR, 1},    {NEIGHBOR_NUMBER_NEAR, -1},
        {NEIGHBOR_NUMBER_OTHER, 31},  {NEIGHBOR_NUMBER_OTHER, -31},
        {NEIGHBOR_NUMBER_OTHER, 366}, {NEIGHBOR_NUMBER_OTHER, -366},
    };
    for (ptrdiff_t i = 0; i < countof(steps); i++) {
        value moved = time;
        moved.i += steps[i].days * (time.kind == VALUE_DATE ? 1 : DAY_US);
        changer_text(c, steps[i].kind, s, value_shown(&c->trees, moved, 0));
    }
}

static const str units[] = {S_INIT("year"), S_INIT("quarter"), S_INIT("month"),
                            S_INIT("week"), S_INIT("day"),     S_INIT("hour")};

static void put_span(changer *c, const site *s, str text)
{
    int64_t n = 0;
    str unit = text;
    str number = str_cut(&unit, ' ');
    if (!str_to_int(number, &n)) {
        return;
    }
    for (int step = -1; step <= 1; step += 2) {
        changer_text(c, NEIGHBOR_NUMBER_NEAR, s,
                     arena_printf(&c->trees, "%" PRId64 " %.*s", n + step,
                                  STR_ARG(unit)));
    }
    changer_text(
        c, NEIGHBOR_NUMBER_OTHER, s,
        arena_printf(&c->trees, "%" PRId64 " %.*s", 10 * n, STR_ARG(unit)));
    for (ptrdiff_t i = 0; i < countof(units); i++) {
        bool is_own = str_starts_fold(unit, str_sub(units[i], 0, 3));
        if (!is_own && !str_equal(units[i], S("quarter"))) {
            changer_text(c, NEIGHBOR_STRING_OTHER, s,
                         arena_printf(&c->trees, "%.*s %.*s", STR_ARG(number),
                                      STR_ARG(units[i])));
        }
    }
}

// The unit of DATE_TRUNC and its like.
static bool is_unit_of_call(const site *s, str text)
{
    bool calls =
        s->parent && s->parent->kind == AST_CALL
        && str_among_fold(s->parent->text, "date_trunc date_part extract");
    bool is_unit = false;
    for (ptrdiff_t i = 0; i < countof(units); i++) {
        is_unit |= str_starts_fold(text, units[i]);
    }
    return calls && is_unit;
}

static void put_units(changer *c, const site *s, str text)
{
    for (ptrdiff_t i = 0; i < countof(units); i++) {
        if (!str_starts_fold(text, units[i])) {
            changer_text(c, NEIGHBOR_STRING_OTHER, s, units[i]);
        }
    }
}

bool change_time(changer *c, const site *s, str text)
{
    value time;
    moment_span span;
    if (!dialect_follows_postgres(c->options->dialect)) {
        return false;
    }
    if (value_read_time(text, &time)) {
        put_days(c, s, time);
    } else if (moment_span_read(text, &span)) {
        put_span(c, s, text);
    } else if (is_unit_of_call(s, text)) {
        put_units(c, s, text);
    } else {
        return false;
    }
    return true;
}
