/*
 * report_order.c - in which order reports show groups, and how they find the
 * metric that a reference program would print.
 *
 * Method      Groups are sorted by a rank (levels of hardness from easy to
 *             hard, numbers by value, else none), then by name. Equal names do
 *             not occur, so the order does not depend on qsort.
 */
#include "base/order.h"
#include "base/words.h"
#include "report/report.h"

#include <stdlib.h>

// Levels of the known data sets, from easy to hard; others come after them.
static int hardness_rank(str name)
{
    static const struct {
        str name;
        int rank;
    } ranks[] = {
        {S_INIT("easy"), 0},   {S_INIT("simple"), 0},
        {S_INIT("medium"), 1}, {S_INIT("moderate"), 1},
        {S_INIT("hard"), 2},   {S_INIT("challenging"), 2},
        {S_INIT("extra"), 3},  {S_INIT("extra hard"), 3},
    };
    ptrdiff_t i = words_at_fold(ranks, name, name);
    return i >= 0 ? ranks[i].rank : 4;
}

typedef struct order_item {
    str name;
    int rank;
    int32_t id;
} order_item;

// Numbers by their value; a million and more are all alike.
static int number_rank(str name)
{
    int64_t n = 0;
    return str_to_int(name, &n) && n < 1000000 ? (int)n : 1000000;
}

ORDER(compare_items, order_item, ORDER_UP(rank), ORDER_TEXT(name))

typedef int name_rank(str name);

static int no_rank(str name)
{
    (void)name;
    return 0;
}

static const int32_t *order_of(const map *names, name_rank *rank_of, arena *a)
{
    ptrdiff_t n = map_count(names);
    order_item *items = arena_new(a, order_item, n + 1);
    for (ptrdiff_t id = 0; id < n; id++) {
        str name = map_key_at(names, id);
        items[id] = (order_item){name, rank_of(name), (int32_t)id};
    }
    qsort(items, (size_t)n, sizeof *items, compare_items);
    int32_t *order = arena_new(a, int32_t, n + 1);
    for (ptrdiff_t i = 0; i < n; i++) {
        order[i] = items[i].id;
    }
    return order;
}

const int32_t *report_group_order(const tally *t, tally_by by, arena *a)
{
    return order_of(&t->groups[by],
                    by == TALLY_BY_HARDNESS ? hardness_rank
                    : by == TALLY_BY_NUMBER ? number_rank
                                            : no_rank,
                    a);
}

const int32_t *report_hardness_order(const map *names, arena *a)
{
    return order_of(names, hardness_rank, a);
}

ptrdiff_t report_find_metric(const tally *t, str word, str rules)
{
    arena a = arena_on_stack(128);
    str key = arena_printf(&a, "%.*s:%.*s", STR_ARG(word), STR_ARG(rules));
    ptrdiff_t id = map_find(&t->metrics, key);
    return id >= 0 ? id : map_find(&t->metrics, word);
}
