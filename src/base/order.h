/*
 * order.h - orders for qsort and bsearch, by what they compare:
 *
 *     ORDER(by_load, merge_load, ORDER_UP(n), ORDER_UP(database))
 *
 * is a function by_load; of two elements a and b the first that differs
 * decides. What compares in another way stands there as an expression of a and
 * b. Numbers that are none differ from nothing.
 */
#ifndef ASSAY_BASE_ORDER_H
#define ASSAY_BASE_ORDER_H

#include "base/str.h"

#define ORDER(name, type, ...)                              \
    static int name(const void *left, const void *right)    \
    {                                                       \
        type const *a = left;                               \
        type const *b = right;                              \
        const int differ[] = {__VA_ARGS__};                 \
        int decides = 0;                                    \
        for (int i = countof(differ) - 1; i >= 0; i--) {    \
            decides = differ[i] != 0 ? differ[i] : decides; \
        }                                                   \
        return decides;                                     \
    }

#define ORDER_OF(x, y)     (((x) > (y)) - ((x) < (y)))
#define ORDER_UP(member)   ORDER_OF(a->member, b->member)  // the least first
#define ORDER_DOWN(member) ORDER_OF(b->member, a->member)
#define ORDER_TEXT(member) str_compare(a->member, b->member)

#endif  // ASSAY_BASE_ORDER_H
