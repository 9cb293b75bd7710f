/*
 * function.c - see function.h.
 *
 * Method      Binary search in the rows. The names of which nothing is known
 *             but where they may run are searched list by list.
 */
#include "sql/function.h"

#include <string.h>

static const sql_function functions[] = {
#define SCALAR(word, on, ...) \
    {.name = S_INIT(word), .systems = (on), .result = RESULT_##__VA_ARGS__},
#define AGGREGATE(word, on, ...) \
    SCALAR(word, on, __VA_ARGS__, .aggregates = true)
#define COLLECT(word, on, ...) \
    AGGREGATE(word, on, __VA_ARGS__, .collects = true)
#include "sql/function.def"
};

// Of which no more is known.
static const struct {
    const char *systems;
    const char *names;
} others[] = {
#define NAMES(systems, names) {systems, names},
#include "sql/function.def"
};

static int compare_fold(str name, str small)
{
    for (ptrdiff_t i = 0; i < name.len && i < small.len; i++) {
        int d =
            (unsigned char)to_lower(name.ptr[i]) - (unsigned char)small.ptr[i];
        if (d != 0) {
            return d;
        }
    }
    return (name.len > small.len) - (name.len < small.len);
}

const sql_function *function_of(str name)
{
    static const sql_function unknown;
    ptrdiff_t from = 0;
    ptrdiff_t to = countof(functions);
    while (from < to) {
        ptrdiff_t middle = (from + to) / 2;
        int d = compare_fold(name, functions[middle].name);
        if (d == 0) {
            return &functions[middle];
        }
        from = d > 0 ? middle + 1 : from;
        to = d > 0 ? to : middle;
    }
    return &unknown;
}

const sql_function *function_at(ptrdiff_t i)
{
    return i < countof(functions) ? &functions[i] : NULL;
}

static bool share(const char *some, const char *systems)
{
    return some && strpbrk(some, systems);
}

bool function_may_run(str name, const char *systems)
{
    bool may = share(function_of(name)->systems, systems);
    for (ptrdiff_t i = 0; !may && i < countof(others); i++) {
        may = share(others[i].systems, systems)
              && str_among_fold(name, others[i].names);
    }
    return may;
}

bool function_throws_dice(str name, const char *systems)
{
    return share(function_of(name)->random, systems);
}

static ptrdiff_t text_end(str sql, ptrdiff_t at)
{
    ptrdiff_t end = str_find(sql, str_sub(sql, at, at + 1), at + 1);
    return end < 0 ? sql.len : end + 1;
}

// How many arguments the call at `at` has; -1: there is none.
static ptrdiff_t count_args(str sql, ptrdiff_t at)
{
    while (at < sql.len && is_space(sql.ptr[at])) {
        at++;
    }
    if (at == sql.len || sql.ptr[at] != '(') {
        return -1;
    }
    ptrdiff_t depth = 1;
    ptrdiff_t commas = 0;
    bool is_empty = true;
    for (at++; at < sql.len && depth > 0;) {
        char c = sql.ptr[at];
        depth += (c == '(') - (c == ')');
        commas += depth == 1 && c == ',';
        is_empty = is_empty && (depth == 0 || is_space(c));
        at = c == '\'' ? text_end(sql, at) : at + 1;
    }
    return is_empty ? 0 : commas + 1;
}

bool function_tells_time(str sql,
                         ptrdiff_t begin,
                         ptrdiff_t end,
                         const char *systems)
{
    const sql_function *f = function_of(str_sub(sql, begin, end));
    ptrdiff_t n = f->clock_below > 0 ? count_args(sql, end) : -1;
    return share(f->clock, systems)
           && (f->clock_below == 0 || (n >= 0 && n < f->clock_below));
}
