/*
 * engine_postgres.c - the driver of PostgreSQL and of the servers that speak
 * its protocol (Citus, YugabyteDB, CockroachDB, Redshift, Greenplum).
 *
 * postgres_connect.c says how a connection is made safe, postgres_run.c how a
 * query is run on it.
 */
#include "engine/engine_postgres.h"

#include "base/library.h"
#include "engine/scratch_driver.h"

static bool postgres_start(engine *e, diag *d)
{
    return postgres_load((postgres_engine *)e, d);
}

static void postgres_stop(engine *e)
{
    postgres_close_stuck((postgres_engine *)e);
    library_close(((postgres_engine *)e)->library);
}

static str postgres_version(const engine *e, arena *a)
{
    int version = ((const postgres_engine *)e)->version;
    return arena_printf(a, "PostgreSQL %d.%d", version / 10000,
                        version % 10000);
}

static bool postgres_connect(database *base, str path, diag *d, arena scratch)
{
    postgres_database *db = (postgres_database *)base;
    postgres_engine *e = (postgres_engine *)base->owner;
    db->url = str_from(arena_cstr(&e->base.a, path));
    if (!postgres_open(db, d, scratch)) {
        return false;
    }
    if (e->version == 0) {
        e->version = e->api.PQserverVersion(db->conn);
    }
    return true;
}

static void postgres_disconnect(database *db)
{
    postgres_close((postgres_database *)db);
}

static bool postgres_reconnect(database *base, diag *d, arena scratch)
{
    postgres_database *db = (postgres_database *)base;
    postgres_close(db);
    return postgres_open(db, d, scratch);
}

static str postgres_remark(const database *base, arena *a)
{
    const postgres_database *db = (const postgres_database *)base;
    return db->is_owner ? arena_printf(a,
                                       "the login '%.*s' owns tables; one that "
                                       "may only read would be safer",
                                       STR_ARG(db->user))
                        : (str){0};
}

const engine_driver driver_postgres = {
    .word = S_INIT("postgres"),
    .title = S_INIT("PostgreSQL"),
    .schemes = {S_INIT("postgresql://"), S_INIT("postgres://")},
    .dialect = DIALECT_POSTGRES,
    .is_server = true,
    .own_databases = "template0 template1",
    .has_own_clock = true,
    .engine_size = sizeof(postgres_engine),
    .database_size = sizeof(postgres_database),
    .start = postgres_start,
    .stop = postgres_stop,
    .version = postgres_version,
    .connect = postgres_connect,
    .disconnect = postgres_disconnect,
    .reconnect = postgres_reconnect,
    .home = S_INIT("postgres"),
    .make = postgres_make,
    .drop = postgres_drop,
    .remark = postgres_remark,
    .ask = postgres_rows,
    .catalogue = postgres_catalogue,
    .catalogue_types = DIALECT_POSTGRES,
    .names = postgres_names,
    .sums = postgres_sums,
    .fingerprint = engine_sum_tables,
    .read_schema = engine_read_catalogue,
    .run = postgres_run,
    .scratch = &scratch_postgres,
    .run_script = postgres_run_script,
};
