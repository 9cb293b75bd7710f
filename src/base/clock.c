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

static int64_t days_in_month(int64_t year, int64_t month)
{
    return clock_days(month == 12 ? year + 1 : year,
                      month == 12 ? 1 : month + 1, 1)
           - clock_days(year, month, 1);
}

// Cuts a number of exactly `digits` digits off the front of *s.
static bool take_number(str *s, ptrdiff_t digits, int64_t *out)
{
    assert(digits > 0);
    bool ok = s->len >= digits && is_digit(s->ptr[0])
              && str_to_int(str_sub(*s, 0, digits), out);
    *s = str_skip(*s, digits);
    return ok;
}

static bool take_char(str *s, char c)
{
    bool ok = s->len > 0 && s->ptr[0] == c;
    if (ok) {
        *s = str_skip(*s, 1);
    }
    return ok;
}

bool clock_parse(str text, int64_t *unix_ms)
{
    str s = str_trim(text);
    int64_t year = 0;
    int64_t month = 0;
    int64_t day = 0;
    int64_t hour = 0;
    int64_t minute = 0;
    int64_t second = 0;
    int64_t ms = 0;
    if (!take_number(&s, 4, &year) || !take_char(&s, '-')
        || !take_number(&s, 2, &month) || !take_char(&s, '-')
        || !take_number(&s, 2, &day)) {
        return false;
    }
    if (take_char(&s, 'T') || take_char(&s, ' ')) {
        if (!take_number(&s, 2, &hour) || !take_char(&s, ':')
            || !take_number(&s, 2, &minute)) {
            return false;
        }
        if (take_char(&s, ':') && !take_number(&s, 2, &second)) {
            return false;
        }
        if (take_char(&s, '.')) {
            for (int64_t unit = 100; s.len > 0 && is_digit(s.ptr[0]);
                 unit /= 10) {
                ms += (s.ptr[0] - '0') * unit;
                s = str_skip(s, 1);
            }
        }
    }
    take_char(&s, 'Z');
    if (s.len > 0 || month < 1 || month > 12 || day < 1
        || day > days_in_month(year, month) || hour > 23 || minute > 59
        || second > 59) {
        return false;
    }
    int64_t seconds = clock_days(year, month, day) * 86400 + hour * 3600
                      + minute * 60 + second;
    *unix_ms = seconds * 1000 + ms;
    return true;
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
