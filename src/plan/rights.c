// rights.c - see rights.h.
#include "plan/rights.h"

#include "engine/engine.h"

sandbox_rights rights_at(const source *from)
{
    if (!from) {
        return (sandbox_rights){0};
    }
    const char *const *files = engine_driver_files(from->driver);
    return (sandbox_rights){
        .readable = from->readable.len > 0 ? from->readable.ptr : NULL,
        .also = files,
        .may_connect = engine_driver_is_server(from->driver),
        // A library that reads of the machine makes threads as well.
        .may_load = files,
    };
}

void rights_load(const engine_driver *driver, worker *port)
{
    if (engine_driver_files(driver)) {
        diag ignored = diag_new(&port->lasting);
        const engine_options small = {.driver = driver, .is_small = true};
        engine_open(&small, &ignored);
    }
}
