/*
 * engine_ask.c - what is the same of all systems that are asked in SQL about
 * their tables; what they are asked is the driver's.
 */
#include "base/hash.h"
#include "engine/engine_driver.h"
#include "engine/url.h"
#include "sql/name.h"

#include <time.h>

str engine_ask_text(database *db, const char *sql, arena *a)
{
    catalogue_rows rows = {0};
    str ignored;
    bool ok = db->owner->driver->ask(db, str_from(sql), &rows, a, &ignored);
    return ok && rows.len > 0 ? rows.ptr[0] : (str){0};
}

bool engine_tell(database *db, str sql, arena scratch)
{
    str ignored;
    return db->owner->driver->ask(db, sql, NULL, &scratch, &ignored);
}

bool engine_says(const database *db, str why, diag *d)
{
    return diag_add(d, (diag_place){.file = url_show(d->a, db->path)}, "%.*s",
                    STR_ARG(why));
}

bool engine_must_be(database *db, str sql, str wanted, diag *d, arena scratch)
{
    str is = engine_ask_text(db, sql.ptr, &scratch);
    return str_equal(is, wanted)
           || engine_says(db,
                          arena_printf(d->a,
                                       "the server did not accept the "
                                       "session's settings: '%.*s', not "
                                       "'%.*s'",
                                       STR_ARG(is), STR_ARG(wanted)),
                          d);
}

// "12,15"
static str stuck_of(const engine *e, arena *a)
{
    buf list = buf_new(a);
    for (ptrdiff_t i = 0; i < e->stuck.len; i++) {
        buf_printf(&list, "%s%lld", i > 0 ? "," : "",
                   (long long)e->stuck.ptr[i]);
    }
    return buf_str(&list);
}

bool engine_is_free(database *db, diag *d, arena scratch)
{
    enum {
        LOOKS = 10,
        PAUSE_NS = 5000000
    };
    engine *e = db->owner;
    for (int i = 0; i < LOOKS && e->stuck.len > 0; i++) {
        arena local = scratch;
        catalogue_rows there = {0};
        str ids = stuck_of(e, &local);
        str ignored;
        e->driver->ask(db,
                       name_statement(&local, e->driver->asks_stuck, &ids,
                                      e->driver->dialect),
                       &there, &local, &ignored);
        e->stuck.len = 0;
        for (ptrdiff_t k = 0; k < there.len; k += CATALOGUE_MOST_COLUMNS) {
            int64_t id = 0;
            str_to_int(there.ptr[k], &id);
            *vec_push(&e->a, &e->stuck) = id;
        }
        nanosleep(&(struct timespec){.tv_nsec = there.len > 0 ? PAUSE_NS : 0},
                  NULL);
    }
    e->n_stuck = (int)e->stuck.len;
    e->n_borne = e->n_borne < e->n_stuck ? e->n_borne : e->n_stuck;
    return !engine_is_stuck(e)
           || engine_says(db,
                          arena_printf(d->a,
                                       "cancelled queries are still running "
                                       "on the server (%.*s)",
                                       STR_ARG(stuck_of(e, &scratch))),
                          d);
}

static bool ask_part(void *context,
                     catalogue_part part,
                     catalogue_rows *rows,
                     arena *a,
                     diag *d)
{
    database *db = context;
    const engine_driver *driver = db->owner->driver;
    str sql = driver->catalogue[part];
    str why;
    return sql.len == 0 || driver->ask(db, sql, rows, a, &why)
           || diag_add(d, (diag_place){0}, "the catalogue cannot be read: %.*s",
                       STR_ARG(why));
}

bool engine_read_catalogue(database *db, schema *s, arena *a, diag *d)
{
    const engine_driver *driver = db->owner->driver;
    catalogue c = {ask_part, db, driver->catalogue_types, driver->dialect};
    return schema_from_catalogue(s, &c, a, d);
}

static void mix_cells(uint64_t *sum, const catalogue_rows *rows)
{
    for (ptrdiff_t i = 0; i < rows->len; i++) {
        *sum = hash_mix(*sum, hash64(rows->ptr[i]));
    }
}

bool engine_sum_tables(database *db, uint64_t *out, diag *d, arena scratch)
{
    const engine_driver *driver = db->owner->driver;
    catalogue_rows tables = {0};
    str why;
    bool ok = driver->ask(db, str_from(driver->names), &tables, &scratch, &why);
    *out = 1;
    mix_cells(out, &tables);
    for (ptrdiff_t i = 0; ok && i < tables.len; i += CATALOGUE_MOST_COLUMNS) {
        arena local = scratch;
        catalogue_rows sums = {0};
        str sql = name_statement(&local, driver->sums, &tables.ptr[i],
                                 driver->dialect);
        ok = driver->ask(db, sql, &sums, &local, &why);
        mix_cells(out, &sums);
    }
    return ok
           || diag_add(d, (diag_place){0}, "the tables cannot be read: %.*s",
                       STR_ARG(why));
}
