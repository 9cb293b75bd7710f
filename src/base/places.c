// places.c - see places.h.
#include "base/places.h"

bool places_have(const int32_t *places, ptrdiff_t n, ptrdiff_t wanted)
{
    for (ptrdiff_t i = 0; i < n; i++) {
        if (places[i] == wanted) {
            return true;
        }
    }
    return false;
}

bool places_stay(const int32_t *places, ptrdiff_t n)
{
    for (ptrdiff_t i = 0; places && i < n; i++) {
        if (places[i] != i) {
            return false;
        }
    }
    return true;
}
