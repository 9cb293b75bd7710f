// value_near.h - values worth a try; for value_pool.c alone.
#ifndef ASSAY_SAMPLE_VALUE_NEAR_H
#define ASSAY_SAMPLE_VALUE_NEAR_H

#include "sample/sample_internal.h"

enum {
    FIRST_DAY = 18262,  // 2020-01-01
};

#define DAY_US ((int64_t)86400 * 1000000)

// Values under construction, of one shape.
typedef struct expansion {
    value_list *out;
    arena *a;
    value_shape shape;
    ptrdiff_t max;
} expansion;

// Unless it is there, or the list is full.
void near_add(expansion *e, value v);
void near_add_text(expansion *e, str s);

// A constant and its neighbors, as values of the shape.
void near_expand(expansion *e, const constant *c);

// Values worth a try whatever the queries say; texts that the collation takes
// for the same.
void near_add_always(expansion *e);
void near_add_spellings(expansion *e, schema_collation collation);

bool near_has(const value_list *list, value v);

// Of a number that is whole; of days since 1970; of the first day of a year, if
// the value is one.
bool near_is_whole(double d);
value near_day(int64_t days);
bool near_year(value v, value *out);

#endif  // ASSAY_SAMPLE_VALUE_NEAR_H
