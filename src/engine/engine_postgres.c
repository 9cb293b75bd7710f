/*
 * engine_postgres.c - the driver of PostgreSQL and of the servers that speak
 * its protocol (Citus, YugabyteDB, CockroachDB, Redshift, Greenplum).
 *
 * postgres_connect.c says how a connection is made safe, postgres_run.c how a
 * query is run on it.
 */
#include "engine/engine_postgres.h"

#include "engine/scratch_driver.h"

static const char *const names[] = {
#define PQ(name) #name,
#include "engine/postgres_api.def"
#undef PQ
};

static const library_spec libpq = {
    .file = "libpq.so.5",
    .needed = "PostgreSQL needs the library libpq.so.5 (Debian: libpq5)",
    .names = names,
    .n_names = countof(names),
};

static str postgres_version(const engine *e, arena *a)
{
    int version = ((const postgres_engine *)e)->version;
    return arena_printf(a, "PostgreSQL %d.%d", version / 10000,
                        version % 10000);
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
    .library = &libpq,
    .api = offsetof(postgres_engine, api),
    .version = postgres_version,
    .connect = postgres_open,
    .disconnect = postgres_close,
    .may_be_lost = true,
    .reach = postgres_reach,
    .copy_in = postgres_copy_in,
    .home = S_INIT("postgres"),
    .model = S_INIT("template1"),
    .create = "CREATE DATABASE $0 TEMPLATE $1",
    .before_load = "SET synchronous_commit=off; SET TimeZone=UTC;"
                   "SET client_min_messages=error",
    .ends_copies = "SELECT pg_catalog.pg_terminate_backend(pid),"
                   " pg_catalog.pg_sleep(0.05)"
                   " FROM pg_catalog.pg_stat_activity"
                   " WHERE usename = current_user AND pg_catalog.strpos("
                   "query, 'CREATE DATABASE \"' || #0 || '.') = 1",
    .made = "SELECT datname FROM pg_catalog.pg_database WHERE"
            " pg_catalog.strpos(datname || '.', #0 || '.') = 1",
    .drop = "DROP DATABASE IF EXISTS $0 WITH (FORCE)",
    .asks_stuck =
        "SELECT pid FROM pg_catalog.pg_stat_activity WHERE pid IN (#0)",
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
    .script = &script_postgres,
};
