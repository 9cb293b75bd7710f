// server_memory.c - see server_memory.h.
#include "engine/server_memory.h"

#include "engine/engine_driver.h"
#include "sql/name.h"

int64_t server_sort_kilobytes(const engine_limits *limits)
{
    enum {
        SHARE = 16,   // of what a worker may use
        LEAST = 4096  // what servers come with
    };
    int64_t share = limits->max_bytes / SHARE >> 10;
    return share > LEAST ? share : LEAST;
}

int64_t server_session_bytes(const engine_limits *limits)
{
    enum {
        LEAST = 64 << 20
    };
    return limits->max_bytes > LEAST ? limits->max_bytes : LEAST;
}

bool server_bounds_memory(database *db,
                          const char *bounds,
                          const char *asks,
                          int64_t most,
                          diag *d,
                          arena scratch)
{
    const dialect l = db->owner->driver->dialect;
    str number = arena_printf(&scratch, "%lld", (long long)most);
    engine_tell(db, name_statement(&scratch, bounds, &number, l), scratch);
    str ask = name_statement(&scratch, asks, &number, l);
    return str_equal(engine_ask_text(db, ask.ptr, &scratch), S("1"))
           || engine_says(db, S("the memory of the session cannot be limited"),
                          d);
}
