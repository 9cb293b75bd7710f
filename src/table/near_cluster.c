/*
 * near_cluster.c - see near_cluster.h.
 *
 * Method      The bits of a double, read as an integer, grow with the double.
 *             Without their last `shift` bits they number buckets, each at
 *             least as wide as the tolerance at its place: two numbers that
 *             are near lie in one bucket or in neighbouring ones. Occupied
 *             neighbours are joined by union-find. Only a REAL makes a bucket
 *             occupied, for two integers are never near; an integer between
 *             two occupied buckets joins them.
 *
 * Cost        Linear in the numbers.
 */
#include "table/near_cluster.h"

#include "base/hash.h"

#include <assert.h>
#include <math.h>
#include <string.h>

near_clusters near_clusters_new(arena *a, ptrdiff_t max, double tolerance)
{
    assert(tolerance > 0 && tolerance <= NEAR_MAX_TOLERANCE);
    int exponent = 0;
    frexp(tolerance, &exponent);  // tolerance <= 2^exponent
    int shift = 53 + exponent;
    return (near_clusters){.buckets = counter_new(a, max),
                           .parents = arena_new(a, int32_t, max),
                           .shift = shift > 0 ? shift : 0};
}

double near_number(value v)
{
    double d = 0;
    switch ((value_kind)v.kind) {
    case VALUE_REAL: return v.real;
    case VALUE_INT:
    case VALUE_BOOL: return (double)v.i;
    case VALUE_DECIMAL:
        if (str_to_double(value_bytes(v), &d)) {
            return d;
        }
        break;
    case VALUE_NULL:
    case VALUE_TEXT:
    case VALUE_BLOB:
    case VALUE_DATE:
    case VALUE_TIMESTAMP:
    case VALUE_INSTANT:
    case VALUE_OTHER: break;
    }
    return NAN;
}

bool near_equal(double a, double b, double tolerance)
{
    return isfinite(a) && isfinite(b)
           && fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

static int64_t bucket_of(const near_clusters *c, double d)
{
    int64_t bits;
    memcpy(&bits, &d, sizeof bits);
    bits = bits < 0 ? INT64_MIN - bits : bits;
    // A floor division by 2^shift, also of negative numbers.
    int64_t width = (int64_t)1 << c->shift;
    return bits / width - (bits % width < 0);
}

static uint64_t bucket_key(int64_t bucket)
{
    return hash_mix(0, (uint64_t)bucket);
}

static int32_t root_of(near_clusters *c, int32_t id)
{
    while (c->parents[id] != id) {
        c->parents[id] = c->parents[c->parents[id]];
        id = c->parents[id];
    }
    return id;
}

void near_clusters_add(near_clusters *c, value real)
{
    if (!isfinite(real.real)) {
        return;
    }
    int64_t bucket = bucket_of(c, real.real);
    ptrdiff_t before = c->buckets.n;
    code_count *slot = counter_add(&c->buckets, bucket_key(bucket));
    if (c->buckets.n > before) {
        c->parents[slot->id] = (int32_t)slot->id;
    }
}

// The roots of the clusters in the bucket of d and the two beside it.
static int roots_around(near_clusters *c, double d, int32_t roots[3])
{
    int n = 0;
    int64_t bucket = bucket_of(c, d);
    for (int64_t near = bucket - 1; near <= bucket + 1; near++) {
        const code_count *slot = counter_find(&c->buckets, bucket_key(near));
        if (slot) {
            roots[n++] = root_of(c, (int32_t)slot->id);
        }
    }
    return n;
}

void near_clusters_join(near_clusters *c, value number)
{
    double d = near_number(number);
    int32_t roots[3];
    int n = isfinite(d) ? roots_around(c, d, roots) : 0;
    for (int i = 1; i < n; i++) {
        c->parents[root_of(c, roots[i])] = root_of(c, roots[0]);
    }
}

uint64_t near_clusters_find(near_clusters *c, value number)
{
    double d = near_number(number);
    int32_t roots[3];
    int n = isfinite(d) ? roots_around(c, d, roots) : 0;
    return n > 0 ? hash_mix(2, (uint64_t)roots[0]) : 0;
}
