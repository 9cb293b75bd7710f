/*
 * order.h - comparison functions for qsort and bsearch, from a list of what
 * they compare:
 *
 *     ORDER(by_load, merge_load, ORDER_UP(n), ORDER_UP(database))
 *
 * is a function by_load; of two elements a and b the first that differs
 * decides. What compares in another way stands there as an expression of a and
 * b; ORDER_TEXT is for texts (base/str.h). Numbers that are none differ from
 * nothing.
 */
#ifndef ASSAY_BASE_ORDER_H
#define ASSAY_BASE_ORDER_H

#define ORDER(name, type, ...)                                             \
    static int name(const void *left, const void *right)                   \
    {                                                                      \
        type const *a = left;                                              \
        type const *b = right;                                             \
        const int differ[] = {__VA_ARGS__, 0};                             \
        const int *decides = differ;                                       \
        while (*decides == 0                                               \
               && decides + 1 < differ + sizeof differ / sizeof *differ) { \
            decides++;                                                     \
        }                                                                  \
        return *decides;                                                   \
    }

#define ORDER_OF(x, y)     (((x) > (y)) - ((x) < (y)))
#define ORDER_UP(member)   ORDER_OF(a->member, b->member)  // the least first
#define ORDER_DOWN(member) ORDER_OF(b->member, a->member)
#define ORDER_TEXT(member) str_compare(a->member, b->member)

#endif  // ASSAY_BASE_ORDER_H
