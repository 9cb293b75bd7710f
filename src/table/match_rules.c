// match_rules.c - see match_rules.h.
#include "table/match_rules.h"

int match_rank(const table *gold, ptrdiff_t g, const table *pred, ptrdiff_t p)
{
    if (gold->names[g].len > 0) {
        if (str_equal(gold->names[g], pred->names[p])) {
            return 0;
        }
        if (str_equal_fold(gold->names[g], pred->names[p])) {
            return 1;
        }
    }
    return g == p ? 2 : 3;
}
