/*
 * wilson.c - the Wilson score interval (E. B. Wilson, 1927).
 *
 * Why         The interval of the schoolbook, p +- z sqrt(p(1-p)/n), is a point
 *             at 0 % and 100 % and too short near them. Wilson's stays within
 *             [0, 1] and is right for small n.
 *
 * Method      All p0 that a two-sided test with z would not reject:
 *             (p + z²/2n +- z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n).
 */
#include "report/wilson.h"

#include <math.h>

double part_share(int64_t part, int64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : NAN;
}

interval wilson_interval(double yes, int64_t n)
{
    const double z = 1.959963984540054;  // 97.5 % of the normal distribution
    if (n <= 0) {
        return (interval){0, 1};
    }
    double count = (double)n;
    double p = yes / count;
    double zz = z * z / count;
    double middle = p + zz / 2;
    double spread = sqrt(zz * (p * (1 - p) + zz / 4));
    interval i = {(middle - spread) / (1 + zz), (middle + spread) / (1 + zz)};
    // Exact at the ends, where rounding would leave 1e-17.
    i.low = yes <= 0 || i.low < 0 ? 0 : i.low;
    i.high = yes >= count || i.high > 1 ? 1 : i.high;
    return i;
}
