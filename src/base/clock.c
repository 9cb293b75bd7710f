/*
 * clock.c - the clocks of the system, and dates as numbers of days.
 *
 * Method      Days are counted in eras of 400 years, which all have 146097
 *             days. Years begin in March here, so that the leap day is the last
 *             day of its year and months need no table.
 */
#include "base/clock.h"

#include <assert.h>
#include <stdatomic.h>
#include <time.h>

// Set once, when a process begins.
static const _Atomic int64_t *followed;

static int64_t now_of(clockid_t which)
{
    struct timespec t = {0};
    clock_gettime(which, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t clock_ns(void)
{
    return now_of(CLOCK_MONOTONIC);
}

void clock_follow(const _Atomic int64_t *clock)
{
    followed = clock;
}

int64_t clock_limit_ns(void)
{
    return followed ? atomic_load(followed) : clock_ns();
}

int64_t clock_cpu_ns(void)
{
    return now_of(CLOCK_PROCESS_CPUTIME_ID);
}

int64_t clock_cpu_of_ns(pid_t process)
{
    clockid_t clock = 0;
    return clock_getcpuclockid(process, &clock) == 0 ? now_of(clock) : 0;
}

int64_t clock_days(int64_t year, int64_t month, int64_t day)
{
    assert(month >= 1 && month <= 12);
    // Years begin in March, so that the leap day is the last of its year.
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t year_of_era = year - era * 400;
    int64_t day_of_year =
        (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t day_of_era =
        year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

clock_date clock_date_of(int64_t days)
{
    // Years begin in March, as in clock_days.
    int64_t era = days / 146097;
    int64_t rest = days % 146097 + 719468;
    era += rest / 146097;
    rest %= 146097;
    if (rest < 0) {
        rest += 146097;
        era--;
    }
    int64_t year_of_era =
        (rest - rest / 1460 + rest / 36524 - rest / 146096) / 365;
    int64_t day_of_year =
        rest - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month = (5 * day_of_year + 2) / 153;
    int64_t day = day_of_year - (153 * month + 2) / 5 + 1;
    month += month < 10 ? 3 : -9;
    return (clock_date){era * 400 + year_of_era + (month <= 2), month, day};
}

int64_t clock_days_in(int64_t year, int64_t month)
{
    return clock_days(month == 12 ? year + 1 : year,
                      month == 12 ? 1 : month + 1, 1)
           - clock_days(year, month, 1);
}

bool clock_take_digits(str *s, ptrdiff_t digits, int64_t *out)
{
    assert(digits > 0 && digits < 18);
    bool ok = s->len >= digits;
    *out = 0;
    for (ptrdiff_t i = 0; ok && i < digits; i++) {
        ok = is_digit(s->ptr[i]);
        *out = *out * 10 + (s->ptr[i] - '0');
    }
    *s = str_skip(*s, ok ? digits : 0);
    return ok;
}

bool clock_take_char(str *s, char c)
{
    bool ok = s->len > 0 && s->ptr[0] == c;
    *s = str_skip(*s, ok);
    return ok;
}

bool clock_take_date(str *s, int64_t *days)
{
    int64_t year = 0;
    int64_t month = 0;
    int64_t day = 0;
    bool ok = clock_take_digits(s, 4, &year) && clock_take_char(s, '-')
              && clock_take_digits(s, 2, &month) && clock_take_char(s, '-')
              && clock_take_digits(s, 2, &day) && month >= 1 && month <= 12
              && day >= 1 && day <= clock_days_in(year, month);
    *days = ok ? clock_days(year, month, day) : 0;
    return ok;
}

bool clock_take_time(str *s, int64_t *us)
{
    int64_t hour = 0;
    int64_t minute = 0;
    int64_t second = 0;
    bool ok = clock_take_digits(s, 2, &hour) && clock_take_char(s, ':')
              && clock_take_digits(s, 2, &minute);
    bool has_second = ok && clock_take_char(s, ':');
    ok = ok && (!has_second || clock_take_digits(s, 2, &second));
    *us = ((hour * 60 + minute) * 60 + second) * 1000000;
    bool has_part = ok && has_second && clock_take_char(s, '.');
    for (int64_t unit = 100000; has_part && s->len > 0 && is_digit(s->ptr[0]);
         unit /= 10) {
        *us += (s->ptr[0] - '0') * unit;
        *s = str_skip(*s, 1);
    }
    return ok && hour < 24 && minute < 60 && second < 60;
}

bool clock_parse(str text, int64_t *unix_ms)
{
    str s = str_trim(text);
    int64_t days = 0;
    int64_t us = 0;
    bool ok = clock_take_date(&s, &days);
    if (ok && (clock_take_char(&s, 'T') || clock_take_char(&s, ' '))) {
        ok = clock_take_time(&s, &us);
    }
    clock_take_char(&s, 'Z');
    ok = ok && s.len == 0;
    if (ok) {
        *unix_ms = days * 86400000 + us / 1000;
    }
    return ok;
}

str clock_format(arena *a, int64_t unix_ms)
{
    time_t seconds = (time_t)(unix_ms / 1000);
    struct tm t = {0};
    gmtime_r(&seconds, &t);
    return arena_printf(a, "%04d-%02d-%02dT%02d:%02d:%02dZ", t.tm_year + 1900,
                        t.tm_mon + 1, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec);
}

int64_t clock_bound(int64_t unix_ms)
{
    const int64_t first = clock_days(1, 1, 1) * 86400000;
    const int64_t last = clock_days(10000, 1, 1) * 86400000 - 1;
    return unix_ms < first ? first : unix_ms > last ? last : unix_ms;
}
