/*
 * near_cluster.c - union-find over buckets of doubles.
 *
 * Method      The bits of a double, read as an integer, grow with the double.
 *             Without their last `shift` bits they number buckets, each at
 *             least as wide as the tolerance at its place: two numbers that are
 *             near lie in one bucket or in neighbouring ones. Occupied
 *             neighbours are joined by union-find. Only a REAL makes a bucket
 *             occupied, for two integers are never near; an integer between two
 *             occupied buckets joins them. A bit filter answers most look-ups
 *             that find nothing.
 *
 * Invariants  The calls come in the order that near_cluster.h gives: all REALs
 *             before the link, all look-ups after it.
 *
 * Cost        Linear in the numbers.
 */
#include "table/near_cluster.h"

#include "base/hash.h"
#include "table/value_key.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    FILTER_BITS = 16,  // for each occupied bucket
};

near_clusters near_clusters_new(arena *a, double tolerance)
{
    assert(tolerance > 0 && tolerance <= NEAR_MAX_TOLERANCE);
    int exponent = 0;
    frexp(tolerance, &exponent);  // tolerance <= 2^exponent
    int shift = 53 + exponent;
    return (near_clusters){.occupied = counter_new(a, 0),
                           .shift = shift > 0 ? shift : 0};
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
    assert(id >= 0 && id < c->buckets.len);
    while (c->parents[id] != id) {
        c->parents[id] = c->parents[c->parents[id]];
        id = c->parents[id];
    }
    return id;
}

void near_clusters_add(near_clusters *c, value real, arena *a)
{
    assert(real.kind == VALUE_REAL);
    assert(!c->parents);
    if (!isfinite(real.real)) {
        return;
    }
    int64_t bucket = bucket_of(c, real.real);
    counter_make_room(&c->occupied, a);
    code_count *slot = counter_add(&c->occupied, bucket_key(bucket));
    if (slot->id == c->buckets.len) {
        *vec_push(a, &c->buckets) = bucket;
    }
}

// Joins the cluster of bucket `id` with that of `bucket`, if it is occupied.
static void join_with(near_clusters *c, int32_t id, int64_t bucket)
{
    const code_count *slot = counter_find(&c->occupied, bucket_key(bucket));
    if (slot) {
        c->parents[root_of(c, (int32_t)slot->id)] = root_of(c, id);
    }
}

// The bit for the four buckets around and with this one.
static uint64_t filter_bit(const near_clusters *c, int64_t bucket)
{
    int64_t four = (bucket - ((bucket % 4 + 4) % 4)) / 4;
    return hash_mix(1, (uint64_t)four) & c->filter_mask;
}

static void make_filter(near_clusters *c, arena *a)
{
    ptrdiff_t n_bits = 64;
    while (n_bits < FILTER_BITS * c->buckets.len) {
        n_bits *= 2;
    }
    c->filter = arena_new(a, uint64_t, n_bits / 64);
    c->filter_mask = (uint64_t)n_bits - 1;
    for (ptrdiff_t id = 0; id < c->buckets.len; id++) {
        for (int beside = -1; beside <= 1; beside += 2) {
            uint64_t bit = filter_bit(c, c->buckets.ptr[id] + beside);
            c->filter[bit / 64] |= (uint64_t)1 << bit % 64;
        }
    }
}

void near_clusters_link(near_clusters *c, arena *a)
{
    assert(!c->parents);
    c->parents = arena_new(a, int32_t, c->buckets.len);
    for (ptrdiff_t id = 0; id < c->buckets.len; id++) {
        c->parents[id] = (int32_t)id;
    }
    for (ptrdiff_t id = 0; id < c->buckets.len; id++) {
        join_with(c, (int32_t)id, c->buckets.ptr[id] + 1);
    }
    make_filter(c, a);
}

// An occupied bucket at `bucket` or beside it, -1: there is none.
static int32_t occupied_around(const near_clusters *c, int64_t bucket)
{
    uint64_t bit = filter_bit(c, bucket);
    if (!(c->filter[bit / 64] >> bit % 64 & 1)) {
        return -1;
    }
    static const int64_t beside[] = {0, -1, 1};
    for (int i = 0; i < countof(beside); i++) {
        const code_count *slot =
            counter_find(&c->occupied, bucket_key(bucket + beside[i]));
        if (slot) {
            return (int32_t)slot->id;
        }
    }
    return -1;
}

void near_clusters_join(near_clusters *c, value number)
{
    assert(c->parents);
    double d = value_to_double(number);
    int64_t bucket = isfinite(d) ? bucket_of(c, d) : 0;
    int32_t id = isfinite(d) ? occupied_around(c, bucket) : -1;
    if (id >= 0) {
        join_with(c, id, bucket);
        join_with(c, id, bucket + 1);
    }
}

uint64_t near_clusters_find(near_clusters *c, value number)
{
    assert(c->parents);
    double d = value_to_double(number);
    int32_t id = isfinite(d) ? occupied_around(c, bucket_of(c, d)) : -1;
    return id >= 0 ? hash_mix(2, (uint64_t)root_of(c, id)) : 0;
}
