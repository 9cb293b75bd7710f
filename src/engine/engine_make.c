/*
 * engine_make.c - databases made on servers for one run: created, loaded from a
 * dump or copied from one that was, dropped. The words are the driver's.
 */
#include "engine/dump_split.h"
#include "engine/engine_driver.h"
#include "engine/url.h"
#include "sql/name.h"

// A connection of our own that may write; NULL with a message.
static database *reach(engine *e, str url, diag *d, arena *scratch)
{
    database *db = arena_alloc(scratch, e->driver->database_size,
                               _Alignof(max_align_t), 1);
    db->owner = e;
    db->path = str_from(arena_cstr(scratch, url));
    if (e->driver->reach(db, d, *scratch)) {
        return db;
    }
    e->driver->disconnect(db);
    return NULL;
}

static void hang_up(database *db)
{
    if (db) {
        db->owner->driver->disconnect(db);
    }
}

// Runs one statement; false with a message at `place`.
static bool run(database *db,
                const dump_statement *s,
                diag_place place,
                diag *d,
                arena scratch)
{
    const engine_driver *driver = db->owner->driver;
    str sql = str_from(arena_cstr(&scratch, s->sql));
    str why = {0};
    bool ok = s->has_rows && driver->copy_in
                  ? driver->copy_in(db, sql, s->rows, &scratch, &why)
                  : driver->ask(db, sql, NULL, &scratch, &why);
    return ok || s->is_optional
           || diag_add(d, place, "cannot load the dump: %.*s", STR_ARG(why));
}

static bool load(database *db, const engine_dump *dump, diag *d, arena scratch)
{
    const engine *e = db->owner;
    str now =
        arena_printf(&scratch, "%.3f", (double)e->options.clock_ms / 1000);
    engine_tell(db,
                name_statement(&scratch, e->driver->before_load, &now,
                               e->driver->dialect),
                scratch);
    dump_split split = dump_split_new(dump->text, e->driver->dialect);
    dump_statement s;
    bool ok = true;
    while (ok && dump_split_next(&split, &s)) {
        ok = run(db, &s, diag_locate(dump->path, dump->text, s.offset), d,
                 scratch);
    }
    return ok;
}

// The URL of a database that is there before ours is.
static str home_of(const engine *e, str source, arena *a)
{
    return url_wants_database(source)
               ? url_with_database(a, source, e->driver->home)
               : source;
}

bool engine_make_database(engine *e,
                          str source,
                          const engine_dump *dump,
                          str *made,
                          arena *a,
                          diag *d,
                          arena scratch)
{
    const engine_driver *driver = e->driver;
    *made = url_replace_database(a, source, dump->name);
    if (!driver->reach) {
        return diag_add(d, (diag_place){0}, "%.*s makes no databases",
                        STR_ARG(driver->title));
    }
    bool has_model = dump->model.len > 0;
    const str names[] = {dump->name, has_model ? dump->model : driver->model};
    dump_statement create = {.sql = name_statement(&scratch, driver->create,
                                                   names, driver->dialect)};
    str server = home_of(e, source, a);
    database *db = reach(e, server, d, &scratch);
    bool ok = db
              && run(db, &create, (diag_place){.file = url_show(d->a, server)},
                     d, scratch);
    hang_up(db);
    if (ok && !has_model) {
        db = reach(e, *made, d, &scratch);
        ok = db && load(db, dump, d, scratch);
        hang_up(db);
    }
    if (!ok) {
        engine_drop_database(e, source, dump->name, scratch);
    }
    return ok;
}

// A worker that was killed may have left the server copying a database, which
// goes on without it and would appear after all others were dropped.
static void end_copies(database *db, str literal, arena scratch)
{
    enum {
        LOOKS = 100,
    };
    const engine_driver *driver = db->owner->driver;
    bool is_over = !driver->ends_copies;
    for (int i = 0; !is_over && i < LOOKS; i++) {
        arena local = scratch;
        str sql = name_statement(&local, driver->ends_copies, &literal,
                                 driver->dialect);
        is_over = engine_ask_text(db, sql.ptr, &local).len == 0;
    }
}

void engine_drop_database(engine *e, str source, str name, arena scratch)
{
    const engine_driver *driver = e->driver;
    diag *ignored = engine_side_diag(&scratch);
    str server = home_of(e, source, &scratch);
    database *db = driver->reach ? reach(e, server, ignored, &scratch) : NULL;
    if (!db) {
        return;
    }
    str literal = name_literal(&scratch, name);
    end_copies(db, literal, scratch);
    catalogue_rows names = {0};
    str why;
    driver->ask(
        db, name_statement(&scratch, driver->made, &literal, driver->dialect),
        &names, &scratch, &why);
    for (ptrdiff_t i = 0; i < names.len; i += CATALOGUE_MOST_COLUMNS) {
        engine_tell(db,
                    name_statement(&scratch, driver->drop, &names.ptr[i],
                                   driver->dialect),
                    scratch);
    }
    hang_up(db);
}
