/*
 * plug_place.h - the constants of a query and where they stand; for plug.c
 * alone.
 */
#ifndef ASSAY_INTENT_PLUG_PLACE_H
#define ASSAY_INTENT_PLUG_PLACE_H

#include "schema/bind.h"

typedef enum plug_role {
    PLUG_EQUAL,  // x = c, x <> c
    PLUG_LOW,    // x > c, BETWEEN c AND ...
    PLUG_HIGH,
    PLUG_LIST,  // x IN (c, d)
    PLUG_LIKE,
    PLUG_LIMIT,
    PLUG_OFFSET,
    PLUG_OTHER,  // an argument, an operand, an item: no value to be plugged
} plug_role;

typedef struct plug_value {
    const ast *node;
    plug_role role;
    str place;         // what it is compared with: "singer.age", "count(*)"
    schema_kind kind;  // of that
} plug_value;

typedef vec_of(plug_value) plug_values;

// In the order of the text.
plug_values plug_values_of(arena *a, const binding *b);

bool plug_is_constant(const binding *b, const ast *n);

#endif  // ASSAY_INTENT_PLUG_PLACE_H
