// function.c - see function.h.
#include "sql/function.h"

static const sql_function functions[] = {
#define SCALAR(word, ...) \
    {.name = S_INIT(word), .result = RESULT_##__VA_ARGS__},
#define AGGREGATE(word, ...) SCALAR(word, __VA_ARGS__, .aggregates = true)
#define COLLECT(word, ...)   AGGREGATE(word, __VA_ARGS__, .collects = true)
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
