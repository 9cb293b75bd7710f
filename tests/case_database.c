// case_database.c - see case_database.h.
#define _DEFAULT_SOURCE  // mkstemps
#include "case_database.h"

#include "base/clock.h"
#include "temporary.h"

#include <stdlib.h>
#include <unistd.h>

_Static_assert(sizeof((case_database){0}.file) >= TEMPORARY_SIZE,
               "a temporary name fits");

static bool write_setup(case_database *db,
                        test_case *c,
                        const engine_options *o)
{
    str sql = case_section(c, "setup");
    temporary_pattern(db->file, ".sql");
    int fd = mkstemps(db->file, 4);
    bool ok = fd >= 0
              && write(fd, sql.ptr ? sql.ptr : "", (size_t)sql.len) == sql.len;
    if (fd >= 0) {
        close(fd);
    }
    bool is_sqlite = o->driver == engine_driver_named(S("sqlite"));
    db->path = is_sqlite ? str_from(db->file)
                         : arena_printf(case_arena(c), "%.*s:%s",
                                        STR_ARG(case_engine(c)), db->file);
    return ok;
}

static bool make_on_server(case_database *db,
                           test_case *c,
                           const engine_options *o,
                           diag *d)
{
    db->name = arena_printf(case_arena(c), "assay_test_%d_%lld", (int)getpid(),
                            (long long)clock_ns());
    engine_dump dump = {
        .name = db->name, .path = S("setup"), .text = case_section(c, "setup")};
    db->server = engine_open(o, d);
    return db->server
           && engine_make_database(db->server, case_server(c), &dump, &db->path,
                                   case_arena(c), d, case_scratch(c));
}

bool case_database_open(case_database *db, test_case *c, engine_options *o)
{
    *db = (case_database){0};
    diag d = diag_new(case_arena(c));
    o->driver = engine_driver_named(case_engine(c));
    bool is_file = o->driver && !engine_driver_is_server(o->driver);
    if (!o->driver) {
        case_broken(c, "no engine '%.*s'", STR_ARG(case_engine(c)));
    } else if (is_file ? !write_setup(db, c, o)
                       : !make_on_server(db, c, o, &d)) {
        str why = d.messages.len > 0
                      ? diag_format(case_arena(c), d.messages.ptr[0])
                      : S("cannot write a file");
        case_broken(c, "cannot set up the case: %.*s", STR_ARG(why));
    } else {
        return true;
    }
    return false;
}

void case_database_close(case_database *db, test_case *c)
{
    if (db->server) {
        engine_drop_database(db->server, case_server(c), db->name,
                             case_scratch(c));
        engine_close(db->server);
    } else if (db->file[0]) {
        unlink(db->file);
    }
}
