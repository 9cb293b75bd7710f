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

#endif  // ASSAY_BASE_CLOCK_H
