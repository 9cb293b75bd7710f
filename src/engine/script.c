// script.c - see script.h; the drivers do the work.
#include "engine/script.h"

#include "engine/engine_driver.h"

script_outcome engine_run_script(database *db, const script *s, arena *a)
{
    const engine *e = db->owner;
    if (!e->driver->run_script) {
        return (script_outcome){
            .run = {.status = REASON_NO_REFERENCE,
                    .message = arena_printf(a, "scripts are not run on %.*s",
                                            STR_ARG(e->driver->title)),
                    .offset = -1}};
    }
    script_outcome out = e->driver->run_script(db, s, a);
    out.run = engine_within(&out.run, e->options.limits.work);
    return out;
}
