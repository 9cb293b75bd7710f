/*
 * crew.c - see crew.h.
 *
 * Why         More workers than cores take turns, and each finds the caches
 *             filled by the others: sixteen on two cores took a fifth more
 *             processor time than two. A worker that waits for a server leaves
 *             its core to others, and a stream has short requests that must not
 *             wait for long ones: there it is for the user to say.
 */
#include "process/crew.h"

#include "base/cores.h"

static ptrdiff_t least(ptrdiff_t a, ptrdiff_t b)
{
    return a < b ? a : b;
}

ptrdiff_t crew_size(ptrdiff_t wanted, ptrdiff_t n_items, bool computes)
{
    ptrdiff_t n = least(wanted, CREW_MOST);
    n = n_items >= 0 ? least(n, n_items) : n;
    n = computes ? least(n, cores_usable()) : n;
    return n < 1 ? 1 : n;
}
