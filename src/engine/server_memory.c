// server_memory.c - see server_memory.h.
#include "engine/server_memory.h"

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
