/*
 * value_interval.c - spans of time in one canonical text.
 *
 * Method      Days and microseconds are brought to one sign, with less than a
 *             day of microseconds, so that equal spans are equal texts.
 */
#include "table/value_interval.h"

#include <assert.h>

static const int64_t DAY_US = (int64_t)86400 * 1000000;

value value_interval(int64_t days, int64_t us, arena *a)
{
    days += us / DAY_US;
    us %= DAY_US;
    if (days > 0 && us < 0) {
        days--;
        us += DAY_US;
    } else if (days < 0 && us > 0) {
        days++;
        us -= DAY_US;
    }
    bool is_negative = days < 0 || us < 0;
    days = is_negative ? -days : days;
    us = is_negative ? -us : us;
    assert(days >= 0 && us >= 0 && us < DAY_US);
    buf text = buf_new(a);
    buf_printf(&text, "%s%lld days", is_negative ? "-" : "", (long long)days);
    value_show_clock(&text, us);
    value v = value_text(buf_str(&text));
    v.kind = VALUE_OTHER;
    return v;
}
