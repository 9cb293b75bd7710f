// clock.h - what time it is, and how long things take.
#ifndef ASSAY_BASE_CLOCK_H
#define ASSAY_BASE_CLOCK_H

#include "base/arena.h"

#include <sys/types.h>

int64_t clock_ns(void);      // monotonic; only differences mean anything
int64_t clock_cpu_ns(void);  // processor time of this process
int64_t clock_cpu_of_ns(pid_t process);  // of another; 0: it cannot be said

// The time that counts against a limit: that of the clock which this process
// follows, one that stands while the process is stopped; else clock_ns().
int64_t clock_limit_ns(void);
void clock_follow(const _Atomic int64_t *clock);

// "2026-11-20", "2026-11-20T12:00:00", "2026-11-20 12:00:00.5Z": UTC, as
// milliseconds since 1970. False when it is none of these or no real date.
bool clock_parse(str text, int64_t *unix_ms);

// "2026-11-20T12:00:00Z"
str clock_format(arena *a, int64_t unix_ms);

// The nearest moment of the years 1 to 9999.
int64_t clock_bound(int64_t unix_ms);

// Days since 1970-01-01 of a date of the proleptic Gregorian calendar.
int64_t clock_days(int64_t year, int64_t month, int64_t day);
int64_t clock_days_in(int64_t year, int64_t month);

// The date so many days after 1970-01-01: any number, without overflow.
typedef struct clock_date {
    int64_t year;
    int64_t month;
    int64_t day;
} clock_date;

clock_date clock_date_of(int64_t days);

// Each cuts what it reads off the front of *s: "2026-11-20" as days since 1970,
// "12:00", "12:00:00.5" as microseconds (what is less is cut), so many digits, a
// character. False where there is none, or no real date or time.
bool clock_take_date(str *s, int64_t *days);
bool clock_take_time(str *s, int64_t *us);
bool clock_take_digits(str *s, ptrdiff_t digits, int64_t *out);
bool clock_take_char(str *s, char c);

#endif  // ASSAY_BASE_CLOCK_H
